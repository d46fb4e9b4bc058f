// What visiting a graph node means for the nodes that planning, applying and the console treat alike: module
// calls, variables, locals, outputs, checks and provider configurations.
//
// Who calls it: planner, validate, console, apply.  Thread-safety: as World. Cost: that of the expressions;
// start_provider() one provider start and one configure call.
#pragma once
#include <functional>
#include <memory>

#include "core/plan/config_graph.h"
#include "core/plan/evaluate.h"
#include "core/provider/provider.h"

namespace xplan {

struct NamedResult {
  CheckResult check;
  bool has_check = false;
  Diagnostics diags;
};

// Resource and provider nodes are the caller's; for them (and nodes that need nothing) this does nothing.
// `leaves_out`: module instances in which the value stays unknown, and nothing is checked.
void visit_named(World& w, const GraphNode& g, const RootValues& root, Conditions conditions,
                 NamedResult& out, const std::function<bool(const ModuleInst&)>& leaves_out = {});

// An error where objects of the state were made with a provider configuration that is no longer declared.
bool require_configuration(const ProviderNode& p, Diagnostics& diags);

// Starts and configures a provider; null after an error. Where deferral is allowed and the configuration is
// not known yet, or `wait` is set, the provider is not configured, and `wait` is set: only its schema, its
// validation and its upgrades of stored objects can be used.
std::shared_ptr<Provider> start_provider(const World& w, const ProviderNode& p, ProviderFactory& factory,
                                         Diagnostics& diags, bool* wait = nullptr);

// What the module of a resource tells the provider about itself (provider_meta blocks); null where it says
// nothing.
Value provider_meta(const World& w, const ModuleInst* m, const ProviderAddr& addr, const Provider& provider,
                    Diagnostics& diags);

// The kind, names and address of the check results that a node's conditions give; false when it has none.
bool describe_check(const GraphNode& g, CheckResult& out);

}  // namespace xplan

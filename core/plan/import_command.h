// The import command: one object that exists already becomes the object of one resource instance.
//
// Who calls it: cmd. (Import blocks are planned, see plan_imports.cc.)
// Contract: the configuration declares the instance; the state has no object for it yet. After an error the
// state is as it was. Cost: the values of the whole configuration are evaluated once, because the provider's
// configuration may need them. Thread-safety: one thread.
#pragma once
#include <functional>

#include "core/plan/planner.h"

namespace xplan {

// `progress` is called without an object before the provider is asked for it, and with what it has found.
bool import_object(const config::Config& config, State& state, const AbsInstance& addr, const std::string& id,
                   const PlanOptions& options, ProviderFactory& providers,
                   const std::function<void(const Value* found)>& progress, Diagnostics& diags);

}  // namespace xplan

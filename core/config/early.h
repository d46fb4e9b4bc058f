// What a configuration says with variables and local values that must be known before anything is planned:
// where its modules come from, and where its states are.
//
// Who calls it: tree.cc and install, for sources of modules; backend, for its block.
// Contract: values of the root module's variables are asked for when the first one is used, once; what is
// wrong with them is reported to everybody who uses one.  Cost: as StaticScope.  Thread-safety: one thread.
#pragma once
#include <memory>
#include <optional>

#include "core/config/static_scope.h"

namespace xplan::config {

inline constexpr std::string_view kModuleSource = "the source of a module",
                                  kConstantVariable = "the value of a constant variable",
                                  kNeededEarly = "is needed before anything is planned";

class Early {
 public:
  Early(const Module& root, EarlyInputs inputs, Stop stop)
      : root_(root), inputs_(std::move(inputs)), stop_(stop) {}
  // Of the root module; it does not outlive this. `what` and `why` as in StaticUse.
  std::shared_ptr<const StaticScope> scope(std::string_view what, std::string_view why,
                                           Workspace workspace = Workspace::Known);
  // Null after an error.
  const VariableValues* values(Diagnostics& diags);

 private:
  const Module& root_;
  EarlyInputs inputs_;
  Stop stop_;
  std::optional<VariableValues> values_;
  Diagnostics failure_;  // not empty: there are no values
};

// Scopes of the modules of a tree, made when they are first asked for.
class EarlyScopes {
 public:
  EarlyScopes(Early& early, std::string_view what, std::string_view why)
      : early_(early), what_(what), why_(why) {}
  const std::shared_ptr<const StaticScope>& of(const Node& n) {
    std::shared_ptr<const StaticScope>& scope = scopes_[&n];
    if (!scope)
      scope = n.parent ? std::make_shared<StaticScope>(*n.module, *n.call, of(*n.parent))
                       : early_.scope(what_, why_);
    return scope;
  }

 private:
  Early& early_;
  std::string_view what_, why_;
  std::unordered_map<const Node*, std::shared_ptr<const StaticScope>> scopes_;
};

// Whether an argument that used to be constant has to be evaluated: it has references or calls functions, and
// the dialect permits that.
bool is_dynamic(const Expr& e);
// Where the module of a call comes from. Nothing: the call does not say, or wrongly, which was reported when
// it was decoded or is reported now. `scope` is asked for only where the call has something to evaluate.
std::optional<ModuleFrom> source_of(const ModuleCall& call,
                                    const std::function<std::shared_ptr<const StaticScope>()>& scope,
                                    Diagnostics& diags);
// Reports what is wrong with a version next to this source; false: so wrong that nobody looks for the module.
bool check_version(const ModuleCall& call, const ModuleFrom& from, Range version, Diagnostics& diags);

}  // namespace xplan::config

// What can be known before anything is planned: input variables and local values, path, terraform.workspace,
// functions.
//
// Who calls it: crypt, for encryption blocks; tree.cc and install, for sources of modules; backend, for its
// block.  Contract: all else is an error that says so. Variables of a called module are what the call says,
// as far as that can be known in its turn. A local value or an argument that has an error reports it once;
// later uses of it are unknown, and had_errors() tells.  Cost: each local value and argument is evaluated
// once.  Thread-safety: one thread.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/stop.h"
#include "core/config/config.h"
#include "core/eval/eval.h"

namespace xplan::config {

// Whether there is a selected workspace already; what decides which workspaces there are cannot depend on it.
enum class Workspace : uint8_t { Known, ComesLater };

// Whose expressions are evaluated, and what surrounds them.
struct StaticUse {
  std::string_view what = "the encryption block";
  std::string_view why = "is needed before the state is read";
  Marks marks = 0;                         // of every value
  bool validating = false;                 // variables have no values yet: they are unknown
  std::string cwd, workspace = "default";  // "": it comes later
  Stop stop = nullptr;
};

class StaticScope : public eval::Scope {
 public:
  // Values of a root module's variables, asked for when the first one is used. Null after an error.
  using Variables = std::function<const VariableValues*(Diagnostics&)>;
  // Of a root module; null: there are no variables and local values.
  StaticScope(const Module* root, Variables variables, StaticUse use);
  // Of a called module.
  StaticScope(const Module& module, const ModuleCall& call, std::shared_ptr<const StaticScope> caller);
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override;
  bool failed(const syntax::Traversal& t) const override;
  const eval::FunctionTable& functions() const override {
    return caller_ ? caller_->functions() : functions_;
  }
  // Evaluates a variable that is declared as constant, for what is wrong with it.
  void look_up(const Variable& v, Diagnostics& diags) const;
  const StaticUse& use() const { return caller_ ? caller_->use() : use_; }
  // Of the root module: the variables that were used so far.
  const std::set<Symbol, SymbolTextLess>& used_variables() const { return used_; }
  bool used_workspace() const { return used_workspace_; }  // likewise: whether terraform.workspace was
  bool had_errors() const { return !failed_.empty() || (caller_ && caller_->had_errors()); }

 private:
  using Name = std::pair<bool, Symbol>;  // whether it is a local value
  struct NameLess {
    bool operator()(const Name& a, const Name& b) const {
      return a.first != b.first ? a.first < b.first : a.second.id() < b.second.id();
    }
  };
  std::optional<Value> subject(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;
  std::optional<Value> variable(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;
  std::optional<Value> given(const syntax::Traversal& t, const Variable& v, Diagnostics& diags) const;
  std::optional<Value> argument(const Variable& v, Diagnostics& diags) const;
  std::optional<Value> local(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;
  template <class Find>
  std::optional<Value> once(Name name, Diagnostics& diags, Find find) const;
  void bad_reference(std::string detail, Range where, Diagnostics& diags) const;
  std::string_view module_text() const { return caller_ ? "This module" : "The root module"; }

  const Module* module_;
  Variables variables_;
  const ModuleCall* call_ = nullptr;
  std::shared_ptr<const StaticScope> caller_;
  StaticUse use_;
  eval::FunctionTable functions_;
  mutable std::map<Name, Value, NameLess> found_;
  mutable std::set<Name, NameLess> failed_;
  mutable std::set<Symbol, SymbolTextLess> used_;
  mutable bool used_workspace_ = false;
  mutable std::set<Symbol, SymbolTextLess> under_way_;  // local values
};

}  // namespace xplan::config

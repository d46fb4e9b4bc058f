// What expressions of an encryption block can see: input variables and local values of the root module, path,
// terraform.workspace, functions.
//
// Who calls it: encryption.cc.  Contract: a state may be needed before anything can be planned, so only what
// is known without one can be used; all else is an error that says so. Every value is sensitive, so that no
// message shows one.  Cost: a local value is evaluated each time that it is used.  Thread-safety: one thread.
#pragma once
#include <set>

#include "core/crypt/encryption.h"
#include "core/eval/eval.h"

namespace xplan::crypt {

class StaticScope : public eval::Scope {
 public:
  // `root` null: there are no variables and local values.
  StaticScope(const config::Module* root, const Variables& variables, const Environment& environment);
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override;
  const eval::FunctionTable& functions() const override { return functions_; }

 private:
  std::optional<Value> subject(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;
  std::optional<Value> variable(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;
  std::optional<Value> local(const syntax::Traversal& t, Symbol name, Diagnostics& diags) const;

  const config::Module* root_;
  const Variables& variables_;
  const Environment& environment_;
  eval::FunctionTable functions_;
  mutable std::set<Symbol, SymbolTextLess> under_way_;  // local values
};

}  // namespace xplan::crypt

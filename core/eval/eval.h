// Evaluation of expressions.
//
// Who calls it: config (constants), plan and apply (everything else), cmd console.
// Contract: evaluate() always returns a value; after an error it is an unknown of dynamic type (or of the
// type that the operation has in any case), and a diagnostic with the source range has been added. Marks and
// unknowns flow as the language prescribes. Nothing is cached between calls and nothing global is read: what
// an expression can see is its Scope. Limits: recursion depth (counted per thread, over templates inside
// templates too), produced string and collection sizes, nesting of the result (see limits.h) give a
// diagnostic, never a crash or a hang. Thread-safety: evaluate() may run concurrently with different Scopes
// (the tree is read-only). Cost: linear in the work of the expression; see evaluator.h.
#pragma once
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/diag/diagnostic.h"
#include "core/eval/function.h"
#include "core/syntax/ast.h"
#include "core/value/convert.h"
#include "core/value/value.h"

namespace xplan::eval {

// What names mean. Implemented by plan (module and instance scopes), console, templatefile, tests.
class Scope {
 public:
  virtual ~Scope() = default;
  // The value of a whole traversal, all steps applied. Problems are reported with t's ranges. For the values
  // listed with an error it is also asked for beginnings of a traversal (fewer steps, bound as the whole is):
  // those may fail.
  virtual Value resolve(const syntax::Traversal& t, Diagnostics& diags) const = 0;
  // Whether an error that was reported before left the traversal's value unknown.
  virtual bool failed(const syntax::Traversal&) const { return false; }
  // The name of the resource or module call of whose instances, by key, this traversal's value consists; "":
  // of none.
  virtual std::string instances_of(const syntax::Traversal&) const { return {}; }
  // The functions that can be called; names may be "core::f" or "provider::p::f".
  virtual const FunctionTable& functions() const = 0;
};

Value evaluate(const syntax::Expr& e, const Scope& scope, Diagnostics& diags);
// Evaluates and converts; a failing conversion is reported with the expression's range, as "Incorrect value
// type".
Value evaluate_as(const syntax::Expr& e, Type want, const Scope& scope, Diagnostics& diags);
// A constant expression: no references allowed, functions not either (tfvars, variable types, backend …).
Value evaluate_constant(const syntax::Expr& e, Diagnostics& diags);
const Scope& constants();  // what such an expression sees: nothing

// Lists with a diagnostic what the names in `e` stand for ("var.n", "is 5"); sensitive values only as such.
void describe_names(Diagnostic& d, const syntax::Expr& e, const Scope& scope);

// Applies traversal steps (attributes, indexes) to a value as the language does: attributes of objects and
// keys of maps, indexes of lists and tuples; unknown and null handling, marks; problems reported with the
// steps' ranges.
Value apply_steps(Value v, std::span<const syntax::TraversalStep> steps, Diagnostics& diags);
Value apply_attr(const Value& v, Symbol name, Range where, Diagnostics& diags);
Value apply_index(const Value& v, const Value& key, Range where, Diagnostics& diags);
// Of instances by key, which are those of `name`: one that is missing is reported as such.
Value apply_instance_key(const Value& instances, std::string_view name, const Value& key, Range where,
                         Diagnostics& diags);

// A scope of plain names: {"name" → value}; other names are errors. For templates, tests, loop bodies.
class NamesScope : public Scope {
 public:
  NamesScope(const FunctionTable& f) : functions_(f) {}
  std::vector<std::pair<Symbol, Value>> names;
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override;
  const FunctionTable& functions() const override { return functions_; }

 private:
  const FunctionTable& functions_;
};

// Parses a type constraint expression (string, list(number), object({a=optional(string,"x")}), any …).
// `allow_optional` is true for variable types. Errors are reported; the result is then dynamic.
TypeConstraint parse_type_constraint(const syntax::Expr& e, bool allow_optional, Diagnostics& diags);

// How the console and messages print a value: {"a" = 1}, (sensitive value), (known after apply), tolist([…])
// …
std::string console_text(const Value& v);

}  // namespace xplan::eval

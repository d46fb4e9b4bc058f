// Evaluator: one evaluation in progress. Internal to this folder.
//
// Who calls it: evaluate() makes one; its parts live in evaluate.cc, operators.cc, templates.cc,
// collections.cc, access.cc and calls.cc. Invariant: nothing outlives the call; loop variables are on the C++
// stack, linked from the innermost outwards. Cost: literals and traversals cost no more than the scope's
// answer; chains of operators (a + b + c …, a[0][1] …) are evaluated in a loop, so only real nesting uses
// stack. Thread-safety: belongs to one thread.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/eval.h"

namespace xplan::eval {

using syntax::Expr;
using syntax::ExprKind;
using syntax::Op;

inline Value marked(Value v, Marks m) {
  return m ? v.with_marks(m) : v;
}

// The variables of one loop in the round it is in.
struct LoopFrame {
  const LoopFrame* up = nullptr;
  Symbol key_name, value_name;
  const Value* key = nullptr;
  const Value* value = nullptr;
  const Value* find(Symbol name) const {
    for (const LoopFrame* f = this; f; f = f->up) {
      if (f->value_name == name) return f->value;
      if (f->key && f->key_name == name) return f->key;
    }
    return nullptr;
  }
};

// Whether this thread's expression may render one more template: each counts as some rounds of its loops.
bool another_rendering();

class Evaluator {
 public:
  Evaluator(const Scope& scope, Diagnostics& diags) : scope_(scope), diags_(diags) {}

  Value eval(const Expr& e);
  // The expression of which type() may be the outermost part.
  void allow_type_at(const Expr& e) { type_ok_ = &e; }
  // The value, or an unknown and an error when it is beyond the limits.
  Value limited(Value v, const Expr& e);
  // Adds the values that `part` is made of.
  Diagnostic& describe(Diagnostic& d, const Expr& part);

 private:
  // A child that reports elsewhere: for what may be discarded.
  Evaluator with(Diagnostics& diags, bool quiet) const;

  Value eval_compound(const Expr& e);
  Value dispatch(const Expr& e);
  // Whether to give up because the run is to end, and says so. Asked where an error is not an answer.
  bool stopped(const Expr& e);
  Value eval_chain(const Expr& e);
  Value traversal(const Expr& e);
  // An index of `whole` failed: says it again in their words where that is the instances of something.
  void name_instances(size_t from, const Expr& e, const Value& whole, const Value& key);
  // operators.cc
  Value unary(const Expr& e, Value a);
  Value binary(const Expr& e, Value a, Value b);
  bool operand(Value& v, Type want, const Expr& part, const Expr& whole, std::string_view side);
  Value conditional(const Expr& e);
  bool condition(Value& v, Marks& marks, const Expr& part, const Expr& whole);
  // templates.cc
  Value template_string(const Expr& e);
  Value template_if(const Expr& e);
  Value template_for(const Expr& e);
  bool append_part(std::string& out, Value v, const Expr& part, const Expr& whole, Marks& marks, bool& known);
  bool string_fits(size_t bytes, const Expr& e);
  // collections.cc
  Value tuple(const Expr& e);
  Value object(const Expr& e);
  Value for_tuple(const Expr& e);
  Value for_object(const Expr& e);
  Value splat(const Expr& e, Value source);
  bool another_round(const Expr& e, size_t errors);  // errors: as many as there were before the loop
  template <class Round>
  bool rounds(const Expr& e, const Value& collection, Round round);
  bool iterable(const Expr& e, const Value& collection, std::string_view what);
  int wanted(const Expr& e, Marks& marks);
  bool clause_possible(const Expr& e, const Value& collection);
  Value splat_element(const Expr& e, const Value& element);
  // calls.cc
  Value call(const Expr& e);
  bool can_be_expanded(const Value& list, const Function& f, const Expr& e);
  Value call_try(const Expr& e);
  Value call_can(const Expr& e);
  Value call_type(const Expr& e);
  Value call_convert(const Expr& e);
  bool template_argument_ok(const Expr& e);
  void unknown_function(const Expr& e);

  // Reports with the values that `part` is made of.
  Diagnostic& error(std::string_view summary, std::string detail, const Expr& part, const Expr& whole);
  void describe(size_t from, const Expr& part);
  void drop_repeated(size_t from);  // of several diagnostics that say the same of one place, the first stays

  const Scope& scope_;
  Diagnostics& diags_;
  const LoopFrame* loop_ = nullptr;
  const Value* splat_item_ = nullptr;
  const Expr* type_ok_ = nullptr;
  bool quiet_ = false;  // the diagnostics will be thrown away: do not describe values
};

// Counts nested work on this thread; see limits.h.
class DepthGuard {
 public:
  DepthGuard();
  ~DepthGuard();
  DepthGuard(const DepthGuard&) = delete;
  bool too_deep() const;
};

// "number", "list of string", "any type"… with "a" or "an" before it.
std::string kind_noun(Type t);  // "a number", "a list of string", "an object"
// What a value is, in the words of an error's value list: `is 5`, `has a sensitive value` …
std::string describe_value(const Value& v);
std::string traversal_text(const syntax::Traversal& t, size_t steps);

}  // namespace xplan::eval

// rounds(): runs the body of a loop once per element. Internal to this folder, included by the .cc files that
// loop.
//
// Invariant: the loop variables live in this frame for the time of one round; the key is made only when it
// has a name. `round(key, evaluator)` returns false to stop. Cost: no allocation per round but the key of a
// map or object. Who calls it: collections.cc and templates.cc. Thread-safety: as Evaluator.
#pragma once
#include "core/eval/evaluator.h"
#include "core/eval/limits.h"

namespace xplan::eval {

// The key of an element as loops show it: a number, a string, or for sets the element itself.
Value element_key(const Value& collection, size_t i);

// Returns false when the loop ended early or an error was found in it.
template <class Round>
bool Evaluator::rounds(const Expr& e, const Value& collection, Round round) {
  size_t errors = diags_.error_count(), first = diags_.size();
  auto elements = collection.elements();
  bool needs_key = !e.key_name.empty();
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!another_round(e, errors)) break;
    Value key = needs_key ? element_key(collection, i) : Value();
    LoopFrame frame{loop_, e.key_name, e.name, needs_key ? &key : nullptr, &elements[i]};
    Evaluator inner = with(diags_, false);
    inner.loop_ = &frame;
    inner.type_ok_ = nullptr;
    if (!round(key, inner)) return false;
    if (diags_.error_count() >= errors + kMaxLoopErrors) break;
  }
  if (diags_.error_count() == errors) return true;
  drop_repeated(first);
  return false;
}

}  // namespace xplan::eval

// NamedValues: the variables, locals and outputs of a run that its plan keeps, without secrets.
//
// Who calls it: the planner, once per plan; run/last_apply, for what is kept beside the state.
// Contract: whatever is sensitive or ephemeral is null in what is kept, and marked as sensitive. Large
// values, and all that comes when kMostInAll is reached, are left out: an explanation does without them.
// Cost: a copy of a pointer for each value; those with marks are copied.  Thread-safety: one thread.
#pragma once
#include <vector>

#include "core/plan/plan.h"

namespace xplan {

class NamedValues {
 public:
  static constexpr size_t kLargest = 4096, kMostInAll = 2'000'000;  // in Value::written_size()
  void add(NamedKind kind, ModuleInstance module, Symbol name, const Value& v);
  std::vector<NamedValue> take() { return std::move(kept_); }

 private:
  std::vector<NamedValue> kept_;
  size_t size_ = 0;
};

// Every part that has a mark as a null, which is marked as sensitive.
Value without_secrets(const Value& v);

}  // namespace xplan

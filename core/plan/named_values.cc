// Keeps values of names for explanations: within limits, and without what is secret.
#include "core/plan/named_values.h"

namespace xplan {

Value without_secrets(const Value& v) {
  if (v.marks()) return Value::null(v.type()).with_marks(kSensitive);
  if (!v.contains_marks()) return v;
  Value out = v;
  for (const PathMarks& m : marked_paths(v))
    out = path_update(out, m.path,
                      [&](const Value& old) { return Value::null(old.type()).with_marks(kSensitive); });
  return out;
}

void NamedValues::add(NamedKind kind, ModuleInstance module, Symbol name, const Value& v) {
  const size_t size = v.written_size();
  if (size > kLargest || size_ + size > kMostInAll) return;
  size_ += size;
  kept_.push_back({kind, module, name, without_secrets(v), {}});
}

}  // namespace xplan

// The result type of a function call whose arguments are known only by type. Used where signatures are shown
// or checked without values.
#include "core/eval/function.h"

namespace xplan::eval {

Type signature_type(const Function& f) {
  std::vector<Value> args;
  auto add = [&](const Param& p) {
    args.push_back(Value::unknown(p.type));
    return !p.type.is_dynamic() || p.allow_dynamic;
  };
  for (const Param& p : f.params)
    if (!add(p)) return Type::dynamic();  // a call with such an argument has no type either
  if (f.variadic && !add(*f.variadic)) return Type::dynamic();
  if (!f.type_of) return f.returns;
  CallError error;
  Type t = f.type_of(args, error);
  return error.message.empty() ? t : f.returns;
}

}  // namespace xplan::eval

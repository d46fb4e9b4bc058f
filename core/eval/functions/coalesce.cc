// coalesce() and coalescelist(): the first argument that has something in it.
#include <algorithm>

#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"

namespace xplan::eval {
namespace {

Type coalesce_type(Args args, CallError& error) {
  std::vector<Type> types;
  for (const Value& v : args) types.push_back(v.type());
  Type common;
  if (args.empty()) return fail_type(error, "at least one value is required");
  if (!unify(types, common)) return fail_type(error, "the values have no common type");
  return common;
}

Value f_coalesce(Args args, const CallContext&, CallError& error) {
  Type type = coalesce_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].is_unknown()) return Value::unknown(type);
    if (args[i].is_null()) continue;
    ConversionError why;
    auto v = convert(args[i], type, &why);
    if (!v) return fail(error, why.text(), static_cast<int>(i));
    if (v->is_string() && v->as_string().empty()) continue;
    return *v;
  }
  return fail(error, "all values are null or empty strings");
}

Type coalescelist_type(Args args, CallError& error) {
  if (args.empty()) return fail_type(error, "at least one list or tuple is required");
  bool same = true;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].is_unknown()) return Type::dynamic();
    Type t = args[i].type();
    if (!is_sequence(t))
      return fail_type(error, "lists and tuples are required, not " + with_article(t.friendly_name()),
                       static_cast<int>(i));
    same = same && t == args[0].type();
  }
  return same ? args[0].type() : Type::dynamic();
}

Value f_coalescelist(Args args, const CallContext&, CallError& error) {
  Type type = coalescelist_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  for (const Value& v : args) {
    if (v.is_unknown()) return Value::unknown(type);
    if (v.length() > 0) return v;
  }
  return fail(error, "all lists are null or empty");
}

}  // namespace

void register_coalesce(FunctionTable& table) {
  table.add({.name = "coalesce",
             .variadic = open_param("vals"),
             .type_of = coalesce_type,
             .impl = f_coalesce,
             .description = "The first value that is neither null nor an empty string."});
  table.add({.name = "coalescelist",
             .variadic = open_param("vals"),
             .type_of = coalescelist_type,
             .impl = f_coalescelist,
             .description = "The first list that is not empty."});
}

}  // namespace xplan::eval

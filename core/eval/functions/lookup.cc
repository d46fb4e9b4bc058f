// lookup(): the value of a key, or a default.
#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"

namespace xplan::eval {
namespace {

Type lookup_type(Args args, CallError& error) {
  if (args.size() > 3)
    return fail_type(error, "two or three arguments are required: a map, a key and optionally a default");
  const Type t = args[0].type();
  if (t.is_map()) {
    if (args.size() == 3 && !convert(args[2], t.element()))
      return fail_type(
          error, "the default must have the type of the elements of the map, " + t.element().friendly_name(),
          2);
    return t.element();
  }
  if (!t.is_object())
    return fail_type(error, "a map or object is required, not " + with_article(t.friendly_name()), 0);
  if (args[1].is_unknown()) return Type::dynamic();
  if (int i = t.find_attr(args[1].as_string()); i >= 0) return t.elements()[static_cast<size_t>(i)];
  if (args.size() == 3) return args[2].type();
  return fail_type(
      error,
      "the object has no attribute \"" + std::string(args[1].as_string()) + "\", and there is no default", 0);
}

Value f_lookup(Args args, const CallContext&, CallError& error) {
  Type type = lookup_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  const Value& map = args[0];
  Marks marks = map.marks() | args[1].marks();
  if (map.is_unknown() || args[1].is_unknown()) return Value::unknown(type).with_marks(marks);
  std::string_view key = args[1].as_string();
  const Value* found = map.type().is_map() ? map.find_key(key) : map.find_attr(key);
  if (found) return found->with_marks(marks);
  if (args.size() < 3)
    return fail(error, "the map has no key \"" + std::string(key) + "\", and there is no default");
  ConversionError why;
  auto standin = convert(args[2], type, &why);
  if (!standin) return fail(error, why.text(), 2);
  return standin->with_marks(marks);
}

}  // namespace

void register_lookup(FunctionTable& table) {
  Param fallback = open_param("default");
  fallback.allow_marked = true;
  table.add({.name = "lookup",
             .params = {{.name = "inputMap", .allow_unknown = true, .allow_marked = true},
                        {.name = "key", .type = Type::string(), .allow_unknown = true, .allow_marked = true}},
             .variadic = fallback,
             .type_of = lookup_type,
             .impl = f_lookup,
             .refine_not_null = false,
             .description = "The value of a key of a map or object, or a default."});
}

}  // namespace xplan::eval

// Conversion functions, marks (sensitive, nonsensitive, issensitive, ephemeralasnull), and the table entries
// of those that eval carries out itself: try, can and convert; type() for the console only.
#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"
#include "core/value/path.h"

namespace xplan::eval {
namespace {

template <Type (*kWant)()>
Type to_type(Args args, CallError& error) {
  Type from = args[0].type(), want = kWant();
  if (from == want || conversion_exists(from, want)) return want;
  const std::string goal = with_article(want.friendly_name()), why = why_no_conversion(from, want);
  return fail_type(error,
                   with_article(from.friendly_name()) + " cannot be converted to " + goal +
                       (why.starts_with(goal) ? "" : ": " + why),
                   0);
}

template <Type (*kWant)()>
Value f_to(Args args, const CallContext&, CallError& error) {
  to_type<kWant>(args, error);
  if (!error.message.empty()) return Value::unknown();
  if (args[0].is_unknown()) return Value::unknown(kWant()).with_marks(args[0].marks());
  ConversionError why;
  auto v = convert(args[0], kWant(), &why);
  if (v) return *v;
  const std::string reason = why.text();
  if (!args[0].is_string()) return fail(error, reason, 0);
  return fail(error,
              "the string \"" + std::string(args[0].as_string()) + "\" cannot be converted to a " +
                  kWant().friendly_name() + (reason.ends_with("is not one") ? "" : ": " + reason),
              0);
}

Type list_of_any() {
  return Type::list(Type::dynamic());
}
Type set_of_any() {
  return Type::set(Type::dynamic());
}
Type map_of_any() {
  return Type::map(Type::dynamic());
}

Type same_type(Args args, CallError&) {
  return args[0].type();
}

Value f_sensitive(Args args, const CallContext&, CallError&) {
  return args[0].with_marks(kSensitive);
}

// Only the value's own mark is taken off; parts that are sensitive by themselves stay so.
Value f_nonsensitive(Args args, const CallContext&, CallError&) {
  Marks rest = args[0].marks() & static_cast<Marks>(~kSensitive);
  return args[0].without_own_marks().with_marks(rest);
}

// A mark that is there will stay; one that is missing may still come with the value.
Value f_issensitive(Args args, const CallContext&, CallError&) {
  if (args[0].has_mark(kSensitive)) return Value::boolean(true);
  return args[0].is_unknown() ? Value::unknown(Type::boolean()) : Value::boolean(false);
}

Value f_ephemeralasnull(Args args, const CallContext&, CallError&) {
  if (!(args[0].deep_marks() & kEphemeral)) return args[0];
  return transform_value(args[0], [](const Path&, const Value& v) {
    if (!v.has_mark(kEphemeral)) return v;
    Marks rest = v.marks() & static_cast<Marks>(~kEphemeral);
    // What is not known may still get another type, which a null would promise not to.
    return (v.is_unknown() ? Value::unknown(v.type()) : Value::null(v.type())).with_marks(rest);
  });
}

Value evaluated_elsewhere(Args, const CallContext&, CallError& error) {
  return fail(error, "this function works on expressions and can only be called by name");
}

template <Type (*kWant)()>
void add_conversion(FunctionTable& table, std::string_view name, std::string_view description) {
  Param v = open_param("v");
  v.allow_marked = true;
  table.add({.name = name,
             .params = {v},
             .returns = kWant(),
             .type_of = to_type<kWant>,
             .impl = f_to<kWant>,
             .refine_not_null = false,
             .description = description});
}

}  // namespace

void register_conversion(FunctionTable& table) {
  add_conversion<Type::boolean>(table, "tobool", "The value as a bool.");
  add_conversion<list_of_any>(table, "tolist", "The value as a list.");
  add_conversion<map_of_any>(table, "tomap", "The value as a map.");
  add_conversion<Type::number>(table, "tonumber", "The value as a number.");
  add_conversion<set_of_any>(table, "toset", "The value as a set.");
  add_conversion<Type::string>(table, "tostring", "The value as a string.");

  Param value = open_param("value");
  value.allow_marked = true;
  table.add({.name = "ephemeralasnull",
             .params = {value},
             .type_of = same_type,
             .impl = f_ephemeralasnull,
             .refine_not_null = false,
             .description = "The value with everything ephemeral in it replaced with null."});
  table.add({.name = "issensitive",
             .params = {value},
             .returns = Type::boolean(),
             .impl = f_issensitive,
             .description = "Whether a value is marked as sensitive."});
  table.add({.name = "nonsensitive",
             .params = {value},
             .type_of = same_type,
             .impl = f_nonsensitive,
             .refine_not_null = false,
             .description = "The value, no longer marked as sensitive."});
  table.add({.name = "sensitive",
             .params = {value},
             .type_of = same_type,
             .impl = f_sensitive,
             .refine_not_null = false,
             .description = "The value, marked as sensitive."});

  // Their arguments are expressions, so that these parameters are only what a listing shows.
  table.add({.name = "can",
             .params = {{.name = "expression", .allow_dynamic = true}},
             .returns = Type::boolean(),
             .impl = evaluated_elsewhere,
             .description = "Whether an expression evaluates without an error."});
  table.add({.name = "try",
             .variadic = Param{.name = "expressions", .allow_dynamic = true},
             .impl = evaluated_elsewhere,
             .refine_not_null = false,
             .description = "The first of the expressions that evaluates without an error."});
  table.add({.name = "convert",
             .params = {open_param("value"), any_param("type")},
             .impl = evaluated_elsewhere,
             .refine_not_null = false,
             .addition = true,
             .description = "The value, converted to the type."});
}

void register_console(FunctionTable& table) {
  table.add({.name = "type",
             .params = {open_param("value")},
             .impl = evaluated_elsewhere,
             .refine_not_null = false,
             .description = "The type of a value."});
}

}  // namespace xplan::eval

// register_collections, and the functions that ask something of a whole collection: length alltrue anytrue
// one.
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/eval/functions/support.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

Type length_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_dynamic() || t == Type::string() || t.is_collection() || t.is_structural()) return Type::number();
  return fail_type(
      error, "a string, list, map, set, tuple or object is required, not " + with_article(t.friendly_name()),
      0);
}

Value unknown_length(int64_t least, int64_t most) {
  Refinement r{.not_null = true, .has_lower = true};
  r.lower = Number(least);
  if (most != INT64_MAX) {
    r.has_upper = true;
    r.upper = Number(most);
  }
  return Value::unknown(Type::number(), r);
}

Value count_of(const Value& v) {
  Type t = v.type();
  if (t.is_structural()) return Value::number(static_cast<int64_t>(t.elements().size()));
  if (t.is_dynamic()) return Value::unknown(Type::number());
  if (t == Type::string()) {
    if (v.is_known()) return Value::number(static_cast<int64_t>(graphemes(v.as_string()).size()));
    return unknown_length(static_cast<int64_t>(graphemes(v.refinement().prefix).size()), INT64_MAX);
  }
  if (v.is_unknown()) return unknown_length(v.refinement().min_length, v.refinement().max_length);
  int64_t n = static_cast<int64_t>(v.length());
  return length_is_known(v) ? Value::number(n)
                            : unknown_length(1, n);  // unknown elements of a set may be equal
}

// Marks of elements do not matter to their number; own marks do.
Value f_length(Args args, const CallContext&, CallError& error) {
  length_type(args, error);
  return error.message.empty() ? count_of(args[0]).with_marks(args[0].marks()) : Value::unknown();
}

// The first element that is not true decides, so an unknown one before a false one makes the answer unknown.
Value f_alltrue(Args args, const CallContext&, CallError&) {
  for (const Value& e : args[0].elements()) {
    if (e.is_unknown()) return Value::unknown(Type::boolean());
    if (!e.is_true()) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value f_anytrue(Args args, const CallContext&, CallError&) {
  bool open = false;
  for (const Value& e : args[0].elements()) {
    if (e.is_true()) return Value::boolean(true);
    open = open || e.is_unknown();
  }
  return open ? Value::unknown(Type::boolean()) : Value::boolean(false);
}

Type one_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_list() || t.is_set()) return t.element();
  if (t.is_tuple() && t.elements().size() <= 1)
    return t.elements().empty() ? Type::dynamic() : t.elements()[0];
  return fail_type(error, "a list, set or tuple with no more than one element is required", 0);
}

Value f_one(Args args, const CallContext&, CallError& error) {
  Type t = one_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  const Value& v = args[0];
  if (!length_is_known(v)) return Value::unknown(t);
  if (v.length() > 1)
    return fail(error,
                "a list, set or tuple with at most one element is required, but this one has " +
                    std::to_string(v.length()),
                0);
  return v.length() == 0 ? Value::null(t) : v.elements()[0];
}

}  // namespace

void register_collections(FunctionTable& table) {
  Param bools{.name = "list", .type = Type::list(Type::boolean())};
  table.add({.name = "alltrue",
             .params = {bools},
             .returns = Type::boolean(),
             .impl = f_alltrue,
             .description = "Whether all elements of a list are true."});
  table.add({.name = "anytrue",
             .params = {bools},
             .returns = Type::boolean(),
             .impl = f_anytrue,
             .description = "Whether any element of a list is true."});
  table.add(
      {.name = "length",
       .params = {{.name = "value", .allow_unknown = true, .allow_dynamic = true, .allow_marked = true}},
       .returns = Type::number(),
       .type_of = length_type,
       .impl = f_length,
       .description = "The number of elements of a collection, or of characters of a string."});
  table.add({.name = "one",
             .params = {any_param("list")},
             .type_of = one_type,
             .impl = f_one,
             .refine_not_null = false,
             .description = "The only element of a list, set or tuple, or null when there is none."});
  register_lists(table);
  register_search(table);
  register_maps(table);
  register_lookup(table);
  register_coalesce(table);
  register_flatten(table);
  register_setproduct(table);
}

}  // namespace xplan::eval

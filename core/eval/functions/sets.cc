// The functions setintersection, setsubtract and setunion: their common element type, and what unknown
// elements leave open. setproduct has a file of its own; toset is a conversion.
#include "core/eval/functions/support.h"
#include "core/value/convert.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

Type common_set_type(Args args, CallError& error) {
  std::vector<Type> types;
  for (const Value& v : args)
    if (!v.is_known() || v.length() > 0 || !v.type().element().is_dynamic())
      types.push_back(v.type().element());
  Type common;
  if (!unify(types, common)) return fail_type(error, "the elements of the sets have no common type");
  return Type::set(common);
}

// All arguments as sets of the common type; false when one cannot be converted, or is not wholly known
// although it has to be.
bool converted_sets(Args args, Type type, bool allow_unknown, std::vector<Value>& out, CallError& error) {
  for (size_t i = 0; i < args.size(); ++i) {
    ConversionError why;
    auto v = convert(args[i], type, &why);
    if (!v) {
      fail(error, why.text(), static_cast<int>(i));
      return false;
    }
    if (!allow_unknown && !v->is_wholly_known()) return false;
    out.push_back(std::move(*v));
  }
  return true;
}

Value f_setunion(Args args, const CallContext&, CallError& error) {
  Type type = common_set_type(args, error);
  std::vector<Value> sets, out;
  if (!error.message.empty() || !converted_sets(args, type, true, sets, error)) return Value::unknown(type);
  for (const Value& set : sets) out.insert(out.end(), set.elements().begin(), set.elements().end());
  return Value::set(type.element(), std::move(out));
}

// Keeps the elements of the first set that are in every other (kWanted), or in no other set.
template <bool kWanted>
Value keep(Args args, const CallContext&, CallError& error) {
  Type type = common_set_type(args, error);
  std::vector<Value> sets;
  // An unknown element may equal any other, so nothing can be said.
  if (!error.message.empty() || !converted_sets(args, type, false, sets, error))
    return unknown_not_null(type);
  std::vector<Value> kept(sets[0].elements().begin(), sets[0].elements().end());
  for (size_t i = 1; i < sets.size(); ++i) {
    ValueHashSet other(sets[i].elements().begin(), sets[i].elements().end());
    std::erase_if(kept, [&](const Value& e) { return other.contains(e) != kWanted; });
  }
  return Value::set(type.element(), std::move(kept));
}

}  // namespace

void register_sets(FunctionTable& table) {
  Type set = Type::set(Type::dynamic());
  auto param = [&](std::string_view name) { return Param{.name = name, .type = set, .allow_dynamic = true}; };
  table.add({.name = "setintersection",
             .params = {param("first_set")},
             .variadic = param("other_sets"),
             .returns = set,
             .type_of = common_set_type,
             .impl = keep<true>,
             .description = "The elements that are in all sets."});
  table.add({.name = "setsubtract",
             .params = {param("a"), param("b")},
             .returns = set,
             .type_of = common_set_type,
             .impl = keep<false>,
             .description = "The elements of the first set that are not in the second."});
  table.add({.name = "setunion",
             .params = {param("first_set")},
             .variadic = param("other_sets"),
             .returns = set,
             .type_of = common_set_type,
             .impl = f_setunion,
             .description = "The elements of all sets, in one set."});
}

}  // namespace xplan::eval

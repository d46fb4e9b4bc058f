// setproduct(): all combinations of elements.
#include <algorithm>

#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"
#include "core/value/set_order.h"

namespace xplan::eval {
namespace {

constexpr size_t kLook = 1024;  // whether to give up, after so many tuples

// A list of tuples when all arguments have an order, a set of tuples otherwise.
Type setproduct_type(Args args, CallError& error) {
  if (args.size() < 2) return fail_type(error, "at least two sets, lists or tuples are required");
  bool ordered = true;
  std::vector<Type> parts;
  for (size_t i = 0; i < args.size(); ++i) {
    Type t = args[i].type();
    if (t.is_set() || t.is_list()) {
      parts.push_back(t.element());
    } else if (t.is_tuple()) {
      Type common;
      if (!unify(t.elements(), common))
        return fail_type(error, "the elements have no common type", static_cast<int>(i));
      parts.push_back(common);
    } else {
      return fail_type(error, "a set, list or tuple is required, not " + with_article(t.friendly_name()),
                       static_cast<int>(i));
    }
    ordered = ordered && !t.is_set();
  }
  Type tuple = Type::tuple(parts);
  return ordered ? Type::list(tuple) : Type::set(tuple);
}

// Unknown, with bounds of the length where it is bound to be small.
Value open_product(Args args, Type type, Marks marks) {
  constexpr int64_t kLongest = 1024, kMost = 2048;
  Refinement r{.not_null = true};
  int64_t most = 1;
  for (const Value& v : args) {
    int64_t n = INT64_MAX;
    if (v.type().is_tuple())
      n = static_cast<int64_t>(v.type().elements().size());
    else if (v.is_unknown())
      n = v.refinement().max_length;
    else if (length_is_known(v))
      n = static_cast<int64_t>(v.length());
    if (n > kLongest || (most *= n) > kMost) return Value::unknown(type, r).with_marks(marks);
  }
  r.min_length = most == 0 ? 0 : 1;
  r.max_length = most;
  return Value::unknown(type, r).with_marks(marks);
}

// In the order that a set of tuples has, whose text begins with that of their first element: so the product
// is made in order and need not be sorted.
void sort_as_in_tuples(std::vector<Value>& column) {
  std::vector<std::pair<std::string, Value>> keyed;
  keyed.reserve(column.size());
  for (Value& v : column) {
    std::string key;
    append_set_key(key, v);
    keyed.emplace_back(key + ';', std::move(v));
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < keyed.size(); ++i) column[i] = std::move(keyed[i].second);
}

// The elements of one argument, as the type they have in the tuples.
bool converted_elements(const Value& v, Type want, int argument, std::vector<Value>& out, CallError& error) {
  out.reserve(v.length());
  for (const Value& e : v.elements()) {
    ConversionError why;
    auto c = e.type() == want || want.is_dynamic() ? std::optional<Value>(e) : convert(e, want, &why);
    if (!c) {
      fail(error, why.text(), argument);
      return false;
    }
    out.push_back(std::move(*c));
  }
  return true;
}

Value f_setproduct(Args args, const CallContext& ctx, CallError& error) {
  Type type = setproduct_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  Marks marks = 0;
  bool open = false;
  size_t total = 1;
  for (const Value& v : args) {
    marks |= v.marks();
    open = open || !length_is_known(v);
    if (v.is_known()) total = v.length() == 0 ? 0 : total > kMaxElements ? total : total * v.length();
  }
  if (open) return open_product(args, type, marks);
  Type tuple = type.element();
  std::vector<Value> out;
  if (total > 0) {
    if (!elements_fit(total, error) || !elements_fit(total * args.size(), error)) return Value::unknown();
    std::vector<std::vector<Value>> columns(args.size());
    for (size_t i = 0; i < args.size(); ++i)
      if (!converted_elements(args[i], tuple.elements()[i], static_cast<int>(i), columns[i], error))
        return Value::unknown();
    if (type.is_set()) std::for_each(columns.begin(), columns.end(), sort_as_in_tuples);
    out.reserve(total);
    std::vector<size_t> at(args.size(), 0);
    for (size_t n = 0; n < total; ++n) {
      if (n % kLook == 0 && ctx.stopped()) return give_up(error);
      std::vector<Value> row;
      row.reserve(args.size());
      for (size_t i = 0; i < args.size(); ++i) row.push_back(columns[i][at[i]]);
      out.push_back(Value::tuple(std::move(row)));
      for (size_t i = args.size(); i-- > 0 && ++at[i] == columns[i].size();)
        at[i] = 0;  // the last one turns fastest
    }
    tuple = out[0].type();
  }
  Value v = type.is_list() ? Value::list(tuple, std::move(out)) : Value::set(tuple, std::move(out));
  return v.with_marks(marks);
}

}  // namespace

void register_setproduct(FunctionTable& table) {
  table.add({.name = "setproduct",
             .variadic = Param{.name = "sets", .allow_unknown = true, .allow_marked = true},
             .type_of = setproduct_type,
             .impl = f_setproduct,
             .description = "All combinations of elements of sets, lists or tuples."});
}

}  // namespace xplan::eval

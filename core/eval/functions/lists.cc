// Functions that build lists from lists: chunklist concat distinct element reverse slice.
#include <algorithm>

#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"

namespace xplan::eval {
namespace {

Value sequence_of(Type type, std::vector<Value> elements, Marks marks) {
  Value v =
      type.is_tuple() ? Value::tuple(std::move(elements)) : Value::list(type.element(), std::move(elements));
  return v.with_marks(marks);
}

Type chunklist_type(Args args, CallError&) {
  return Type::list(args[0].type());
}

Value f_chunklist(Args args, const CallContext&, CallError& error) {
  const Value& list = args[0];
  Marks marks = list.marks() | args[1].marks();
  int64_t size;
  if (!whole_number(args[1], size, error, 1, "the size")) return Value::unknown();
  if (size < 0) return fail(error, "the size must not be negative", 1);
  std::span<const Value> elements = list.elements();
  size_t step = size == 0 ? elements.size() : static_cast<size_t>(size);  // 0: everything in one chunk
  std::vector<Value> chunks;
  for (size_t i = 0; i < elements.size();) {
    size_t n = std::min(step, elements.size() - i);
    auto part = elements.subspan(i, n);
    chunks.push_back(Value::list(list.type().element(), std::vector<Value>(part.begin(), part.end())));
    i += n;
  }
  return Value::list(list.type(), std::move(chunks)).with_marks(marks);
}

// Lists whose types unify give a list, everything else a tuple.
Type concat_type(Args args, CallError& error) {
  if (args.empty()) return fail_type(error, "at least one list or tuple is required");
  std::vector<Type> types;
  for (const Value& v : args) types.push_back(v.type());
  Type common;
  if (std::all_of(types.begin(), types.end(), [](Type t) { return t.is_list(); }) && unify(types, common))
    return common;
  std::vector<Type> elements;
  for (size_t i = 0; i < args.size(); ++i) {
    if (types[i].is_tuple()) {
      auto own = types[i].elements();
      elements.insert(elements.end(), own.begin(), own.end());
    } else if (types[i].is_list()) {
      if (args[i].is_unknown()) return Type::dynamic();  // as many element types as there are elements
      elements.insert(elements.end(), args[i].length(), types[i].element());
    } else {
      return fail_type(error, "lists and tuples are required, not " + with_article(types[i].friendly_name()),
                       static_cast<int>(i));
    }
  }
  return Type::tuple(elements);
}

Value f_concat(Args args, const CallContext&, CallError& error) {
  Type type = concat_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  std::vector<Value> out;
  size_t total = 0;
  for (const Value& v : args) total += v.length();
  if (!elements_fit(total, error)) return Value::unknown();
  out.reserve(total);
  Marks marks = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    Value v = args[i];
    marks |= v.marks();
    if (type.is_list() && v.type() != type) {
      ConversionError why;
      auto converted = convert(v, type, &why);
      if (!converted) return fail(error, why.text(), static_cast<int>(i));
      v = std::move(*converted);
    }
    out.insert(out.end(), v.elements().begin(), v.elements().end());
  }
  return sequence_of(type, std::move(out), marks);
}

Type distinct_type(Args args, CallError&) {
  return args[0].type();
}

Value f_distinct(Args args, const CallContext&, CallError&) {
  const Value& list = args[0];
  if (!list.is_wholly_known()) return Value::unknown(list.type());
  ValueHashSet seen;
  seen.reserve(list.length());
  std::vector<Value> out;
  for (const Value& e : list.elements())
    if (seen.insert(e).second) out.push_back(e);
  return Value::list(list.type().element(), std::move(out));
}

Type element_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_list()) return t.element();
  if (!t.is_tuple())
    return fail_type(error, "a list or tuple is required, not " + with_article(t.friendly_name()), 0);
  if (args[1].is_unknown()) return Type::dynamic();
  int64_t index;
  if (!whole_number(args[1], index, error, 1, "the index")) return Type::dynamic();
  if (t.elements().empty()) return fail_type(error, "the tuple has no elements", 0);
  if (index < 0)
    return fail_type(error, "a negative index is supported only for lists; convert the tuple with tolist(…)",
                     1);
  return t.elements()[static_cast<size_t>(index) % t.elements().size()];
}

Value f_element(Args args, const CallContext&, CallError& error) {
  element_type(args, error);
  int64_t index;
  if (!error.message.empty() || !whole_number(args[1], index, error, 1, "the index")) return Value::unknown();
  int64_t count = static_cast<int64_t>(args[0].length());
  if (count == 0) return fail(error, "the list has no elements", 0);
  index %= count;  // beyond the end it begins again, and before the start it ends again
  if (index < 0) index += count;
  return args[0].elements()[static_cast<size_t>(index)].with_marks(args[0].marks());
}

Type reverse_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_list() || t.is_set()) return Type::list(t.element());
  if (!t.is_tuple())
    return fail_type(error, "a list or tuple is required, not " + with_article(t.friendly_name()), 0);
  return Type::tuple(std::vector<Type>(t.elements().rbegin(), t.elements().rend()));
}

Value f_reverse(Args args, const CallContext&, CallError& error) {
  Type type = reverse_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  auto in = args[0].elements();
  return sequence_of(type, std::vector<Value>(in.rbegin(), in.rend()), args[0].marks());
}

// Checks what is known of the indexes. false: one of them is open, or an error was reported.
bool slice_bounds(Args args, int64_t& start, int64_t& end, CallError& error) {
  const Value& list = args[0];
  bool tuple = list.type().is_tuple(), sized = tuple || list.is_known();
  int64_t length = static_cast<int64_t>(tuple ? list.type().elements().size() : list.length());
  auto check = [&](int i, int64_t& n, const char* what) {
    if (!whole_number(args[static_cast<size_t>(i)], n, error, i, what)) return false;
    if (n < 0)
      fail(error, std::string(what) + " must not be negative", i);
    else if (sized && n > length)
      fail(error,
           std::string(what) + " is " + std::to_string(n) + ", but there are only " + std::to_string(length) +
               " elements",
           i);
    return error.message.empty();
  };
  if (args[1].is_known() && !check(1, start, "the start index")) return false;
  if (args[2].is_known() && !check(2, end, "the end index")) return false;
  if (args[1].is_unknown() || args[2].is_unknown()) return false;
  if (start <= end) return true;
  fail(error, "the start index must not be greater than the end index", 1);
  return false;
}

Type slice_type(Args args, CallError& error) {
  Type t = args[0].type();
  if (t.is_set())
    return fail_type(
        error, "the elements of a set have no order; convert it with tolist(…) if any order will do", 0);
  if (!is_sequence(t))
    return fail_type(error, "a list or tuple is required, not " + with_article(t.friendly_name()), 0);
  int64_t start = 0, end = 0;
  bool known = slice_bounds(args, start, end, error);
  if (!error.message.empty()) return Type::dynamic();
  if (t.is_list()) return t;
  if (!known) return Type::dynamic();
  return Type::tuple(t.elements().subspan(static_cast<size_t>(start), static_cast<size_t>(end - start)));
}

Value f_slice(Args args, const CallContext&, CallError& error) {
  Type type = slice_type(args, error);
  int64_t start = 0, end = 0;
  if (!error.message.empty() || !slice_bounds(args, start, end, error)) return Value::unknown();
  auto part = args[0].elements().subspan(static_cast<size_t>(start), static_cast<size_t>(end - start));
  return sequence_of(type, std::vector<Value>(part.begin(), part.end()), args[0].marks());
}

}  // namespace

void register_lists(FunctionTable& table) {
  Type list = Type::list(Type::dynamic()), number = Type::number();
  Param marked_any{.name = "list", .allow_marked = true};
  table.add({.name = "chunklist",
             .params = {{.name = "list", .type = list, .allow_marked = true},
                        {.name = "size", .type = number, .allow_marked = true}},
             .returns = Type::list(list),
             .type_of = chunklist_type,
             .impl = f_chunklist,
             .description = "The list in chunks of a given size; the last one may be smaller."});
  table.add({.name = "concat",
             .variadic = Param{.name = "seqs", .allow_marked = true},
             .type_of = concat_type,
             .impl = f_concat,
             .description = "The elements of all lists or tuples in one."});
  table.add({.name = "distinct",
             .params = {{.name = "list", .type = list}},
             .returns = list,
             .type_of = distinct_type,
             .impl = f_distinct,
             .description = "The list without duplicates: each value at its first position."});
  table.add({.name = "element",
             .params = {marked_any, {.name = "index", .type = number}},
             .type_of = element_type,
             .impl = f_element,
             .refine_not_null = false,
             .description = "The element of a list at an index, which wraps around at the end."});
  table.add({.name = "reverse",
             .params = {marked_any},
             .type_of = reverse_type,
             .impl = f_reverse,
             .description = "The elements of a list in reverse order."});
  table.add(
      {.name = "slice",
       .params = {marked_any, {.name = "start_index", .type = number}, {.name = "end_index", .type = number}},
       .type_of = slice_type,
       .impl = f_slice,
       .description = "The elements from one index up to but excluding another."});
}

}  // namespace xplan::eval

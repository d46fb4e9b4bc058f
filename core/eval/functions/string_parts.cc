// Functions that take strings apart and put them together: join sort compact split strrev substr.
#include <algorithm>

#include "core/base/utf8.h"
#include "core/eval/functions/support.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

Value f_join(Args args, const CallContext&, CallError& error) {
  if (args.size() < 2) return fail(error, "at least one list of strings is required");
  std::string_view separator = args[0].as_string();
  Args lists = args.subspan(1);
  for (const Value& list : lists)
    if (!list.is_wholly_known()) return unknown_not_null(Type::string());
  size_t bytes = 0, count = 0;
  for (size_t i = 0; i < lists.size(); ++i) {
    std::span<const Value> elements = lists[i].elements();
    for (size_t k = 0; k < elements.size(); ++k) {
      if (elements[k].is_null()) {
        std::string where = lists.size() > 1 ? " of list " + std::to_string(i + 1) : "";
        return fail(error,
                    "element " + std::to_string(k) + where + " is null, and null cannot be part of a string",
                    static_cast<int>(i + 1));
      }
      bytes += elements[k].as_string().size();
    }
    count += elements.size();
  }
  if (count && !string_fits(bytes + (count - 1) * separator.size(), error)) return Value::unknown();
  std::string out;
  bool first = true;
  for (const Value& list : lists)
    for (const Value& e : list.elements()) {
      if (!first) out += separator;
      first = false;
      out += e.as_string();
    }
  return Value::string(out);
}

Value f_sort(Args args, const CallContext&, CallError& error) {
  const Value& list = args[0];
  Type type = Type::list(Type::string());
  if (list.is_unknown()) {
    const Refinement& known = list.refinement();
    Refinement r{.not_null = true, .min_length = known.min_length, .max_length = known.max_length};
    return Value::unknown(type, r);
  }
  // The order depends on every element, the length does not.
  if (!list.is_wholly_known())
    return Value::list(Type::string(), std::vector<Value>(list.length(), Value::unknown(Type::string())));
  std::vector<Value> out(list.elements().begin(), list.elements().end());
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].is_null())
      return fail(error, "element " + std::to_string(i) + " is null, and null cannot be sorted", 0);
  std::sort(out.begin(), out.end(),
            [](const Value& a, const Value& b) { return a.as_string() < b.as_string(); });
  return Value::list(Type::string(), std::move(out));
}

Value f_compact(Args args, const CallContext&, CallError&) {
  if (!args[0].is_wholly_known()) return unknown_not_null(Type::list(Type::string()));
  std::vector<Value> out;
  for (const Value& e : args[0].elements())
    if (!e.is_null() && !e.as_string().empty()) out.push_back(e);
  return Value::list(Type::string(), std::move(out));
}

Value f_split(Args args, const CallContext&, CallError& error) {
  std::string_view separator = args[0].as_string(), s = args[1].as_string();
  std::vector<Value> out;
  if (separator.empty()) {  // between all characters (code points)
    for (size_t i = 0; i < s.size();) {
      size_t start = i;
      utf8_decode(s, i);
      out.push_back(Value::string(s.substr(start, i - start)));
    }
  } else {
    for (size_t start = 0;;) {
      size_t at = s.find(separator, start);
      out.push_back(Value::string(s.substr(start, at == s.npos ? s.npos : at - start)));
      if (at == s.npos) break;
      start = at + separator.size();
    }
  }
  if (!elements_fit(out.size(), error)) return Value::unknown();
  return Value::list(Type::string(), std::move(out));
}

Value f_strrev(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string();
  std::string out(s.size(), '\0');
  size_t from = 0, to = s.size();
  for (uint32_t n : graphemes(s)) {
    to -= n;
    std::copy_n(s.begin() + static_cast<std::ptrdiff_t>(from), n,
                out.begin() + static_cast<std::ptrdiff_t>(to));
    from += n;
  }
  return Value::string(out);
}

// Offset and length count characters as seen by a reader (grapheme clusters). A negative offset counts from
// the end, a negative length means the rest. A length of 0 gives nothing, but after a negative offset the
// rest: a fact of the language, kept for configurations that rely on it.
Value f_substr(Args args, const CallContext&, CallError& error) {
  int64_t offset, length;
  if (!whole_number(args[1], offset, error, 1, "the offset") ||
      !whole_number(args[2], length, error, 2, "the length"))
    return Value::unknown();
  if (offset >= 0 && length == 0) return Value::string_nfc("");
  std::string_view s = args[0].as_string();
  const bool first_ones = offset >= 0 && length > 0 && length < INT64_MAX - offset;
  const std::vector<uint32_t> sizes =
      graphemes(s, first_ones ? static_cast<size_t>(offset + length) : SIZE_MAX);
  const int64_t count = static_cast<int64_t>(sizes.size());  // of what can matter
  if (offset < 0) offset = offset + count < 0 ? 0 : offset + count;
  if (offset >= count) return Value::string_nfc("");
  int64_t end = length <= 0 || length > count - offset ? count : offset + length;
  size_t begin_byte = 0, end_byte = 0;
  for (int64_t i = 0; i < end; ++i) {
    end_byte += sizes[static_cast<size_t>(i)];
    if (i < offset) begin_byte = end_byte;
  }
  return Value::string(s.substr(begin_byte, end_byte - begin_byte));
}

}  // namespace

void register_string_parts(FunctionTable& table) {
  Type string = Type::string(), strings = Type::list(string);
  auto dyn = [&](std::string_view name, Type t) {
    return Param{.name = name, .type = t, .allow_dynamic = true};
  };
  table.add({.name = "compact",
             .params = {{.name = "list", .type = strings}},
             .returns = strings,
             .impl = f_compact,
             .description = "The list without null and empty strings."});
  table.add({.name = "join",
             .params = {{.name = "separator", .type = string}},
             .variadic = Param{.name = "lists", .type = strings},
             .returns = string,
             .impl = f_join,
             .description = "The strings of all lists in one, with a separator between them."});
  table.add({.name = "sort",
             .params = {{.name = "list", .type = strings, .allow_unknown = true}},
             .returns = strings,
             .impl = f_sort,
             .description = "The strings of a list in the order of their code points."});
  table.add({.name = "split",
             .params = {{.name = "separator", .type = string}, {.name = "str", .type = string}},
             .returns = strings,
             .impl = f_split,
             .description = "The parts of a string between the separators."});
  table.add({.name = "strrev",
             .params = {dyn("str", string)},
             .returns = string,
             .impl = f_strrev,
             .description = "The characters of a string in reverse order."});
  table.add({.name = "substr",
             .params = {dyn("str", string), dyn("offset", Type::number()), dyn("length", Type::number())},
             .returns = string,
             .impl = f_substr,
             .description = "A part of a string, by offset and length in characters."});
}

}  // namespace xplan::eval

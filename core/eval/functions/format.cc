// format() and formatlist(): their signatures and unknown arguments. Verbs are parsed and applied in
// format_verbs.cc.
#include <algorithm>

#include "core/eval/functions/format_verbs.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

Value unknown_text(std::string_view format) {
  Refinement r{.not_null = true};
  r.prefix = xplan::safe_prefix(format.substr(0, std::min(format.find('%'), format.size())));
  return Value::unknown(Type::string(), r);
}

// Argument numbers of apply_format are relative to the values; the call has the format string before them.
void shift_argument(CallError& error) {
  if (error.argument >= 0) ++error.argument;
}

// A null without a type is taken for a value that is still to come: a fact of the language.
bool untyped(Args values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& v) { return v.is_null() && v.type().is_dynamic(); });
}

Value f_format(Args args, const CallContext&, CallError& error) {
  std::string_view text = args[0].as_string();
  Args values = args.subspan(1);
  if (untyped(values)) return Value::unknown();
  for (const Value& v : values)
    if (!v.is_wholly_known()) return unknown_text(text);
  std::string out;
  if (!apply_format(parse_format(text), values, out, error)) {
    shift_argument(error);
    return Value::unknown();
  }
  return Value::string(out);
}

// The common length of all sequences among the values: -1 when there is none. Reports different lengths.
// `open` is set when a sequence is not known yet.
int64_t common_length(Args values, bool& open, CallError& error) {
  int64_t length = -1;
  size_t chosen = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& v = values[i];
    if (!is_sequence_or_set(v.type()) || v.is_null()) continue;
    if (!v.type().is_tuple() && !length_is_known(v)) {
      open = true;
      continue;
    }
    int64_t n = static_cast<int64_t>(v.is_unknown() ? v.type().elements().size() : v.length());
    if (length >= 0 && n != length) {
      fail(error,
           "all sequences must be of the same length, but argument " + std::to_string(i + 1) + " has " +
               std::to_string(n) + " elements and argument " + std::to_string(chosen + 1) + " has " +
               std::to_string(length),
           static_cast<int>(i + 1));
      return length;
    }
    if (length < 0) {
      length = n;
      chosen = i;
    }
    if (v.is_unknown()) open = true;
  }
  return length;
}

Value f_formatlist(Args args, const CallContext&, CallError& error) {
  Type type = Type::list(Type::string());
  Args values = args.subspan(1);
  if (untyped(values)) return Value::unknown();
  bool open = false;
  int64_t length = common_length(values, open, error);
  if (!error.message.empty()) return Value::unknown();
  if (open) return unknown_not_null(type);
  if (length < 0) length = 1;
  Format format = parse_format(args[0].as_string());
  std::vector<Value> row(values.begin(), values.end()), out;
  std::string text;
  size_t bytes = 0;
  for (size_t k = 0; k < static_cast<size_t>(length); ++k) {
    bool known = true;
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_sequence_or_set(values[i].type()) && !values[i].is_null()) row[i] = values[i].elements()[k];
      known = known && row[i].is_wholly_known();
    }
    if (!known) {
      out.push_back(unknown_not_null(Type::string()));
      continue;
    }
    text.clear();
    if (!apply_format(format, row, text, error)) {
      if (length > 1 && !error.message.empty())
        error.message = "for element " + std::to_string(k) + ", " + error.message;
      shift_argument(error);
      return Value::unknown();
    }
    if (!string_fits(bytes += text.size(), error)) return Value::unknown();
    out.push_back(Value::string(text));
  }
  return Value::list(Type::string(), std::move(out));
}

}  // namespace

void register_format(FunctionTable& table) {
  Param format{.name = "format", .type = Type::string()};
  Param values{.name = "args", .allow_null = true, .allow_unknown = true};
  table.add({.name = "format",
             .params = {format},
             .variadic = values,
             .returns = Type::string(),
             .impl = f_format,
             .description = "Values formatted by a printf-style format string."});
  table.add({.name = "formatlist",
             .params = {format},
             .variadic = values,
             .returns = Type::list(Type::string()),
             .impl = f_formatlist,
             .description = "Like format, for every element of the given sequences."});
}

}  // namespace xplan::eval

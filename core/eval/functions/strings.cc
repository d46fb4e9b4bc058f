// Functions on strings: case, trimming, tests, chomp, indent, title. The others: string_parts.cc, replace.cc.
#include <utf8proc.h>

#include <algorithm>

#include "core/base/utf8.h"
#include "core/eval/functions/support.h"

namespace xplan::eval {
namespace {

// Case mappings go code point by code point, without the special cases of one to many (ß stays ß).
char32_t to_upper(char32_t c) {
  return c == 0xDF ? c : static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
}
char32_t to_lower(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}
char32_t to_title(char32_t c) {
  return c == 0xDF ? c : static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c)));
}

template <char32_t (*kMap)(char32_t)>
Value map_characters(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string();
  std::string out;
  out.reserve(s.size());
  for (size_t i = 0; i < s.size();) utf8_append(out, kMap(utf8_decode(s, i)));
  return Value::string(out);
}

bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// Does a word begin after this character? In ASCII after anything but letters, digits and the underscore;
// beyond it after spaces only.
bool ends_word(char32_t c) {
  if (c > 0x7F) return is_space(c);
  return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
}

Value f_title(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string();
  std::string out;
  out.reserve(s.size());
  char32_t before = ' ';
  for (size_t i = 0; i < s.size();) {
    char32_t c = utf8_decode(s, i);
    utf8_append(out, ends_word(before) ? to_title(c) : c);
    before = c;
  }
  return Value::string(out);
}

// The text without the characters at both ends for which `drop` holds.
template <class Drop>
std::string_view trim_ends(std::string_view s, Drop drop) {
  size_t begin = 0, end = s.size();
  while (begin < end) {
    size_t next = begin;
    if (!drop(utf8_decode(s, next))) break;
    begin = next;
  }
  while (end > begin) {
    size_t start = end - 1;
    while (start > begin && (static_cast<unsigned char>(s[start]) & 0xC0) == 0x80) --start;
    size_t i = start;
    if (!drop(utf8_decode(s, i))) break;
    end = start;
  }
  return s.substr(begin, end - begin);
}

Value f_trim(Args args, const CallContext&, CallError&) {
  std::string_view set = args[1].as_string();
  std::vector<char32_t> drop;
  for (size_t i = 0; i < set.size();) drop.push_back(utf8_decode(set, i));
  std::sort(drop.begin(), drop.end());
  auto in_set = [&](char32_t c) { return std::binary_search(drop.begin(), drop.end(), c); };
  return Value::string(trim_ends(args[0].as_string(), in_set));
}

Value f_trimspace(Args args, const CallContext&, CallError&) {
  return Value::string(trim_ends(args[0].as_string(), is_space));
}

Value f_trimprefix(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string(), prefix = args[1].as_string();
  return s.starts_with(prefix) ? Value::string(s.substr(prefix.size())) : args[0];
}

Value f_trimsuffix(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string(), suffix = args[1].as_string();
  return s.ends_with(suffix) ? Value::string(s.substr(0, s.size() - suffix.size())) : args[0];
}

Value f_chomp(Args args, const CallContext&, CallError&) {
  std::string_view s = args[0].as_string();
  while (!s.empty() && (s.back() == '\n' || s.back() == '\r')) s.remove_suffix(1);
  return Value::string(s);
}

Value f_indent(Args args, const CallContext&, CallError& error) {
  int64_t spaces;
  if (!whole_number(args[0], spaces, error, 0, "the number of spaces")) return Value::unknown();
  if (spaces < 0) return fail(error, "the number of spaces must not be negative", 0);
  std::string_view s = args[1].as_string();
  size_t lines = static_cast<size_t>(std::count(s.begin(), s.end(), '\n'));
  if (lines == 0) return args[1];
  if (static_cast<uint64_t>(spaces) > kMaxStringBytes ||
      !string_fits(s.size() + lines * static_cast<size_t>(spaces), error))
    return fail(error, "the resulting string would be too long");
  std::string out;
  out.reserve(s.size() + lines * static_cast<size_t>(spaces));
  for (char c : s) {
    out += c;
    if (c == '\n') out.append(static_cast<size_t>(spaces), ' ');
  }
  return Value::string(out);
}

Value f_startswith(Args args, const CallContext&, CallError&) {
  std::string_view prefix = args[1].as_string();
  if (args[0].is_known()) return Value::boolean(args[0].as_string().starts_with(prefix));
  // The beginning of the string may be known even if the rest is not.
  std::string_view known = args[0].refinement().prefix;
  if (known.starts_with(prefix)) return Value::boolean(true);
  if (known.size() >= prefix.size()) return Value::boolean(false);
  return Value::unknown(Type::boolean());
}

Value f_endswith(Args args, const CallContext&, CallError&) {
  return Value::boolean(args[0].as_string().ends_with(args[1].as_string()));
}

Value f_strcontains(Args args, const CallContext&, CallError&) {
  return Value::boolean(args[0].as_string().find(args[1].as_string()) != std::string_view::npos);
}

}  // namespace

void register_strings(FunctionTable& table) {
  Type string = Type::string(), boolean = Type::boolean();
  auto str = [&](std::string_view name) { return Param{.name = name, .type = string}; };
  auto dyn = [&](std::string_view name) {
    return Param{.name = name, .type = string, .allow_dynamic = true};
  };
  table.add({.name = "chomp",
             .params = {str("str")},
             .returns = string,
             .impl = f_chomp,
             .description = "The string without line breaks at its end."});
  table.add({.name = "endswith",
             .params = {str("str"), str("suffix")},
             .returns = boolean,
             .impl = f_endswith,
             .description = "Whether the string ends with another one."});
  table.add({.name = "indent",
             .params = {{.name = "spaces", .type = Type::number()}, str("str")},
             .returns = string,
             .impl = f_indent,
             .description = "The string with spaces before every line except the first."});
  table.add({.name = "lower",
             .params = {dyn("str")},
             .returns = string,
             .impl = map_characters<to_lower>,
             .description = "The string in lower case."});
  table.add({.name = "startswith",
             .params = {{.name = "str", .type = string, .allow_unknown = true}, str("prefix")},
             .returns = boolean,
             .impl = f_startswith,
             .description = "Whether the string begins with another one."});
  table.add({.name = "strcontains",
             .params = {str("str"), str("substr")},
             .returns = boolean,
             .impl = f_strcontains,
             .refine_not_null = false,
             .description = "Whether another string occurs in the string."});
  table.add({.name = "title",
             .params = {str("str")},
             .returns = string,
             .impl = f_title,
             .description = "The string with the first letter of every word in upper case."});
  table.add({.name = "trim",
             .params = {str("str"), str("cutset")},
             .returns = string,
             .impl = f_trim,
             .description = "The string without the given characters at both ends."});
  table.add({.name = "trimprefix",
             .params = {str("str"), str("prefix")},
             .returns = string,
             .impl = f_trimprefix,
             .description = "The string without a prefix, if it has it."});
  table.add({.name = "trimspace",
             .params = {str("str")},
             .returns = string,
             .impl = f_trimspace,
             .description = "The string without whitespace at both ends."});
  table.add({.name = "trimsuffix",
             .params = {str("str"), str("suffix")},
             .returns = string,
             .impl = f_trimsuffix,
             .description = "The string without a suffix, if it has it."});
  table.add({.name = "upper",
             .params = {dyn("str")},
             .returns = string,
             .impl = map_characters<to_upper>,
             .description = "The string in upper case."});
  register_string_parts(table);
  register_replace(table);
}

}  // namespace xplan::eval

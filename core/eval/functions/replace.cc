// replace(): a plain search, or a regular expression when the search string stands between slashes.
#include <re2/re2.h>
#include <utf8proc.h>

#include "core/base/utf8.h"
#include "core/eval/functions/pattern.h"
#include "core/eval/functions/support.h"

namespace xplan::eval {
namespace {

// The replacement, taken apart once: literal text and groups in turn.
struct Piece {
  std::string literal;
  int group = -1;  // appended after the literal; -1: none
};

// Letters, digits and the underscore, of any script.
bool name_char(char32_t c) {
  if (c == '_') return true;
  utf8proc_category_t k = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) || k == UTF8PROC_CATEGORY_ND;
}

// Reads $name, ${name} or $$ at s[i] == '$'. A name takes as many letters, digits and underscores as there
// are; what is not a reference is plain text, and a group that does not exist is empty.
bool read_reference(std::string_view s, size_t& i, std::string_view& name) {
  size_t p = i + 1;
  bool braces = p < s.size() && s[p] == '{';
  if (braces) ++p;
  size_t start = p;
  for (size_t next = p; next < s.size() && name_char(utf8_decode(s, next));) p = next;
  name = s.substr(start, p - start);
  if (name.empty() || (braces && (p == s.size() || s[p] != '}'))) return false;
  i = p + (braces ? 1 : 0);
  return true;
}

int find_group(std::string_view name, const RE2& re) {
  if (name.find_first_not_of("0123456789") == name.npos) {
    if (name.size() > 4 || (name.size() > 1 && name[0] == '0')) return -1;
    int n = 0;
    for (char c : name) n = n * 10 + (c - '0');
    return n <= re.NumberOfCapturingGroups() ? n : -1;
  }
  auto it = re.NamedCapturingGroups().find(std::string(name));
  return it == re.NamedCapturingGroups().end() ? -1 : it->second;
}

std::vector<Piece> parse_replacement(std::string_view s, const RE2& re) {
  std::vector<Piece> out(1);
  for (size_t i = 0; i < s.size();) {
    std::string_view name;
    if (s[i] != '$') {
      out.back().literal += s[i++];
    } else if (i + 1 < s.size() && s[i + 1] == '$') {
      out.back().literal += '$';
      i += 2;
    } else if (read_reference(s, i, name)) {
      out.back().group = find_group(name, re);
      out.emplace_back();
    } else {
      out.back().literal += s[i++];
    }
  }
  return out;
}

Value replace_pattern(std::string_view s, std::string_view pattern, std::string_view with,
                      const CallContext& ctx, CallError& error) {
  std::string problem;
  std::unique_ptr<RE2> compiled = compile_pattern(pattern, problem);
  if (!compiled) return fail(error, "the pattern is not a valid regular expression: " + problem, 1);
  const RE2& re = *compiled;
  std::vector<Piece> pieces = parse_replacement(with, re);
  std::vector<re2::StringPiece> groups(static_cast<size_t>(re.NumberOfCapturingGroups()) + 1);
  re2::StringPiece text(s.data(), s.size());
  std::string out;
  size_t done = 0, at = 0;
  bool after_match = false;  // an empty match right behind another match does not count
  while (at <= s.size() &&
         re.Match(text, at, s.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()))) {
    size_t begin = static_cast<size_t>(groups[0].data() - s.data()), end = begin + groups[0].size();
    if (ctx.stopped()) return give_up(error);
    bool counts = end > begin || !after_match || begin > done;
    if (counts) {
      out.append(s, done, begin - done);
      for (const Piece& p : pieces) {
        out += p.literal;
        if (p.group >= 0)
          out.append(groups[static_cast<size_t>(p.group)].data(),
                     groups[static_cast<size_t>(p.group)].size());
      }
      if (!string_fits(out.size(), error)) return Value::unknown();
      done = end;
      after_match = true;
    }
    at = end;
    if (end == begin) {
      if (at >= s.size()) break;
      utf8_decode(s, at);
    }
  }
  out.append(s, done);
  return Value::string(out);
}

Value replace_plain(std::string_view s, std::string_view what, std::string_view with, CallError& error) {
  std::string out;
  size_t done = 0;
  auto put = [&](size_t upto) {
    out.append(s, done, upto - done);
    out += with;
    done = upto + what.size();
  };
  if (what.empty()) {  // before every character and at the end
    for (size_t i = 0; i < s.size(); utf8_decode(s, i)) {
      put(i);
      if (!string_fits(out.size(), error)) return Value::unknown();
    }
    put(s.size());
  } else {
    for (size_t at; (at = s.find(what, done)) != s.npos;) {
      put(at);
      if (!string_fits(out.size(), error)) return Value::unknown();
    }
  }
  out.append(s, done);
  return Value::string(out);
}

Value f_replace(Args args, const CallContext& ctx, CallError& error) {
  std::string_view s = args[0].as_string(), what = args[1].as_string(), with = args[2].as_string();
  if (what.size() > 1 && what.front() == '/' && what.back() == '/')
    return replace_pattern(s, what.substr(1, what.size() - 2), with, ctx, error);
  return replace_plain(s, what, with, error);
}

}  // namespace

void register_replace(FunctionTable& table) {
  auto str = [](std::string_view name) { return Param{.name = name, .type = Type::string()}; };
  table.add({.name = "replace",
             .params = {str("str"), str("substr"), str("replace")},
             .returns = Type::string(),
             .impl = f_replace,
             .description =
                 "The string with all occurrences of another one, or of a /regular expression/, replaced."});
}

}  // namespace xplan::eval

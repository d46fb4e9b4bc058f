// Regular expressions (RE2 syntax): regex and regexall.
#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "core/base/utf8.h"
#include "core/eval/function.h"
#include "core/eval/functions/pattern.h"
#include "core/eval/limits.h"

namespace xplan::eval {

namespace {

// The pattern with its named groups turned into plain ones, and the names, in order; plain groups have none.
// The names are taken out because the language allows more than RE2 does: (?<name>…), and one name several
// times.
struct Groups {
  std::string pattern;
  std::vector<std::string> names;  // one per group
  bool named = false, plain = false;
};

bool name_character(char c) {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

// Length of the character class at p[i], which starts with '['.
size_t class_length(std::string_view p, size_t i) {
  size_t at = i + 1;
  if (at < p.size() && p[at] == '^') at++;
  if (at < p.size() && p[at] == ']') at++;
  while (at < p.size() && p[at] != ']') {
    if (p[at] == '\\') {
      at += 2;
    } else if (p.substr(at, 2) == "[:") {
      size_t end = p.find(":]", at + 2);
      at = end == std::string_view::npos ? at + 1 : end + 2;
    } else {
      at++;
    }
  }
  return std::min(at + 1, p.size()) - i;
}

bool find_groups(std::string_view p, Groups& out, std::string& why) {
  constexpr int kMaxNesting = 1000;  // RE2 itself would take any amount of memory for more
  int nesting = 0;
  for (size_t i = 0; i < p.size();) {
    size_t n = 1;
    if (p[i] == '\\') {
      if (p.substr(i, 2) == "\\Q") {
        size_t end = p.find("\\E", i + 2);
        n = (end == std::string_view::npos ? p.size() : end + 2) - i;
      } else if (p.substr(i, 2) == "\\C") {
        why = "\\C is not supported, because it could match a part of a character";
        return false;
      } else {
        n = std::min<size_t>(2, p.size() - i);
      }
    } else if (p[i] == '[') {
      n = class_length(p, i);
    } else if (p[i] == ')') {
      nesting--;
    } else if (p[i] == '(') {
      if (++nesting > kMaxNesting) {
        why = "the groups of the pattern are nested too deeply";
        return false;
      }
      std::string_view rest = p.substr(i + 1);
      size_t open = rest.starts_with("?P<") ? 3 : rest.starts_with("?<") ? 2 : 0;
      if (open) {
        size_t end = open;
        while (end < rest.size() && name_character(rest[end])) end++;
        if (end == open || end >= rest.size() || rest[end] != '>') {
          why = "the name of a group must consist of letters, digits and underscores, and end with \">\"";
          return false;
        }
        out.names.emplace_back(rest.substr(open, end - open));
        out.named = true;
        out.pattern += '(';
        i += end + 2;
        continue;
      }
      if (!rest.starts_with('?')) out.names.emplace_back(), out.plain = true;
    }
    out.pattern += p.substr(i, n);
    i += n;
  }
  if (out.named && out.plain) {
    why = "either all capture groups must have names or none of them; use (?:…) to group without capturing";
    return false;
  }
  return true;
}

struct Pattern {
  Groups groups;
  std::unique_ptr<RE2> re;
  Type type;  // of one match
};

bool compile(const Value& pattern, Pattern& out, CallError& error) {
  constexpr int64_t kMemory = int64_t{64} << 20;
  std::string why;
  if (!find_groups(pattern.as_string(), out.groups, why)) {
    error = {why, 0};
    return false;
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  out.re = std::make_unique<RE2>(out.groups.pattern, options);
  if (!out.re->ok()) {
    error = {"the pattern is not a valid regular expression: " + pattern_problem(*out.re), 0};
    return false;
  }
  // Matching keeps the groups of every state it is in.
  constexpr size_t kMaxGroups = 1000, kMaxGroupStates = size_t{1} << 24;
  size_t n = out.groups.names.size();
  if (n > kMaxGroups || n * size_t(out.re->ProgramSize()) > kMaxGroupStates) {
    error = {"the pattern has too many capture groups; use (?:…) to group without capturing", 0};
    return false;
  }
  if (n == 0) {
    out.type = Type::string();
  } else if (out.groups.plain) {
    out.type = Type::tuple(std::vector<Type>(n, Type::string()));
  } else {
    std::vector<std::string> names = out.groups.names;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<std::pair<Symbol, Type>> attrs;
    for (const std::string& name : names) attrs.emplace_back(Symbol(name), Type::string());
    out.type = Type::object(std::move(attrs));
  }
  return true;
}

// Never a null pointer, which would look like a group without a match.
std::string_view subject(const Value& v) {
  return v.as_string().empty() ? std::string_view("") : v.as_string();
}

Value piece_value(const re2::StringPiece& piece) {
  return piece.data() ? Value::string({piece.data(), piece.size()}) : Value::null(Type::string());
}

Value match_value(const Pattern& p, const std::vector<re2::StringPiece>& pieces) {
  if (p.type == Type::string()) return piece_value(pieces[0]);
  std::vector<Value> values(p.type.elements().size());
  for (size_t i = 0; i < p.groups.names.size(); i++) {
    // Of several groups of one name the last counts.
    size_t at = p.groups.plain ? i : size_t(p.type.find_attr(p.groups.names[i]));
    values[at] = piece_value(pieces[i + 1]);
  }
  return p.groups.plain ? Value::tuple(std::move(values)) : Value::object(p.type, std::move(values));
}

Value fn_regex(std::span<const Value> a, const CallContext&, CallError& error) {
  Pattern p;
  if (!compile(a[0], p, error)) return {};
  std::string_view text = subject(a[1]);
  std::vector<re2::StringPiece> pieces(p.groups.names.size() + 1);
  if (!p.re->Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED, pieces.data(),
                   int(pieces.size()))) {
    error = {"the pattern does not match any part of the string; regexall returns an empty list in this case",
             1};
    return {};
  }
  return match_value(p, pieces);
}

Value fn_regexall(std::span<const Value> a, const CallContext& ctx, CallError& error) {
  Pattern p;
  if (!compile(a[0], p, error)) return {};
  std::string_view text = subject(a[1]);
  std::vector<re2::StringPiece> pieces(p.groups.names.size() + 1);
  std::vector<Value> matches;
  size_t at = 0, last_end = std::string_view::npos;
  while (at <= text.size()) {
    // Each match is linear in what is left of the text, so many long ones may take very long.
    if (ctx.stopped()) return give_up(error);
    if (!p.re->Match({text.data(), text.size()}, at, text.size(), RE2::UNANCHORED, pieces.data(),
                     int(pieces.size())))
      break;
    size_t begin = size_t(pieces[0].data() - text.data()), end = begin + pieces[0].size();
    // An empty match directly behind another match does not count.
    if (end > begin || end != last_end) {
      if (matches.size() >= kMaxElements) {
        error = {"there are too many matches", -1};
        return {};
      }
      matches.push_back(match_value(p, pieces));
    }
    last_end = end;
    at = end;
    if (end == begin) {
      if (at >= text.size()) break;
      utf8_decode(text, at);
    }
  }
  return Value::list(p.type, std::move(matches));
}

Type type_of_regex(std::span<const Value> a, CallError& error) {
  Pattern p;
  return a[0].is_string() && compile(a[0], p, error) ? p.type : Type::dynamic();
}

Type type_of_regexall(std::span<const Value> a, CallError& error) {
  return Type::list(type_of_regex(a, error));
}

}  // namespace

void register_regex(FunctionTable& table) {
  const Type str = Type::string();
  table.add({.name = "regex",
             .params = {{"pattern", str}, {"string", str}},
             .returns = Type::dynamic(),
             .type_of = type_of_regex,
             .impl = fn_regex,
             .description = "The first match of a regular expression."});
  table.add({.name = "regexall",
             .params = {{"pattern", str}, {"string", str}},
             .returns = Type::list(Type::dynamic()),
             .type_of = type_of_regexall,
             .impl = fn_regexall,
             .description = "All matches of a regular expression."});
}

}  // namespace xplan::eval

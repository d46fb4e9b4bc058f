// Compiles regular expressions for replace(); rewrites (?<name>…) for versions of RE2 that know only
// (?P<name>…).
#include "core/eval/functions/pattern.h"

#include <re2/re2.h>

#include "core/base/text.h"

namespace xplan::eval {
namespace {

// (?<name> written as (?P<name>; not inside character classes, and not where the parenthesis is escaped.
std::string with_old_names(std::string_view s) {
  std::string out;
  bool in_class = false;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\\' && i + 1 < s.size()) {
      out += s[i++];
    } else if (in_class) {
      in_class = s[i] != ']';
    } else if (s[i] == '[') {
      in_class = true;
      out += s[i];
      if (i + 1 < s.size() && s[i + 1] == '^') out += s[++i];
      if (i + 1 < s.size() && s[i + 1] == ']') out += s[++i];  // a bracket in first place stands for itself
      continue;
    } else if (s.substr(i, 3) == "(?<" && i + 3 < s.size() && s[i + 3] != '=' && s[i + 3] != '!') {
      out += "(?P<";
      i += 2;
      continue;
    }
    out += s[i];
  }
  return out;
}

}  // namespace

// The library puts the part that is wrong behind a colon, as it is.
std::string pattern_problem(const re2::RE2& re) {
  std::string text = re.error();
  const std::string& part = re.error_arg();
  if (part.empty() || !text.ends_with(": " + part)) return text;
  text.erase(text.size() - part.size() - 2);
  return text + " in " + in_quotes(part);
}

std::unique_ptr<re2::RE2> compile_pattern(std::string_view pattern, std::string& problem) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto re = std::make_unique<re2::RE2>(with_old_names(pattern), options);
  if (re->ok()) return re;
  problem = pattern_problem(*re);
  return nullptr;
}

}  // namespace xplan::eval

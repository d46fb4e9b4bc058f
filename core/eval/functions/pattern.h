// Regular expressions of the language, compiled.
//
// Who calls it: replace(); regex() and regexall() for what is wrong with a pattern (they rewrite patterns in
// their own way, for the types of their results).
// Syntax: RE2's, and (?<name>…) for a named group in releases of RE2 that know only (?P<name>…).
// Cost: compiling is linear in the pattern, and RE2 limits its size; matching is linear in the text.
// Thread-safety: pure function; a compiled pattern may be shared.
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace xplan::eval {

// Nothing, and the reason in `problem`, when the pattern is not valid.
std::string pattern_problem(const re2::RE2& re);  // why it is not ok(): "missing ) in "(""
std::unique_ptr<re2::RE2> compile_pattern(std::string_view pattern, std::string& problem);

}  // namespace xplan::eval

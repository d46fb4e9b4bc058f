// Escapes in strings of JSON.
//
// Who calls it: the readers of JSON, each after it has checked the text or where it need not be checked.
// Contract: `at` stands behind the backslash before, and behind the whole escape afterwards; a pair of
// surrogates is one escape, and one that is alone, like a \u without its digits, is U+FFFD. Of an unknown
// escape the letter itself is taken.  Cost: constant.  Thread-safety: pure function.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

void append_json_escape(std::string& out, std::string_view text, size_t& at);

}  // namespace xplan

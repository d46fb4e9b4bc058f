// The canonical layout of native configuration: indentation, spaces, aligned columns.
//
// Who calls it: the command fmt.
// Contract: the text has no syntax errors (parse it first); the result has the same comments, strings and
// meaning, in the spelling and layout that users of such languages know, byte for byte. Formatting the result
// changes nothing. A byte order mark is dropped. Cost: linear. Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::syntax {

std::string format_native(std::string_view source);

}  // namespace xplan::syntax

// Text from outside in a Markdown document: as code within a line, or between fences.
//
// Who calls it: markdown.cc.
// Contract: nothing in the text ends what it stands in, or makes a mention, a link, an image, an emoji or a
// formula: in a line, everything that could begin markup is a character reference inside of <code>; a fence
// is longer than every run of backticks between its ends. Control characters, bidirectional marks and
// ill-formed bytes are shown as escapes. Cost: linear.  Thread-safety: pure functions.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace xplan::render::markdown {

// <code>…</code> on one line; of longer texts that many characters and an ellipsis.
std::string code(std::string_view text, size_t most_characters = 200);

// As lines without codes of a terminal; where a printed diff begins a line with an action's sign, that comes
// first in the line, as those who colour diffs want it, and "~" becomes "!".
std::string diff_lines(std::string_view printed);

// At most that many bytes of it, whole lines where possible, always whole characters.
std::string_view first_lines(std::string_view text, size_t most_bytes);

// The text between fences, with line breaks around it.
std::string fenced(std::string_view language, std::string_view text);

}  // namespace xplan::render::markdown

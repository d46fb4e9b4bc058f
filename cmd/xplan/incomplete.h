// Whether what was typed at the console can be a whole expression yet.
//
// Who calls it: console.cc, before each evaluation, to ask for another line.
// Rule: an open bracket, an open template sequence or a heredoc without its end goes on; a quoted string does
// not, because it cannot go over lines.  Cost: linear.  Thread-safety: pure function.
#pragma once
#include <string_view>

namespace xplan::cmd {

bool is_incomplete(std::string_view text);

}  // namespace xplan::cmd

// Text from outside in messages: on one line, short, and harmless.
//
// Who calls it: whatever quotes an argument, a server or a program in a message. Contract: at most 300
// characters, then "…"; line breaks and tabs become spaces; other control characters, and what is not UTF-8,
// become question marks. Cost: linear in what is shown.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

std::string shown_text(std::string_view text);

}  // namespace xplan

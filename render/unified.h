// The difference of two texts as a unified diff, which patch and reviewers' tools read.
//
// Who calls it: the command fmt.
// Contract: both texts end alike, with a newline or without; lines that are moved are removed and added.
// Cost: as smart/lines.h.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

namespace xplan::render {

// `name` stands in both header lines, behind "old/" and "new/". Empty when the texts are equal.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace xplan::render

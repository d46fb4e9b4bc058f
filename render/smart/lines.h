// Lines of two strings beside each other: which stay, which go, come, or move.
//
// Who calls it: the printer, for changed strings in the smart style.
// Contract: a line is what stands between line feeds; the end of the text begins none. Lines that both texts
// have, but not in the same order, are moved when they occur once on each side and say something. Cost: as
// pairing.h, with a smaller table. Thread-safety: pure functions.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace xplan::render {

struct LineStep {
  enum class Kind : uint8_t { Same, Removed, Added, MovedAway, MovedHere } kind;
  std::string_view text;
};

template <class F>
void for_each_line(std::string_view text, F line) {
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find('\n', i), text.size());
    line(text.substr(i, end - i));
    i = end + 1;
  }
}

// In every gap the removed lines come first. Without `line_ends`, a carriage return at the end of a line does
// not count, and is not part of its text.
std::vector<LineStep> line_steps(std::string_view before, std::string_view after, bool line_ends);

}  // namespace xplan::render

// conflict_markers(): the lines that version control writes into a file where it could not merge two changes.
//
// Who calls it: readers of files that people keep under version control, once they cannot read one.
// Contract: offsets of the lines that begin with <<<<<<<, |||||||, ======= or >>>>>>>, in order; none unless
// the first or the last of these is among them, since a line of ======= is also how headings are underlined.
// Cost: linear.  Thread-safety: pure.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace xplan {

std::vector<size_t> conflict_markers(std::string_view text);

}  // namespace xplan

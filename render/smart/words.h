// Words of two strings beside each other: which parts of a long string change.
//
// Who calls it: the printer, for changed strings in the smart style.
// Contract: edits are in order and do not touch each other; what is between them is equal. Strings that have
// little in common are one edit. No edit begins or ends inside a character. Cost: as pairing.h, with a
// smaller table. Thread-safety: pure functions.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace xplan::render {

struct Edit {
  size_t old_begin, old_end, new_begin, new_end;  // bytes
};
std::vector<Edit> word_edits(std::string_view before, std::string_view after);

}  // namespace xplan::render

// Placement: which element of an old list or set stands beside which element of a new one, for readers.
//
// Who calls it: the differ, in the smart style (pairing.h is how the compatible style does it).
// Rules: equal elements stay together wherever they are; what is left over is paired with what is most like
// it: elements share what they contain, names and keys that identify weigh more, and half of it must be
// shared. Of all pairs, as many as possible count as staying in place, the others as moved. What is left over
// in the same gap, as many on either side, is taken for changed. Sensitive parts count for nothing, so that
// no pairing tells of them. Cost: O(n log n), with bounds for what is looked at in an element, and for how
// many elements share a part (kMost… in place.cc). Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/item.h"
#include "render/pairing.h"

namespace xplan::render {

struct Placement {
  int64_t from = kNone, to = kNone;  // places in the old and the new sequence; kNone: not there
  bool moved = false;                // in both, but not in the same order as most others
};

// In the order in which they are to be shown: that of the new list, and what was removed where it was.
std::vector<Placement> place_in_list(std::span<const Item> before, std::span<const Item> after,
                                     const Sequence& olds, const Sequence& news);
// Pairs those that have no partner yet with what is most like them.
void pair_nearest(std::span<const Item> before, std::span<const Item> after, std::vector<int64_t>& new_of_old,
                  std::vector<bool>& taken);
// For each place of the old sequence, whether it belongs to the longest run of pairs that keep their order.
std::vector<bool> keeping_order(std::span<const int64_t> new_of_old);
// Members that tell which element of a list an object is: name, id, Sid and so on.
bool identifies(std::string_view key);

}  // namespace xplan::render

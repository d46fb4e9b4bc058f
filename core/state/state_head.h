// The serial and lineage of a state in a file, from the beginning of it alone.
//
// Who calls it: journaled_store.cc, for a rescued state that may lie in the working directory.
// Contract: good for a hint and nothing else: of a state that is encrypted, it is what stands outside, which
// nothing authenticates. Cost: 64 KiB are read, however large the file is. Thread-safety: pure but for
// reading.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace xplan {

struct StateHead {
  std::string lineage;
  uint64_t serial = 0;
};
// Nothing: there is no such file, or it does not begin as states do that this program writes.
std::optional<StateHead> read_state_head(const std::string& path);

}  // namespace xplan

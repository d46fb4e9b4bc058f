// Whether the run that writes a journal on a server may be at work still, as far as the journal tells.
//
// Who calls it: the stores, where nobody holds the lock of the state, or there is none. Contract: a process
// of this machine is there or not; of one elsewhere nothing is known, so that what it wrote a short time ago
// means that it may be at work. This process itself is no other run. Cost: a few small files of /proc.
// Thread-safety: pure but for looks at the system.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/state/journal.h"

namespace xplan {

// Seconds without a segment after which a run elsewhere is taken for dead. One that is at work begins one
// every kBeat at least, so that clocks may differ by the rest.
inline constexpr int64_t kQuiet = 120;
inline constexpr std::chrono::seconds kBeat{20};
// Who could not write one for so long may be taken for dead before the next one is there.
inline constexpr std::chrono::seconds kDoubt{kQuiet - 30};

struct JournalLife {
  enum class Sign : uint8_t { Ended, MayRun, Runs } sign = Sign::Ended;
  std::string text = {};  // who writes it, for messages; may be empty
  // MayRun: the seconds until it is taken for dead; 0: no time tells, as its clock is not to be relied on.
  int64_t wait = 0;
  bool alive() const { return sign != Sign::Ended; }
  // Behind "the journal …": "belongs to a run that is still in progress: …".
  std::string in_use() const;
};
// `now`: seconds since 1970.
JournalLife life_of(const JournalPart& last, int64_t now);

// Of two lists of words that are apart by spaces.
bool share_word(std::string_view a, std::string_view b);

// What a segment says of its writer: who, in which process, and when.
void sign_part(JournalPart& part);

}  // namespace xplan

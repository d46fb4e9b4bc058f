// What writing and reading journals share: the form of a line, what one says, and the names of the kinds. Who
// calls it: journal_read.cc, journal_encode.cc, sealed_journal.cc. Private to
// core/state. Cost: linear. Thread-safety: pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/state/journal.h"

namespace xplan {

class InstanceReader;

// In the place of a line that could not be opened: readers pass over it, and tell of it where something
// follows.
inline constexpr std::string_view kUnreadable = "?";
inline constexpr size_t kMostOfFirst = 4096;  // bytes of a first line, which has names and numbers only
// A line that stands where some are missing from a journal that was sealed.
inline constexpr std::string_view kMissingLines = "-";
uint32_t checksum(std::string_view s);            // CRC-32, as in gzip
std::string journal_line(std::string_view json);  // with its line break
struct JournalLine {
  enum class Kind : uint8_t { Begin, Commit, Record } kind = Kind::Record;
  JournalBase base;  // Begin, and the next
  JournalPart part;
  JournalCommit commit;  // Commit
  JournalRecord record;  // Record
};
// Nothing: this version cannot read it, or it does not say all that its kind must.
std::optional<JournalLine> read_journal_line(std::string_view json, InstanceReader& instances);
const char* journal_kind_name(JournalRecord::Kind k);

}  // namespace xplan

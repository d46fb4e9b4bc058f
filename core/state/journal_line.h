// What the two halves of the journal share: the form of a line and the names of the kinds. Who calls it:
// journal_read.cc, journal_write.cc; backend.cc for the checksum. Private to core/state. Cost: linear.
// Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

#include "core/state/store.h"

namespace xplan {

uint32_t checksum(std::string_view s);            // CRC-32, as in gzip
std::string journal_line(std::string_view json);  // with its line break
const char* journal_kind_name(JournalRecord::Kind k);

}  // namespace xplan

// The member "check_results" of a state file.  Who calls it: read.cc, write.cc, the journal.
// Kinds and states that are not known are read as nothing and as unknown: newer versions may add some, and
// the next run finds them out again.  Cost: linear.  Thread-safety: one scanner or writer per thread.
#pragma once
#include "core/base/json_writer.h"
#include "core/state/json_scan.h"
#include "core/state/state.h"

namespace xplan {

std::vector<CheckResult> read_check_results(JsonScan& scan);  // at an array
void write_check_results(JsonWriter& w, const std::optional<std::vector<CheckResult>>& checks);

}  // namespace xplan

// The findings of a plan as a SARIF 2.1.0 log, for services that collect what tools find in code.
//
// Who calls it: cmd (show -sarif, -out-sarif).
// Contract: a rule for each risk, a result for each finding, the worst first, with its place in the
// configuration and a fingerprint that is the same in the next plan, on any machine. At most kMostResults:
// what is left out is told as a notification. No sensitive value. Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/base/json_writer.h"
#include "core/diag/source.h"
#include "core/review/review.h"

namespace xplan::render {

inline constexpr size_t kMostResults = 25000;  // what GitHub takes in a run

struct SarifOptions {
  std::string version;    // of this program
  std::string directory;  // where the names of files begin, from the root of the repository
};
void write_sarif(const review::Review& review, const SourceTable& sources, const SarifOptions& options,
                 JsonWriter& w);

}  // namespace xplan::render

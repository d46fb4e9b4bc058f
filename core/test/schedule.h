// The order of a file's runs: which ones each has to wait for.
//
// Who calls it: file_runner.cc.  Contract: a run waits for all before it, unless both are parallel. A
// parallel one still waits for the one before it that has the same state, and for those whose outputs it
// reads, itself or in the file's provider configurations. Indices are those of TestFile::runs, and always
// lower than that of the run that waits. Cost: linear in runs and references, and runs × the text of provider
// blocks. Thread-safety: pure.
#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "core/config/test_suite.h"
#include "core/diag/source.h"

namespace xplan::test {

std::string state_key_of(const config::TestRunBlock& run);
// By name, in its variables and assertions; whether provider blocks of the file read any.
std::unordered_set<Symbol> runs_read_by(const config::TestRunBlock& run);
bool providers_read_runs(const config::TestFile& file, const SourceTable& sources);
std::vector<std::vector<size_t>> waits_for(const config::TestFile& file, const SourceTable& sources);

}  // namespace xplan::test

// The runs of one test file, and cleaning up behind them.
//
// Who calls it: runner.cc.  Contract: test.h says what is done when; the reporter hears of it from this
// thread only, of parallel runs as they end. Cost: the runs'.  Thread-safety: one thread; parallel runs get
// their own.
#pragma once
#include "core/config/test_files.h"
#include "core/test/test.h"

namespace xplan::test {

// `values`: given for all files; `request` has a ledger.
FileResult run_file(const run::Context& c, const Request& request, const config::TestPlace& place,
                    const config::Config& under_test, const config::TestFile& file,
                    config::InputValues values, Reporter& reporter);

}  // namespace xplan::test

// Run blocks of test files: all that they say but which module runs, and overrides.
//
// Who calls it: test_files.cc.  Contract: `c` is decoded by test_run_schema(), and kept. References inside of
// assertions and values of variables are not looked at. Cost: linear in the block.  Thread-safety: one thread
// per Decode.
#pragma once
#include "core/config/decode.h"
#include "core/config/test_suite.h"

namespace xplan::config {

const syntax::BodySchema& test_run_schema();
// `parallel`: where the block does not say.
void decode_test_run(Decode& d, const syntax::Content& c, bool parallel, TestRunBlock& out);

}  // namespace xplan::config

// Mocked providers of test files: mock_provider, the types that it makes up, and override blocks, which stand
// in test files, in runs, in mocked providers and in files of mocks.
//
// Who calls it: test_files.cc.
// Contract: everything wrong is reported; of a mocked provider the name and the alias are kept, among the
// provider configurations of the file. Cost: linear in the blocks.  Thread-safety: one thread per Decode.
#pragma once
#include "core/config/decode.h"
#include "core/config/test_suite.h"

namespace xplan::config {

// The override blocks of `c`; `under_test`: the configuration whose objects they name, null when that is
// another one than what was loaded. `known`: where a block does not say it.
std::vector<TestOverride> decode_overrides(Decode& d, const syntax::Content& c, MadeUp known,
                                           const Config* under_test);
// `root_dir`: what the directory of a mock file is relative to.
MockedProvider decode_mock_provider(Decode& d, const Fs& fs, const std::string& root_dir,
                                    const syntax::Block& block, const Config& under_test);
// The schema with the blocks of overrides added.
syntax::BodySchema with_overrides(syntax::BodySchema s);

}  // namespace xplan::config

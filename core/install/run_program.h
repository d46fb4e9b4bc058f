// Runs a program and waits for it.
//
// Who calls it: git.cc, mercurial.cc.
// Contract: no shell; standard input is empty; both outputs are caught up to 64 KiB; `environment` lists
// what differs from the environment of this process, or is removed from it. When `stop` becomes true, the
// program and all that it has started are asked to end, and killed a second later. Cost: one process.
// Thread-safety: any thread.
#pragma once
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace xplan::install {

using ProgramEnvironment = std::map<std::string, std::optional<std::string>>;
struct Ran {
  int code = 0;  // 128 + signal when it was killed
  std::string output;
};
Result<Ran> run(const std::vector<std::string>& arguments, const ProgramEnvironment& environment,
                const std::atomic<bool>* stop = nullptr);
// Another exit code than 0 is an error with the end of the output, without credentials.
Result<void> run_to_success(const std::vector<std::string>& arguments, const ProgramEnvironment& environment,
                            const std::atomic<bool>* stop);

}  // namespace xplan::install

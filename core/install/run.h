// Runs a program and waits for it.
//
// Who calls it: module_fetch.cc (git).
// Contract: no shell; standard input is empty; both outputs are caught up to 64 KiB. When `stop` becomes
// true, the program is asked to end. Thread-safety: yes.
#pragma once
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace xplan::install {

struct Ran {
  int code = 0;  // 128 + signal when it was killed
  std::string output;
};
Result<Ran> run(const std::vector<std::string>& arguments,
                const std::vector<std::pair<std::string, std::string>>& environment,
                const std::atomic<bool>* stop = nullptr);

}  // namespace xplan::install

// External programs that provide keys, encrypt and decrypt.
//
// Who calls it: external_keys.cc, methods.cc.
// Protocol: the program writes one line of JSON with its magic word and version, reads its input to the end,
// writes its answer and ends. Contract: the answer is whatever it writes after that line, if it ends well in
// time and writes no more than it may. Errors name the program, say how it failed, and end with what it wrote
// to standard error; neither input nor output is ever part of one. It is killed when the run is stopped and
// when the time is over, with all that it has started.  Cost: one process.  Thread-safety: any thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/secret.h"
#include "core/base/stop.h"

namespace xplan::crypt {

struct Program {
  std::vector<std::string> command;
  std::string_view magic;
  std::chrono::milliseconds limit{60000};
  Stop stop = nullptr;
  uint64_t most = 1 << 20;  // bytes of its answer
};
Result<Secret> run_program(const Program& p, const Secret& input);

}  // namespace xplan::crypt

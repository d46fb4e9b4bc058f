// Password hashes of the machine's library (crypt), made so that they can be given up.
//
// Who calls it: crypto.cc (bcrypt).
// Contract: `setting` is what crypt(3) takes: method, cost and salt. The library cannot be interrupted, and a
// hash of high cost takes minutes to days; so one that is expected to take long is made in a child process,
// which is killed when `stop` is heard.  Cost: as the cost says; one fork for what takes long. Thread-safety:
// any thread.
#pragma once
#include <string>

#include "core/eval/function.h"

namespace xplan::eval {

enum class HashResult { Made, Unsupported, Stopped };
HashResult password_hash(const std::string& password, const std::string& setting, bool takes_long,
                         const CallContext& ctx, std::string& hash);

}  // namespace xplan::eval

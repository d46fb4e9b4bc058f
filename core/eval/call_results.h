// CallResults: what functions of providers returned, to tell whether they return the same again.
//
// Who calls it: provider functions note and compare each result (core/plan/provider_functions.cc); plans keep
// what was noted, and applying them begins with that.
// Contract: of arguments and results only digests are kept. Each call is noted once, with what it returned
// first.  Cost: two digests a call, a few hundred bytes for each different call.  Thread-safety: any thread
// may note.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace xplan::eval {

struct CallResult {
  std::string call,
      result;  // SHA-256 in hexadecimal: of the function with its arguments; of what it returned
};

class CallResults {
 public:
  enum class Verdict : uint8_t { Same, NotAsPlanned, NotAsBefore };
  // What a plan has noted.
  explicit CallResults(const std::vector<CallResult>& planned = {});
  Verdict note(CallResult r);
  std::vector<CallResult> all() const;  // sorted

 private:
  struct Noted {
    std::string result;
    bool planned = false;
  };
  mutable std::mutex lock_;
  std::map<std::string, Noted> noted_;
};

}  // namespace xplan::eval

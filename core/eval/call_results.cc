// Notes results of calls, and compares later ones with them.
#include "core/eval/call_results.h"

namespace xplan::eval {

CallResults::CallResults(const std::vector<CallResult>& planned) {
  for (const CallResult& r : planned) noted_.insert_or_assign(r.call, Noted{r.result, true});
}

CallResults::Verdict CallResults::note(CallResult r) {
  std::lock_guard guard(lock_);
  const auto [it, fresh] = noted_.try_emplace(std::move(r.call), Noted{r.result, false});
  if (fresh || it->second.result == r.result) return Verdict::Same;
  return it->second.planned ? Verdict::NotAsPlanned : Verdict::NotAsBefore;
}

std::vector<CallResult> CallResults::all() const {
  std::lock_guard guard(lock_);
  std::vector<CallResult> out;
  for (const auto& [call, noted] : noted_) out.push_back({call, noted.result});
  return out;
}

}  // namespace xplan::eval

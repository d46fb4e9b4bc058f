// Apply: carries out a plan: exactly its actions, in dependency order, in parallel.
//
// Who calls it: cmd (apply, destroy, refresh).
// Contract: nothing is done that the plan does not list. Every provider call that changes something is
// announced in the journal before and recorded after, so a crash loses no finished operation. A failure stops
// only what depends on it (failures.h), or all that has not begun, as OnError says; what was skipped is
// named. The returned state is right whatever happened. Cost: linear in configuration and changes; the state
// is not copied per change. Thread-safety: one call per plan; hooks and journal are called from several
// threads.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/crypt/encryption.h"
#include "core/plan/evaluate.h"
#include "core/plan/hooks.h"
#include "core/plan/plan.h"
#include "core/provider/provider.h"
#include "core/state/store.h"

namespace xplan {

// After the first failure: go on with all that does not depend on it; begin nothing more; or that, and what
// is under way is asked to end, as an interrupt would.
enum class OnError : uint8_t { Continue, Drain, Stop };

struct ApplyOptions {
  int parallelism = 10;
  RootValues variables;  // finalized, as for planning; ephemeral ones supplied again
  std::string now;       // RFC 3339 UTC: timestamp()
  std::string cwd;
  const std::atomic<bool>* stop = nullptr;  // set once: start nothing new, stop provisioners
  OnError on_error = OnError::Continue;
  std::atomic<bool>* stops = nullptr;  // what OnError::Stop sets: the flag of `stop`
  Hooks* hooks = nullptr;
  Journal* journal = nullptr;                     // optional
  const crypt::Encryption* encryption = nullptr;  // of states that data sources read; null: none
};

struct ApplyOutcome {
  State state;
  int added = 0, changed = 0, destroyed = 0, imported = 0, forgotten = 0;
  std::vector<std::string> skipped;  // planned instances that were not reached, sorted
  size_t done = 0, failed = 0;       // changes; the others were not reached
  bool halted = false;               // nothing more was begun after a failure, as OnError says
};

// Whether there is an order for the plan's changes: what objects depend on now and what the configuration
// says may contradict each other. Planning ends with this question, for an answer that costs nothing.
bool can_be_ordered(const config::Config& config, const Plan& plan, ProviderFactory& factory,
                    Diagnostics& diags);

ApplyOutcome apply_plan(const config::Config& config, const Plan& plan, const ApplyOptions& options,
                        ProviderFactory& factory, Diagnostics& diags);

}  // namespace xplan

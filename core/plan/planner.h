// The planner: configuration + state + options → Plan.
//
// Who calls it: cmd (plan, apply without a saved plan, destroy, refresh, console -plan).
// Contract: the state given is not changed; always returns a plan, with `errored` set when something failed
// (an errored plan can be saved and shown, never applied). The outcome does not depend on the parallelism.
// Cost: linear in configuration, state and changes.  Thread-safety: one call per World of data; providers are
// called from several threads.
#pragma once
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/config/config.h"
#include "core/crypt/encryption.h"
#include "core/plan/evaluate.h"
#include "core/plan/hooks.h"
#include "core/plan/plan.h"
#include "core/provider/provider.h"

namespace xplan {

// An object to be imported that was imported and read already, and what the provider said of it.
struct KnownImport {
  std::string id;
  Value identity;  // not null: instead of the id
  ImportedObject object;
  ProviderDiags said;
};

struct PlanOptions {
  PlanMode mode = PlanMode::Normal;
  bool refresh = true;
  // Of objects for which it is true, only those that are to be changed are read again. Unset: all are.
  std::function<bool(const AbsInstance&)> trusted;
  std::vector<Target> targets, excludes;
  std::vector<std::string> target_texts, exclude_texts, force_replace_texts;  // as given, for the plan
  std::vector<AbsInstance> force_replace;
  int parallelism = 10;
  bool deferral_allowed = false;  // what cannot be planned yet is deferred to a later plan, not an error
  RootValues variables;           // finalized values of the root module
  std::vector<PlanVariable> given_variables;
  std::string timestamp;  // plantimestamp(), RFC 3339 UTC
  std::string workspace = "default";
  std::string cwd;
  const std::atomic<bool>* stop = nullptr;
  Hooks* hooks = nullptr;                                 // optional
  const SourceTable* sources = nullptr;                   // optional: messages name places of other blocks
  const crypt::Encryption* encryption = nullptr;          // of states that data sources read; null: none
  std::unordered_map<AbsInstance, KnownImport> imported;  // the provider is not asked for these again
};

Plan make_plan(const config::Config& config, const State& prev, const PlanOptions& options,
               ProviderFactory& providers, Diagnostics& diags);

// Checks everything that can be checked without a state and without values of variables, also in what has no
// instances: the validate command, and every plan before it looks at an object. `ask`: whether functions of
// providers are called. When `stop` becomes true, it ends soon, with an error.
void validate(const config::Config& config, ProviderFactory& providers, AskProviders ask, int parallelism,
              const std::string& cwd, const std::atomic<bool>* stop, Diagnostics& diags);

// The state as it would be after the plan; what is not known before the apply is unknown.
State planned_state(const Plan& plan);

// Values for the console and for tests: everything that the state (or, when given, a plan's outcome) knows.
// The World is filled.
std::unique_ptr<class World> evaluate_world(const config::Config& config, const State& state,
                                            const PlanOptions& options, ProviderFactory& providers,
                                            Diagnostics& diags);

}  // namespace xplan

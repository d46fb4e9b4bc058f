// A run, from files to the state: load → variables → state → plan, and plan → journal → apply → state.
//
// Who calls it: cmd (plan, apply, destroy, refresh, import, console); tests that want the whole course. Steps
// that some commands take alone have headers of their own: configuration.h, inputs.h, open_state.h. Contract:
// what is wrong whatever the state is comes before any object is looked at. A plan that was made by a schema
// which a provider no longer has is made again, once. Problems go into `diags`; nothing is printed. Cost: as
// its steps. Thread-safety: one thread; providers, hooks and the journal are called from several.
#pragma once
#include <optional>
#include <string>

#include "core/apply/apply.h"
#include "core/plan/planner.h"
#include "core/run/configuration.h"
#include "core/run/encryption.h"
#include "core/run/inputs.h"
#include "core/run/open_state.h"

namespace xplan::run {

struct PlanRequest {
  PlanOptions options;  // variables, time, place, stop and hooks are the run's to fill in
  InputRequest inputs;
  StateRequest state;
  std::string operation = "OperationTypePlan";  // as the state's lock names it
  std::optional<int64_t> trust_millis;          // objects that were read within this time are trusted
  bool config_required = true;
  std::string generate_config_out;  // empty: nothing is generated
};

// A plan and all that it refers to.
struct Planned {
  Configuration config;
  RootValues variables;
  OpenState state;  // locked as wished
  Plan plan;
  bool generated = false;  // configuration was generated, and written
};

// Nothing: there is no plan, and `diags` says why.
std::optional<Planned> plan(const Context& c, PlanRequest request, FrontEnd& front, Diagnostics& diags);

// Outdated: by schemas that providers do not have any more, so that all of it is void; load again.
enum class Attempt : uint8_t { Planned, Refused, Outdated };
// The part of plan() that needs no files: validation, and the plan for this state. Refused: `plan` is nothing
// to go on with.
Attempt plan_once(const Context& c, const config::Config& config, const State& state,
                  const PlanOptions& options, Plan& plan, Diagnostics& diags);

struct Applied {
  ApplyOutcome outcome;
  std::string unsaved;  // the text of a state that could be written nowhere
};

// Whether changes can be recorded at all; false after reporting why not. For a look before anybody approves.
bool can_apply(const OpenState& state, Diagnostics& diags);
struct ApplyRequest {
  int parallelism = 10;
  OnError on_error = OnError::Continue;
  std::atomic<bool>* stops = nullptr;  // the context's flag, for OnError::Stop to set
};
// Carries out a plan and writes the state. Nothing: nothing was changed, and `diags` says why.
std::optional<Applied> apply(const Context& c, const config::Config& config, const Plan& plan,
                             const RootValues& variables, OpenState& state, const ApplyRequest& request,
                             FrontEnd& front, Diagnostics& diags);

struct ImportRequest {
  AbsInstance addr;
  std::string id;
  std::string root_dir;  // of the configuration; empty: the working directory
  InputRequest inputs;
  StateRequest state;
  std::function<void(const Value*)> progress;  // null: it begins; else the object that was found
};

struct Imported {
  std::string unsaved;  // as of Applied
};

// Reads an object and makes it that of a resource instance in the state. Nothing: the state is as it was,
// and `diags` says why.
std::optional<Imported> import_existing(const Context& c, const ImportRequest& request, FrontEnd& front,
                                        Diagnostics& diags);

// Tells why a state could not be saved; returns its text if it is nowhere else, for the user to keep.
std::string report_unsaved(const StateStore& store, const Error& why, Diagnostics& diags);
// Writes a changed state. What could be written nowhere is returned, for the user to keep; else empty.
std::string save(const Context& c, StateStore& store, State& changed, Diagnostics& diags);

}  // namespace xplan::run

// ApplyRun: what all parts of one apply share; and what each of them has of its own.
//
// Who calls it: the source files of this folder; nobody else includes this.
// Invariant: lives as long as the walk, in one place; parts keep references to it. Thread-safety: the graph,
// the plan and the maps of the state do not change while the walk runs; an instance writes its own
// InstanceState, its own value and its own InstanceResult only. Cost: references only; nothing is copied per
// instance.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/apply/apply.h"
#include "core/apply/deferrals.h"
#include "core/apply/recorder.h"
#include "core/plan/config_graph.h"
#include "core/plan/ephemerals.h"
#include "core/plan/node_visit.h"
#include "core/plan/removed.h"

namespace xplan::applying {

struct Counts {
  int added = 0, changed = 0, destroyed = 0, imported = 0, forgotten = 0;
  Counts& operator+=(const Counts& o) {
    added += o.added, changed += o.changed, destroyed += o.destroyed, imported += o.imported;
    forgotten += o.forgotten;
    return *this;
  }
};

struct InstanceResult : Counts {
  bool reached = false;
  bool kept_back = false;  // it reads what failed
  std::vector<CheckObject> checks;
  Diagnostics diags;
};

struct ApplyRun {
  const config::Config& config;
  const Plan& plan;
  const ApplyOptions& options;
  ProviderFactory& factory;
  Hooks& hooks;
  const RemovedBlocks removed;
  State state;
  World world;
  ConfigGraph cg;
  Recorder recorder;
  Deferrals deferrals;
  std::vector<std::shared_ptr<Provider>> providers;  // parallel to the graph's
  Ephemerals opened{options.parallelism, hooks};

  ApplyRun(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f);
  Provider* provider_for(const ProviderConfigAddr& a) const;  // null: it could not be started
  // Of the instances of a configuration that one which was started, to ask about types.
  Provider* any_provider_for(const ProviderConfigAddr& block) const;
  bool stopping() const { return options.stop && options.stop->load(); }
  // Nothing more is to begin.
  bool ending() const { return stopping() || halted; }
  std::atomic<bool> halted = false;  // by a failure
  void note(const Diagnostics& found);
  // To the hooks, after what was recorded before: what it tells of may depend on that.
  template <class... P, class... A>
  void tell(void (Hooks::*what)(P...), A... args) {
    recorder.tell([this, what, ... args = std::move(args)] { (hooks.*what)(args...); });
  }
};

// One planned change and where it happens.
struct Job {
  const ResourceChange* change;
  const config::Resource* resource;
  ModuleInst* module;
  const Repetition* repetition;
  Provider* provider;
  Dependencies dependencies;
  uint32_t node;  // of the graph
};

// Whether something is to be done at an instance that the configuration declares.
bool is_work(const ResourceChange* c);
// Tells of an import and counts it, where the change is one.
void note_import(ApplyRun& run, const ResourceChange& c, InstanceResult& out);
// Evaluates pre- or postconditions; false when one failed.
bool check_conditions(ApplyRun& run, RuleKind kind, const Job& j, const AbsInstance& addr, const Value* self,
                      InstanceResult& out);

Value create_or_update(ApplyRun& run, const Job& j, InstanceResult& out);          // change.cc
void destroy_object(ApplyRun& run, const ResourceChange& c, InstanceResult& out);  // destroy.cc
Value read_data(ApplyRun& run, const Job& j, InstanceResult& out);                 // read.cc
Value open_ephemeral(ApplyRun& run, const Job& j, const AbsInstance& addr, InstanceResult& out);
// Runs the provisioners of a phase; false when one failed that does not let the run continue.
bool provision(ApplyRun& run, const std::vector<config::Provisioner>& list, bool on_destroy,
               const AbsInstance& addr, const eval::Scope& scope, Diagnostics& diags);  // provision.cc

// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace xplan::applying

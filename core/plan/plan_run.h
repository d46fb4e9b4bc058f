// PlanRun: what all parts of one planning run share; and what is needed to plan one instance.
//
// Who calls it: the source files of this folder that plan; nobody else includes this.
// Data flow of one plan: moves → graph → walk (each node fills its NodeResult and its slots in the World) →
// collect (merge results in node order) → finish (outputs, checks, drift, quality). Thread-safety: a resource
// is a node, its instances are the node's parts and are planned concurrently. An instance writes its own
// InstanceResult, its own value in the World and its own InstanceState inside `working` (never the structure
// of the maps); its node puts the InstanceResults together in instance order. Cost: see planner.h.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/base/check.h"
#include "core/graph/walk.h"
#include "core/plan/config_graph.h"
#include "core/plan/contract.h"
#include "core/plan/ephemerals.h"
#include "core/plan/leaving.h"
#include "core/plan/moves.h"
#include "core/plan/node_result.h"
#include "core/plan/planner.h"
#include "core/plan/provider_answers.h"
#include "core/plan/removed.h"
#include "core/plan/selection.h"
#include "core/plan/started_providers.h"

namespace xplan::planning {

// A survey only finds out what a refresh would make of the state, before everything is destroyed: a plan
// whose conditions and imports do not count.
enum class Purpose : uint8_t { Plan, Survey };

struct PlanRun {
  PlanRun(const config::Config& c, const State& p, const PlanOptions& o, ProviderFactory& f, Diagnostics& d,
          Purpose purpose);
  const config::Config& config;
  const State& prev;
  const PlanOptions& options;
  const bool survey;
  const RemovedBlocks removed;
  ProviderFactory& factory;
  Diagnostics& diags;
  Hooks& hooks;

  State working;  // moved, then refreshed in place
  Moves moves;
  World world;
  ConfigGraph cg;
  StartedProviders providers{cg};
  std::vector<NodeResult> results;  // per node; after those, of deletions
  Selection selection;              // what -target / -exclude leave
  // Per node: create before destroy, its own or forced by dependents. What is planned takes only those into
  // account that take part; what is recorded all, since objects may end when there is no configuration left.
  std::vector<bool> cbd, recorded_cbd;
  std::vector<bool> trigger_target;  // per node: some replace_triggered_by names it
  Leaving leaving;
  std::unordered_map<uint32_t, Dependencies> dependencies;
  std::unordered_set<AbsInstance> force_replace;
  Ephemerals opened{options.parallelism, hooks};
  std::shared_ptr<eval::FileReads> file_reads = std::make_shared<eval::FileReads>();
  std::shared_ptr<eval::CallResults> call_results = std::make_shared<eval::CallResults>();
  bool interrupted = false;  // and it was said
  bool abandoned = false;    // there is nothing to make a plan of: Plan::abandoned

  bool destroying() const { return options.mode == PlanMode::Destroy; }
  bool refresh_only() const { return options.mode == PlanMode::RefreshOnly; }
  WalkOptions walk_options() const { return {options.parallelism, options.stop}; }
  const config::Resource& resource_of(uint32_t node) const {  // of a resource's node; likewise:
    XPLAN_CHECK(cg.nodes[node].kind == NodeKind::Resource);
    return cg.nodes[node].node->module->resources[cg.nodes[node].index];
  }
  // To ask about types, whichever instance it is.
  Provider* provider_at(uint32_t node) const {
    return providers.find_any(cg.nodes[node].node->resource_providers[cg.nodes[node].index]);
  }
  // A managed resource of which some change is planned.
  bool is_pending(uint32_t node) const {
    return cg.nodes[node].kind == NodeKind::Resource && results[node].pending &&
           resource_of(node).addr.mode == Mode::Managed;
  }
  const AbsInstance& previous_address(const AbsInstance& a) const {  // before this run
    auto from = moves.previous.find(a);
    return from == moves.previous.end() ? a : from->second;
  }
};

// What is needed to plan one instance of one resource.
struct InstanceJob {
  uint32_t node;  // graph node
  ModuleInst* module;
  const config::Resource* resource;
  AbsInstance addr;
  const Repetition* repetition;
  InstanceState* state;  // in `working`; null when there is none
  Provider* provider;
  ProviderConfigAddr provider_addr;
  bool forced_cbd = false, recorded_cbd = false;
  bool deferred_upstream = false;        // as NodeResult's
  const ImportTarget* import = nullptr;  // an import block leads to it
  bool read = true;                      // its object is read again, unless nothing is refreshed
  Value unknown() const { return Value::unknown(resource->schema->block.implied_type()); }
};

// The configuration of an instance: with its marks, and without them and where they were.
struct InstanceConfig {
  Value marked, value;
  std::vector<PathMarks> marks;
};

// instance.cc: what planning instances of all modes begins and ends with.
ModuleScope scope_of(const PlanRun& run, const InstanceJob& j, const Value* self = nullptr);
Subject subject_of(const PlanRun& run, const InstanceJob& j);
ResourceChange change_of(const InstanceJob& j, Action action);
// Evaluates conditions; false when one failed that counts.
bool check_conditions(const PlanRun& run, const std::vector<config::CheckRule>& rules, RuleKind kind,
                      const InstanceJob& j, const Value* self, InstanceResult& out);
// The configuration's value for the instance, which the provider has validated; nothing after an error.
std::optional<InstanceConfig> evaluate_config(const PlanRun& run, const InstanceJob& j, Diagnostics& diags);
// As evaluate_config() gave it, without what an ignore_changes leaves to the object.
InstanceConfig effective_config(const config::Resource& r, const Value& prior, const InstanceConfig& own);
// The value that is planned, marked as its configuration is.
Value planned_value(const Value& planned, const std::vector<PathMarks>& marks, const schema::Block& block);
void note_import(const ImportTarget& t, ResourceChange& c);

// Each plans one instance that the configuration declares, and returns its planned value for readers.
Value plan_managed(PlanRun& run, const InstanceJob& j, InstanceResult& out);    // plan_managed.cc
Value plan_data(PlanRun& run, const InstanceJob& j, InstanceResult& out);       // plan_data.cc
Value plan_ephemeral(PlanRun& run, const InstanceJob& j, InstanceResult& out);  // plan_ephemeral.cc

// plan_refresh.cc: the object as it is now, or as the state has it where nothing is refreshed. Null
// afterwards: it is gone. Nothing after an error.
std::optional<Refreshed> refresh(PlanRun& run, const Subject& s, const ProviderConfigAddr& provider,
                                 ObjectPtr& object, std::string_view deposed, bool record_drift, bool read,
                                 InstanceResult& out);
// Likewise of an instance that the configuration declares: its value.
std::optional<Value> refresh_declared(PlanRun& run, const InstanceJob& j, ObjectPtr& object,
                                      std::string_view deposed, bool record_drift, InstanceResult& out);
// What decides about order is recorded with the object, for the time when nothing is configured any more.
ObjectPtr with_order(const ObjectPtr& o, const Dependencies& deps, RecordedLifecycle lifecycle);

// plan_delete.cc: deletions of single objects. `deposed`: the key of a deposed one; null: the current one.
void plan_delete(PlanRun& run, const AbsInstance& a, InstanceState& s, const std::string* deposed,
                 const ProviderConfigAddr& provider, Reason reason, const config::Resource* resource,
                 InstanceResult& out);
void plan_deposed(PlanRun& run, const InstanceJob& j, const std::string& key, InstanceResult& out);

// plan_data.cc: whether a data source or ephemeral resource waits for changes.
bool reads_pending(const PlanRun& run, uint32_t node);

// plan_triggers.cc
void find_fired(PlanRun& run, uint32_t node);
Reason triggered(const PlanRun& run, const InstanceJob& j, Diagnostics& diags);

}  // namespace xplan::planning

// The planner's inside: what its source files share. Nobody else includes this.
//
// Data flow of one plan: moves → graph → walk (each node fills its NodeResult and its slots in the World) →
// collect (merge results in node order) → finish (outputs, checks, drift, quality). Thread-safety: a resource
// is a node, its instances are the node's parts and are planned at once. An instance writes its own
// InstanceResult, its own value in the World and its own InstanceState inside `working` (never the structure
// of the maps); its node puts the InstanceResults together in instance order. Cost: see planner.h.
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/walk.h"
#include "core/plan/config_graph.h"
#include "core/plan/contract.h"
#include "core/plan/ephemerals.h"
#include "core/plan/ignore_changes.h"
#include "core/plan/moves.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/plan/planner.h"
#include "core/plan/removed.h"
#include "core/plan/selection.h"

namespace xplan::planning {

struct NewObject {  // a state entry made during planning: a data source's result, an imported object
  AbsInstance addr;
  ProviderConfigAddr provider;
  ObjectPtr object;
};
// An import block resolved to one instance.
struct ImportTarget {
  std::string id;
  Value identity;  // not null: instead of the id
  const config::Import* block = nullptr;
  bool unknown_id = false;
};

// What planning one instance found out.
struct InstanceResult {
  std::vector<ResourceChange> changes, drift;
  std::vector<NewObject> objects;
  std::vector<DeferredChange> deferred;
  std::vector<CheckObject> checks;
  bool uncounted = false;   // it stands for any number of instances, which no check can list
  bool incomplete = false;  // as NodeResult's
  Diagnostics diags;
};

// One part of a resource's node.
struct Piece {
  enum class Kind : uint8_t {
    Declared,    // an instance of the configuration
    Uncounted,   // all instances of a module instance together, because their number is not known yet
    Undeclared,  // an instance that only the state has, when refreshing
    Known,       // an instance as the state has it: when destroying, or when it does not take part
  };
  Kind kind;
  ModuleInst* module;
  InstanceKey key;
  Value* value = nullptr;  // what readers are to see of it; in a Filling: declared and known ones
  const Repetition* repetition = nullptr;
  InstanceState* state = nullptr;  // in `working`; null when there is none
  InstanceResult out = {};
};

struct NodeResult : NamedResult {
  std::vector<Piece> pieces;  // while it is visited; likewise:
  std::vector<Filling> fillings;
  std::deque<Value> undeclared;
  std::vector<ResourceChange> changes, drift;
  std::vector<NewObject> objects;
  bool done = false;                                      // visited without errors
  std::unordered_map<AbsInstance, ImportTarget> imports;  // of import blocks that lead to this resource
  // Some change other than no-op, its own (data sources that depend on it wait) or of a managed resource
  // anywhere upstream.
  bool pending = false, pending_upstream = false;
  bool reads_pending = false;  // of data sources and ephemeral resources: they wait
  std::vector<DeferredChange> deferred;
  std::unordered_map<AbsInstance, uint32_t> deferred_index;  // as index
  bool imports_unknown = false;  // some import block that leads here has instances that are not known yet
  // Something it depends on is deferred / its own value may change once what is deferred is done.
  bool deferred_upstream = false, incomplete = false;
  bool all_refreshed = false;  // instances that are not declared, too
  // Per replace_triggered_by that names no instance: the module instances in which it fires.
  std::vector<std::unordered_set<ModuleInstance>> fired;
  // Position in `changes` of an instance's change; filled only for resources that a replace_triggered_by
  // names.
  std::unordered_map<AbsInstance, uint32_t> index;
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
  bool forced_cbd = false;
  bool deferred_upstream = false;                       // as NodeResult's
  const ImportTarget* import = nullptr;                 // an import block leads to it
  mutable std::optional<DeferredReason> deferred = {};  // set while it is planned
};

// The configuration of an instance: with its marks, and without them and where they were.
struct InstanceConfig {
  Value marked, value;
  std::vector<PathMarks> marks;
};

// A survey only finds out what a refresh would make of the state, before everything is destroyed: a plan
// whose conditions and imports do not count.
enum class Purpose : uint8_t { Plan, Survey };

class Planner : Visitor {
 public:
  Planner(const config::Config& c, const State& prev, const PlanOptions& o, ProviderFactory& f,
          Diagnostics& d, Purpose purpose = Purpose::Plan);
  Plan run();

 private:
  // planner.cc
  size_t begin(uint32_t node) override;
  void part(uint32_t node, size_t i) override;
  bool end(uint32_t node) override;
  WalkOptions walk_options() const { return {options.parallelism, options.stop}; }
  void report(const WalkOutcome& walked);
  void inherit(uint32_t node);
  Conditions conditions_of(NodeKind kind) const;
  void mark_lifecycles();

  // plan_resource.cc: a resource's node, its instances as parts.
  void begin_resource(uint32_t node);
  void begin_module(uint32_t node, ModuleInst& m);
  void plan_piece(uint32_t node, Piece& p);
  InstanceJob job_of(uint32_t node, const Piece& p) const;
  Value plan_instance(const InstanceJob& j, InstanceResult& out);
  void end_resource(uint32_t node);
  const config::Resource& resource_of(uint32_t node) const {
    return cg.nodes[node].node->module->resources[cg.nodes[node].index];
  }
  bool managed_pending(uint32_t node) const;
  void connect_imports();  // before the graph is frozen
  void resolve_imports(uint32_t node, NodeResult& out);
  void refuse_undeclared_imports(uint32_t node);
  void report_cycles();
  Provider* provider_for(const ProviderConfigAddr& a) const;
  Provider* provider_at(uint32_t node) const {  // of a resource's node
    return provider_for(cg.nodes[node].node->resource_providers[cg.nodes[node].index]);
  }
  ModuleScope scope_of(const InstanceJob& j, const Value* self = nullptr) const {
    return ModuleScope(world, *j.module, j.repetition, self);
  }

  // plan_managed.cc: one instance that the configuration declares. Returns its planned value for readers.
  Value plan_managed(const InstanceJob& j, InstanceResult& out);
  std::optional<Value> refresh(const InstanceJob& j, const AbsInstance& addr, ObjectPtr& object,
                               const schema::SchemaPtr& schema, InstanceResult& out, bool record_drift,
                               std::string_view deposed = {});
  std::optional<InstanceConfig> evaluate_config(const InstanceJob& j, Diagnostics& diags) const;
  bool call_plan(const InstanceJob& j, const Value& prior, const Value& proposed, const Value& config,
                 const std::string& prior_private, const Value& prior_identity, PlanResponse& response,
                 Diagnostics& diags) const;
  bool force_replaced(const AbsInstance& a) const;
  const KnownImport* known_import(const AbsInstance& a, const ImportTarget& t) const;
  std::optional<ObjectPtr> import_object(const InstanceJob& j, const ImportTarget& t, InstanceResult& out);
  bool conditions(const std::vector<config::CheckRule>& rules, RuleKind kind, const InstanceJob& j,
                  const Value* self, InstanceResult& out);
  void plan_deposed(const InstanceJob& j, InstanceResult& out);

  // plan_triggers.cc
  void find_fired(uint32_t node);
  Reason triggered(const InstanceJob& j, Diagnostics& diags) const;

  // plan_deferred.cc
  void visit_provider(uint32_t node);
  std::optional<DeferredReason> waiting(
      const ProviderConfigAddr& a) const;  // its provider cannot be asked yet
  // Whether a provider's answer defers the instance; an error where that is not allowed.
  bool defer(Deferral d, const InstanceJob& j, Diagnostics& diags) const;
  bool unplannable(const InstanceJob& j) const;  // without asking its provider
  void note_uncounted_calls(uint32_t node);
  Value plan_by_schema(const InstanceJob& j, InstanceResult& out);
  void plan_uncounted(const InstanceJob& j, InstanceResult& out);
  void move_deferred(const InstanceJob& j, InstanceResult& out);
  bool uncounted(const AbsInstance& a) const;      // the state's object may be an instance not counted yet
  void defer_needed_deletes(size_t first_delete);  // results from there on are of deletions
  void collect_deferred(Plan& plan);

  // plan_data.cc
  Value plan_data(const InstanceJob& j, InstanceResult& out);
  Value plan_ephemeral(const InstanceJob& j, InstanceResult& out);
  bool reads_pending(uint32_t node) const;

  // plan_orphans.cc: objects of the state that the configuration does not declare.
  void plan_orphans();
  void plan_deletes(const std::function<bool(const AbsInstance&)>& wanted,
                    const std::function<Reason(const AbsInstance&)>& reason);
  void plan_delete(const AbsInstance& a, InstanceState& s, const ProviderConfigAddr& provider, Reason reason,
                   const config::Resource* resource, InstanceResult& out);
  bool plan_destruction(const InstanceJob& j, const config::Resource* where, ResourceChange& c,
                        InstanceResult& out) const;
  Reason orphan_reason(const AbsInstance& a) const;
  struct Declaration {
    const config::Node* node;
    int index;  // in its module's resources; -1: not declared
  };
  Declaration declaration(const ModuleInstance& module, const xplan::Resource& r) const;
  uint32_t node_of(const Declaration& d) const;
  bool is_declared(const AbsInstance& a) const;
  bool expansion_known(const AbsResource& a) const;  // every node that decides whether it exists was visited
  bool orphan_selected(const AbsInstance& a) const;
  bool is_refreshed(const AbsInstance& a) const;  // with all that its resource has, declared or not

  // plan_destroy.cc: destroy mode, and values as the state has them.
  void begin_from_state(uint32_t node, ModuleInst& m);
  using ReadValues = std::unordered_map<const InstanceState*, const Value*>;
  void fill_from_state(uint32_t node, ModuleInst& m, const ReadValues& read);
  std::function<bool(const AbsInstance&)> destroy_selection() const;
  void plan_destroy_all();

  // plan_finish.cc
  Plan finish();
  void collect(Plan& plan);
  void plan_outputs(Plan& plan);
  void collect_checks(Plan& plan);
  void find_relevant_attributes(Plan& plan);
  void warn_targeting(Plan& plan);
  void warn_forgetting(const Plan& plan);

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
  std::vector<NodeResult> results;   // per node
  Selection selection;               // what -target / -exclude leave
  std::vector<bool> cbd;             // per node: create before destroy, its own or forced
  std::vector<bool> trigger_target;  // per node: some replace_triggered_by names it
  std::unordered_map<uint32_t, Dependencies> dependencies;
  std::vector<std::shared_ptr<Provider>> providers;           // per provider configuration
  std::vector<std::optional<DeferredReason>> provider_waits;  // likewise: why it is not configured
  std::unordered_map<uint32_t, std::vector<const config::Import*>> imports_of;  // by resource node
  std::unordered_set<AbsInstance> force_replace;
  Ephemerals opened{options.parallelism, hooks};
  bool interrupted = false;             // and it was said
  std::atomic<bool> abandoned = false;  // there is nothing to make a plan of: Plan::abandoned
};

void merge(InstanceResult&& from, NodeResult& to);
template <class T>
void move_all(std::vector<T>&& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Plan plan_destroy_refreshed(const config::Config& config, const State& prev, const PlanOptions& options,
                            ProviderFactory& providers, Diagnostics& diags);

}  // namespace xplan::planning

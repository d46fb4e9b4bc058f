// The inside of apply: what its source files share. Nobody else includes this.
//
// The graph is the configuration's, plus a destroy node for each resource that loses objects, or two when
// some go before it is created and some after. Edges:
//  - the destroy node of a resource follows the destroy nodes of everything that depends on it;
//  - destroy before create: the resource itself and its dependents are created after the destroy node;
//  - create before destroy: the destroy node follows the resource and everything that depends on it.
// A failed instance blocks only its own counterpart (its creation after a failed destruction, or the
// reverse). Thread-safety: the instances of a resource, and the objects of a destroy node, are parts of their
// node and run at once; each writes its own InstanceResult, its own value and its own InstanceState. These
// exist before the walk, so the maps of the state keep their structure while it runs.
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/apply/apply.h"
#include "core/graph/walk.h"
#include "core/plan/config_graph.h"
#include "core/plan/ephemerals.h"
#include "core/plan/node_visit.h"
#include "core/plan/removed.h"

namespace xplan::applying {

struct InstanceResult {
  int added = 0, changed = 0, destroyed = 0, imported = 0, forgotten = 0;
  bool reached = false;
  std::vector<CheckObject> checks;
  Diagnostics diags;
};

// One part of a node: an instance of a resource, or the change at this index of a destroy node.
struct Piece {
  uint32_t index;                // of a destroy node's change
  ModuleInst* module = nullptr;  // what follows: of a resource's instance
  const Repetition* instance = nullptr;
  Value* value = nullptr;  // in a Filling
  InstanceResult out = {};
};

struct NodeResult : NamedResult {
  std::vector<Piece> pieces;  // while it is visited; likewise:
  std::vector<Filling> fillings;
  int added = 0, changed = 0, destroyed = 0, imported = 0, forgotten = 0;
  bool visited = false, done = false;
};

// One planned change and where it happens.
struct Job {
  const ResourceChange* change;
  const config::Resource* resource;  // null: not in the configuration
  ModuleInst* module = nullptr;
  const Repetition* repetition = nullptr;
  Provider* provider;
  Dependencies dependencies;
  uint32_t node;  // of the graph
};

// The objects of one resource that are destroyed before it is created, or after.
struct Destroy {
  ConfigResource resource;
  bool create_first = false, replaces = false;
  std::vector<const ResourceChange*> changes;
  uint32_t node = 0;
};

// Whether something is to be done at an instance that the configuration declares.
bool is_work(const ResourceChange* c);

class Applier : Visitor {
 public:
  Applier(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f, Diagnostics& d);
  ApplyOutcome run();
  bool find_order();  // order.cc: makes the graph; false when it has a cycle

 private:
  // applier.cc
  void prepare_state();
  size_t begin(uint32_t node) override;
  void part(uint32_t node, size_t i) override;
  bool end(uint32_t node) override;
  void skipped(uint32_t node) override { skipped_nodes.push_back(node); }
  bool light(uint32_t node) override;
  bool blocks(uint32_t failed, uint32_t dependent) override;
  ConfigResource resource_at(uint32_t node) const;  // of a resource's node or a destroy node
  void report_unreached(const WalkOutcome& walked, ApplyOutcome& out);

  // resource.cc: a resource's node, its instances as parts.
  void begin_resource(uint32_t node);
  void run_instance(uint32_t node, Piece& p);
  void end_resource(uint32_t node);
  Value instance_value(uint32_t node, ModuleInst& m, const Repetition& r, Diagnostics& diags);
  Provider* provider_for(const ProviderConfigAddr& a) const;
  bool stopping() const { return options.stop && options.stop->load(); }

  // outcome.cc
  void collect(ApplyOutcome& out);
  void collect_checks();
  void drop_data();

  // order.cc
  void leave_out_unplanned();
  void connect_destroys();

  // change.cc: create and update
  void import(const ResourceChange& c, InstanceResult& out);  // tells of it and counts it, where it is one
  Value create_or_update(const Job& j, InstanceResult& out);
  bool record(InstanceResult& out, const JournalRecord& r);
  void fail(const AbsInstance& a, std::string_view deposed);
  bool has_failed(const AbsInstance& a);
  std::string object_type_name(const Job& j) const;

  // destroy.cc
  void run_destroy(const Destroy& d, Piece& p);
  void end_destroy(const Destroy& d, NodeResult& out);
  void destroy_one(const ResourceChange& c, InstanceResult& out);

  // deferred.cc
  void find_put_off_calls();
  void find_held_nodes();
  void refuse_deferral(const Job& j, const AbsInstance& addr, InstanceResult& out) const;
  bool is_put_off(const AbsInstance& addr) const;

  // read.cc
  Value read_data(const Job& j, InstanceResult& out);
  Value open_ephemeral(const Job& j, const AbsInstance& addr, InstanceResult& out);

  bool conditions(const std::vector<config::CheckRule>& rules, RuleKind kind, const Job& j,
                  const AbsInstance& addr, const Value* self, InstanceResult& out);
  // Runs the provisioners of a phase; false when one failed that does not let the run continue.
  bool provision(const std::vector<config::Provisioner>& list, bool on_destroy, const AbsInstance& addr,
                 const eval::Scope& scope, const std::optional<syntax::Rest>& connection,
                 InstanceResult& out);

  const config::Config& config;
  const Plan& plan;
  const ApplyOptions& options;
  ProviderFactory& factory;
  Diagnostics& diags;
  Hooks& hooks;
  const RemovedBlocks removed;
  State state;
  World world;
  ConfigGraph cg;
  std::vector<NodeResult> results;
  std::vector<std::shared_ptr<Provider>> providers;
  std::vector<bool> included;           // per planned node: it is evaluated; empty: all are
  std::vector<bool> held;               // per node: depends on something that the plan put off
  std::vector<uint8_t> provider_waits;  // per provider configuration: not configured, for it is not known yet
  std::unordered_map<uint32_t, Dependencies> dependencies;
  std::vector<Destroy> destroys;
  std::unordered_map<ConfigResource, std::vector<uint32_t>> destroy_of;
  std::vector<uint32_t> skipped_nodes;
  std::mutex lock;
  std::unordered_set<std::string> failed;  // addresses (and deposed keys) whose change failed
  std::unordered_map<AbsInstance, std::string> deposed_keys;  // made in this run, by create-before-destroy
  Ephemerals opened;
};

}  // namespace xplan::applying

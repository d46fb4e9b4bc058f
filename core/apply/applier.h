// The inside of apply: what its source files share. Nobody else includes this.
//
// The graph is the configuration's, plus a destroy node for each resource that loses objects, or two when
// some go before it is created and some after. Edges:
//  - the destroy node of a resource follows the destroy nodes of everything that depends on it;
//  - destroy before create: the resource itself and its dependents are created after the destroy node;
//  - create before destroy: the destroy node follows the resource and everything that depends on it.
// A failed instance blocks only its own counterpart (its creation after a failed destruction, or the
// reverse). Thread-safety: each node writes its own results; InstanceStates exist before the walk, so the
// maps of the state keep their structure while it runs.
#pragma once
#include <memory>
#include <mutex>
#include <semaphore>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/apply/apply.h"
#include "core/plan/config_graph.h"
#include "core/plan/ephemerals.h"
#include "core/plan/node_visit.h"

namespace xplan::applying {

struct NodeResult : NamedResult {
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
};

class Applier {
 public:
  Applier(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f, Diagnostics& d);
  ApplyOutcome run();
  bool find_order();  // order.cc: makes the graph; false when it has a cycle

 private:
  // applier.cc
  void prepare_state();
  bool visit(uint32_t node);
  void visit_resource(uint32_t node);
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
  Value create_or_update(const Job& j, NodeResult& out);
  bool record(NodeResult& out, const JournalRecord& r);
  void fail(const AbsInstance& a, std::string_view deposed);
  bool has_failed(const AbsInstance& a);
  std::string object_type_name(const Job& j) const;

  // destroy.cc
  void visit_destroy(uint32_t index, NodeResult& out);
  void destroy_one(const ResourceChange& c, NodeResult& out);

  // deferred.cc
  void find_put_off_calls();
  void find_held_nodes();
  void refuse_deferral(const Job& j, const AbsInstance& addr, NodeResult& out) const;
  bool is_put_off(const AbsInstance& addr, NodeResult& out) const;

  // read.cc
  Value read_data(const Job& j, NodeResult& out);
  Value open_ephemeral(const Job& j, const AbsInstance& addr, NodeResult& out);

  bool conditions(const std::vector<config::CheckRule>& rules, RuleKind kind, const Job& j,
                  const AbsInstance& addr, const Value* self, NodeResult& out);
  // Runs the provisioners of a phase; false when one failed that does not let the run continue.
  bool provision(const std::vector<config::Provisioner>& list, bool on_destroy, const AbsInstance& addr,
                 const eval::Scope& scope, const std::optional<syntax::Rest>& connection, NodeResult& out);

  const config::Config& config;
  const Plan& plan;
  const ApplyOptions& options;
  ProviderFactory& factory;
  Diagnostics& diags;
  Hooks& hooks;
  State state;
  World world;
  ConfigGraph cg;
  std::vector<NodeResult> results;
  std::vector<std::shared_ptr<Provider>> providers;
  std::vector<bool> included;           // per planned node: it is evaluated; empty: all are
  std::vector<bool> held;               // per node: depends on something that the plan put off
  std::vector<uint8_t> provider_waits;  // per provider configuration: not configured, for it is not known yet
  std::unordered_map<uint32_t, Dependencies> dependencies;
  struct Destroy {  // of one resource, and before or after it is created
    ConfigResource resource;
    bool create_first = false, replaces = false;
    std::vector<const ResourceChange*> changes;
    uint32_t node = 0;
  };
  std::vector<Destroy> destroys;
  std::unordered_map<ConfigResource, std::vector<uint32_t>> destroy_of;
  std::counting_semaphore<> slots;  // how many provider calls and provisioners run at once
  std::mutex lock;
  std::unordered_set<std::string> failed;  // addresses (and deposed keys) whose change failed
  std::unordered_map<AbsInstance, std::string> deposed_keys;  // made in this run, by create-before-destroy
  Ephemerals opened;
};

}  // namespace xplan::applying

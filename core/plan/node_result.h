// What visits of the graph's nodes find out, until the plan is put together of it.
//
// Who calls it: the source files of this folder that plan.
// Contract: an instance writes its own InstanceResult only; its node puts them together in instance order.
// Cost: plain data. Thread-safety: each result has one writer, and readers come after it (see graph/walk.h).
#pragma once
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/plan/node_visit.h"
#include "core/plan/plan.h"

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
  bool failed = false;  // what it is given is wrong, which was reported: nothing is planned for its target
};

// What planning one instance found out.
struct InstanceResult {
  std::vector<ResourceChange> changes, drift;
  std::vector<NewObject> objects;
  std::optional<DeferredReason> deferral;  // its own, not that of something it depends on
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
    Deposed,     // a deposed object of a declared or undeclared instance, in front of it
  };
  Kind kind;
  ModuleInst* module;
  InstanceKey key;
  Value* value = nullptr;  // what readers are to see of it; in a Filling: declared and known ones
  const Repetition* repetition = nullptr;
  InstanceState* state = nullptr;        // in the run's working state; null when there is none
  const std::string* deposed = nullptr;  // the key of a deposed object
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
  // Some change of a current object other than no-op, its own (data sources that depend on it wait) or of a
  // managed resource anywhere upstream.
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

template <class T>
void move_all(std::vector<T>&& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}
void merge(InstanceResult&& from, NodeResult& to);
// Removes the entry of a deposed object, and its key with it, when the object was found gone.
void drop_if_gone(InstanceState& s, const std::string& deposed);

}  // namespace xplan::planning

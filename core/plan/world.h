// World: the values of one run, by module instance: variables, locals, outputs, resources, as the walk fills
// them in.
//
// Who calls it: planner, validate, console (plan/…), apply.
// Invariant: each slot is written once, by the graph node that owns it, and read only by nodes that depend on
// it; the walk orders the two, so slots need no locks. Module instances are made by the node that expands
// their call, before any node inside them runs. Cost: one slot per declared thing and module instance; a
// resource's value as a whole (the tuple or object of all its instances) is made at most once, on first use,
// so 100,000 readers of a counted resource cost 100,000 look-ups. Thread-safety: as above;
// ResourceSlot::whole() may be called from several threads.
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/addr/addr.h"
#include "core/config/config.h"
#include "core/eval/eval.h"
#include "core/provider/provider.h"
#include "core/state/state.h"
#include "core/value/value.h"

namespace xplan {

enum class Operation : uint8_t { Validate, Plan, Apply, Eval };

// What count.index, each.key and each.value are inside a block.
struct Repetition {
  InstanceKey key;
  Value each_value;  // for_each only
};

enum class Expansion : uint8_t { Single, Count, ForEach, Unknown };
// Of all resources and module calls in all module instances: a few lines can ask for a million modules with a
// million resources each. Planning takes about 1.5 KB of memory for each, so these take 6 GB, which an
// ordinary machine has.
inline constexpr int64_t kMaxInstances = 4'000'000;
inline Expansion expansion_of(const config::Resource& r) {
  return r.count ? Expansion::Count : r.for_each ? Expansion::ForEach : Expansion::Single;
}
struct Expanded {
  Expansion kind = Expansion::Single;
  std::vector<Repetition>
      instances;  // in key order; Single: one without key, none if disabled. Unknown: none
  // Where the instance with this key is; nothing when there is none. O(log n).
  std::optional<size_t> index_of(const InstanceKey& k) const;
};

// The instances of one resource in one module instance. What readers see is given once, when all of it is
// known, and does not change: a key gives its own instance or none, and the object of all holds the same
// ones. Until then every read is unknown.
class ResourceSlot {
 public:
  Expanded declared;                     // what the configuration asks for
  void fill(std::vector<Value> values);  // parallel to declared.instances
  void fill(Expanded instances, std::vector<Value> values);
  Expansion kind() const { return filled_ ? seen().kind : Expansion::Unknown; }
  const Value& whole() const;
  // The instance with this key; nothing when there is none.
  const Value* find(const InstanceKey& k) const;

 private:
  const Expanded& seen() const { return actual_ ? *actual_ : declared; }
  bool filled_ = false;
  std::optional<Expanded> actual_;  // not those that are declared
  std::vector<Value> values_;       // parallel to seen().instances
  mutable std::once_flag once_;
  mutable Value whole_;
};

// The instances that a state has (null: none), whatever the configuration says of their number. A counted
// resource is a tuple by position, so what is missing below the last one is among them, too.
struct StateInstances {
  Expanded instances;
  std::vector<const InstanceState*> states;  // parallel: with a current object; null where one is missing
};
StateInstances state_instances(Expansion kind, const ResourceState* state);

// Of the declared instances, those that readers see when only some take part and the others may not exist. Of
// counted ones also those below, so that each is at its position.
Expanded present_instances(const Expanded& declared, const std::function<bool(const InstanceKey&)>& present);

class Stopper;
struct ModuleInst;

// The values of a resource in one module instance while its instances, each on its own, are found out; the
// slot is filled with all of them in the end.
struct Filling {
  ModuleInst* module;
  std::vector<Value> values;
  std::optional<Expanded> actual = {};  // whose they are, when not the declared instances'
  const Repetition& instance(uint32_t resource, uint32_t i) const;
  void finish(uint32_t resource);
};

struct CallSlot {
  Expanded expanded;
  std::vector<ModuleInst*> instances;  // parallel; null: a test gives its outputs
  bool disabled = false;               // there is none
  mutable std::once_flag once;         // the call as a value, made when it is first read as a whole
  mutable Value whole;
};

struct ModuleInst {
  const config::Node* node = nullptr;
  ModuleInstance addr;
  ModuleInst* parent = nullptr;
  Repetition repetition;  // of the call, for its arguments
  std::vector<Value> variables, locals, outputs;
  std::deque<ResourceSlot> resources;  // parallel to node->module->resources
  std::deque<CallSlot> calls;          // parallel to node->module->calls
};

class World {
 public:
  World(const config::Config& config, Operation op);
  ~World();
  const config::Config& config;
  const Operation op;
  bool deferral_allowed = false;  // unknown values may defer instances to a later plan
  bool deferral_hidden = false;   // … without the providers being told that they may defer
  // Applying: module calls, each with an unknown key, whose instances the plan deferred.
  std::unordered_set<ModuleInstance> deferred_calls;
  std::string workspace = "default";
  std::string root_dir = ".", cwd;
  bool applying = false;
  const std::atomic<bool>* stop = nullptr;  // true: the run is to end
  bool stopping() const { return stop && stop->load(std::memory_order_relaxed); }
  std::unique_ptr<Stopper> stopper;  // hears of every provider that is started; null: nothing does
  eval::FunctionTable functions;     // core functions
  // Per module with provider functions: its own table. Others use `functions`.
  std::unordered_map<const config::Module*, std::unique_ptr<eval::FunctionTable>> module_functions;
  std::unordered_map<const config::Node*, std::vector<ModuleInst*>>
      instances;  // filled before the walk with empty lists

  // Problems of data sources inside check blocks, by the check's address: the check fails with them.
  void add_check_problem(const std::string& check, const Diagnostics& problems);
  std::vector<std::string> check_problems(const std::string& check) const;

  void report_stopped(const config::Node& n, Diagnostics& diags) const;  // between two instances of a module
  // Counts instances that are about to be made; false where they are too many.
  bool room_for(size_t instances);
  bool overfull() const { return overfull_; }  // there was no room

  ModuleInst* root() const { return root_; }
  // Makes the module instances of a call for one instance of its parent. Planning with deferral, one with an
  // unknown key stands for all where it is not known how many there will be. False: stopped before all were.
  bool expand_call(ModuleInst& parent, uint32_t call, Expanded expanded);
  const std::vector<ModuleInst*>& of(const config::Node* n) const { return instances.at(n); }
  ModuleInst* find(ModuleInstance addr) const;
  // Fills the function tables, those of required providers included; `settings` is applied to each.
  void register_functions(const std::function<void(eval::FunctionTable&)>& settings, ProviderFactory& factory,
                          Diagnostics& diags, AskProviders ask = AskProviders::Yes);
  const eval::FunctionTable& functions_of(const config::Module* m) const;
  // What a test gives as the outputs of a module instance, which is not made then; null: nothing.
  const Value* given_outputs(const ModuleInstance& addr) const;
  // The value of a module call as seen from its parent: object of outputs, or tuple/object of those.
  const Value& call_value(const ModuleInst& parent, uint32_t call) const;

 private:
  ModuleInst* make(const config::Node* n, ModuleInst* parent, ModuleInstance addr, Repetition r);
  std::deque<ModuleInst> storage_;
  mutable std::mutex lock_;
  std::atomic<size_t> instances_made_ = 0;
  std::atomic<bool> overfull_ = false;
  std::unordered_map<std::string, std::vector<std::string>> check_problems_;
  ModuleInst* root_ = nullptr;
  std::unordered_map<uint32_t, ModuleInst*> by_addr_;
};

// What names mean inside one module instance, and inside a block with repetition or self.
class ModuleScope : public eval::Scope {
 public:
  ModuleScope(const World& w, const ModuleInst& m, const Repetition* r = nullptr, const Value* self = nullptr)
      : world_(w), module_(m), repetition_(r), self_(self) {}
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override;
  std::string instances_of(const syntax::Traversal& t) const override;
  const eval::FunctionTable& functions() const override { return world_.functions_of(module_.node->module); }

 private:
  // `consumed`: how many steps of the reference the value has taken.
  Value subject(const config::Reference& ref, const syntax::Traversal& t, uint32_t& consumed,
                Diagnostics& diags) const;
  Value of_resource(const config::Reference& ref, uint32_t& consumed) const;
  Value of_call(const config::Reference& ref, uint32_t& consumed) const;
  Value of_repetition(config::RefKind what) const;
  bool has_instances(const config::Reference& ref) const;
  const World& world_;
  const ModuleInst& module_;
  const Repetition* repetition_;
  const Value* self_;
};

// Evaluates count, for_each or enabled of a block. Unknown results are errors unless the operation is
// Validate or Eval or deferral is allowed (then the kind is Unknown; what may be enabled counts as such in
// the first two cases, and is an error in the third). A disabled block is Single without instances. More
// instances than there is room for are an error, which is said once in `diags`.
Expanded expand(World& w, const eval::Scope& scope, const config::RepetitionArguments& of,
                Diagnostics& diags);

}  // namespace xplan

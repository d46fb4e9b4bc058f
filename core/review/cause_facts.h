// CauseFacts: what explanations look up in a plan and its configuration, indexed once.
//
// Who calls it: cause_graph.cc, causes.cc.  Private to this folder.
// Cost: linear in the plan when made; look-ups are hashed, and what they make is kept.
// Thread-safety: one thread.
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"
#include "core/schema/parts.h"

namespace xplan::review {

inline constexpr size_t kMostOfOne = 50;  // changes that one reference to many instances leads to

class CauseFacts {
 public:
  CauseFacts(const Plan& plan, const config::Config& config, const SourceTable* sources);
  const Plan& plan;
  const config::Config& config;
  schema::Parts parts;

  const config::Resource* declared(const AbsInstance& a) const { return config.find(a.config()); }
  const ResourceChange* drift_of(const AbsInstance& a) const;
  const NamedValue* named(NamedKind kind, ModuleInstance module, Symbol name) const;
  const PlanVariable* variable(Symbol name) const;
  const RepeatedChange* repeated(const AbsInstance& a, const Path& path) const;
  std::string place(Range r) const;
  // Of the default of a variable, else of its declaration.
  std::string place_of_default(const config::Node& n, const config::Variable& v) const;

  // Changes of those instances that a reference names, of which the part at `path` is another one than
  // before. With a key that is made of an expression, the instance with the reader's own key is meant more
  // often than not; where that does not change, all that do.
  std::vector<const ResourceChange*> changed(const AbsInstance& named, const Path& path,
                                             const ResourceChange* reader, const InstanceKey& key) const;
  // Those of one resource that are deferred, or drifted without being changed by the plan.
  std::vector<const DeferredChange*> deferred(const AbsInstance& named) const;
  std::vector<const ResourceChange*> drifted(const AbsInstance& named, const Path& path) const;

  // The object at both sides of a change, marked as its schema and the plan say. Made once for each change.
  struct Sides {
    Value before, after;
  };
  const Sides& sides(const ResourceChange& c);
  // What the plan's prior state and the one of the last run have of an instance. Read once for each.
  const std::optional<Value>& in_state(const State& s, const AbsInstance& a);

 private:
  struct NameHash {
    size_t operator()(const std::pair<uint64_t, uint32_t>& k) const {
      return (k.first * 0x9E3779B97F4A7C15ull ^ k.second) * 0xD1B54A32D192ED03ull >> 8;
    }
  };
  template <class T>
  using ByResource = std::unordered_map<ConfigResource, std::vector<T>>;
  const SourceTable* sources_;
  std::unordered_map<AbsResource, std::vector<const ResourceChange*>> changes_;  // at most kMostOfOne each
  ByResource<const ResourceChange*> all_changes_;                                // likewise
  std::unordered_map<AbsInstance, const ResourceChange*> drift_;
  ByResource<const ResourceChange*> drift_of_;
  ByResource<const DeferredChange*> deferred_;
  std::unordered_map<std::pair<uint64_t, uint32_t>, const NamedValue*, NameHash> named_;
  std::unordered_map<Symbol, const PlanVariable*> variables_;
  std::unordered_map<AbsInstance, std::unordered_map<std::string, const RepeatedChange*>>
      repeated_;  // by path
  std::unordered_map<const ResourceChange*, Sides> sides_;
  std::unordered_map<const State*, std::unordered_map<AbsInstance, std::optional<Value>>> in_state_;
};

// Whether the part of an object at `path` is another one than before.
bool changes_at(const ResourceChange& c, const Path& path);

}  // namespace xplan::review

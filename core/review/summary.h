// A plan at a glance: how much of what is changed, what is riskiest first, and the same change of many
// instances once.
//
// Who makes it: cmd, of a plan just made or read from a file.  Who reads it: render, each form of it the same
// data. Invariant: each change that does something is in exactly one group; groups are sorted by risk, then
// address, and the changes of a group by address. Cost: linear in the changes and their changed attributes.
// Thread-safety: plain data; points into the plan, which must outlive it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/review/attributes.h"
#include "core/review/data_types.h"

namespace xplan::review {

// What a change may cost, the worst first.
enum class Risk : uint8_t {
  DestroysData,
  ReplacesData,
  Destroys,
  Forgets,
  Replaces,
  Updates,
  Creates,
  Reads,
  Moves
};
struct RiskFacts {
  std::string_view name;  // in JSON
};
constexpr RiskFacts facts(Risk r) {
  switch (r) {
    case Risk::DestroysData:
      return {"destroys_data"};
    case Risk::ReplacesData:
      return {"replaces_data"};
    case Risk::Destroys:
      return {"destroys"};
    case Risk::Forgets:
      return {"forgets"};
    case Risk::Replaces:
      return {"replaces"};
    case Risk::Updates:
      return {"updates"};
    case Risk::Creates:
      return {"creates"};
    case Risk::Reads:
      return {"reads"};
    case Risk::Moves:
      return {"moves"};
  }
  return {};
}
Risk risk_of(const ResourceChange& c, const DataTypes& types);
constexpr bool concerns_data(Risk r) {
  return r == Risk::DestroysData || r == Risk::ReplacesData;
}

// Whether the plan does anything with it: imports and moves alone count.
bool acts(const ResourceChange& c);

// The address of one instance, or of several of one resource, with [*] where they differ. Not of none.
std::string common_address(const std::vector<const ResourceChange*>& changes);

// Instances of one resource, whichever module instance they are in, that are changed alike.
struct ChangeGroup {
  Risk risk = Risk::Updates;
  ConfigResource resource;
  std::vector<const ResourceChange*> changes;
  // Of an update or a replacement: those of the first change. Where values are not the same in all of them,
  // the paths of the others are.
  std::vector<ChangedAttribute> attributes;
  bool same_values = true;
  bool odd = false;  // the same attributes change in a larger group, to the same values there
  const ResourceChange& first() const { return *changes.front(); }
  Action action() const { return first().change.action; }
  std::string address() const { return common_address(changes); }
};

struct ActionCounts {
  size_t create = 0, update = 0, replace = 0, destroy = 0, forget = 0, read = 0, import = 0, move = 0;
  size_t holding_data = 0;  // of those replaced and destroyed
  void add(const ResourceChange& c, Risk risk);
  size_t total() const { return create + update + replace + destroy + forget + read; }
};

struct CountsOf {
  std::string name;  // a type, or a module's path without keys ("" is the root module)
  ActionCounts counts;
};

struct Summary {
  ActionCounts counts;
  std::vector<ChangeGroup> groups;
  std::vector<CountsOf> by_type, by_module;  // by name
  bool failed = false;                       // planning did: there may be more changes
  std::string effect_digest;                 // as digest.h has it; empty: not known here
  size_t drifted = 0, outputs = 0, deferred = 0, failed_checks = 0;
  size_t unverified = 0;  // objects that were not read again
};

Summary summarize(const Plan& plan, const DataTypes& types);

}  // namespace xplan::review

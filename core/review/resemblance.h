// Resemblances: how much the objects of one type that a plan destroys are like those that it creates.
//
// Who calls it: suggested_moves.cc, for each type and provider.  Private to this folder.
// Contract: destroyed and created objects have the same schema, and are numbered as they are given.
// Cost, thread-safety: see suggested_moves.h.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/review/suggested_moves.h"

namespace xplan::review {

class Resemblances {
 public:
  using Changes = std::vector<const ResourceChange*>;
  Resemblances(Changes destroyed, Changes created);
  // Those of destroyed objects that can be this created one, the nearest first.
  std::vector<uint32_t> candidates(uint32_t created) const;
  double score(uint32_t destroyed, uint32_t created) const;
  Resemblance of(uint32_t destroyed, uint32_t created) const;  // with all that people want to know
  const Changes& destroyed() const { return destroyed_; }
  const Changes& created() const { return created_; }

 private:
  using Objects = std::vector<std::vector<Value>>;  // attributes, in the order of the type
  void weigh();
  void index();
  std::vector<uint64_t> traits(const ResourceChange& c, const std::vector<Value>& object) const;
  bool same_module_keys(uint32_t destroyed, uint32_t created) const;
  double share(uint32_t destroyed, uint32_t created, Resemblance* out) const;

  const Changes destroyed_, created_;
  std::vector<Symbol> names_;
  Objects before_, after_;
  std::vector<std::string> keys_before_, keys_after_;             // of their modules; "" where there are none
  std::vector<double> weight_;                                    // of each attribute
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_trait_;  // destroyed objects that have it
};

}  // namespace xplan::review

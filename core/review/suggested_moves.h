// Suggested moves: which objects that a plan creates are likely those that it destroys, because they were
// renamed in the configuration, put into a module, or got other keys.
//
// Who calls it: cmd (refactor suggest); render/suggested_moves.h prints it.
// Rule: a pair has the same type and provider. Its score is what share of the attributes that can be compared
// are equal (values known before apply; those that tell objects of this type from each other count more), and
// whether name, module and instance key are; of another module, whether its instance has the same keys. One
// object becomes one: a pair is suggested where no other one of either object comes near its score, once
// better pairs are taken; the others of at least the threshold are ambiguous. Cost: linear in objects and
// attributes. Objects are compared only with those that share values, names or keys which few others have: at
// most kMostCandidates each.  Thread-safety: pure; refers to the plan.
#pragma once
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

struct Resemblance {
  const ResourceChange *from = nullptr, *to = nullptr;
  double score = 0;                      // 0 to 1
  std::vector<Symbol> equal, different;  // attributes that both have and that are known
  bool same_name = false, same_module = false, same_key = false;
  bool same_module_keys = false;  // of another module
};

struct SuggestedMoves {
  std::vector<Resemblance> suggested;  // by the address of what is created
  std::vector<Resemblance> ambiguous;  // likewise, then the best first; at most kMostShown of each object
  std::vector<const ResourceChange*> destroyed, created;  // in none of these
  size_t all_destroyed = 0, all_created = 0;
};

inline constexpr double kMoveThreshold = 0.6;
inline constexpr size_t kMostCandidates = 32, kMostShown = 4;
SuggestedMoves suggest_moves(const Plan& plan, double threshold = kMoveThreshold);

// Moved blocks for the root module: for whole modules and resources where that moves the same objects.
// `config`: that of the plan.
struct MovedBlock {
  std::string from, to;
  size_t objects = 0;
  std::string text() const;  // in the canonical layout, with its newline
};
std::vector<MovedBlock> moved_blocks(const Plan& plan, const config::Config& config,
                                     const std::vector<Resemblance>& moves);

}  // namespace xplan::review

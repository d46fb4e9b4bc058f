// A plan under review, and what reviewers are to be told of it one by one: findings, the worst first.
//
// Who makes it: cmd, once for all documents that are asked for.  Who reads it: render, each form the same
// data. Invariant: findings stand in the order of their rules; those of changes are the groups of the
// summary. A finding has the same identity in the next plan of the same change, on any machine.
// Cost: linear in the changes.  Thread-safety: plain data; it points into the plan and the configuration.
#pragma once
#include <string>
#include <vector>

#include "core/review/guards.h"
#include "core/review/places.h"
#include "core/review/summary.h"

namespace xplan::review {

struct Review {
  const Plan& plan;
  const Summary& summary;
  const Diagnostics& problems;  // of planning
  std::vector<Violation> violations;
  Places places;
};

enum class Rule : uint8_t {
  Error,
  Forbidden,
  FailedCheck,
  DestroysData,
  ReplacesData,
  Destroys,
  Forgets,
  Replaces,
  Drift,
  Warning,
  Updates,
  Creates,
  Reads,
  Moves,
  Deferred
};
inline constexpr size_t kRules = static_cast<size_t>(Rule::Deferred) + 1;
enum class Level : uint8_t { Error, Warning, Note };

struct RuleFacts {
  std::string_view id, title, help;
  Level level;
};
RuleFacts facts(Rule r);

struct Finding {
  Rule rule = Rule::Updates;
  std::string subject;   // an address, the guard as it was given, or the summary of a problem
  std::string identity;  // of findings of one rule
  Range place;           // invalid: nowhere in the configuration
  // What it is about: one of these.
  const Diagnostic* problem = nullptr;
  const Violation* violation = nullptr;
  const CheckResult* check = nullptr;
  const ChangeGroup* group = nullptr;
  const ResourceChange* drift = nullptr;
  const DeferredChange* deferred = nullptr;
};
std::vector<Finding> findings(const Review& review);

}  // namespace xplan::review

// What one plan does otherwise than another one: the effects of an older and a newer plan, side by side.
//
// Who calls it: cmd (diff, apply -expect).  Who reads it: render/comparison.h.
// Contract: there is no difference exactly when both plans have the same effect digest, but for the chance
// that digests are equal by accident. Differences are sorted: the plans as a whole, providers and what is
// read first, then changes by risk and address, then outputs. Cost: linear in both plans, and the sorting.
// Thread-safety: plain data; points into the plans, which must outlive it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/review/attributes.h"
#include "core/review/effects.h"
#include "core/review/summary.h"

namespace xplan::review {

// One attribute, as each plan changes it or sets it; nothing where it does neither.
struct OtherValue {
  Path path;
  std::optional<ChangedAttribute> older, newer;
};

struct Difference {
  enum class What : uint8_t { OnlyNewer, OnlyOlder, Otherwise };
  What what = What::Otherwise;
  EffectKind kind = EffectKind::Change;
  std::string name;
  std::vector<std::string_view> parts;                      // that differ; of Otherwise
  const ResourceChange *older = nullptr, *newer = nullptr;  // of changes
  const OutputChange *older_output = nullptr, *newer_output = nullptr;
  Risk risk = Risk::Creates;  // of changes: the worse one
};

struct PlanComparison {
  std::vector<Difference> differences;
  size_t only_newer = 0, only_older = 0, otherwise = 0;  // changes of objects and outputs
};

// Where the values that both plans set in an object differ; in the order of its attributes.
std::vector<OtherValue> other_values(const ResourceChange& older, const ResourceChange& newer);

PlanComparison compare(const EffectSources& older, const EffectSources& newer, const DataTypes& types);

}  // namespace xplan::review

// prevent_destroy: whether the configuration forbids what a plan would do to an object.
//
// Who calls it: plan_managed.cc (replacements), plan_delete.cc (deletions), validate.cc (its value).
// Contract: the argument may be an expression about the resource's module instance, not about one of its own
// instances, since it also counts for those that are not declared any more. What is not known, null,
// sensitive or ephemeral decides nothing and is an error.  Cost: an evaluation.  Thread-safety: as PlanRun.
#pragma once
#include "core/plan/plan_run.h"

namespace xplan::planning {

enum class Destruction : uint8_t { Alone, ForReplacement };
// Reports that the object must not be destroyed, or that nobody can tell.
void check_prevent_destroy(const PlanRun& run, const config::Resource& r, const AbsInstance& a,
                           Destruction how, Diagnostics& diags);

}  // namespace xplan::planning

namespace xplan {
// What the argument says; nothing after an error. `unknown`: what it may be before values are known.
std::optional<bool> prevents_destroy(const config::Resource& r, const eval::Scope& scope,
                                     std::optional<bool> unknown, Diagnostics& diags);
}  // namespace xplan

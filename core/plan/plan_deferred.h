// What is deferred to a later plan: instances whose number is not known yet, objects whose provider cannot be
// configured yet or asks to wait, and whatever depends on those.
//
// Who calls it: planner.cc, plan_resource.cc, plan_managed.cc, plan_delete.cc, plan_orphans.cc,
// plan_finish.cc.
// Contract: where deferral is not allowed nothing is deferred, and what would be is an error elsewhere.
// Cost: linear in changes and in the state's dependencies.  Thread-safety: as PlanRun.
#pragma once
#include "core/plan/plan_run.h"

namespace xplan::planning {

// Starts the provider of a node, as far as its configuration is known.
void visit_provider(PlanRun& run, uint32_t node);
// A module call whose instances are not counted yet is not complete.
void note_uncounted_calls(PlanRun& run, uint32_t node);
// Its provider cannot be asked about it yet.
bool is_unreachable(const PlanRun& run, const InstanceJob& j);
// The instance cannot be planned by its provider yet.
bool is_unplannable(const PlanRun& run, const InstanceJob& j);

// Without asking the provider for more than validation: the configuration as far as it is known, and unknown
// for whatever the provider may decide. Its value for readers.
Value plan_by_schema(const PlanRun& run, const InstanceJob& j, InstanceResult& out);
// Instances whose number is not known yet are one change, whose address has an unknown key. What the state
// has of them stays as it is.
void plan_uncounted(const PlanRun& run, const InstanceJob& j, InstanceResult& out);
// Moves the changes of an instance to the deferred ones, if it is deferred. `j` is null when it is not
// declared.
void move_deferred(const AbsInstance& a, const InstanceJob* j, InstanceResult& out);

// An object that something deferred may depend on is not destroyed yet. What depends on what is what the
// state recorded. Results from `first_delete` on are of deletions.
void defer_needed_deletes(PlanRun& run, size_t first_delete);
void collect_deferred(PlanRun& run, Plan& plan);

}  // namespace xplan::planning

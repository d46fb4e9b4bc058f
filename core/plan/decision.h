// What a plan does to a managed object, and why.
//
// Who calls it: plan_managed.cc, when the provider has planned.
// Contract: a replacement has one reason, the first that applies in the order of the rows in decision.cc.
// Cost: none.  Thread-safety: pure functions.
#pragma once
#include "core/plan/actions.h"

namespace xplan::planning {

struct Situation {
  bool exists = true;             // there is an object; else nothing but its trigger matters
  bool tainted = false;           // its creation did not end well
  Reason trigger = Reason::None;  // why a replace_triggered_by fires, where one does
  bool requested = false;         // to replace it, by -replace
  bool must_replace = false;      // the provider cannot update what differs
  bool differs = false;
  bool create_before_destroy = false;
  bool may_destroy = true;  // lifecycle.destroy
};

struct Decision {
  Action action = Action::NoOp;
  Reason reason = Reason::None;
  bool plan_again = false;  // as a creation: the provider has planned an update
};
Decision decide(const Situation& s);

}  // namespace xplan::planning

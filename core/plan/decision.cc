// Decides what a plan does to an object: creates, updates or replaces it, or leaves it alone. A table has the
// reasons for a replacement in the order in which they count: only the first that applies is reported.
#include "core/plan/decision.h"

namespace xplan::planning {

Decision decide(const Situation& s) {
  if (!s.exists) return {Action::Create, s.trigger};
  const bool triggered = s.trigger != Reason::None;
  const struct {
    bool applies;
    Reason reason;
    bool plan_again;
  } rows[] = {
      {s.tainted, triggered ? s.trigger : Reason::ReplaceBecauseTainted, false},  // planned as a creation
      {triggered, s.trigger, true},
      {s.requested, Reason::ReplaceByRequest, true},
      {s.must_replace, Reason::ReplaceBecauseCannotUpdate, true},
  };
  const Action replace = !s.may_destroy            ? Action::ForgetThenCreate
                         : s.create_before_destroy ? Action::CreateThenDelete
                                                   : Action::DeleteThenCreate;
  for (const auto& row : rows)
    if (row.applies) return {replace, row.reason, row.plan_again};
  return {s.differs ? Action::Update : Action::NoOp};
}

}  // namespace xplan::planning

// What a plan would make of a state.
#include "core/plan/planner.h"

namespace xplan {

State planned_state(const Plan& plan) {
  State out = plan.prior_state;
  for (const ResourceChange& c : plan.changes) {
    if (!c.deposed.empty()) continue;
    if (c.change.action == Action::Delete || c.change.action == Action::Forget) {
      if (InstanceState* i = out.find(c.addr)) i->current = nullptr, out.erase_if_empty(c.addr);
      continue;
    }
    auto o = std::make_shared<Object>();
    o->schema_version = c.schema ? c.schema->version : 0;
    o->value = c.change.after;
    out.ensure(c.addr, c.provider).current = std::move(o);
  }
  return out;
}

}  // namespace xplan

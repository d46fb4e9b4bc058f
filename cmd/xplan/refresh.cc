// refresh: bring the state up to date with the real objects, without asking. A plan is made, and what it
// found on the way is recorded: objects, data, and outputs whose values are known.
#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"

namespace xplan::cmd {

int run_refresh(Session& s, const Args& args) {
  OperationFlags f;
  Flags flags("refresh", "Updates the state to match the real objects, without changing them.");
  f.add(flags, Command::Refresh);
  if (std::optional<int> code = parse_operation(s, flags, f, args)) return *code;
  if (!take_modes_of_refresh(s, f)) return s.finish();
  f.config_optional = true;
  auto p = make_plan_for(s, f, "OperationTypeRefresh");
  if (!p) return s.finish();
  if (p->state.state.resources.empty())
    s.diags.warn("Empty or non-existent state",
                 "The state contains no objects, so there is nothing to refresh.");
  State& found = p->plan.prior_state;
  if (!p->plan.errored) s.save(*p->state.store, found);
  bool failed = s.diags.has_errors();
  s.print_diagnostics();
  if (!failed) show_outputs(s, found.outputs);
  s.unlock(*p->state.store);
  s.io.flush();
  return s.finish(failed);
}

}  // namespace xplan::cmd

// plan: what would change.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"

namespace xplan::cmd {

int run_plan(Session& s, const Args& args) {
  OperationFlags f;
  std::string out;
  Flags flags(s.program + " plan", "Shows which changes would bring the real objects in line with the configuration. Nothing is changed.");
  f.add(flags, true);
  flags.text("out", out, "Write the plan to a file, to be shown and applied later, exactly.", "FILE");
  flags.flag("detailed-exitcode", f.detailed_exitcode, "Exit code 0: no changes, 1: error, 2: changes.");
  flags.text("generate-config-out", f.generate_config_out, "Write configuration for import blocks that have no resource block to this new file.", "FILE");
  flags.flag("json", s.json, "Not supported yet here: a stream of JSON lines.");
  s.add_view(flags);
  if (auto r = flags.parse(args, s.io); r != Flags::Outcome::Run) return r == Flags::Outcome::Help ? 0 : 1;
  s.settle_view();
  if (s.json) {
    s.diags.error("Option not supported yet", "The stream of JSON lines (-json) is not built yet for this command. Save the plan with -out and use \"show -json\".");
    return s.finish();
  }
  auto p = make_plan_for(s, f, "OperationTypePlan");
  if (!p) return s.finish();
  p->state.store->unlock();
  if (!p->plan.errored) show_plan(s, p->plan);
  if (!out.empty()) {
    if (Result<void> ok = planfile::write(out, p->plan, planfile::snapshot_of(*p->config), s.schema_lookup()); !ok)
      s.diags.error("Failed to write plan file", ok.error().message + ".");
  }
  bool errors = s.diags.has_errors();
  s.print_diagnostics();
  if (!out.empty() && !p->plan.errored && !errors && p->plan.applyable && !s.human.in_automation)
    s.io.out(fmt::format("\nThe plan was saved to {0}. To carry out exactly these actions, run:\n    {1} apply {0}\n", out, s.program));
  s.io.flush();
  if (errors) return 1;
  return f.detailed_exitcode && p->plan.applyable ? 2 : 0;
}

}  // namespace xplan::cmd

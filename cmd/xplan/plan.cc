// plan: makes a plan, shows it and saves it if asked to (-out); its options, its closing advice and its exit
// codes. How a plan is made: operation.cc, then core/run/plan.cc.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/review_flags.h"
#include "core/base/command_line.h"
#include "core/crypt/target.h"
#include "render/explain.h"
#include "render/text.h"

namespace xplan::cmd {
namespace {

// A plan has what the state has, and only the configuration can say that this is meant.
void warn_of_plain_file(Session& s, const crypt::Encryption& e) {
  if (e.state()->encrypts() && e.plan() == crypt::codec_without(crypt::Payload::Plan))
    s.diags.warn("Plan file is not encrypted",
                 "States are encrypted, but the encryption block has no method for plan files, which contain "
                 "values of the state. Add a block \"plan\" with a method to the encryption block.");
}

}  // namespace

int run_plan(Session& s, const Args& args) {
  OperationFlags f;
  std::string out;
  Flags flags("plan",
              "Shows which changes would make the real objects match the configuration. Nothing is changed.");
  f.add(flags, Command::Plan);
  bool unnamed = false;
  auto name_file = [&](std::string name) { out = std::move(name), unnamed = out.empty(); };
  flags.each("out", name_file, "Save the plan to FILE, for \"show\" and \"apply\".", "FILE");
  flags.flag("detailed-exitcode", f.detailed_exitcode,
             "Exit with code 0 for no changes, 1 for an error, 2 for changes.");
  flags.text("generate-config-out", f.generate_config_out,
             "Write configuration for import blocks without a resource block to this new file.", "FILE");
  bool explain = false;
  flags.flag("explain", explain, "Show the reason under each change.");
  ReviewFlags review;
  review.add(flags);
  flags.elsewhere("auto-approve", "apply");
  flags.no_arguments("To view a saved plan, run " + own_command("show FILE") + ".");
  if (std::optional<int> code = parse_operation(s, flags, f, args)) return *code;
  if (unnamed)
    s.diags.warn(
        "Missing file name",
        "The option -out was given without a file name, so this plan is not saved. Write -out=FILE.");
  if (Result<void> ok = out.empty() ? Result<void>() : planfile::check_destination(out); !ok) {
    s.diags.error("Invalid plan file path", ok.error().sentence());
    return s.finish();
  }
  if (!review.prepare(s)) return s.finish();
  auto p = make_plan_for(s, f, "OperationTypePlan");
  if (!p) return s.finish();
  s.unlock(*p->state.store);
  bool saved = out.empty();
  if (!out.empty()) {
    if (Result<void> ok = planfile::save(out, s.context(), *p); !ok)
      s.diags.error("Failed to write plan file", ok.error().sentence());
    else
      saved = true;
    warn_of_plain_file(s, p->state.encryption);
  }
  std::optional<CauseFinder> causes;
  if (explain) {
    causes.emplace(p->plan, *p->config);
    s.human.why = [&](const ResourceChange& c, std::string& text) {
      render::put_why_lines(*causes, c, s.human.note_width, text);
    };
  }
  if (saved) review.show(s, p->plan);
  s.human.why = nullptr;
  const bool permitted = review.permitted(s, p->plan);
  bool errors = s.diags.has_errors();
  s.print_diagnostics();
  if (!errors && !s.stream && p->plan.applyable && !s.human.in_automation && !unnamed) {
    std::string next;
    render::put_rule(next, s.human);
    next += '\n';
    if (out.empty())
      render::put_wrapped(next,
                          fmt::format("You did not use -out, so this plan was not saved. \"{} apply\" will "
                                      "create a new plan, which may differ from this one.",
                                      program_name()),
                          s.human.width);
    else
      render::put_wrapped(
          next,
          fmt::format("The plan was saved to {}. To perform exactly these actions, run:\n    {} apply {}",
                      out, program_name(), shell_word(out)),
          s.human.width);
    next += '\n';
    s.io.out(next);
  }
  if (p->generated && !errors && !s.stream && !s.human.in_automation)
    s.prose(
        fmt::format("\nThe configuration of imported objects was written to {}. Review it before applying.\n",
                    f.generate_config_out));
  s.io.flush();
  if (errors) return permitted ? 1 : ReviewFlags::kGuarded;
  return f.detailed_exitcode && (p->plan.applyable || !p->plan.deferred.empty()) ? 2 : 0;
}

}  // namespace xplan::cmd

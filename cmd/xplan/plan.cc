// plan: makes a plan, shows it and saves it if asked to (-out); its options, its closing advice and its exit
// codes. How a plan is made: operation.cc, then core/run/plan.cc.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/documents.h"
#include "cmd/xplan/effects.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "cmd/xplan/review_flags.h"
#include "core/backend/secrets.h"
#include "core/base/command_line.h"
#include "core/crypt/target.h"
#include "render/explain.h"
#include "render/text.h"

namespace xplan::cmd {
namespace {

// Asked for, and on a terminal, where a plan can be approved.
void tell_digest(Session& s, const run::Planned& p, bool asked) {
  if (p.plan.errored || s.stop || !(asked || (s.io.out_is_terminal && !s.stream && p.plan.applyable))) return;
  std::optional<Versions> versions = locked_versions(s);
  if (!versions) return;
  if (const auto digest = effect_digest(s, {p.plan, *p.config, s.sources, std::move(*versions)}))
    show_digest(s, *digest);
}

// A plan has what the state has, and only the configuration can say that this is meant.
void warn_of_plain_file(Session& s, const crypt::Encryption& e) {
  if (e.state()->encrypts() && e.plan() == crypt::codec_without(crypt::Payload::Plan))
    s.diags.warn("Plan file is not encrypted",
                 "States are encrypted, but the encryption block has no method for plan files, which contain "
                 "values of the state. Add a block \"plan\" with a method to the encryption block.");
}

// It can be applied from any directory, so it has all that its backend takes.
void warn_of_secrets(Session& s, const std::string& file, const run::Planned& p) {
  if (p.state.encryption.plan()->encrypts()) return;
  const auto settings = backend::parse_settings(p.plan.backend_type, p.plan.backend_config_json);
  const std::string secrets = settings ? backend::secrets_text(*settings) : std::string();
  if (!secrets.empty())
    s.diags.warn("Secrets in the plan file",
                 Error{fmt::format("{}, and the plan file \"{}\" contains the settings of the backend as "
                                   "plain text. Keep the file private, or encrypt plan files",
                                   secrets, file)}
                     .sentence());
}

bool save_review(Session& s, const std::string& path, const run::Planned& p) {
  if (path.empty()) return true;
  std::string digest;
  if (std::optional<Versions> versions = p.plan.errored ? std::nullopt : locked_versions(s))
    digest = effect_digest(s, {p.plan, *p.config, s.sources, std::move(*versions)}).value_or("");
  const Result<void> ok = planfile::save_review(path, s.context(), p, std::move(digest));
  if (!ok) s.diags.error("Failed to write plan file", ok.error().sentence());
  return static_cast<bool>(ok);
}

// True as well where it is not to be saved.
bool save_plan(Session& s, const std::string& out, const run::Planned& p) {
  if (out.empty()) return true;
  const Result<void> ok = planfile::save(out, s.context(), p);
  if (!ok) s.diags.error("Failed to write plan file", ok.error().sentence());
  if (s.plan_codec) return static_cast<bool>(ok);
  warn_of_plain_file(s, p.state.encryption);
  if (ok) warn_of_secrets(s, out, p);
  return static_cast<bool>(ok);
}

bool check_destinations(Session& s, const std::string& out, const std::string& review_out) {
  for (const auto& [path, option] : {std::pair(out, "out"), std::pair(review_out, "review-out")})
    if (Result<void> ok = path.empty() ? Result<void>() : planfile::check_destination(path, option); !ok)
      s.diags.error("Invalid plan file path", ok.error().sentence());
  s.claim(out, "out"), s.claim(review_out, "review-out");
  return !s.diags.has_errors();
}

// Of the command that applies the plan.
std::string key_option(const Session& s) {
  return s.plan_key_file.empty() ? "" : fmt::format("-plan-key-file={} ", shell_word(s.plan_key_file));
}

// What to do next. `out`: where the plan was saved to.
void advise(Session& s, const run::Planned& p, const OperationFlags& f, const std::string& out,
            bool unnamed) {
  if (p.plan.applyable && !unnamed) {
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
                      out, program_name(), key_option(s) + shell_word(out)),
          s.human.width);
    next += '\n';
    s.io.out(next);
  }
  if (p.generated)
    s.prose(
        fmt::format("\nThe configuration of imported objects was written to {}. Review it before applying.\n",
                    f.generate_config_out));
}

}  // namespace

int run_plan(Session& s, const Args& args) {
  OperationFlags f;
  std::string out;
  Flags flags("plan",
              "Shows which changes would make the real objects match the configuration. Nothing is changed.");
  f.add(flags, Command::Plan);
  std::string review_out;
  flags.text("review-out", review_out,
             "Save the review half of the plan to FILE: everything that reviewers need, without secrets.",
             "FILE");
  bool unnamed = false;
  auto name_file = [&](std::string name) { out = std::move(name), unnamed = out.empty(); };
  flags.each("out", name_file, "Save the plan to FILE, for \"show\" and \"apply\".", "FILE");
  flags.flag("detailed-exitcode", f.detailed_exitcode,
             "Exit with code 0 for no changes, 1 for an error, 2 for changes.");
  flags.text("generate-config-out", f.generate_config_out,
             "Write configuration for import blocks without a resource block to this new file.", "FILE");
  bool explain = false;
  flags.flag("explain", explain, "Show the reason under each change.");
  bool digest = false;
  flags.flag("digest", digest, "Show the effect digest, for \"apply -expect\".");
  add_plan_key(flags, s);
  ReviewFlags review;
  review.add(flags);
  Documents documents;
  documents.add(flags);
  flags.elsewhere("auto-approve", "apply");
  flags.no_arguments("To view a saved plan, run " + own_command("show FILE") + ".");
  if (std::optional<int> code = parse_operation(s, flags, f, args)) return *code;
  if (unnamed)
    s.diags.warn(
        "Missing file name",
        "The option -out was given without a file name, so this plan is not saved. Write -out=FILE.");
  if (explain && s.stream)
    s.diags.warn("Option has no effect",
                 "-explain has no effect with -json. To get the reasons as JSON, save the plan and run " +
                     own_command("explain -json FILE") + ".");
  if (!check_destinations(s, out, review_out)) return s.finish();
  if (!plan_key(s, s.plan_codec) || !review.prepare(s, ReviewFlags::Rules::OfConfigurationToo) ||
      !documents.prepare(s))
    return s.finish();
  auto p = make_plan_for(s, f, "OperationTypePlan");
  if (!p) {
    documents.write_failed(s, review);
    return s.finish();
  }
  s.unlock(*p->state.store);
  const bool saved = save_plan(s, out, *p), reviewed = save_review(s, review_out, *p);
  std::optional<review::CauseFinder> causes;
  const bool repeated = !p->plan.repeated.empty() && s.io.out_is_terminal;
  if (explain || repeated) {
    causes.emplace(p->plan, *p->config, &s.sources);
    s.human.why = [&](const ResourceChange& c, std::string& text) {
      (explain ? render::put_why_lines : render::put_repeated_lines)(*causes, c, s.human.note_width, text);
    };
  }
  if (saved && reviewed) review.show(s, {p->plan, &*p->config, s.schema_lookup()});
  s.human.why = nullptr;
  tell_digest(s, *p, digest);
  documents.write(s, {p->plan, &*p->config, s.schema_lookup()}, review);
  const bool permitted = review.permitted(s, p->plan);
  s.end_into();
  bool errors = s.diags.has_errors();
  s.print_diagnostics();
  if (!errors && !s.stream && !s.human.in_automation) advise(s, *p, f, out, unnamed);
  s.io.flush();
  if (errors) return permitted ? 1 : ReviewFlags::kGuarded;
  return f.detailed_exitcode && (p->plan.applyable || !p->plan.deferred.empty()) ? 2 : 0;
}

}  // namespace xplan::cmd

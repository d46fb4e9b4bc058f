// apply, destroy: carries out a saved plan, once it is certain that the providers and their schemas are still
// those it was made with; or makes a plan, asks for approval and carries it out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/documents.h"
#include "cmd/xplan/effects.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "cmd/xplan/review_flags.h"
#include "core/backend/configured.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/install/lock_file.h"
#include "core/plan/evaluate.h"
#include "core/review/rebase.h"
#include "core/run/provider_names.h"

namespace xplan::cmd {
namespace {

bool confirmed(Session& s, const Plan& plan) {
  const bool destroy = plan.mode == PlanMode::Destroy;
  return s.approved(
      fmt::format("Do you {}?\n  {}",
                  destroy ? "really want to destroy all resources" : "want to perform these actions",
                  destroy ? "This cannot be undone. " + s.product + " will destroy everything listed above."
                          : s.product + " will perform the actions described above."),
      "Nothing was changed.", "To apply without being asked, use -auto-approve.");
}

// Drift alone is nothing that an apply would carry out.
bool proposes_changes(const Plan& plan) {
  return std::any_of(plan.changes.begin(), plan.changes.end(),
                     [](const ResourceChange& c) { return c.change.action != Action::NoOp || c.moved(); }) ||
         std::any_of(plan.outputs.begin(), plan.outputs.end(),
                     [](const OutputChange& o) { return o.change.action != Action::NoOp; });
}

// Values of the plan fit only the schemas it was made with, which need not depend on a provider's version
// alone.
bool same_schemas(Session& s, const planfile::Opened& opened) {
  s.schemas().renew(config::Renew::Unsettled);
  std::set<std::string> changed;
  for (const ResourceChange& c : opened.plan.changes) {
    const schema::ProviderSchemaPtr saved = opened.schemas.find(c.provider.provider);
    const Mode mode = c.addr.resource.mode;
    const schema::Schema* then = saved ? saved->find(mode, c.addr.resource.type) : nullptr;
    if (!then) continue;
    const schema::SchemaPtr now = s.schemas().find(c.provider.provider, mode, c.addr.resource.type);
    if (!now || now->version != then->version || now->block.implied_type() != then->block.implied_type())
      changed.insert(
          fmt::format("\n  - {} of provider {}", c.addr.resource.type.sv(), c.provider.provider.display()));
  }
  if (changed.empty()) return true;
  std::string list;
  for (const std::string& line : changed) list += line;
  s.diags.error(
      "Saved plan is stale",
      fmt::format("The provider's schema has changed since this plan was made, so the plan's values no "
                  "longer match these resource types:{}\n\nCreate a new plan and apply it.",
                  list));
  return false;
}

// The provider versions with which the plan was made must still be the selected ones.
bool same_providers(Session& s, const std::string& saved) {
  auto before = install::parse_lock_file(s.sources, "the plan's dependency lock file", saved, s.diags);
  auto now = before && !before->entries.empty()
                 ? install::read_lock_file(s.sources, std::string(install::kLockFileName), s.diags)
                 : before;
  if (!now) return false;
  std::string changed;
  for (const auto& [name, e] : before->entries) {
    const install::LockEntry* other = now->find(e.provider);
    if (!other || other->version.text() != e.version.text())
      changed += fmt::format("\n  - provider {}: the plan was made with version {}, but {} is selected now",
                             name, e.version.text(), other ? other->version.text() : "none");
  }
  if (changed.empty()) return true;
  s.diags.error(
      "Inconsistent dependency lock file",
      fmt::format("The selected provider versions differ from those of the plan:{}\n\nA plan can be applied "
                  "only with the providers it was made with. Select them again, or create a new plan.",
                  changed));
  return false;
}

// A saved plan is applied as it is.
void warn_of_ignored(Session& s, const OperationFlags& f) {
  std::string names;
  auto note = [&](bool given, std::string_view name) {
    if (given) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  note(f.destroy, "-destroy");
  note(f.refresh_only, "-refresh-only");
  note(!f.refresh, "-refresh=false");
  note(!f.replace.empty(), "-replace");
  note(!f.target.empty(), "-target");
  note(!f.exclude.empty(), "-exclude");
  note(!f.target_files.empty(), "-target-file");
  note(!f.exclude_files.empty(), "-exclude-file");
  note(f.allow_deferral, "-allow-deferral");
  if (!names.empty())
    s.diags.warn(
        "Planning options have no effect",
        fmt::format("A saved plan is applied as it was made, so these options are ignored: {}. To use "
                    "them, create a new plan.",
                    names));
}

// Where the plan says, encrypted as its own configuration says, whatever has become of the working directory;
// of that, warnings were told.
bool open_planned_state(Session& s, const OperationFlags& f, const Plan& plan, const config::Config& c,
                        const RootValues& variables, Opened& out) {
  Result<backend::Settings> settings = backend::parse_settings(plan.backend_type, plan.backend_config_json);
  if (!settings)
    return s.diags.error("Failed to load plan file",
                         "The plan file cannot be used: " + settings.error().message + "."),
           false;
  Diagnostics found;
  auto encryption = run::configured_encryption(s.context(), c.root->module, variables, found);
  if (!encryption) return s.diags.append(std::move(found)), false;
  out.encryption = std::move(*encryption);
  const auto backend = backend::open(*settings, s.opening(out.encryption), s.diags);
  if (!backend || !s.open_state(f.state, *backend, "OperationTypeApply", out)) return false;
  run::translate_providers(c, out.state);
  return true;
}

// Whether the plan still fits the state: 0, or the exit code after reporting why not.
int check_fresh(Session& s, Plan& plan, const config::Config& config, const State& present, bool may_rebase) {
  const bool same =
      present.lineage == plan.prev_run_state.lineage && present.serial == plan.prev_run_state.serial;
  if (same && !may_rebase) return 0;
  if (!may_rebase) {
    s.diags.error("Saved plan is stale",
                  "The state has changed since this plan was made, so the plan may no longer be correct. "
                  "Create a new plan and apply it, or use -rebase to apply this one if nothing that it reads "
                  "or changes has become different.");
    return 1;
  }
  const std::vector<std::string> obstacles = review::rebase(plan, config, present);
  if (obstacles.empty()) return 0;
  constexpr size_t kMostNamed = 20;
  std::string list;
  for (size_t i = 0; i < obstacles.size() && i < kMostNamed; ++i) list += "\n  - " + obstacles[i];
  if (obstacles.size() > kMostNamed) list += fmt::format("\n  … and {} more", obstacles.size() - kMostNamed);
  s.diags.error(
      "Saved plan is stale",
      fmt::format("What this plan reads or changes is no longer as it was when the plan was made:{}\n\n"
                  "Nothing was changed. Create a new plan and apply it.",
                  list));
  return kNotAsApproved;
}

// How a saved plan is applied.
struct ApplyOfFile {
  std::string path;
  bool rebase = false;
};

int apply_file(Session& s, const OperationFlags& f, const ApplyOfFile& how, const ReviewFlags& review,
               const Expectation& expected, Documents& documents) {
  const std::string& path = how.path;
  warn_of_ignored(s, f);
  s.print_diagnostics();  // before anything is changed
  std::optional<planfile::Opened> opened = open_plan_file(s, path, f.variables.options);
  if (!opened) return s.finish();
  Plan& plan = opened->plan;
  if (plan.errored) {
    s.diags.error("Cannot apply incomplete plan",
                  "Planning ended with errors, so this plan is not complete. It can be viewed with " +
                      own_command("show") + ", but not applied. Correct the errors and create a new plan.");
    return s.finish();
  }
  if (plan.review) {
    s.diags.error(
        "Plan is for review only",
        fmt::format("The file \"{}\" is the review half of a plan, without its secrets, so it cannot "
                    "be applied. Apply the plan that {} saved.",
                    path, own_command("plan -out=FILE")));
    return s.finish();
  }
  if (!review.permitted(s, plan)) {
    s.finish();
    return ReviewFlags::kGuarded;
  }
  if (plan.workspace != s.workspace()) {
    s.diags.error(
        "Plan was made in another workspace",
        fmt::format("The plan was made in the workspace \"{0}\", but \"{1}\" is selected. Set the "
                    "environment variable TF_WORKSPACE to \"{0}\" for this command, which works in any "
                    "directory, or select that workspace with {2}. Or create a new plan.",
                    plan.workspace, s.workspace(),
                    own_command("workspace select " + shell_word(plan.workspace))));
    return s.finish();
  }
  if (!same_providers(s, opened->lock_file)) return s.finish();
  const run::Context context = s.context();
  auto c = planfile::load_config(*opened, context, planfile::SchemasOf::Providers, s.diags);
  if (s.diags.has_errors() || !same_schemas(s, *opened)) return s.finish();
  if (expected.given()) {
    std::optional<Versions> versions = locked_versions(s, opened->lock_file);
    if (!versions) return s.finish();
    if (!expected.met(s, {plan, *c, s.sources, std::move(*versions)})) {
      s.finish();
      return kNotAsApproved;
    }
  }
  Opened state;
  Diagnostics of_values;  // told once the plan is
  RootValues variables =
      run::saved_plan_inputs(context, *c->root->module, plan, s.input_request(f.variables), of_values);
  if (!open_planned_state(s, f, plan, *c, variables, state)) return s.finish();
  if (const int code = check_fresh(s, plan, *c, state.state, how.rebase)) {
    s.unlock(*state.store);
    s.finish();
    return code;
  }
  if (!documents.write(s, {plan, c.get(), opened->schemas.lookup(s.schema_lookup())}, review)) {
    s.unlock(*state.store);
    return s.finish();
  }
  for (const render::JsonStream* to : {s.stream.get(), s.into.get()})
    if (to) to->plan(plan, false);
  s.diags.append(std::move(of_values));
  if (s.diags.has_errors()) {
    s.unlock(*state.store);
    return s.finish();
  }
  return carry_out(s, *c, plan, variables, state, f);
}

// Live only where somebody sees it, and nothing else writes to the terminal.
bool choose_progress(Session& s, std::string_view how) {
  const char* terminal = std::getenv("TERM");
  const bool possible = s.io.out_is_terminal && !s.stream && terminal && std::string_view(terminal) != "dumb";
  if (how == "live" && !possible)
    s.diags.error(
        "Invalid option value",
        "Changes can only be shown live on a terminal that can move its cursor, and not with -json. "
        "Use -progress=plain.");
  else if (!how.empty() && how != "live" && how != "plain")
    s.diags.error(
        "Invalid option value",
        fmt::format("\"{}\" is not a valid value for the option -progress, which takes live or plain.", how));
  s.live =
      how == "live" || (how.empty() && possible && !s.human.in_automation && !log_enabled(LogLevel::Error));
  return !s.diags.has_errors();
}

struct ApplyOfNewPlan {
  bool destroy = false;   // as the command that was run
  bool approved = false;  // nobody is asked
};

int apply_new_plan(Session& s, OperationFlags& f, ApplyOfNewPlan how, const ReviewFlags& review,
                   const Expectation& expected, Documents& documents) {
  bool approve = how.approved || expected.given();
  auto nobody_to_ask = [&](std::string_view why) {
    s.diags.error(
        "Approval required",
        fmt::format("Cannot ask for approval because {} is set. Use -auto-approve, or apply a saved plan.",
                    why));
  };
  if (!approve && s.stream) return nobody_to_ask("-json"), s.finish();
  auto p = make_plan_for(s, f, f.refresh_only ? "OperationTypeRefresh" : "OperationTypeApply");
  if (!p) {
    documents.write_failed(s, review);
    return s.finish();
  }
  auto leave = [&] {
    s.unlock(*p->state.store);
    return s.finish();
  };
  const Reviewed reviewed{p->plan, &*p->config, s.schema_lookup()};
  if (!p->plan.errored || proposes_changes(p->plan)) review.show(s, reviewed);
  (void)documents.write(s, reviewed, review);
  if (p->plan.errored || s.diags.has_errors()) return leave();
  if (!review.permitted(s, p->plan)) return leave(), ReviewFlags::kGuarded;
  if (expected.given()) {
    std::optional<Versions> versions = locked_versions(s);
    if (!versions || !expected.met(s, {p->plan, *p->config, s.sources, std::move(*versions)}))
      return leave() && versions ? kNotAsApproved : 1;
  }
  if (p->plan.applyable && !run::can_apply(p->state, s.diags)) return leave();
  approve |= !p->plan.applyable;  // there is nothing to approve
  // Who is asked should know of them first. Otherwise all stand together at the end, where each is told once.
  if (!approve) s.print_diagnostics();
  if (approve && p->plan.applyable) forget_undecided(s.diags);  // it is about to be decided
  if (const std::string by = s.unasked_by(f.variables.input); !approve && !by.empty())
    return nobody_to_ask(by), leave();
  if (!approve && !confirmed(s, p->plan)) {
    if (!s.diags.has_errors()) s.io.out(how.destroy ? "Destroy cancelled.\n" : "Apply cancelled.\n");
    return leave(), 1;
  }
  return carry_out(s, *p->config, p->plan, p->variables, p->state, f, how.destroy);
}

int run(Session& s, const Args& args, bool destroy, std::string_view about) {
  OperationFlags f;
  bool approve = false;
  std::vector<std::string> files;
  Flags flags(destroy ? "destroy" : "apply [FILE]", std::string(about));
  f.add(flags, destroy ? Command::Destroy : Command::Apply);
  ReviewFlags review;
  review.add(flags);
  Documents documents;
  documents.add(flags);
  Expectation expected;
  expected.add(flags);
  ApplyOfFile how;
  if (!destroy)
    flags.flag("rebase", how.rebase,
               "Apply a saved plan even if the state has changed since, provided that nothing which the plan "
               "reads or changes has changed. Otherwise, change nothing and exit with code 4.");
  if (!destroy) add_plan_key(flags, s);
  flags.flag("auto-approve", approve, "Do not ask for approval.");
  flags.flag("suppress-forget-errors", s.may_forget,
             "Do not fail when a destroy leaves objects behind because of lifecycle.destroy.");
  std::string progress;
  flags.text("progress", progress,
             "How changes are shown while they are made: live (on lines that are redrawn; the default on a "
             "terminal) or plain (a line each).",
             "HOW");
  for (std::string_view name : {"out", "detailed-exitcode", "generate-config-out"})
    flags.elsewhere(name, "plan");
  if (destroy)
    flags.no_arguments("To apply a saved plan, including a destroy plan, run " + own_command("apply FILE") +
                       ".");
  else
    flags.arguments(files, 0, 1, "at most one plan file");
  if (std::optional<int> code = parse_operation(s, flags, f, args)) return *code;
  f.destroy |= destroy;
  if (!choose_progress(s, progress)) return s.finish();
  if (!review.prepare(s, ReviewFlags::Rules::OfConfigurationToo) || !documents.prepare(s)) return s.finish();
  if (!expected.prepare(s, f.variables.options)) return s.finish();
  if (!files.empty()) {
    how.path = files[0];
    return apply_file(s, f, how, review, expected, documents);
  }
  if (how.rebase) {
    s.diags.error("Missing plan file",
                  "The option -rebase requires a saved plan: " + own_command("apply -rebase FILE") + ".");
    return s.finish();
  }
  return apply_new_plan(s, f, {destroy, approve}, review, expected, documents);
}

}  // namespace

int run_apply(Session& s, const Args& args) {
  return run(s, args, false,
             "Applies a saved plan exactly, or creates a plan, asks for approval and applies it.");
}
int run_destroy(Session& s, const Args& args) {
  return run(s, args, true, "Destroys all objects in the state.");
}

}  // namespace xplan::cmd

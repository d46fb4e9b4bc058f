// The course of plan, apply, destroy and refresh: parse planning flags, load configuration and state, make a
// plan (again if a provider's schema turned out to be outdated), show it, save or open it, apply it.
#include "cmd/xplan/operation.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "cmd/xplan/generated_config.h"
#include "cmd/xplan/interrupt.h"
#include "cmd/xplan/json_progress.h"
#include "cmd/xplan/progress.h"
#include "core/apply/apply.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/config/deprecated.h"
#include "render/human_plan.h"

namespace xplan::cmd {

void OperationFlags::add(Flags& f, bool with_modes) {
  if (with_modes) {
    f.flag("destroy", destroy, "Plan to destroy all objects in the state.");
    f.flag("refresh-only", refresh_only, "Only update the state to match the real objects.");
  }
  f.flag("refresh", refresh, "Do not refresh the state before planning.");
  f.list("replace", replace, "Replace this resource instance, even if it has not changed. May be repeated.",
         "ADDRESS");
  f.list("target", target, "Plan only this resource or module and what it depends on. May be repeated.",
         "ADDRESS");
  f.list("exclude", exclude, "Leave out this resource or module and what depends on it. May be repeated.",
         "ADDRESS");
  f.flag("allow-deferral", allow_deferral,
         "Defer what cannot be planned yet (such as an unknown count) instead of failing.");
  f.number("parallelism", parallelism, "Number of concurrent operations (10).");
  variables.add(f);
  state.add_lock(f);
  state.add_paths(f);
}

namespace {

std::unique_ptr<RunHooks> make_progress(Session& s) {
  if (s.stream) return std::make_unique<JsonProgress>(*s.stream);
  return std::make_unique<Progress>(s, s.concise);
}

// Interrupts are told where progress is.
InterruptTeller::Tell told_with(Session& s, RunHooks& progress) {
  return [&s, &progress](std::string_view meaning, bool again) {
    std::string text(meaning);
    if (const std::string list = again ? progress.under_way() : ""; !list.empty())
      text += " These operations were still in progress, and their outcome is not known:" + list;
    if (s.stream)
      s.stream->log(text);
    else
      s.io.err("\n" + text + "\n");
    s.io.flush();
  };
}

void log_plan(const Plan& plan) {
  static constexpr std::string_view kNames[] = {
      "none",    "create", "read", "update", "replace, destroying first", "replace, creating first",
      "destroy", "forget"};
  if (!log_enabled(LogLevel::Debug)) return;
  if (log_enabled(LogLevel::Trace))
    for (const ResourceChange& c : plan.changes)
      log_line(LogLevel::Trace, "core",
               fmt::format("planned {}{}: action {}{}{}", c.addr.text(), c.deposed.empty() ? "" : " deposed ",
                           c.deposed, kNames[static_cast<size_t>(c.change.action)],
                           c.reason == Reason::None ? "" : fmt::format(", {}", facts(c.reason).name)));
  Plan::Counts n = plan.counts();
  log_line(LogLevel::Debug, "core",
           fmt::format("plan made: {} to add, {} to change, {} to destroy, {} to import, {} to read{}", n.add,
                       n.change, n.destroy, n.import, n.read, plan.errored ? "; with errors" : ""));
}

bool parse_options(Session& s, const OperationFlags& f, PlanOptions& o) {
  size_t before = s.diags.error_count();
  auto conflict = [&](std::string_view detail) {
    s.diags.error("Incompatible command line options", std::string(detail));
  };
  if (f.destroy && f.refresh_only) conflict("-destroy and -refresh-only cannot be used together.");
  if (f.refresh_only && !f.refresh) conflict("-refresh-only and -refresh=false cannot be used together.");
  if (!f.target.empty() && !f.exclude.empty()) conflict("-target and -exclude cannot be used together.");
  if (!f.replace.empty() && (f.destroy || f.refresh_only))
    conflict("-replace cannot be used together with -destroy or -refresh-only.");
  if (f.parallelism < 0) conflict("-parallelism must be a whole number of at least 1.");
  o.mode = f.destroy ? PlanMode::Destroy : f.refresh_only ? PlanMode::RefreshOnly : PlanMode::Normal;
  o.refresh = f.refresh;
  o.deferral_allowed = f.allow_deferral;
  o.parallelism = f.parallelism == 0 ? 10 : f.parallelism;
  auto targets = [&](const std::vector<std::string>& texts, std::string_view option, std::vector<Target>& out,
                     std::vector<std::string>& kept) {
    for (const std::string& text : texts) {
      std::string why;
      if (auto t = parse_target(text, &why)) {
        out.push_back(*t);
        kept.push_back(t->text());
      } else {
        s.diags.error("Invalid target",
                      fmt::format("The address \"{}\" given with -{} is not valid: {}", text, option, why));
      }
    }
  };
  targets(f.target, "target", o.targets, o.target_texts);
  targets(f.exclude, "exclude", o.excludes, o.exclude_texts);
  for (const std::string& text : f.replace) {
    std::string why;
    auto a = parse_abs_instance(text, &why);
    if (a && a->resource.mode == Mode::Managed) {
      o.force_replace.push_back(*a);
      o.force_replace_texts.push_back(a->text());
    } else {
      s.diags.error("Invalid force-replace address",
                    a ? fmt::format("{} is not a managed resource; only those can be replaced.", text)
                      : fmt::format("The address \"{}\" given with -replace is not valid: {}", text, why));
    }
  }
  return s.diags.error_count() == before;
}

}  // namespace

std::optional<int> parse_operation(Session& s, Flags& flags, OperationFlags& f,
                                   const std::vector<std::string>& args) {
  flags.flag("json", s.json, "Print progress and results as JSON lines.");
  flags.flag("concise", s.concise, "Show only completed changes, not what is started, refreshed or read.");
  auto stream_if_wanted = [&] {
    for (const std::string& a : args)
      if ((a == "-json" || a == "--json") && !s.stream) s.begin_stream();
  };
  if (std::optional<int> code = s.parse(flags, args, stream_if_wanted)) return code;
  if (!f.state.state.empty())
    s.diags.warn("Deprecated flag: -state",
                 "Set the location of the state in the configuration, so that every command uses the same "
                 "one: use the argument \"path\" of the backend \"local\".");
  if (s.json) {
    s.begin_stream();
    f.variables.input = false;  // there is nobody to answer
  }
  return std::nullopt;
}

namespace {

// Outdated: by schemas that providers do not have any more, so that all of it is void.
enum class Attempt : uint8_t { Planned, Refused, Outdated };

// What is wrong whatever the state is comes before any object is looked at.
Attempt plan_once(Session& s, const PlanOptions& o, Planned& p) {
  auto outdated = [&] { return s.schemas().renew(config::Renew::Running); };
  Diagnostics wrong;
  validate(*p.config, *s.providers, AskProviders::No, o.parallelism, s.cwd, &s.stop, wrong);
  if (wrong.has_errors()) {
    if (outdated()) return Attempt::Outdated;
    s.diags.append(std::move(wrong));
    return Attempt::Refused;
  }
  Diagnostics found;  // planning tells the warnings of validation itself
  config::warn_of_deprecated(*p.config, found);
  if (p.generated)
    found.warn("Generated configuration is experimental",
               "The generated configuration is a draft, and later versions may generate it differently. "
               "Review it and adapt it.");
  p.plan = make_plan(*p.config, p.state.state, o, *s.providers, found);
  if (!p.plan.errored && !can_be_ordered(*p.config, p.plan, *s.providers, found))
    p.plan.errored = true, p.plan.applyable = p.plan.complete = false;
  if (p.plan.errored && outdated()) return Attempt::Outdated;
  s.diags.append(std::move(found));
  return p.plan.abandoned ? Attempt::Refused : Attempt::Planned;
}

// Once more by the schemas that the providers have now, where those of before were outdated: what they found
// wrong is void as well.
bool plan_by_present_schemas(Session& s, const PlanOptions& o, Planned& p) {
  Attempt a = plan_once(s, o, p);
  if (a == Attempt::Outdated) {
    a = reload(p) ? plan_once(s, o, p) : Attempt::Refused;
  }
  return a == Attempt::Planned;
}

}  // namespace

bool reload(Planned& p) {
  p.loading.clear();
  p.config = p.load(p.loading);
  return !p.loading.has_errors();
}

namespace {

// False: there is no plan, and why is told.
bool make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation, Planned& p) {
  PlanOptions o;
  bool sound = parse_options(s, f, o) & check_generated_path(s, f.generate_config_out);
  p.load = [&s](Diagnostics& found) { return s.load_config_from(real_fs(), found); };
  sound &= reload(p);
  if (sound && !f.config_optional && !f.destroy) s.require_config_files(*p.config);
  if (!sound || s.diags.has_errors()) return false;
  p.variables = s.variables(*p.config, f.variables, o.given_variables);
  if (s.diags.has_errors()) return false;
  const std::unique_ptr<RunHooks> progress = make_progress(s);
  const InterruptTeller teller(told_with(s, *progress));
  if (!s.open_state(f.state, p.config.get(), lock_operation, p.state)) return false;
  if (log_enabled(LogLevel::Debug))
    log_line(LogLevel::Debug, "core",
             fmt::format("configuration loaded: {} modules; state read: serial {}, {} resources",
                         p.config->nodes.size(), p.state.state.serial, p.state.state.resources.size()));
  o.variables = p.variables;
  o.timestamp = utc_now();
  o.workspace = s.workspace();
  o.cwd = s.cwd;
  o.stop = &s.stop;
  o.hooks = progress.get();
  std::vector<GeneratedConfig> generated = add_generated_config(s, f.generate_config_out, o, p);
  p.generated = !generated.empty();
  for (const GeneratedConfig& g : generated) o.imported.emplace(g.addr, g.from);
  if (s.diags.has_errors() || p.loading.has_errors() || !plan_by_present_schemas(s, o, p)) {
    s.unlock(*p.state.store);
    return false;
  }
  p.plan.backend_config_json = p.state.backend.json();
  note_generated_config(generated, p.plan);
  log_plan(p.plan);
  return true;
}

}  // namespace

std::optional<Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation) {
  Planned p;
  const bool made = make_plan_for(s, f, lock_operation, p);
  s.diags.append(std::move(p.loading));
  return made ? std::optional(std::move(p)) : std::nullopt;
}

void show_plan(Session& s, const Plan& plan) {
  if (s.stream) return s.stream->plan(plan, true);
  render::render_plan(plan, s.human, [&](std::string_view text) { s.io.out(text); });
}

void show_outputs(Session& s, const render::OutputMap& outputs) {
  if (s.stream) return s.stream->outputs(outputs);
  std::string text;
  render::render_outputs_section(outputs, s.human, text);
  s.io.out(text);
}

std::optional<planfile::Opened> open_plan_file(Session& s, const std::string& path) {
  Result<planfile::Opened> opened = planfile::read(path, s.schema_lookup());
  if (opened) return std::move(*opened);
  if (!s.report_missing_providers()) s.diags.error("Failed to load plan file", opened.error().sentence());
  return std::nullopt;
}

std::unique_ptr<config::Config> load_config_of(Session& s, planfile::Opened& opened, SchemasOf from) {
  config::LoadOptions o;
  o.root_dir = opened.root_dir;
  o.data_dir = opened.data_dir;
  const auto saved = opened.schemas.source(s.schemas());
  auto config =
      config::load(opened.fs, s.sources, o, from == SchemasOf::Plan ? saved.get() : &s.schemas(), s.diags);
  opened.fs.files.clear();  // from here on, the sources have the texts
  return config;
}

int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables,
              Opened& state, int parallelism, bool destroy_command) {
  const bool changes_outputs =
      std::any_of(plan.outputs.begin(), plan.outputs.end(),
                  [](const OutputChange& c) { return c.change.action != Action::NoOp; });
  if (!plan.applyable && changes_outputs) {
    s.diags.error("Plan cannot be applied",
                  "The only changes in this plan are outputs that are no longer declared or whose values "
                  "depend on objects that do not exist, and a refresh-only plan can do neither. Create a "
                  "normal plan and apply it.");
    s.unlock(*state.store);
    return s.finish();
  }
  auto journal = state.store->start_journal(s.schemas());
  if (!journal) {
    s.diags.error("Failed to start the journal", journal.error().sentence() + " Nothing was changed.");
    return s.finish();
  }
  enter_phase(RunPhase::Changing);
  const std::unique_ptr<RunHooks> progress = make_progress(s);
  const InterruptTeller teller(told_with(s, *progress));
  ApplyOptions o;
  o.parallelism = parallelism == 0 ? 10 : parallelism;
  o.variables = variables;
  o.now = utc_now();
  o.cwd = s.cwd;
  o.stop = &s.stop;
  o.hooks = progress.get();
  o.journal = journal->get();
  log_line(LogLevel::Debug, "core", "apply begins; the journal is open");
  ApplyOutcome outcome = apply_plan(config, plan, o, *s.providers, s.diags);
  if (log_enabled(LogLevel::Debug))
    log_line(LogLevel::Debug, "core",
             fmt::format("apply ends: {} added, {} changed, {} destroyed; writing the state", outcome.added,
                         outcome.changed, outcome.destroyed));
  if (Result<void> ok = state.store->write(outcome.state, s.schemas()); !ok) {
    s.report_unsaved(*state.store, ok.error());
  }
  if (!outcome.skipped.empty()) {
    std::string list;
    for (size_t i = 0; i < outcome.skipped.size() && i < 50; ++i) list += "\n  - " + outcome.skipped[i];
    if (outcome.skipped.size() > 50) list += fmt::format("\n  … and {} more", outcome.skipped.size() - 50);
    s.diags.warn("Planned changes were not applied",
                 "These changes depend on something that failed, or the run was stopped before they were "
                 "started. The next plan will include them again:" +
                     list);
  }
  if (!plan.deferred.empty())
    s.diags.warn("Some changes are still to be planned",
                 fmt::format("{} of the changes that the configuration requires {} deferred and not applied. "
                             "Now that more values are known, plan and apply again to complete the changes.",
                             plan.deferred.size(), plan.deferred.size() == 1 ? "was" : "were"));
  if (!plan.targets.empty() || !plan.excludes.empty())
    s.diags.warn(
        "Applied changes may be incomplete",
        "The plan was made with -target or -exclude, so it may not have included all changes that the "
        "configuration requires. Run a plan without these options to see the remaining changes.");
  bool failed = s.diags.has_errors();
  s.print_diagnostics();
  if (!failed && s.stream) {
    auto n = [](int count) { return static_cast<size_t>(count); };
    s.stream->applied({n(outcome.added), n(outcome.changed), n(outcome.destroyed), n(outcome.imported)},
                      destroy_command);
  } else if (!failed) {
    std::string line = destroy_command ? "Destroy complete! Resources: " : "Apply complete! Resources: ";
    if (destroy_command)
      line += fmt::format("{} destroyed", outcome.destroyed);
    else {
      if (outcome.imported) line += fmt::format("{} imported, ", outcome.imported);
      line += fmt::format("{} added, {} changed, {} destroyed", outcome.added, outcome.changed,
                          outcome.destroyed);
    }
    if (outcome.forgotten && !s.terraform_dialect) line += fmt::format(", {} forgotten", outcome.forgotten);
    std::string text = "\n";
    render::put(text, line + ".", render::Style::BoldGreen, s.human.color);
    text += "\n";
    s.io.out(text);
  }
  if (!failed && !destroy_command) show_outputs(s, outcome.state.outputs);
  s.unlock(*state.store);
  s.io.flush();
  return failed ? 1 : 0;
}

}  // namespace xplan::cmd

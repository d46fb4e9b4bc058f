// What plan, apply, destroy and refresh share: their planning options, the plan that core/run makes with
// them, showing it, opening a saved plan, carrying a plan out and printing the result.
#include "cmd/xplan/operation.h"

#include <fmt/format.h>
#include <utility>

#include "cmd/xplan/apply_report.h"
#include "cmd/xplan/interrupt.h"
#include "cmd/xplan/json_progress.h"
#include "cmd/xplan/last_words.h"
#include "cmd/xplan/live_progress.h"
#include "cmd/xplan/plan_key.h"
#include "cmd/xplan/progress.h"
#include "cmd/xplan/tee_progress.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/duration.h"
#include "core/base/fs.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/state/journal.h"
#include "render/aftermath.h"
#include "render/human_plan.h"

namespace xplan::cmd {

void OperationFlags::add(Flags& f, Command command) {
  const bool modes = command == Command::Plan || command == Command::Apply;
  if (modes) {
    f.flag("destroy", destroy, "Plan to destroy all objects in the state.");
    f.flag("refresh-only", refresh_only, "Only update the state to match the real objects.");
  }
  if (command == Command::Refresh)
    f.accepted_flag("refresh", refresh)
        .accepted_flag("destroy", destroy)
        .accepted_flag("refresh-only", refresh_only)
        .accepted_value("replace");
  else
    f.flag_or(
        "refresh", "-refresh=false|minimal|stale>24h",
        [this](const std::string& w) { return choose_refresh(w); },
        "true, false, minimal, none or a time such as stale>24h",
        "Which objects to refresh before planning: none (false or none), only those that are about to change "
        "(minimal), or also those whose last refresh is older than the given time (stale>24h).");
  if (command != Command::Refresh)  // of destroy, only to say what is wrong with it
    f.list("replace", replace,
           modes ? "Replace this resource instance, even if it has not changed. May be repeated." : "",
           "ADDRESS");
  const bool destroys = command == Command::Destroy;
  f.list("target", target,
         destroys ? "Destroy only this resource or module and what depends on it. May be repeated."
                  : "Plan only this resource or module and what it depends on (with -destroy: what depends "
                    "on it). May be "
                    "repeated.",
         "ADDRESS");
  f.list("exclude", exclude,
         destroys ? "Keep this resource or module and what it depends on. May be repeated."
                  : "Leave out this resource or module and what depends on it (with -destroy: what it "
                    "depends on). May be "
                    "repeated.",
         "ADDRESS");
  f.list("target-file", target_files, "Take addresses for -target from this file, one per line.", "FILE");
  f.list("exclude-file", exclude_files, "Take addresses for -exclude from this file, one per line.", "FILE");
  f.flag("allow-deferral", allow_deferral,
         "Defer what cannot be planned yet (such as an unknown count) instead of failing.");
  if (command == Command::Apply || command == Command::Destroy)
    f.choice(
        "on-error", on_error, {"continue", "drain", "stop"},
        "What follows a failure: go on with all changes that do not depend on it (continue; the default), "
        "start nothing more and finish what is under way (drain), or also ask providers to end what is under "
        "way, as Ctrl-C does (stop).");
  f.number("parallelism", parallelism, "Number of concurrent operations (default 10).");
  variables.add(f);
  state.add_lock(f);
  if (command != Command::Plan) return state.add_paths(f);
  f.text("state", state.state, "State file to read.", "PATH");
  f.accepted_value("state-out").accepted_value("backup");  // a plan writes no state
}

// "changed" and "none" are what others call minimal and false.
bool OperationFlags::choose_refresh(const std::string& word) {
  constexpr std::string_view kStale = "stale>";
  int64_t millis = 0;
  trust_millis.reset();
  if (word == "minimal" || word == "changed")
    refresh = true, trust_millis = kAlways;
  else if (word.starts_with(kStale) && parse_duration_ms(word.substr(kStale.size()), millis))
    refresh = true, trust_millis = millis;
  else if (const std::optional<bool> v = word == "none" ? false : parse_boolean(word); v)
    refresh = *v;
  else
    return false;
  return true;
}

namespace {

// What tells of the run while a step is at work, interrupts among it.
struct Telling {
  // `work`: where changes are made and shown live.
  static std::unique_ptr<RunHooks> make_progress(Session& s, ApplyReport* work) {
    if (s.stream) return std::make_unique<JsonProgress>(*s.stream);
    std::unique_ptr<RunHooks> shown;
    if (work)
      shown = std::make_unique<LiveProgress>(s, work->log(), work->expected());
    else
      shown = std::make_unique<Progress>(s, s.concise);
    if (!s.into) return shown;
    return std::make_unique<TeeProgress>(std::move(shown), *s.into);
  }
  explicit Telling(Session& s, ApplyReport* work)
      : progress(make_progress(s, work)),
        teller([&s, this](std::string_view meaning, bool again) { tell(s, meaning, again); }) {}
  void tell(Session& s, std::string_view meaning, bool again) {
    const std::string text = again ? last_words(s, meaning, *progress) : std::string(meaning);
    if (s.into) s.into->log(text);
    if (s.stream) {
      s.stream->log(text);
    } else {
      std::string wrapped;
      render::put_wrapped(wrapped, text, s.human.width - 1);
      wrapped = "\n" + wrapped + "\n";
      if (!progress->interject(wrapped, again)) s.io.err(wrapped);
    }
    s.io.flush();
  }
  const std::unique_ptr<RunHooks> progress;
  const InterruptTeller teller;  // uses `progress`
};

// Of a file with an address on each line. Empty lines and those that begin with "#" are for people.
struct AddressLine {
  size_t number;
  std::string text;
};
std::vector<AddressLine> lines_of(Session& s, const std::string& file, std::string_view option) {
  std::vector<AddressLine> out;
  const Result<std::string> text = read_given(file, nullptr);
  if (!text) {
    s.diags.error("Unreadable target file", fmt::format("The file given with -{}-file cannot be read: {}.",
                                                        option, text.error().message));
    return out;
  }
  size_t number = 0;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (size_t i = text->starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; i < text->size();) {
    const size_t end = std::min(text->find('\n', i), text->size());
    const std::string_view line = trimmed(std::string_view(*text).substr(i, end - i));
    i = end + 1, ++number;
    if (!line.empty() && line[0] != '#') out.push_back({number, std::string(line)});
  }
  // Nothing at all must not stand for everything.
  if (out.empty())
    s.diags.error("Empty file of addresses",
                  fmt::format("The file \"{}\" given with -{}-file contains no address.", file, option));
  return out;
}

void conflict(Session& s, std::string_view detail) {
  s.diags.error("Incompatible command line options", std::string(detail));
}

void check_modes(Session& s, const OperationFlags& f) {
  if (f.destroy && f.refresh_only) conflict(s, "-destroy and -refresh-only cannot be used together.");
  if (f.refresh_only && !f.refresh) conflict(s, "-refresh-only and -refresh=false cannot be used together.");
}

bool parse_options(Session& s, const OperationFlags& f, PlanOptions& o) {
  size_t before = s.diags.error_count();
  check_modes(s, f);
  if (f.trust_millis && (f.refresh_only || f.destroy))
    conflict(s,
             "With -destroy or -refresh-only, -refresh can only be true or false, because all objects are "
             "refreshed.");
  if (!(f.target.empty() && f.target_files.empty()) && !(f.exclude.empty() && f.exclude_files.empty()))
    conflict(s, "-target (or -target-file) and -exclude (or -exclude-file) cannot be used together.");
  if (!f.replace.empty() && (f.destroy || f.refresh_only))
    conflict(s, "-replace cannot be used together with -destroy or -refresh-only.");
  o.mode = f.destroy ? PlanMode::Destroy : f.refresh_only ? PlanMode::RefreshOnly : PlanMode::Normal;
  o.refresh = f.refresh;
  if (f.trust_millis == OperationFlags::kAlways) o.trusted = [](const AbsInstance&) { return true; };
  o.deferral_allowed = f.allow_deferral;
  o.parallelism = f.concurrency();
  auto target = [&](const std::string& text, const std::string& given, std::vector<Target>& out,
                    std::vector<std::string>& kept) {
    std::string why;
    if (auto t = parse_target(text, &why)) {
      out.push_back(*t);
      kept.push_back(t->text());
    } else {
      s.diags.error("Invalid target",
                    fmt::format("The address \"{}\" {} is not valid. {}", text, given, why));
    }
  };
  auto targets = [&](const std::vector<std::string>& texts, const std::vector<std::string>& files,
                     std::string_view option, std::vector<Target>& out, std::vector<std::string>& kept) {
    for (const std::string& text : texts) target(text, fmt::format("given with -{}", option), out, kept);
    for (const std::string& file : files)
      for (const AddressLine& l : lines_of(s, file, option))
        target(l.text, fmt::format("on line {} of \"{}\"", l.number, file), out, kept);
  };
  targets(f.target, f.target_files, "target", o.targets, o.target_texts);
  targets(f.exclude, f.exclude_files, "exclude", o.excludes, o.exclude_texts);
  for (const std::string& text : f.replace) {
    std::string why;
    auto a = parse_abs_instance(text, &why);
    if (a && a->resource.mode == Mode::Managed) {
      o.force_replace.push_back(*a);
      o.force_replace_texts.push_back(a->text());
    } else {
      s.diags.error("Invalid instance to replace",
                    a ? fmt::format("{} is not a managed resource; only those can be replaced.", text)
                      : fmt::format("The address \"{}\" given with -replace is not valid. {}", text, why));
    }
  }
  return s.diags.error_count() == before;
}

// A misspelt TF_WORKSPACE, or a selected workspace that was deleted elsewhere, looks like a workspace that
// nothing was applied in yet. Only standard error hears of it, since it may well be one.
void hint_at_workspace(Session& s, bool is_new) {
  const backend::WorkspaceSelection selection{s.data_dir};
  const std::string name = selection.current(), list = own_command("workspace list");
  if (!selection.overridden() && (!is_new || name == backend::kDefaultWorkspace)) return;
  std::string text;
  render::put_wrapped(
      text,
      selection.overridden()
          ? fmt::format("Note: TF_WORKSPACE selects the workspace \"{}\", which has no state yet. Run {} to "
                        "see which workspaces exist.\n",
                        name, list)
          : fmt::format("Note: The selected workspace \"{}\" does not exist, so it has no state. The next "
                        "apply creates it. Run {} to see which workspaces exist, and {} to select another "
                        "one.\n",
                        name, list, own_command("workspace select NAME")),
      s.human.width);
  s.io.err(text);
}

}  // namespace

std::shared_ptr<Hooks> Session::begin(run::Step step) {
  if (step == run::Step::Applying) enter_phase(RunPhase::Changing);
  auto telling = std::make_shared<Telling>(*this, step == run::Step::Applying ? report.get() : nullptr);
  Hooks* hooks = telling->progress.get();
  return {std::move(telling), hooks};
}

std::optional<int> parse_operation(Session& s, Flags& flags, OperationFlags& f,
                                   const std::vector<std::string>& args) {
  flags.flag("json", s.json, "Print progress and results as JSON lines.");
  s.add_json_into(flags);
  s.add_diff(flags);
  s.add_show_sensitive(flags);
  flags.flag("concise", s.concise, "Show only completed changes, not what is started, refreshed or read.");
  std::string timings;
  flags.text("timings", timings,
             "Write the duration of each provider call to FILE, for Perfetto and other trace viewers.",
             "FILE");
  if (std::optional<int> code = s.parse(flags, args, [&] { s.begin_stream_if_asked(args); })) return code;
  if (!f.state.state.empty())
    s.diags.warn("Deprecated flag: -state",
                 "Set the location of the state in the configuration, so that every command uses the same "
                 "one: use the argument \"path\" of the backend \"local\".");
  if (s.json) {
    s.begin_stream();
    f.variables.input = false;  // there is nobody to answer
  }
  if (!timings.empty() && !s.record_timings(timings)) return s.finish();
  return std::nullopt;
}

bool take_modes_of_refresh(Session& s, OperationFlags& f) {
  check_modes(s, f);
  f.destroy = f.refresh_only = false, f.refresh = true;
  return !s.diags.has_errors();
}

std::optional<run::Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation) {
  run::PlanRequest r;
  parse_options(s, f, r.options);
  r.inputs = s.input_request(f.variables);
  r.state = f.state;
  r.operation = lock_operation;
  r.config_required = !f.config_optional && !f.destroy;
  if (f.trust_millis != OperationFlags::kAlways) r.trust_millis = f.trust_millis;
  r.generate_config_out = f.generate_config_out;
  std::optional<run::Planned> out = run::plan(s.context(), std::move(r), s, s.diags);
  if (out && f.state.state.empty() && !out->state.store->exists())
    hint_at_workspace(s, out->state.workspace_is_new);
  return out;
}

namespace {

// It explains the plan, so it stands before it; and where nobody is asked, what may exist should be known
// before it is made again.
void tell_of_interrupted_run(Session& s) {
  Diagnostics before, others;
  for (Diagnostic& d : s.diags.mutable_all())
    (d.summary == kInterruptedRun || d.summary == kUnknownOutcome ? before : others).add(std::move(d));
  s.diags = std::move(before);
  s.print_diagnostics();
  s.diags = std::move(others);
}

}  // namespace

void show_plan(Session& s, const Plan& plan) {
  tell_of_interrupted_run(s);
  if (plan.errored && s.stop) {  // what was planned until then is of no use to anybody
    if (s.stream) return;
    std::string text;
    render::render_failed_plan(s.human, text);
    return s.io.out(text);
  }
  if (s.into) s.into->plan(plan, true);
  if (s.stream)
    s.stream->plan(plan, true);
  else
    render::render_plan(plan, s.human, [&](std::string_view text) {
      if (!s.stop) s.io.out(text);
    });
  if (s.stop && !plan.errored)
    s.diags.error("Run was interrupted",
                  "The run was stopped while the plan was being printed. Nothing was changed.");
}

void show_outputs(Session& s, const render::OutputMap& outputs) {
  if (s.into) s.into->outputs(outputs);
  if (s.stream) return s.stream->outputs(outputs);
  std::string text;
  render::render_outputs_section(outputs, s.human, text);
  s.io.out(text);
}

std::optional<planfile::Opened> open_plan_file(Session& s, const std::string& path,
                                               const std::vector<config::VariableOption>& variables) {
  if (!planfile::is_plan_file(path)) {
    s.diags.error(
        "Failed to load plan file",
        fmt::format(fmt::runtime(real_fs().exists(path) ? "\"{}\" is not a plan file. Create one with {}."
                                                        : "There is no file \"{}\". Create a plan with {}."),
                    path, own_command("plan -out=FILE")));
    return std::nullopt;
  }
  const crypt::Encryption* encryption = s.encryption(nullptr, variables);
  if (!encryption) return std::nullopt;
  std::optional<Result<planfile::Opened>> opened = read_plan_file(s, path, *encryption);
  if (!opened) return std::nullopt;
  if (*opened) return std::move(**opened);
  if (!s.report_missing_providers()) s.diags.error("Failed to load plan file", opened->error().sentence());
  return std::nullopt;
}

namespace {

std::string counts_text(const ApplyOutcome& outcome, bool destroy_command, bool with_forgotten) {
  std::string line = destroy_command
                         ? fmt::format("Destroy complete! Resources: {} destroyed", outcome.destroyed)
                         : "Apply complete! Resources: ";
  if (!destroy_command) {
    if (outcome.imported) line += fmt::format("{} imported, ", outcome.imported);
    line +=
        fmt::format("{} added, {} changed, {} destroyed", outcome.added, outcome.changed, outcome.destroyed);
  }
  if (outcome.forgotten && with_forgotten) line += fmt::format(", {} forgotten", outcome.forgotten);
  return line + ".";
}

// While changes are made, the end of memory is heard like an interrupt.
class HearEndOfMemory {
 public:
  explicit HearEndOfMemory(Session& s) { stop_at_end_of_memory(&s.stop); }
  ~HearEndOfMemory() { stop_at_end_of_memory(nullptr); }
  HearEndOfMemory(const HearEndOfMemory&) = delete;
  HearEndOfMemory& operator=(const HearEndOfMemory&) = delete;
};

// Of an apply without errors.
void show_result(Session& s, const ApplyOutcome& outcome, bool destroy_command) {
  auto n = [](int count) { return static_cast<size_t>(count); };
  for (const render::JsonStream* to : {s.stream.get(), s.into.get()})
    if (to)
      to->applied({n(outcome.added), n(outcome.changed), n(outcome.destroyed), n(outcome.imported),
                   n(outcome.forgotten)},
                  destroy_command);
  if (!s.stream) {
    std::string text = "\n";
    render::put(text, counts_text(outcome, destroy_command, !s.terraform_dialect), render::Style::BoldGreen,
                s.human.color);
    s.io.out(text + "\n");
  }
  if (!destroy_command) show_outputs(s, outcome.state.outputs);
}

// What took longest, and where not all could be done, what became of it.
std::string closing_text(const Session& s, const ApplyOutcome& outcome, bool destroy_command) {
  if (s.report) return s.report->text(s, outcome);
  if (!s.diags.has_errors()) return "";
  const render::ChangeCounts changes{outcome.done, outcome.failed, outcome.skipped.size()};
  if (s.stream || changes.whole()) return "";
  return "\n" + render::incomplete_text(changes, destroy_command ? "Destroy" : "Apply", "", s.human);
}

// Who destroys everything expects that nothing is left.
void report_forgotten(Session& s, const Plan& plan, const ApplyOutcome& outcome) {
  if (plan.mode != PlanMode::Destroy || outcome.forgotten == 0 || s.may_forget) return;
  s.diags.error(
      "Some objects were not destroyed",
      fmt::format("Because of lifecycle.destroy, {} {} only removed from the state: see the plan for {}. "
                  "Nothing manages what is left. With -suppress-forget-errors, this is not an error.",
                  outcome.forgotten, outcome.forgotten == 1 ? "object was" : "objects were",
                  outcome.forgotten == 1 ? "which" : "which ones"));
}

}  // namespace

int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables,
              Opened& state, const OperationFlags& f, bool destroy_command) {
  const HearEndOfMemory hear(s);
  if (s.live) s.report = std::make_unique<ApplyReport>(plan);
  const OnError on_error = f.on_error == "drain"  ? OnError::Drain
                           : f.on_error == "stop" ? OnError::Stop
                                                  : OnError::Continue;
  const run::ApplyRequest how{f.concurrency(), on_error, &s.stop};
  s.changing = state.store.get();
  const auto applied = run::apply(s.context(), config, plan, variables, state, how, s, s.diags);
  s.changing = nullptr;
  if (applied) s.print_unsaved(applied->unsaved);
  const bool failed = s.diags.has_errors();
  const std::string closing = applied ? closing_text(s, applied->outcome, destroy_command) : "";
  s.print_diagnostics();
  s.io.out(closing);
  if (!failed) {
    show_result(s, applied->outcome, destroy_command);
    report_forgotten(s, plan, applied->outcome);
  }
  s.unlock(*state.store);
  s.io.flush();
  return s.finish(failed);
}

}  // namespace xplan::cmd

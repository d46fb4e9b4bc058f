// show: opens a saved plan or a state and prints it, for people or as JSON, with the schemas saved in the
// plan or asked of the installed providers.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/documents.h"
#include "cmd/xplan/effects.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "cmd/xplan/review_flags.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "render/human_state.h"
#include "render/json_config.h"
#include "render/json_plan.h"
#include "render/json_state.h"

namespace xplan::cmd {
namespace {

int finish_after_guards(Session& s, const Plan& plan, const ReviewFlags& review) {
  const bool permitted = review.permitted(s, plan);
  const int code = s.finish();
  return permitted ? code : ReviewFlags::kGuarded;
}

int show_digest_of(Session& s, const std::string& path, const StateFlags& flags) {
  std::optional<planfile::Opened> opened = open_plan_file(s, path, flags.variables);
  if (!opened) return s.finish();
  if (opened->plan.review) {
    s.io.out(opened->plan.review->digest + "\n");
    return s.finish();
  }
  const auto plan = effects_of(s, path, std::move(*opened));
  if (!plan) return s.finish();
  if (const auto digest = effect_digest(s, plan->sources(s))) s.io.out(*digest + "\n");
  return s.finish();
}

// Nothing where it cannot be told: of a plan with errors, or whose configuration needs absent providers.
std::string digest_if_known(Session& s, planfile::Opened& opened, const config::Config* c) {
  if (opened.plan.review) return opened.plan.review->digest;
  if (opened.plan.errored) return {};
  Diagnostics found;
  std::unique_ptr<config::Config> own;
  if (!c) own = planfile::load_config(opened, s.context(), planfile::SchemasOf::Plan, found);
  if (found.has_errors()) return {};
  std::optional<Versions> versions = locked_versions(s, opened.lock_file);
  if (!versions) return {};
  return effect_digest(s, {opened.plan, c ? *c : *own, s.sources, std::move(*versions)}).value_or("");
}

// Null with errors; its warnings were shown when planning.
std::unique_ptr<config::Config> config_of(Session& s, planfile::Opened& opened) {
  auto c = planfile::load_config(opened, s.context(), planfile::SchemasOf::Plan, s.diags);
  if (s.diags.has_errors()) return nullptr;
  s.diags.clear();
  return c;
}

// Instead of showing the plan.
int write_review_half(Session& s, planfile::Opened& opened, const std::string& to) {
  Result<void> ok = planfile::check_destination(to, "review-out");
  if (!ok) s.diags.error("Invalid plan file path", ok.error().sentence());
  const auto c = config_of(s, opened);
  if (!c) return s.finish();
  ok = planfile::save_review(to, s.context(), opened, *c, digest_if_known(s, opened, c.get()));
  if (!ok) s.diags.error("Failed to write plan file", ok.error().sentence());
  return s.finish();
}

// The review half instead of the plan, unless it is one. False after reporting.
bool keep_review_half(Session& s, planfile::Opened& opened) {
  if (opened.plan.review) return true;
  const auto c = config_of(s, opened);
  if (!c) return false;
  Result<planfile::Opened> half =
      planfile::review_half_of(s.context(), opened, *c, digest_if_known(s, opened, c.get()));
  if (!half) s.diags.error("Failed to create the review half of the plan", half.error().sentence());
  if (half) opened = std::move(*half);
  return static_cast<bool>(half);
}

// What is shown of a plan unless a document takes its place; only the JSON needs the configuration, and a
// summary looks there for what is sensitive.
void print_plan(Session& s, planfile::Opened& opened, const config::Config* c, const ReviewFlags& review) {
  const Reviewed reviewed{opened.plan, c, opened.schemas.lookup(s.schema_lookup())};
  if (review.summary())
    return s.json ? review.write_json(s, reviewed, digest_if_known(s, opened, c)) : review.show(s, reviewed);
  if (s.wants_document())
    s.put_document([&](JsonWriter& w) {
      render::write_plan_json(opened.plan, *c, opened.schemas.lookup(s.schema_lookup()), w, s.diags);
    });
  if (!s.json) review.show(s, reviewed);
}

// What reviewers get.
struct HalfFlags {
  bool shown = false;
  std::string out;
};

int show_plan_file(Session& s, const std::string& path, const StateFlags& flags, ReviewFlags& review,
                   Documents& documents, const HalfFlags& half) {
  std::optional<planfile::Opened> opened = open_plan_file(s, path, flags.variables);
  if (!opened) return s.finish();
  if (!half.out.empty()) return write_review_half(s, *opened, half.out);
  if (half.shown && !keep_review_half(s, *opened)) return s.finish();
  std::unique_ptr<config::Config> c;
  const bool needed = documents.wanted() || (s.wants_document() && !review.summary());
  if (needed || review.summary()) {
    c = planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags);
    if (needed && !opened->plan.errored && s.diags.has_errors()) return s.finish();
    if (!needed && s.diags.has_errors()) c = nullptr;
    s.diags.clear();
  }
  if (!documents.printed()) print_plan(s, *opened, c.get(), review);
  if (documents.wanted())
    documents.write(s, {opened->plan, c.get(), opened->schemas.lookup(s.schema_lookup())}, review);
  return finish_after_guards(s, opened->plan, review);
}

// `path` empty: the current one.
int show_state(Session& s, const StateFlags& sf, const std::string& path) {
  State state;
  if (path.empty()) {
    Opened o;
    if (!open_selected_state(s, sf, "show", Missing::Allowed, o)) return s.finish();
    if (!o.store->exists() && !s.json) {
      s.io.out("No state.\n");
      return s.finish();
    }
    state = std::move(o.state);
  } else {
    std::optional<Result<State>> read = state_at(s, path, sf);
    if (!read) return s.finish();
    if (!*read) {
      s.diags.error("Failed to read the given file",
                    fmt::format("\"{}\" is neither a plan file nor a state file that can be read: {}.", path,
                                read->error().message));
      return s.finish();
    }
    state = std::move(**read);
  }
  if (s.wants_document())
    s.put_document([&](JsonWriter& w) {
      render::write_state_json(state, s.schema_lookup(), render::Unreadable::Refused, w, s.diags);
    });
  if (!s.json && !s.diags.has_errors()) {
    std::string out;
    render::render_state(state, s.schema_lookup(), s.human, out, s.diags);
    s.io.out(out);
  }
  return s.finish();
}

// What is shown, where no file says it.
struct Subject {
  bool state = false, config = false;
  std::string plan, module;

  void add(Flags& f) {
    f.flag("state", state, "Show the current state (the default).")
        .text("plan", plan, "Show this saved plan.", "FILE")
        .flag("config", config, "Show the configuration; with -json or -json-into.")
        .text("module", module,
              "Show the module in this directory, without expressions and the modules that it calls; with "
              "-json or -json-into.",
              "DIR");
  }
  // And which file that is.
  bool check(Session& s, std::vector<std::string>& paths) const {
    const int given = state + config + !plan.empty() + !module.empty();
    auto wrong = [&](std::string detail) {
      s.diags.error("Incompatible command line options", std::move(detail));
      return false;
    };
    if (given > 1) return wrong("-state, -plan, -config and -module cannot be used together.");
    if (given == 1 && !paths.empty())
      return wrong(
          fmt::format("-state, -plan, -config and -module say what is shown, so the file \"{}\" is "
                      "one too many.",
                      paths[0]));
    if ((config || !module.empty()) && !s.wants_document())
      return wrong(
          fmt::format("{} can be shown only as JSON. Add -json.", config ? "The configuration" : "A module"));
    if (!plan.empty()) paths.push_back(plan);
    return true;
  }
};

int show_configuration(Session& s, const Subject& subject) {
  const bool whole = subject.config;
  if (!whole && !real_fs().is_dir(subject.module)) {
    s.diags.error("Unreadable module directory",
                  fmt::format("There is no directory \"{}\" (-module).", subject.module));
    return s.finish();
  }
  const auto c =
      whole ? s.load_config()
            : run::load(s.context(), {.structure_only = true, .root_dir = subject.module, .alone = true},
                        s.diags);
  if (!s.diags.has_errors())
    run::require_files(s.context(), *c, "Only a configuration can be shown.", s.diags);
  if (s.diags.has_errors()) return s.finish();
  s.diags.clear();  // its warnings are for those who plan it
  s.put_document(
      [&](JsonWriter& w) { whole ? render::write_config_json(*c, w) : render::write_module_json(*c, w); });
  return s.finish();
}

}  // namespace

int run_show(Session& s, const Args& args) {
  std::vector<std::string> paths;
  Flags flags("show [FILE]", "Shows a saved plan, a state file, or without FILE the current state.");
  flags.flag("json", s.json, "Print JSON on one line, for other tools.");
  s.add_diff(flags);
  s.add_show_sensitive(flags);
  s.add_json_into(flags, Session::Into::Document);
  Subject subject;
  subject.add(flags);
  StateFlags sf;
  sf.lock = false;
  sf.add_values(flags);
  bool digest = false;
  flags.flag("digest", digest, "Print the effect digest of a saved plan.");
  ReviewFlags review;
  review.add(flags);
  Documents documents;
  documents.add(flags, Documents::Printing::Possible);
  HalfFlags half;
  flags.flag("review", half.shown, "Show a saved plan without secrets, as its review half contains it.");
  flags.text("review-out", half.out,
             "Show nothing; save the review half of the plan to FILE: everything that reviewers need, "
             "without secrets.",
             "FILE");
  flags.arguments(paths, 0, 1, "at most one file");
  add_plan_key(flags, s);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (!subject.check(s, paths)) return s.finish();
  if (subject.config || !subject.module.empty()) return show_configuration(s, subject);
  if (digest && (paths.empty() || s.json || review.summary() || review.guards_anything())) {
    s.diags.error(
        "Incompatible command line options",
        "-digest prints only the effect digest of a saved plan. It requires a plan file and cannot be used "
        "together with -json, -summary or -fail-on. The output of -summary -json includes the digest.");
    return s.finish();
  }
  if (digest) return show_digest_of(s, paths[0], sf);
  if (!half.out.empty() && (half.shown || s.json || review.summary() || documents.wanted())) {
    s.diags.error(
        "Incompatible command line options",
        "-review-out only saves the review half of the plan and shows nothing, so it cannot be used together "
        "with "
        "options that show the plan or write documents. Run the command on the saved half for these.");
    return s.finish();
  }
  s.claim(half.out, "review-out");
  if (!review.prepare(s, ReviewFlags::Rules::OfOptions) || !documents.prepare(s)) return s.finish();
  if (!subject.plan.empty() || (!paths.empty() && planfile::is_plan_file(paths[0])))
    return show_plan_file(s, paths[0], sf, review, documents, half);
  if (half.shown || !half.out.empty()) {
    const std::string_view option = half.shown ? "-review" : "-review-out=FILE";
    s.diags.error("Missing plan file",
                  fmt::format("The option {} makes the review half of a saved plan, so the command takes the "
                              "path of one: {}.",
                              option, own_command(fmt::format("show {} PLAN", option))));
    return s.finish();
  }
  if (!paths.empty() && paths[0] != "-" && !real_fs().exists(paths[0])) {
    s.diags.error(
        "Failed to read the given file",
        fmt::format("There is no file \"{0}\". \"{1} show\" takes the path of a saved plan (from "
                    "\"{1} plan -out=FILE\") or of a state file; without a path, it shows the current "
                    "state.",
                    paths[0], program_name()));
    return s.finish();
  }
  if (documents.wanted()) {
    s.diags.error("Not a saved plan",
                  fmt::format("Documents for reviews are made from plans, but {} is not a plan. Name a saved "
                              "plan (from \"{} plan -out=FILE\").",
                              paths.empty() ? "the current state" : "\"" + paths[0] + "\"", program_name()));
    return s.finish();
  }
  return show_state(s, sf, paths.empty() ? std::string() : paths[0]);
}

}  // namespace xplan::cmd

// show: opens a saved plan or a state and prints it, for people or as JSON, with the schemas saved in the
// plan or asked of the installed providers.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/review_flags.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "render/human_state.h"
#include "render/json_plan.h"
#include "render/json_state.h"

namespace xplan::cmd {
namespace {

int finish_after_guards(Session& s, const Plan& plan, const ReviewFlags& review) {
  const bool permitted = review.permitted(s, plan);
  const int code = s.finish();
  return permitted ? code : ReviewFlags::kGuarded;
}

int show_plan_file(Session& s, const std::string& path, const StateFlags& flags, ReviewFlags& review) {
  if (!review.prepare(s)) return s.finish();
  std::optional<planfile::Opened> opened = open_plan_file(s, path, flags.variables);
  if (!opened) return s.finish();
  if (!s.json || review.summary()) {
    s.json ? review.write_json(s, opened->plan) : review.show(s, opened->plan);
    return finish_after_guards(s, opened->plan, review);
  }
  auto c = planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags);
  JsonWriter w([&](std::string_view text) { s.io.out(text); }, 0);
  if (!opened->plan.errored && s.diags.has_errors()) return s.finish();
  s.diags.clear();
  render::write_plan_json(opened->plan, *c, opened->schemas.lookup(s.schema_lookup()), w, s.diags);
  w.flush();
  s.io.out("\n");
  return finish_after_guards(s, opened->plan, review);
}

}  // namespace

int run_show(Session& s, const Args& args) {
  std::vector<std::string> paths;
  Flags flags("show [FILE]", "Shows a saved plan, a state file, or without FILE the current state.");
  flags.flag("json", s.json, "Print JSON on one line, for other tools.");
  StateFlags sf;
  sf.lock = false;
  sf.add_values(flags);
  ReviewFlags review;
  review.add(flags);
  flags.arguments(paths, 0, 1, "at most one file");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (!paths.empty() && planfile::is_plan_file(paths[0])) return show_plan_file(s, paths[0], sf, review);
  if (!paths.empty() && paths[0] != "-" && !real_fs().exists(paths[0])) {
    s.diags.error(
        "Failed to read the given file",
        fmt::format("There is no file \"{0}\". \"{1} show\" takes the path of a saved plan (from "
                    "\"{1} plan -out=FILE\") or of a state file; without a path, it shows the current "
                    "state.",
                    paths[0], program_name()));
    return s.finish();
  }
  State state;
  if (paths.empty()) {
    Opened o;
    if (!open_selected_state(s, sf, "show", Missing::Allowed, o)) return s.finish();
    if (!o.store->exists() && !s.json) {
      s.io.out("No state.\n");
      return s.finish();
    }
    state = std::move(o.state);
  } else {
    std::optional<Result<State>> read = state_at(s, paths[0], sf);
    if (!read) return s.finish();
    if (!*read) {
      s.diags.error("Failed to read the given file",
                    fmt::format("\"{}\" is neither a plan file nor a state file that can be read: {}.",
                                paths[0], read->error().message));
      return s.finish();
    }
    state = std::move(**read);
  }
  if (s.json) {
    JsonWriter w([&](std::string_view t) { s.io.out(t); }, 0);
    render::write_state_json(state, s.schema_lookup(), render::Unreadable::Refused, w, s.diags);
    if (s.diags.has_errors()) return s.finish();
    w.flush();
    s.io.out("\n");
  } else {
    std::string out;
    render::render_state(state, s.schema_lookup(), s.human, out, s.diags);
    s.io.out(out);
  }
  return s.finish();
}

}  // namespace xplan::cmd

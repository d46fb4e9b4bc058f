// explain: prints why a saved plan makes its changes, for all of them or for one address, as text or as JSON.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/state_access.h"
#include "core/plan/causes.h"
#include "render/explain.h"

namespace xplan::cmd {

int run_explain(Session& s, const Args& args) {
  std::vector<std::string> given;
  Flags flags(s.program + " explain FILE [ADDRESS]",
              "Explains why a saved plan makes each change, or traces one of them back to its cause.");
  flags.flag("json", s.json, "Print JSON.");
  flags.arguments(given, 1, 2, "a plan file, and optionally the address of a resource instance");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  std::optional<planfile::Opened> opened = open_plan_file(s, given[0]);
  if (!opened) return s.finish();
  auto c = load_config_of(s, *opened, SchemasOf::Plan);
  if (s.diags.has_errors()) return s.finish();
  s.diags.clear();  // its warnings were shown when planning
  const ResourceChange* only = nullptr;
  if (given.size() > 1) {
    AbsInstance a;
    if (!parse_instance(s, given[1], a)) return s.finish();
    if (only = opened->plan.find(a); !only || !CauseFinder::explains(*only))
      s.diags.error(
          "Nothing to explain",
          fmt::format("The plan does not change {}. Omit the address to list all changes.", a.text()));
    if (s.diags.has_errors()) return s.finish();
  }
  CauseFinder finder(opened->plan, *c);
  if (s.json) {
    JsonWriter w(2);
    render::write_explanation_json(opened->plan, finder, only, w);
    s.io.out(w.take() + "\n");
  } else {
    std::string out;
    render::render_explanation(opened->plan, finder, only, s.human, out);
    s.io.out(out);
  }
  return s.finish();
}

}  // namespace xplan::cmd

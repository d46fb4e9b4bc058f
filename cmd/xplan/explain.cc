// explain: prints why a saved plan makes its changes, for all of them or for one address, as text or as JSON.
#include "render/explain.h"
#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "cmd/xplan/state_access.h"
#include "core/review/explained.h"

namespace xplan::cmd {

int run_explain(Session& s, const Args& args) {
  std::vector<std::string> given;
  review::ExplainRequest request;
  StateFlags values;
  Flags flags(
      "explain FILE [ADDRESS]",
      "Explains why a saved plan makes each change, or traces one of them back to its first causes. ADDRESS "
      "is the address of a resource, a module, an output (output.NAME) or an attribute (ADDRESS.NAME).");
  flags.flag("json", s.json, "Print JSON.");
  flags.flag("destroyed", request.destroyed, "Explain only what is destroyed.");
  flags.flag("replaced", request.replaced, "Explain only what is replaced.");
  flags.flag("unknown", request.unknown,
             "Explain only values known after apply: which unknown value each of them goes back to, and "
             "which of them the provider decides.");
  flags.flag("all", request.all, "Print every chain of causes instead of the shortest one.");
  values.add_values(flags);
  flags.arguments(given, 1, 2, "a plan file, and optionally an address");
  add_plan_key(flags, s);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (given.size() > 1) request.address = given[1];
  std::optional<planfile::Opened> opened = open_plan_file(s, given[0], values.variables);
  if (!opened) return s.finish();
  auto c = planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags);
  if (s.diags.has_errors()) return s.finish();
  s.diags.clear();  // its warnings were shown when planning
  const std::optional<review::Explained> what = review::select_explained(opened->plan, request, s.diags);
  if (!what) return s.finish();
  review::CauseFinder finder(opened->plan, *c, &s.sources);
  const render::Sink print = [&](std::string_view text) { s.io.out(text); };
  if (s.json) {
    JsonWriter w(print, 2);
    render::write_explanation_json(finder, *what, w);
    w.flush();
    s.io.out("\n");
  } else {
    render::render_explanation(finder, *what, s.human, print);
  }
  return s.finish();
}

}  // namespace xplan::cmd

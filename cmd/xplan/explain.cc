// explain: prints why a saved plan makes its changes, for all of them or for one address, as text or as JSON.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/diag/nearest.h"
#include "core/plan/causes.h"
#include "render/explain.h"

namespace xplan::cmd {
namespace {

// The changes of what the address names: an instance, a resource, or a module.
bool select(Session& s, const Plan& plan, const std::string& address, render::Changes& out) {
  std::vector<Target> target;
  if (!parse_targets(s, {address}, target)) return false;
  std::vector<std::string> addresses;
  for (const ResourceChange& c : plan.changes) {
    if (!CauseFinder::explains(c)) continue;
    if (target[0].covers(c.addr)) out.push_back(&c);
    addresses.push_back(c.addr.text());
  }
  if (!out.empty()) return true;
  const std::string text = target[0].text();
  const std::string near(NearestText(std::move(addresses)).find(text));
  s.diags.error("Nothing to explain",
                fmt::format("The plan does not change {}. Omit the address to list all changes.{}", text,
                            near.empty() ? "" : fmt::format(" Did you mean {}?", shell_word(near))));
  return false;
}

}  // namespace

int run_explain(Session& s, const Args& args) {
  std::vector<std::string> given;
  Flags flags("explain FILE [ADDRESS]",
              "Explains why a saved plan makes each change, or traces one of them back to its cause.");
  flags.flag("json", s.json, "Print JSON.");
  StateFlags values;
  values.add_values(flags);
  flags.arguments(given, 1, 2, "a plan file, and optionally the address of a resource or module");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  std::optional<planfile::Opened> opened = open_plan_file(s, given[0], values.variables);
  if (!opened) return s.finish();
  auto c = planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags);
  if (s.diags.has_errors()) return s.finish();
  s.diags.clear();  // its warnings were shown when planning
  render::Changes only;
  if (given.size() > 1 && !select(s, opened->plan, given[1], only)) return s.finish();
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

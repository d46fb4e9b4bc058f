// graph: prints what depends on what, as a graph in the DOT language: resources alone, or all that an
// operation visits.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "core/review/operation_graph.h"
#include "render/dot.h"
#include "render/mermaid.h"

namespace xplan::cmd {
namespace {

using review::OperationKind;

struct TypeName {
  std::string_view name;
  OperationKind kind;
};
constexpr TypeName kTypes[] = {{"plan", OperationKind::Plan},
                               {"plan-refresh-only", OperationKind::RefreshOnly},
                               {"plan-destroy", OperationKind::Destroy},
                               {"apply", OperationKind::Apply}};

struct GraphFlags {
  std::string type, plan_file, format = "dot";
  bool draw_cycles = false;
  StateFlags state;
};

// Nothing: none was given, or one that there is not, which was reported.
std::optional<OperationKind> type_of(Session& s, const std::string& name) {
  for (const TypeName& t : kTypes)
    if (t.name == name) return t.kind;
  if (!name.empty())
    s.diags.error(
        "Invalid option value",
        fmt::format("The option -type must be plan, plan-refresh-only, plan-destroy or apply, not \"{}\".",
                    name));
  return std::nullopt;
}

// A configuration whose only problem is what is to be drawn.
void forgive_cycles(Session& s) {
  const std::vector<Diagnostic>& all = s.diags.all();
  if (std::all_of(all.begin(), all.end(), [](const Diagnostic& d) {
        return d.severity == Severity::Warning || d.summary == "Dependency cycle";
      }))
    s.diags.clear();
}

void print_graph(const auto& graph, const GraphFlags& f, const render::Sink& out) {
  f.format == "dot" ? render::write_dot(graph, out) : render::write_mermaid(graph, out);
}

int print_graph_of_plan(Session& s, const GraphFlags& f, std::optional<OperationKind> kind,
                        const render::Sink& out) {
  std::optional<planfile::Opened> opened = open_plan_file(s, f.plan_file, f.state.variables);
  if (!opened) return s.finish();
  auto c = planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags);
  if (s.diags.has_errors()) return s.finish();
  s.diags.clear();  // its warnings were shown when planning
  print_graph(!kind || kind == OperationKind::Apply
                  ? review::operation_graph(*c, opened->plan)
                  : review::operation_graph(*c, opened->plan.prior_state, *kind),
              f, out);
  return s.finish();
}

}  // namespace

int run_graph(Session& s, const Args& args) {
  GraphFlags f;
  Flags flags("graph",
              "Prints the dependency graph in the language of DOT or Mermaid: of the resources, or with "
              "-type or -plan of "
              "everything that an operation evaluates.");
  flags
      .text("type", f.type, "The operation whose graph is printed.",
            "plan|plan-refresh-only|plan-destroy|apply")
      .choice("format", f.format, {"dot", "mermaid"}, "The language of the graph (default dot).")
      .text("plan", f.plan_file, "Saved plan, instead of the configuration of this directory.", "FILE")
      .flag("draw-cycles", f.draw_cycles, "Draw cycles in red, instead of failing; with -type.")
      .accepted_value("module-depth")
      .accepted_flag("verbose");
  f.state.lock = false;
  f.state.add_values(flags);
  add_plan_key(flags, s);
  flags.no_arguments(
      "The graph is that of the working directory. Use -chdir=DIR before the command for another one.");
  s.values_only = true;
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  const std::optional<OperationKind> kind = type_of(s, f.type);
  if (s.diags.has_errors()) return s.finish();
  const render::Sink out = [&](std::string_view text) { s.io.out(text); };
  if (!f.plan_file.empty()) return print_graph_of_plan(s, f, kind, out);
  auto c = s.load_config();
  if (f.draw_cycles && kind) forgive_cycles(s);
  if (s.diags.has_errors()) return s.finish();
  Opened o;
  if (!s.open_state(f.state, c.get(), "graph", o)) return s.finish();
  if (kind)
    print_graph(review::operation_graph(*c, o.state, *kind), f, out);
  else
    print_graph(review::resource_graph(*c, o.state), f, out);
  return s.finish();
}

}  // namespace xplan::cmd

// import: brings an existing object under management, as the object of one resource instance in the state.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/progress.h"
#include "cmd/xplan/state_access.h"
#include "core/base/clock.h"
#include "core/plan/import_object.h"

namespace xplan::cmd {

int run_import(Session& s, const Args& args) {
  std::vector<std::string> given;
  std::string config_dir;
  bool allow_missing_config = false;
  int parallelism = 10;
  EditFlags f;
  VariableFlags vars;
  Flags flags(
      s.program + " import ADDRESS ID",
      "Imports an existing object into the state, for a resource instance declared in the configuration.");
  flags.text("config", config_dir, "Directory of the configuration.", "DIR")
      .flag("allow-missing-config", allow_missing_config,
            "Accepted for compatibility; has no effect, because the configuration is required.");
  flags.number("parallelism", parallelism, "Number of concurrent operations (10).");
  f.add(flags);
  vars.add(flags);
  flags.arguments(given, 2, 2, "the address of a resource instance and the ID of the object");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  AbsInstance addr;
  if (!parse_instance(s, given[0], addr)) return s.finish();
  if (addr.resource.mode != Mode::Managed)
    return s.diags.error(
               "Only managed resources can be imported",
               fmt::format("{} is not a managed resource. Its object is not managed, but read in each run.",
                           addr.text())),
           s.finish();
  auto c = s.load_config(false, config_dir);
  s.require_config_files(*c);
  if (s.diags.has_errors()) return s.finish();
  PlanOptions o;
  o.variables = s.variables(*c, vars, o.given_variables);
  if (s.diags.has_errors()) return s.finish();
  Opened opened;
  if (!s.open_state(f, c.get(), "import", opened)) return s.finish();
  o.timestamp = utc_now();
  o.workspace = s.workspace();
  o.cwd = s.cwd;
  State next = opened.state;
  auto progress = [&](const Value* found) {
    s.io.out(!found ? fmt::format("{}: Importing from ID \"{}\"...\n", addr.text(), given[1])
                    : fmt::format(
                          "{0}: Import prepared!\n  Prepared {1} for import\n{0}: Refreshing state...{2}\n",
                          addr.text(), addr.resource.type.sv(), id_suffix(object_id(*found))));
  };
  if (!import_object(*c, next, addr, given[1], o, *s.providers, progress, s.diags) ||
      !save_state(s, opened, next))
    return s.finish();
  std::string text = "\n";
  render::put(text, "Import successful!", render::Style::BoldGreen, s.human.color);
  s.io.out(text + fmt::format("\n\nThe object is now in the state. The next plan will show how it differs "
                              "from the configuration.\n\n"));
  return s.finish();
}

}  // namespace xplan::cmd

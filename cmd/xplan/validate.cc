// validate: whether the configuration makes sense, without state and without values of variables.
#include "cmd/xplan/commands.h"
#include "core/config/deprecated.h"
#include "core/plan/planner.h"
#include "render/json_diag.h"

namespace xplan::cmd {

int run_validate(Session& s, const Args& args) {
  std::string test_dir = "tests";
  bool no_tests = false;
  std::vector<std::string> dirs;
  VariableFlags vars;
  Flags flags(s.program + " validate", "Checks the configuration: syntax, names, references, types.");
  flags.flag("json", s.json, "Print the result as JSON.");
  flags.flag("no-tests", no_tests, "Do not look at test files.")
      .text("test-directory", test_dir, "Folder with tests.", "DIR");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  auto c = s.load_config(false, {}, no_tests ? std::nullopt : std::optional(test_dir));
  if (!s.diags.has_errors()) config::warn_of_deprecated(*c, s.diags);
  if (!s.diags.has_errors()) validate(*c, *s.providers, AskProviders::Yes, 10, s.cwd, s.diags);
  for (const std::string& dir : c->tests.module_dirs) {
    auto m = s.load_config(false, dir);
    if (!s.diags.has_errors()) validate(*m, *s.providers, AskProviders::Yes, 10, s.cwd, s.diags);
  }
  bool errors = s.diags.has_errors();
  if (s.json) {
    s.io.out(render::validate_json(s.diags, &s.sources));
    s.diags.clear();
    s.io.flush();
    return errors ? 1 : 0;
  }
  bool warned = !s.diags.empty();
  s.print_diagnostics();
  if (!errors) {
    std::string text;
    render::put(
        text,
        warned
            ? "Success! The configuration is valid, but there were some validation warnings as shown above.\n"
            : "Success! The configuration is valid.\n",
        render::Style::Plain, false);
    s.io.out(text);
  }
  s.io.flush();
  return errors ? 1 : 0;
}

}  // namespace xplan::cmd

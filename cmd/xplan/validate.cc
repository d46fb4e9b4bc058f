// validate: whether the configuration is valid, without a state and without values of variables; its JSON
// document.
#include "cmd/xplan/commands.h"
#include "core/config/deprecated.h"
#include "core/config/test_suite.h"
#include "core/plan/planner.h"
#include "core/run/encryption.h"
#include "render/json_diag.h"

namespace xplan::cmd {
namespace {

// The configuration, and the modules that its test files run.
void validate_everything(Session& s, const std::string& dir, const std::optional<std::string>& test_dir) {
  auto look = [&](const config::Config& c) {
    if (!s.diags.has_errors()) validate(c, *s.providers, AskProviders::Yes, 10, s.cwd, &s.stop, s.diags);
  };
  const auto c = s.load_config(false, dir, test_dir);
  if (!s.diags.has_errors()) config::warn_of_deprecated(*c, s.diags);
  if (!s.diags.has_errors()) run::check_encryption(s.context(), *c->root->module, s.diags);
  look(*c);
  for (const config::TestModule& m : c->tests->modules)
    look(*s.load_config(false, m.dir, std::nullopt, m.key));
}

}  // namespace

int run_validate(Session& s, const Args& args) {
  std::string test_dir = "tests";
  bool no_tests = false;
  std::vector<std::string> dirs;
  std::vector<config::VariableOption> values;
  Flags flags("validate [DIR]", "Checks the configuration: syntax, names, references, types.");
  flags.flag("json", s.json, "Print the result as JSON.");
  s.add_json_into(flags, Session::Into::Document);
  flags.flag("no-tests", no_tests, "Do not check test files.")
      .text("test-directory", test_dir, "Directory with tests.", "DIR")
      .variables(values, kOfEarly)
      .arguments(dirs, 0, 1, "at most the directory of the configuration");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  const auto tests = no_tests ? std::nullopt : std::optional(test_dir);
  const std::string dir = dirs.empty() ? std::string() : dirs[0];
  validate_everything(s, dir, tests);
  if (s.diags.has_errors() && s.schemas().renew(config::Renew::Running)) {  // by a schema that was outdated
    s.diags.clear();
    validate_everything(s, dir, tests);
  }
  bool errors = s.diags.has_errors();
  if (s.wants_document()) s.put_document(render::validate_json(s.diags, &s.sources));
  if (s.json) {
    s.diags.clear();
    s.io.flush();
    return errors ? 1 : 0;
  }
  bool warned = !s.diags.empty();
  s.print_diagnostics();
  if (!errors)
    s.prose(
        warned
            ? "Success! The configuration is valid, but there were some validation warnings as shown above.\n"
            : "Success! The configuration is valid.\n");
  return s.finish(errors ? 1 : 0);
}

}  // namespace xplan::cmd

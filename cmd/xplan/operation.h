// What plan, apply, destroy and refresh have in common: planning flags, making a plan, opening a saved one,
// showing it, carrying it out.
//
// Who calls it: those commands; show, explain and console for making or opening a plan.  Thread-safety: one
// thread.
#pragma once
#include <functional>
#include <optional>

#include "cmd/xplan/session.h"
#include "planfile/planfile.h"
#include "render/human_state.h"

namespace xplan::cmd {

struct OperationFlags {
  bool destroy = false, refresh_only = false, refresh = true, detailed_exitcode = false;
  bool allow_deferral = false, config_optional = false;
  std::vector<std::string> replace, target, exclude;
  int parallelism = 10;
  std::string generate_config_out;
  VariableFlags variables;
  StateFlags state;
  void add(Flags& f, bool with_modes);
};

// A plan and everything that must stay alive with it.
struct Planned {
  std::function<std::unique_ptr<config::Config>(Diagnostics&)> load;  // `config`, and the same once more
  std::unique_ptr<config::Config> config;
  Diagnostics loading;  // what the last loading found
  Plan plan;
  RootValues variables;
  Opened state;
  bool generated = false;  // a file was written for -generate-config-out
};

// Loads the configuration again; false: with errors.
bool reload(Planned& p);
// Loads, opens the state and plans. Nothing after an error that left no plan.
std::optional<Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation);
// Carries out a plan and writes the state; prints the outcome, in the words of the command. The exit code.
int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables,
              Opened& state, int parallelism, bool destroy_command = false);
void show_plan(Session& s, const Plan& plan);
void show_outputs(Session& s, const render::OutputMap& outputs);  // after what was carried out
// A saved plan; nothing after reporting why it is not available.
std::optional<planfile::Opened> open_plan_file(Session& s, const std::string& path);
// The configuration that it was made from; with problems in the session's diagnostics. To apply it takes the
// providers' schemas of today; to look at it, those in the plan will do.
enum class SchemasOf { Providers, Plan };
std::unique_ptr<config::Config> load_config_of(Session& s, planfile::Opened& opened, SchemasOf from);
// Parses the flags of one of these commands. With -json everything from here on goes into the stream.
// An exit code when that was all, as Flags::parse.
std::optional<int> parse_operation(Session& s, Flags& flags, OperationFlags& f,
                                   const std::vector<std::string>& args);

}  // namespace xplan::cmd

// What plan, apply, destroy and refresh have in common: planning flags, making a plan, showing it, carrying
// it out.
//
// Who calls it: those commands.  Thread-safety: one thread.
#pragma once
#include <optional>

#include "cmd/xplan/session.h"
#include "planfile/planfile.h"

namespace xplan::cmd {

struct OperationFlags {
  bool destroy = false, refresh_only = false, refresh = true, detailed_exitcode = false;
  bool allow_deferral = false;
  std::vector<std::string> replace, target, exclude;
  int parallelism = 10;
  std::string generate_config_out;
  VariableFlags variables;
  StateFlags state;
  void add(Flags& f, bool with_modes);
};

// A plan and everything that must stay alive with it.
struct Planned {
  std::unique_ptr<config::Config> config;
  Plan plan;
  RootValues variables;
  Opened state;
  bool generated = false;  // a file was written for -generate-config-out
};

// Loads, opens the state and plans. Nothing after an error that left no plan.
std::optional<Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation);
// Carries out a plan and writes the state; prints the outcome, in the words of the command, in the stream
// without the counts when `quiet`. The exit code.
int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables,
              Opened& state, int parallelism, bool quiet = false, bool destroy_command = false);
void show_plan(Session& s, const Plan& plan);
// Parses the flags of one of these commands. With -json everything from here on goes into the stream.
Flags::Outcome parse_operation(Session& s, Flags& flags, OperationFlags& f,
                               const std::vector<std::string>& args);

}  // namespace xplan::cmd

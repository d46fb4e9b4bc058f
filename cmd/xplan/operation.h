// What plan, apply, destroy and refresh have in common: planning flags, making a plan, showing it, carrying it out.
//
// Who calls it: those commands.  Thread-safety: one thread.
#pragma once
#include <optional>

#include "cmd/xplan/session.h"
#include "planfile/planfile.h"

namespace xplan::cmd {

struct OperationFlags {
  bool destroy = false, refresh_only = false, refresh = true, detailed_exitcode = false;
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
};

// Loads, opens the state and plans. Nothing after an error that left no plan.
std::optional<Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation);
// Carries out a plan and writes the state; prints the outcome. The exit code.
int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables, Opened& state, int parallelism);
void show_plan(Session& s, const Plan& plan);

}  // namespace xplan::cmd

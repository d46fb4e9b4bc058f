// What plan, apply, destroy and refresh have in common: planning flags, making a plan, opening a saved one,
// showing it, carrying it out.
//
// Who calls it: those commands; show, explain and console for making or opening a plan.  Thread-safety: one
// thread.
#pragma once
#include <functional>
#include <optional>

#include "cmd/xplan/session.h"
#include "core/run/run.h"
#include "planfile/saved_run.h"
#include "render/human_state.h"

namespace xplan::cmd {

enum class Command : uint8_t { Plan, Apply, Destroy, Refresh };

struct OperationFlags {
  bool destroy = false, refresh_only = false, refresh = true, detailed_exitcode = false;
  std::optional<int64_t> trust_millis;  // of -refresh: objects read within this time are trusted
  bool allow_deferral = false, config_optional = false;
  std::vector<std::string> replace, target, exclude;
  std::vector<std::string> target_files, exclude_files;  // with an address on each line
  int parallelism = 10;
  std::string on_error = "continue";
  int concurrency() const { return parallelism == 0 ? 10 : parallelism; }
  std::string generate_config_out;
  VariableFlags variables;
  StateFlags state;
  static constexpr int64_t kAlways = INT64_MAX;  // of trust_millis
  bool choose_refresh(const std::string& word);  // false: it is not a value of -refresh
  // What means nothing to the command is only accepted, for scripts.
  void add(Flags& f, Command command);
};

// Makes a plan as the flags say. Nothing after an error that left no plan.
std::optional<run::Planned> make_plan_for(Session& s, OperationFlags& f, const std::string& lock_operation);
// Of refresh: what says how to plan changes nothing, but must not contradict itself. False after reporting.
bool take_modes_of_refresh(Session& s, OperationFlags& f);
// Carries out a plan and writes the state; prints the outcome, in the words of the command. The exit code.
int carry_out(Session& s, const config::Config& config, const Plan& plan, const RootValues& variables,
              Opened& state, const OperationFlags& f, bool destroy_command = false);
// Of a plan that was interrupted, only that it failed. An interrupt while it is printed is an error.
void show_plan(Session& s, const Plan& plan);
void show_outputs(Session& s, const render::OutputMap& outputs);  // after what was carried out
// A saved plan; nothing after reporting why it is not available.
// If it is encrypted, or should be, is said by the configuration of the working directory; `variables` are
// those of it.
std::optional<planfile::Opened> open_plan_file(Session& s, const std::string& path,
                                               const std::vector<config::VariableOption>& variables = {});
// Parses the flags of one of these commands. With -json everything from here on goes into the stream.
// An exit code when that was all, as Flags::parse.
std::optional<int> parse_operation(Session& s, Flags& flags, OperationFlags& f,
                                   const std::vector<std::string>& args);

}  // namespace xplan::cmd

// Help: of the program, and of commands that are only groups of others ("state"); and what to say of a
// command that does not exist.
//
// Who calls it: main.cc; the groups.  Cost: none.  Thread-safety: one thread.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cmd/xplan/session.h"

namespace xplan::cmd {

// Print: it does nothing else, so it fails where nothing can be printed. Every row has to say which.
struct Does {
  enum What : uint8_t { Work, Print };
  constexpr Does(What w) : what(w) {}
  What what;
};
struct SubCommand {
  std::string_view name;
  Does does;
  int (*run)(Session&, const std::vector<std::string>&);
  std::string_view about;
};

std::vector<HelpRow> leading_options();  // before the command
// Commands, options and environment variables of the program; returns `code`.
int print_help(Session& s, std::span<const SubCommand> commands, int code);
// Runs the command that the first argument names, or prints the group's commands; the exit code.
int run_group(Session& s, std::string_view group, std::string_view about,
              std::span<const SubCommand> commands, const std::vector<std::string>& args);
// `group`: what the command was looked for in, empty for the program itself. The exit code.
int unknown_command(Session& s, std::string_view group, std::string_view name,
                    std::span<const SubCommand> commands);
std::vector<HelpRow> help_rows(std::span<const SubCommand> commands);

}  // namespace xplan::cmd

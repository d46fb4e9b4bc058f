// Completion of command lines: what the word before the cursor may become, and setting that up for shells.
// Also splits TF_CLI_ARGS into words.
//
// Who calls it: main.cc.
// Contract: as shells call a program for this (bash's "complete -C"): COMP_LINE is the line that is typed,
// COMP_POINT the place of the cursor in it; each possible word is printed on a line of its own, quoted as
// bash takes it if there is a COMP_POINT, and as it is otherwise. Nothing else is read or written. Setting up
// changes only files of shells that the user has, and only by whole lines of its own. Cost: none.
// Thread-safety: one thread.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cmd/xplan/help.h"

namespace xplan::cmd {

struct TypedLine {
  std::vector<std::string> words;  // complete ones, after the program's name
  Completing at;
};
// Words as a shell would split them (quotes and backslashes); none when a quote is not closed, unless `open`
// hears of it: the last word is in that quote then.
std::optional<std::vector<std::string>> split_words(std::string_view text, char* open = nullptr);
// Nothing: no shell asks. bash gives the command, the word and the one before it as arguments.
std::optional<TypedLine> asked_to_complete(int argc, char** argv);
int complete(Session& s, const TypedLine& line, std::span<const SubCommand> commands);

// For bash, zsh and fish, whichever the user has; the exit code.
int set_up_completion(Session& s, bool install);

}  // namespace xplan::cmd

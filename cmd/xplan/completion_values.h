// What a shell is offered for the word before the cursor, within one command.
//
// Who calls it: session.cc (parse), instead of running the command; completion.cc and help.cc for commands.
// Contract: after a "-", options; after "-option=", or as an argument, values by the name that the help gives
// them: words of a choice, addresses of resource instances, workspaces, outputs. Of what only files can be,
// nothing: the shell completes those. States are only looked into where they are in files of this machine;
// nothing is asked of servers, locked or written, and no problem is told. Cost: the configuration's structure
// and the state are read where addresses are asked for. Thread-safety: one thread.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace xplan::cmd {

class Session;
class Flags;

struct Completing {
  std::string last;       // the word up to the cursor, as the program would get it
  std::string before;     // the word in front of it
  size_t known = 0;       // bytes of `last` that the shell keeps, so they are not printed
  bool for_bash = false;  // which takes words as they are typed: quoted, and with a space where they end
  size_t arguments = 0;   // of the command, in front of the word
};

// Prints it, on a line of its own, if the word may become it.
void offer(Session& s, std::string_view word);
void offer_for(Session& s, const Flags& f);

}  // namespace xplan::cmd

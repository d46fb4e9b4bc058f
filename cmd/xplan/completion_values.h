// What a shell is offered for the word before the cursor, within one command.
//
// Who calls it: session.cc (parse), instead of running the command; completion.cc and help.cc for commands.
// Contract: after a "-", options; after "-option=", or as an argument, values by the name that the help gives
// them: words of a choice, kinds, addresses of resource instances, workspaces, outputs. Files are left to the
// shell, but behind "-option=", where only bash knows them, and for another directory (-chdir). States are
// only looked into where they are in files of this machine; nothing is asked of servers, locked or written,
// and no problem is told. Cost: the configuration's structure and the state are read where addresses are
// asked for. Thread-safety: one thread.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::cmd {

class Session;
class Flags;

struct Completing {
  std::string last;        // the word up to the cursor, as the program would get it
  std::string before;      // the word in front of it
  size_t known = 0;        // bytes of `last` that the shell keeps, so they are not printed
  bool for_bash = false;   // which takes words as they are typed: quoted, and with a space where they end
  char quote = 0;          // that the word is in; a shell closes it
  bool elsewhere = false;  // in another directory than the shell
  size_t arguments = 0;    // of the command, in front of the word
};

// Prints it, on a line of its own, if the word may become it.
void offer(Session& s, std::string_view word);
// The files that a path may become, `before` in front of each.
enum class Files : uint8_t { All, Directories };
void offer_files(Session& s, const std::string& before, const std::string& path, Files which);
void offer_for(Session& s, const Flags& f);

}  // namespace xplan::cmd

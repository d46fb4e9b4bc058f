// Which files of this machine a store writes, and whether a backup would take the place of one.
//
// Who calls it: run (before a state is opened), cmd (state mv, which opens two), unfinished_move.cc.
// Contract: links are followed, files need not be there. A backup that would be the state itself is no
// mistake: there is none then, as with the reference.  Cost: a look at each file.  Thread-safety: pure.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace xplan {

struct StatePaths;

struct StateFiles {
  std::string state;                                          // that is written; empty: not in files
  std::string backup;                                         // empty: none
  std::vector<std::pair<std::string_view, std::string>> own;  // what each is, and its path
};

StateFiles files_of(const StatePaths& paths);  // of a local state
bool same_place(const std::string& a, const std::string& b);
// The same by two names, hard links among them. Names of places on servers are no paths.
bool is_one_file(const std::string& a, const std::string& b);
// Of the states that a command has open at the same time.
Result<void> check_backups(const std::vector<StateFiles>& states);

}  // namespace xplan

// Moving the states of all workspaces from where one backend block says to where another does.
//
// Who calls it: init, when the backend block has changed.
// Contract: a state is written at its new place, under the locks of both (unless -lock=false), before
// anything of the old place changes; another state that is in the way is replaced only when the user agrees,
// and its backup stays. Each function reports what went wrong and then returns false.  Thread-safety: one
// thread. Cost: every state is read and written once.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/backend.h"

namespace xplan::cmd {

class Migration {
 public:
  Migration(Session& s, const BackendInit& how, const Backend& from, const Backend& to)
      : s_(s), how_(how), from_(from), to_(to) {}
  // What there is to move; not what is at the same path in both places. Missing and empty states do not
  // count.
  bool find();
  bool done() const;  // nothing is left to move
  bool run();
  // Leaves the old place without a state, so that nobody takes it for the current one; a backup stays.
  bool leave_source();
  // Asks, unless the answer was given beforehand.
  bool confirmed(const std::string& question);

 private:
  struct Move {
    std::string workspace, source, target;
    State state;
    bool arrived = false;  // the target has it already
  };
  bool read(const std::string& path, State& out);
  bool copy(Move& m);
  bool failed(std::string_view what, const std::string& path, const Error& e);

  Session& s_;
  const BackendInit& how_;
  const Backend &from_, &to_;
  std::vector<Move> moves_;
};

}  // namespace xplan::cmd

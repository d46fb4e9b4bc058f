// Moving the states of all workspaces from where one backend block says to where another does.
//
// Who calls it: init, when the backend block has changed.
// Contract: a state is written at its new place, under the locks of both (unless -lock=false), before
// anything of the old place changes; another state that is in the way is replaced only when the user agrees,
// a copy of it stays on this machine, and objects that only it had are named. Several states are read and
// copied at the same time; what is said of them has the order of the workspaces, and is said when it is done.
// After an interrupt and after a failure no other copy begins; a second interrupt tells what was copied, and
// which locks stay. Each function reports what went wrong, and then returns false or
// Decision::Failed. Thread-safety: one thread. Cost: every state is read twice and written once; as many are
// in memory as are read or copied at a time.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/xplan/backend.h"
#include "core/backend/backend.h"

namespace xplan::cmd {

// `doing`: what was under way, and after a period what state things are in, without the last period.
// `command`: what to run again.
void report_interrupted_init(Session& s, std::string_view doing, std::string_view command = "init");

enum class Decision : unsigned char { Move, Leave, Failed };

// A backend as each workspace has it: where the encryption block refers to terraform.workspace, each may have
// keys of its own. The connections are the same. Thread-safety: one thread; any for of(), of what is
// prepared.
class KeyedBackend {
 public:
  using Open = std::function<std::unique_ptr<backend::Backend>(const std::string& workspace)>;
  // `selected` is the one of the workspace of this name; `open` makes another's, or reports why not. Empty:
  // it serves all workspaces.
  KeyedBackend(const backend::Backend& selected, std::string name, Open open)
      : selected_(selected), name_(std::move(name)), open_(std::move(open)) {}
  const backend::Backend* operator->() const { return &selected_; }  // for what needs no keys
  const backend::Backend& operator*() const { return selected_; }    // likewise
  const backend::Backend* of(const std::string& workspace);          // null after reporting
  bool prepare(const std::string& workspace) { return of(workspace) != nullptr; }

 private:
  const backend::Backend& selected_;
  const std::string name_;
  const Open open_;
  std::map<std::string, std::unique_ptr<backend::Backend>> others_;
};

class Migration {
 public:
  Migration(Session& s, const BackendInit& how, KeyedBackend& from, KeyedBackend& to)
      : s_(s), how_(how), from_(from), to_(to) {}
  // What there is to move; not what is at the same path in both places. Missing and empty states do not
  // count. To a backend without workspaces goes the state of the selected one, as that of "default".
  bool find();
  // Whether it moves: asks, unless there is nothing to ask or the answer was given beforehand. `demanded`:
  // only about states that are in the way.
  Decision decide(bool demanded);
  // And selects "default" where there is nothing else any more.
  bool run();
  // Leaves the old place without a state, so that nobody takes it for the current one; a backup stays.
  bool leave_source();
  // For people: where the states are that were left, and how they can be moved later.
  std::string left() const;

 private:
  struct Outline {  // of a state
    std::string lineage;
    uint64_t serial = 0;
    size_t objects = 0;
    bool empty = true;
  };
  struct Move {
    std::string workspace, becomes;      // its name here and there
    std::string source, target;          // as the backends name the places
    Outline state = {}, there = {};      // there: what the target has
    std::vector<std::string> lost = {};  // objects that are only there
    bool copied = false;                 // by this run
    std::string kept = {};               // where a copy is of what was replaced, which nothing else tells
    Diagnostics told = {};               // of the copy
    bool arrived() const;
  };
  class Waits;
  static Outline outline_of(const State& s);
  static bool same(const State& a, const Outline& b);
  static std::string version_of(const Outline& s);
  bool name_default();  // finds a name for "default" where the new place has none of that name
  bool collect(const std::vector<std::string>& workspaces);
  bool look_at_all();
  Result<void> look(Move& m, Diagnostics& told);
  Result<State> read(KeyedBackend& b, const std::string& workspace, Diagnostics& told);
  bool report_unread(const Error& e);
  void note_staying(const std::vector<std::string>& names);
  std::string staying_text(std::string_view intro) const;
  Decision decide_to_leave_all();
  std::string losses() const;
  bool copy(Move& m, const run::Context& context, Waits& front);
  bool replace(Move& m, State& mine, StateStore& target, const State& there);
  void tell_of(Move& m);
  std::string copied_text();
  void report_interrupt();
  void tell_interrupt(std::string_view meaning, bool again);
  void note_lock(const std::string& workspace, const std::string& place, const StateStore* held);
  enum class Step : uint8_t { List, Select, Leave, Read, Write, Replace };
  bool failed(Step step, const std::string& place, const Error& e, Diagnostics& told);
  bool failed(Step step, const std::string& place, const Error& e);  // of none of them

  Session& s_;
  const BackendInit& how_;
  KeyedBackend &from_, &to_;
  std::vector<Move> moves_;
  std::mutex at_work_;  // for what follows, and Move::copied, during run()
  std::map<std::pair<std::string, std::string>, std::string>
      held_;                     // workspace and place of locks: their IDs
  std::mutex creations_;         // held while something is locked where locks of new states exclude others
  bool several_ = false;         // workspaces in the old place
  bool one_of_several_ = false;  // the new place has room for one of them: the selected one
  std::string default_name_;     // what "default" becomes
  std::vector<std::string> staying_;  // one_of_several_: the places of the others' states
};

}  // namespace xplan::cmd

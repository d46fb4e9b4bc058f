// Progress for people while a run is at work. On a terminal everything that starts, goes on and ends; in a
// pipe only what was done.
//
// Who calls it: operation.cc hands it to planner and apply (json_progress.h stands in for it with -json).
// Thread-safety: as Hooks demands.
#pragma once
#include "cmd/xplan/session.h"
#include "cmd/xplan/ticker.h"
#include "core/plan/hooks.h"

namespace xplan::cmd {

// What is said while an action is at work, and of its end.
struct ActionWords {
  std::string_view doing, done, still;
};
ActionWords action_words(Action a);
std::string id_suffix(const ObjectId& id);  // " [id=…]", or nothing

class Progress : public Hooks {
 public:
  explicit Progress(Session& s);
  void refresh_start(const AbsInstance& a, const ObjectId& id) override;
  void read_start(const AbsInstance& a) override;
  void read_done(const AbsInstance& a, const ObjectId& id, double seconds) override;
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override;
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                   const ObjectId& id) override;
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                  double seconds) override;
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override;
  void provision_start(const AbsInstance& a, std::string_view type) override;
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override;

 private:
  void line(std::string text);
  Session& s_;
  Ticker ticker_;
};

}  // namespace xplan::cmd

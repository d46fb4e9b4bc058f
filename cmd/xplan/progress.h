// Progress for people while a run is at work: everything that starts, goes on and ends. With -concise only
// what was done to objects, and what provisioners say.
//
// Who calls it: operation.cc hands it to planner and apply (json_progress.h stands in for it with -json);
// import.cc.
// Cost: one write per line. Thread-safety: as Hooks demands.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/session.h"
#include "cmd/xplan/ticker.h"
#include "core/plan/hooks.h"

namespace xplan::cmd {

// What is said while an action is at work, and of its end.
struct ActionWords {
  std::string_view doing, done, still;
};
ActionWords action_words(Action a);
ActionWords ephemeral_words(std::string_view operation);  // open, renew, close
// In a ticker, which of these three is at work travels as an action.
Action ephemeral_action(std::string_view operation);
std::string_view ephemeral_operation(Action a);
using render::seconds_text;
// What is still done, or the server that it waits for.
std::string still_text(std::string_view still, const Ticker::Since& since);
std::string waiting_text(std::string_view place, bool several = false);
std::string id_suffix(const ObjectId& id);  // " [id=…]", or nothing

struct UnderWay {
  std::string object, doing;
  int64_t seconds = 0;
  bool waits = false;  // for a record: the provider is not at work
};

// Progress that can be asked what is at work, in the order in which it began.
class RunHooks : public Hooks {
 public:
  virtual std::vector<UnderWay> under_way() = 0;
  // Whether it shows a text besides the progress, instead of the caller. `last`: the process ends with it.
  virtual bool interject(const std::string& /*text*/, bool /*last*/) { return false; }
};
// What two tickers have running: actions, and operations of ephemeral resources.
std::vector<UnderWay> under_way(Ticker& actions, Ticker& ephemeral);

class Progress : public RunHooks {
 public:
  Progress(Session& s, bool concise);
  std::vector<UnderWay> under_way() override { return cmd::under_way(ticker_, ephemeral_); }
  void refresh_start(const AbsInstance& a, std::string_view deposed, const ObjectId& id) override;
  void import_prepare(const AbsInstance& a, const ObjectId& id) override;
  void imported(const AbsInstance& a, const ObjectId& id) override;
  void read_start(const AbsInstance& a) override;
  void read_done(const AbsInstance& a, const ObjectId& id, double seconds) override;
  void read_ended(const AbsInstance& a) override { ticker_.stop(a, ""); }
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_done(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_failed(const AbsInstance& a, std::string_view operation) override;
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                   const ObjectId& id) override;
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                  double seconds) override;
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override;
  void record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) override;
  void record_done(const AbsInstance& a, std::string_view deposed) override { ticker_.waits(a, deposed, ""); }
  void provision_start(const AbsInstance& a, std::string_view type) override;
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override;

 private:
  void line(std::string text);      // of what was done
  void underway(std::string text);  // of what is being done, or was only looked at
  Session& s_;
  bool concise_;
  Ticker ticker_;
  Ticker ephemeral_;  // of its own: an ephemeral resource is opened and closed under one address
};

}  // namespace xplan::cmd

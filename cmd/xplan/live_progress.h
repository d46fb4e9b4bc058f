// Progress on a terminal while changes are made: one line per running operation, redrawn in place, and lines
// that stay of what was done.
//
// Who calls it: operation.cc hands it to apply in place of Progress.
// Contract: whoever tells it something never waits for the terminal: a thread paints, at most ten times a
// second and for a fifth of its time, however slow the terminal is. When more ends than can be shown, it is
// counted. Without a thread to paint, lines that stay are printed immediately. After the end, the live lines
// are gone and all that stays is printed. The numbers of the whole go to a WorkLog. Cost: a lock and an entry
// per event; painting is bounded by the terminal's size. Thread-safety: as Hooks.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "cmd/xplan/live_screen.h"
#include "cmd/xplan/progress.h"
#include "core/review/work_log.h"
#include "render/live/live_lines.h"

namespace xplan::cmd {

class LiveProgress : public RunHooks {
 public:
  // `expected`: how many operations the plan has.
  LiveProgress(Session& s, review::WorkLog& work, size_t expected);
  ~LiveProgress() override;
  std::vector<UnderWay> under_way() override;
  bool interject(const std::string& text, bool last) override;

  void imported(const AbsInstance& a, const ObjectId& id) override;
  void read_start(const AbsInstance& a) override;
  void read_done(const AbsInstance& a, const ObjectId& id, double seconds) override;
  void read_ended(const AbsInstance& a) override;
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_done(const AbsInstance& a, std::string_view operation) override;
  void ephemeral_failed(const AbsInstance& a, std::string_view operation) override;
  void apply_start(const AbsInstance& a, std::string_view deposed, Action action,
                   const ObjectId& id) override;
  void apply_done(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id,
                  double seconds) override;
  void apply_failed(const AbsInstance& a, std::string_view deposed, Action action, double seconds) override;
  void record_start(const AbsInstance& a, std::string_view deposed, std::string_view place) override;
  void record_done(const AbsInstance& a, std::string_view deposed) override;
  void provision_start(const AbsInstance& a, std::string_view type) override;
  void provision_output(const AbsInstance& a, std::string_view type, std::string_view line) override;
  void provision_done(const AbsInstance& a, std::string_view type, bool ok) override;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMostStaying = 50;
  struct Running {
    std::string name, doing;
    Clock::time_point since;
    std::string waits_for = {};  // a server, to record it
    std::string now() const { return waits_for.empty() ? doing : waiting_text(waits_for); }
  };
  // Begins and ends with a key of its own: an object can be opened and closed under one address.
  void begin(const std::string& key, std::string name, std::string doing);
  int64_t end(const std::string& key);                      // under the lock; whole seconds
  void stay(std::string line, size_t most = kMostStaying);  // likewise; at most so many between two frames
  std::string take_staying();                               // likewise
  void paint_until_over();
  render::LiveStatus status(Clock::time_point now, size_t most_running);
  double rate(Clock::time_point now, size_t ended);

  Session& s_;
  review::WorkLog& work_;
  const size_t expected_;
  const Clock::time_point begun_;
  std::mutex lock_;
  std::condition_variable wake_, drawn_;
  std::map<uint64_t, Running> running_;  // by the order of their beginnings
  std::unordered_map<std::string, uint64_t> by_key_;
  uint64_t next_ = 0;
  std::deque<render::LiveOperation> failed_;  // the last ones
  size_t done_ = 0, failed_in_all_ = 0;
  std::string staying_;
  size_t staying_lines_ = 0, not_shown_ = 0;
  std::deque<std::pair<Clock::time_point, size_t>> lately_;  // how many had ended when
  bool over_ = false, drawing_ = false;
  LiveScreen screen_;  // of the painting thread
  std::thread painter_;
};

}  // namespace xplan::cmd

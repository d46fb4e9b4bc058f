// Patience: which calls on a plugin are under way, and whether it is to be killed because it answers none of
// them once the run is to end.
//
// Who calls it: Session, around each of its calls; the process's watcher asks ends(). Contract: after an
// interrupt a plugin has three seconds for each call, or five if it has answered the request to stop: then it
// should end its calls itself. One that makes a change is waited for. Once ends() was true no call begins any
// more, so none is killed that began in between. Cost: a lock for each call.  Thread-safety: any thread.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

namespace xplan::plugin {

class Patience {
 public:
  explicit Patience(const std::atomic<bool>* stop) : stop_(stop) {}
  static constexpr std::chrono::milliseconds kTime{3000};  // a request to stop gives up by then, too
  static constexpr std::chrono::milliseconds kTimeToEnd{5000};

  enum class Kind : unsigned char { Call, Change, Stop };
  // A call, for as long as it is under way; false: it must not be made.
  class UnderWay {
   public:
    UnderWay(Patience& patience, Kind kind);
    ~UnderWay();
    UnderWay(const UnderWay&) = delete;
    explicit operator bool() const { return begun_; }

   private:
    Patience& p_;
    const Kind kind_;
    bool begun_ = false;
  };
  void heard_stop();  // the plugin has answered the request to stop
  bool ends();

  enum class End : unsigned char { None, NotTold, Told, Heard };  // of the request to stop
  End end() const;

 private:
  const std::atomic<bool>* const stop_;
  mutable std::mutex mutex_;
  int under_way_[3] = {};  // of each kind
  bool stop_sent_ = false, heard_stop_ = false, over_ = false;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

}  // namespace xplan::plugin

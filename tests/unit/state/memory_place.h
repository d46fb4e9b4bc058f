// A server in memory, for the tests of stores above places: states, locks and segments that outlive runs, and
// runs that end before any of their calls.
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "core/state/place.h"

namespace xplan::store_test {

struct MemoryServer {
  std::mutex mutex;  // the lock is looked after from another thread
  std::optional<std::string> state;
  int version = 0;
  std::optional<LockInfo> lock;
  std::map<std::string, std::string> segments;
  bool expires = false;  // the lock, if nobody looks
  bool refuses_unlock = false;
  int lost_locks = 0;  // whose answer does not arrive
  int failing_gets = 0, gets = 0;
  int lost_puts = 0;  // that are carried out, although the run hears of a failure
  std::atomic<int> looks = 0;
  bool has_locks = true;
  bool refuses_put = false;                   // of the state
  std::string kept;                           // a segment that cannot be removed
  std::string list_problem;                   // why segments cannot be listed
  bool refuses_segments = false;              // they cannot be read
  bool unreadable = false;                    // the state, though its version is known
  bool stopped = false;                       // the run: what only asks ends
  bool tells = true;                          // whether a lock is still held
  std::atomic<bool> silent = false;           // nothing is heard of new segments while that lasts
  std::atomic<bool> silent_to_beats = false;  // of those, to what only shows that the run is at work
  std::atomic<int> lost_beats = 0;            // of that, how many more do not arrive
  std::atomic<int> waiting = 0;               // segments, for that
  std::atomic<bool> gone_in_use = false;      // a place, while a segment of it was under way
  std::atomic<bool> deaf = false;             // to what asks for the lock, or is to release it
  std::string refusal = "the server refuses";
  std::string segment_problem;  // why they cannot be written
};

// One run's way to the server. After `calls` calls the run is dead: nothing it asks for happens any more; and
// with `answer_lost` the last one happens, but nobody hears of it.
class MemoryPlace : public Place {
 public:
  explicit MemoryPlace(MemoryServer& s, int calls = INT_MAX, bool answer_lost = false)
      : s_(s), left_(calls), answer_lost_(answer_lost) {}
  ~MemoryPlace() override {
    if (s_.waiting > 0) s_.gone_in_use = true;
  }
  std::string name() const override { return "memory://state"; }
  Result<std::optional<Content>> get(Arrival*, bool always) override {
    ++s_.gets;
    if (s_.failing_gets > 0) return --s_.failing_gets, Error{"the server is away"};
    if (s_.stopped && !always) return Error{"it was interrupted"};
    if (s_.unreadable) return Error{"its parts do not fit"};
    return call<std::optional<Content>>([&]() -> std::optional<Content> {
      if (!s_.state) return std::nullopt;
      return Content{*s_.state, std::to_string(s_.version)};
    });
  }
  Result<std::optional<std::string>> version() override { return std::optional(std::to_string(s_.version)); }
  Result<bool> is_still(const std::optional<std::string>& version) override {
    if (s_.stopped) return interrupted();
    std::lock_guard guard(s_.mutex);
    return version == (s_.state ? std::optional(std::to_string(s_.version)) : std::nullopt);
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override {
    if (s_.refuses_put) return Error{"the server refuses"};
    Result<Put> done = call<Put>([&]() -> Put {
      const std::optional<std::string> there =
          s_.state ? std::optional(std::to_string(s_.version)) : std::nullopt;
      if (there != version) return {true, ""};
      s_.state = std::string(bytes);
      return {false, std::to_string(++s_.version)};
    });
    return s_.lost_puts > 0 && s_.lost_puts-- ? Result<Put>(Error{"the answer is lost"}) : done;
  }
  Result<Locking> try_lock(LockInfo& info) override {
    Result<Locking> tried = call<Locking>([&]() -> Locking {
      if (s_.lock && s_.lock->id != info.id) return {true, s_.lock, ""};
      s_.lock = info;
      return {};
    });
    if (tried && !tried->held && s_.lost_locks-- > 0) return Error{"the answer is lost"};
    if (tried && !tried->held) mine_ = info.id;
    return tried;
  }
  Result<void> unlock(Stop stop) override {
    while (s_.deaf && !xplan::stopped(stop)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (s_.deaf) return interrupted();
    if (s_.refuses_unlock) return Error{s_.refusal};
    return done(call<bool>([&] {
      if (s_.lock && s_.lock->id == mine_) s_.lock.reset();
      return true;
    }));
  }
  bool locks() const override { return s_.has_locks; }
  bool lock_expires() const override { return s_.expires; }
  Result<std::optional<bool>> still_held(Stop stop) override {
    ++s_.looks;
    while (s_.deaf && !xplan::stopped(stop)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (s_.deaf) return interrupted();
    std::lock_guard guard(s_.mutex);
    if (!s_.tells) return std::optional<bool>();
    return std::optional<bool>(s_.lock && s_.lock->id == mine_);
  }
  Result<std::optional<LockInfo>> holder(bool late) override {
    if ((s_.stopped && !late) || s_.deaf) return interrupted();
    return call<std::optional<LockInfo>>([&] { return s_.lock; });
  }
  Result<void> break_lock(const std::string&) override {
    return done(call<bool>([&] { return s_.lock.reset(), true; }));
  }
  bool keeps_segments() const override { return true; }
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    if (!s_.segment_problem.empty()) return Error{s_.segment_problem};
    const auto silent = [&] { return s_.silent || (how.once && s_.silent_to_beats); };
    if (silent()) {
      ++s_.waiting;
      while (silent() && !net::stopped(how)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --s_.waiting;
      if (silent()) return interrupted();
    }
    if (how.once && s_.lost_beats > 0 && s_.lost_beats--) return Error{"the server is away"};
    return done(call<bool>([&] { return s_.segments[name] = bytes, true; }));
  }
  Result<std::vector<std::string>> segments(bool) override {
    if (!s_.list_problem.empty()) return Error{s_.list_problem};
    return call<std::vector<std::string>>([&] {
      std::vector<std::string> out;
      for (const auto& [name, bytes] : s_.segments) out.push_back(name);
      return out;
    });
  }
  Result<std::string> get_segment(const std::string& name) override {
    if (s_.refuses_segments) return Error{"the server refuses"};
    std::lock_guard guard(s_.mutex);
    const auto it = s_.segments.find(name);
    if (it == s_.segments.end()) return Error{"there is no segment " + name};
    return it->second;
  }
  Result<void> remove_segment(const std::string& name) override {
    if (name == s_.kept) return Error{"the server refuses"};
    return done(call<bool>([&] { return s_.segments.erase(name), true; }));
  }

 private:
  template <class T, class F>
  Result<T> call(F what) {
    std::lock_guard guard(s_.mutex);
    if (left_ <= 0) return Error{"the run is dead"};
    if (--left_ == 0 && !answer_lost_) return Error{"the run is dead"};
    T out = what();
    if (left_ == 0) return Error{"the answer is lost"};
    return out;
  }
  static Result<void> done(const Result<bool>& r) { return r ? Result<void>() : Result<void>(r.error()); }

  MemoryServer& s_;
  int left_;
  const bool answer_lost_;
  std::string mine_;
};

}  // namespace xplan::store_test

// The thread pool and ready queue behind walk() and parallel_for(): starts nodes whose dependencies have
// ended, hands out their parts, skips what depends on a failure, and stops on request or exception.
#include "core/graph/walk.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <queue>
#include <thread>

namespace xplan {
namespace {

constexpr size_t kMaxThreads = 1024;
// How often who waits for a place looks whether the walk is to stop.
constexpr std::chrono::milliseconds kLook(50);

struct Ready {
  uint32_t depth, node;
  friend bool operator<(const Ready& a, const Ready& b) {  // the queue's top is the greatest
#ifdef XPLAN_STRESS
    auto mix = [](uint32_t n) { return n * 2654435761u; };
    return mix(a.node) < mix(b.node);
#else
    return a.depth != b.depth ? a.depth < b.depth : a.node > b.node;
#endif
  }
};

// Never allocates after it was made: what is done under the lock cannot fail.
class Queue : public std::priority_queue<Ready> {
 public:
  void reserve(size_t n) { c.reserve(n); }
};

class Walk : Pauses::Walker {
 public:
  Walk(const Graph& g, const WalkOptions& o, Visitor& v)
      : g_(g),
        visitor_(v),
        stop_(o.stop),
        halt_(o.halt),
        pauses_(o.pauses),
        limit_(std::clamp<size_t>(static_cast<size_t>(std::max(o.parallelism, 1)), 1, kMaxThreads)),
        max_threads_(pauses_ && limit_ > 1 ? std::min(limit_ * (1 + Pauses::kPausedEach), kMaxThreads)
                                           : limit_),
        waiting_(g.size()),
        depth_(g.size()),
        failed_(g.size()),
        open_(g.size()) {
    for (Queue* q : {&light_, &ready_, &parts_}) q->reserve(g.size());
    threads_.reserve(max_threads_);
  }

  ~Walk() {
    if (pauses_) pauses_->attach(nullptr);
  }

  WalkOutcome run() {
    if (pauses_) pauses_->attach(this);
    auto order = g_.topological_order();
    for (size_t i = order.size(); i-- > 0;)
      for (uint32_t d : g_.dependencies(order[i])) depth_[d] = std::max(depth_[d], depth_[order[i]] + 1);
    {
      Lock lock(mutex_);
      guarded(lock, [&] {
        for (uint32_t n = 0; n < g_.size(); ++n) {
          waiting_[n] = static_cast<uint32_t>(g_.dependencies(n).size());
          if (!waiting_[n]) queue_of(n).push({depth_[n], n});
        }
      });
      call_for_hands();
    }
    work();
    for (auto& t : threads_) t.join();
    outcome_.complete = settled_ == g_.size();
    return std::move(outcome_);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Open {  // a node that was begun and has parts
    uint32_t parts = 0, next = 0, running = 0;
  };

  // The thread that comes back goes before what has not begun.
  bool pause(bool begins) override {
    Lock lock(mutex_);
    if (limit_ == 1 || paused_ == limit_ * Pauses::kPausedEach) return false;
    ++paused_, beginning_ += begins;
    if (resuming_) resumes_.notify_one();
    if (!busy()) call_for_hands(0);
    return true;
  }
  void resume(bool begins) override {
    Lock lock(mutex_);
    ++resuming_;
    const auto free = [&] { return running_ - paused_ < limit_; };
    if (begins)  // not for a place where nothing begins any more, of which nobody tells
      while (!free() && !is_set(stop_) && !is_set(halt_)) resumes_.wait_for(lock, kLook);
    else
      resumes_.wait(lock, free);
    --resuming_, --paused_, beginning_ -= begins;
  }
  // What waits to begin is no more than could begin after what is at work now.
  bool busy() const {
    const size_t at_work = running_ - paused_;
    return at_work + resuming_ >= limit_ || at_work + beginning_ >= 3 * limit_;
  }

  Queue& queue_of(uint32_t n) { return visitor_.light(n) ? light_ : ready_; }
  static bool is_set(const std::atomic<bool>* flag) { return flag && flag->load(std::memory_order_relaxed); }
  bool stopping() { return stopped_ = stopped_ || is_set(stop_) || is_set(halt_); }
  static uint32_t take(Queue& q) {
    uint32_t n = q.top().node;
    q.pop();
    return n;
  }

  void work() {
    Lock lock(mutex_);
    for (;;) {
      const bool heavy = light_.empty() && light_running_ == 0;
      if (stopping()) {
        while (!parts_.empty() && !busy())  // else, whoever runs does it afterwards
          if (uint32_t n = take(parts_); !open_[n].running && open_[n].next < open_[n].parts) end(n, lock);
        break;
      }
      if (busy())
        wake_.wait(lock);
      else if (!light_.empty())
        visit(take(light_), true, lock);
      else if (heavy && !parts_.empty() && (ready_.empty() || ready_.top() < parts_.top()))
        run_part(parts_.top().node, lock);
      else if (heavy && !ready_.empty())
        visit(take(ready_), false, lock);
      else if (running_ == 0)
        break;
      else
        wake_.wait(lock);
    }
    wake_.notify_all();
  }

  // Runs something of the visitor's; false when it threw, which stops the walk. The lock is held afterwards.
  template <class F>
  bool guarded(Lock& lock, F f) {
    std::string thrown;
    bool memory = false;
    try {
      f();
    } catch (const std::bad_alloc&) {
      thrown = "out of memory", memory = true;  // short enough to need none
    } catch (const std::exception& e) {
      thrown = reason(e);
    } catch (...) {
      thrown = "unknown exception";
    }
    if (!lock) lock.lock();
    if (thrown.empty()) return true;
    if (outcome_.exception.empty()) outcome_.exception.swap(thrown), outcome_.out_of_memory = memory;
    stopped_ = true;
    return false;
  }
  static std::string reason(const std::exception& e) {
    try {
      return e.what();
    } catch (...) {
      return "out of memory";
    }
  }
  template <class F>
  bool run_unlocked(Lock& lock, F f) {
    ++running_;
    const bool ok = guarded(lock, [&] { lock.unlock(), f(); });
    --running_;
    if (resuming_) resumes_.notify_one();
    return ok;
  }

  void visit(uint32_t n, bool light, Lock& lock) {
    if (failed_[n]) {
      if (guarded(lock, [&] { visitor_.skipped(n); })) settle(n, true, lock);
      return;
    }
    light_running_ += light;
    size_t parts = 0;
    bool good = false, ok = run_unlocked(lock, [&] {
                         parts = visitor_.begin(n);
                         if (!parts) good = visitor_.end(n);
                       });
    light_running_ -= light;
    if (parts) {
      open_[n].parts = static_cast<uint32_t>(parts);
      parts_.push({depth_[n], n});
      unclaimed_ += parts;
      call_for_hands();
    } else if (ok) {
      settle(n, !good, lock);
    }
    if (light) wake_.notify_all();
  }

  void run_part(uint32_t n, Lock& lock) {
    Open& o = open_[n];
    uint32_t i = o.next++;
    ++o.running, --unclaimed_;
    if (o.next == o.parts) parts_.pop();
    run_unlocked(lock, [&] { visitor_.part(n, i); });
    if (--o.running == 0 && (o.next == o.parts || stopping())) end(n, lock);
  }

  void end(uint32_t n, Lock& lock) {
    const bool whole = std::exchange(open_[n].next, open_[n].parts) == open_[n].parts;
    bool good = false;
    if (run_unlocked(lock, [&] { good = visitor_.end(n); }) && whole) settle(n, !good, lock);
  }

  void settle(uint32_t n, bool failed, Lock& lock) {
    ++settled_;
    guarded(lock, [&] {
      for (uint32_t d : g_.dependents(n)) {
        if (failed && visitor_.blocks(n, d)) failed_[d] = true;
        if (--waiting_[d] == 0) queue_of(d).push({depth_[d], d});
      }
    });
    call_for_hands();
  }

  // Something may have become ready, of which the caller is going to take `mine` things by himself.
  void call_for_hands(size_t mine = 1) {
    const size_t startable = light_.size() + ready_.size() + unclaimed_;
    if (startable <= mine || stopping()) return;
    for (size_t i = std::min(startable - mine, limit_); i > 0; --i) wake_.notify_one();
    const size_t wanted = std::min({max_threads_, limit_ + paused_, running_ + startable});
    while (threads_.size() + 1 < wanted) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::exception&) {
        max_threads_ = threads_.size() + 1;  // those there are must do
        break;
      }
    }
  }

  const Graph& g_;
  Visitor& visitor_;
  const std::atomic<bool>*const stop_, *const halt_;
  Pauses* const pauses_;
  const size_t limit_;  // of calls that do not wait in a pause
  size_t max_threads_;
  std::vector<uint32_t> waiting_, depth_;
  std::vector<bool> failed_;
  std::vector<Open> open_;
  Queue light_, ready_, parts_;  // nodes to begin; nodes with parts that nobody has taken yet
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, resumes_;
  size_t settled_ = 0, unclaimed_ = 0, running_ = 0, light_running_ = 0;
  size_t paused_ = 0, beginning_ = 0, resuming_ = 0;  // of those that run; of those that are paused
  bool stopped_ = false;
  WalkOutcome outcome_;
};

struct PlainVisitor : Visitor {
  explicit PlainVisitor(const std::function<bool(uint32_t)>& f) : visit(f) {}
  bool end(uint32_t n) override { return visit(n); }
  const std::function<bool(uint32_t)>& visit;
};

struct PartsOfOne : Visitor {
  PartsOfOne(size_t n, const std::function<void(size_t)>& f) : parts(n), run(f) {}
  size_t begin(uint32_t) override { return parts; }
  void part(uint32_t, size_t i) override { run(i); }
  bool end(uint32_t) override { return true; }
  const size_t parts;
  const std::function<void(size_t)>& run;
};

}  // namespace

WalkOutcome walk(const Graph& g, const WalkOptions& options, Visitor& visitor) {
  return Walk(g, options, visitor).run();
}

WalkOutcome walk(const Graph& g, const WalkOptions& options, const std::function<bool(uint32_t)>& visit) {
  PlainVisitor v(visit);
  return walk(g, options, v);
}

WalkOutcome parallel_for(size_t n, const WalkOptions& options, const std::function<void(size_t)>& f) {
  Graph one(1);
  one.freeze();
  PartsOfOne v(n, f);
  return walk(one, options, v);
}

}  // namespace xplan

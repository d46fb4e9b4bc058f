#include "core/graph/walk.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

namespace xplan {
namespace {

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

class Walk {
 public:
  Walk(const Graph& g, const WalkOptions& o, const std::function<bool(uint32_t)>& visit,
       const std::function<void(uint32_t)>& skipped)
      : g_(g),
        options_(o),
        visit_(visit),
        skipped_(skipped),
        waiting_(g.size()),
        depth_(g.size()),
        failed_(g.size()) {}

  bool run() {
    auto order = g_.topological_order();
    for (size_t i = order.size(); i-- > 0;)
      for (uint32_t d : g_.dependencies(order[i])) depth_[d] = std::max(depth_[d], depth_[order[i]] + 1);
    for (uint32_t n = 0; n < g_.size(); ++n) {
      waiting_[n] = static_cast<uint32_t>(g_.dependencies(n).size());
      if (!waiting_[n]) queue_of(n).push({depth_[n], n});
    }
    left_ = order.size();
    int helpers = std::min<int>(options_.parallelism, static_cast<int>(g_.size())) - 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < helpers; ++i) threads.emplace_back([this] { work(); });
    work();
    for (auto& t : threads) t.join();
    return left_ == 0 && order.size() == g_.size();
  }

 private:
  std::priority_queue<Ready>& queue_of(uint32_t n) {
    return options_.light && options_.light(n) ? light_ready_ : ready_;
  }
  bool stopping() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      // Heavy nodes wait while a light one runs; light ones that are ready go first.
      while (running_ > 0 && left_ > 0 && light_ready_.empty() && (ready_.empty() || light_running_ > 0))
        wake_.wait(lock);
      bool light = !light_ready_.empty();
      if ((!light && ready_.empty()) || left_ == 0 || stopping()) break;
      auto& queue = light ? light_ready_ : ready_;
      uint32_t n = queue.top().node;
      queue.pop();
      bool failed = failed_[n];
      if (failed) {
        skipped_(n);
      } else {
        ++running_;
        light_running_ += light;
        lock.unlock();
        failed = !visit_(n);
        lock.lock();
        --running_;
        light_running_ -= light;
      }
      --left_;
      size_t woken = 0;
      for (uint32_t d : g_.dependents(n)) {
        if (failed && (!options_.blocks || options_.blocks(n, d))) failed_[d] = true;
        if (--waiting_[d] == 0) queue_of(d).push({depth_[d], d}), ++woken;
      }
      if (woken > 1 || left_ == 0 || running_ == 0 || light) wake_.notify_all();
    }
    wake_.notify_all();
  }

  const Graph& g_;
  const WalkOptions& options_;
  const std::function<bool(uint32_t)>& visit_;
  const std::function<void(uint32_t)>& skipped_;
  std::vector<uint32_t> waiting_, depth_;
  std::vector<bool> failed_;
  std::priority_queue<Ready> ready_, light_ready_;
  std::mutex mutex_;
  std::condition_variable wake_;
  size_t left_ = 0;
  int running_ = 0, light_running_ = 0;
};

}  // namespace

bool walk(const Graph& g, const WalkOptions& options, const std::function<bool(uint32_t)>& visit,
          const std::function<void(uint32_t)>& skipped) {
  return Walk(g, options, visit, skipped).run();
}

void parallel_for(size_t n, int parallelism, const std::function<void(size_t)>& f) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < n;) f(i);
  };
  std::vector<std::thread> threads;
  for (size_t t = 1; t < std::min<size_t>(n, static_cast<size_t>(std::max(1, parallelism))); ++t)
    threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
}

}  // namespace xplan

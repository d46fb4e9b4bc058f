// Runs jobs on a few threads and does what they tell in the order of the jobs.
#include "core/install/jobs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#include "core/base/threads.h"

namespace xplan::install {
namespace {

class Turns {
 public:
  explicit Turns(size_t jobs) : waiting_(jobs), ended_(jobs) {}

  void tell(size_t job, std::function<void()> f) {
    std::lock_guard lock(mutex_);
    job == turn_ ? f() : waiting_[job].push_back(std::move(f));
  }

  void end(size_t job) {
    std::lock_guard lock(mutex_);
    ended_[job] = true;
    while (turn_ < ended_.size() && ended_[turn_]) {
      if (++turn_ == ended_.size()) return;
      for (const std::function<void()>& f : waiting_[turn_]) f();
      waiting_[turn_].clear();
    }
  }

 private:
  std::mutex mutex_;
  size_t turn_ = 0;  // the first job that has not ended
  std::vector<std::vector<std::function<void()>>> waiting_;
  std::vector<bool> ended_;
};

}  // namespace

void run_jobs(size_t n, const std::function<void(size_t job, const Tell& tell)>& work) {
  Turns turns(n);
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> thrown(n);
  all_at_once(std::min(n, kMaxJobs), [&](size_t) {
    for (size_t job; (job = next.fetch_add(1)) < n;) {
      try {
        work(job, [&](std::function<void()> f) { turns.tell(job, std::move(f)); });
      } catch (...) {
        thrown[job] = std::current_exception();
      }
      try {
        turns.end(job);  // what the others tell is told all the same
      } catch (...) {
        if (!thrown[job]) thrown[job] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);
}

}  // namespace xplan::install

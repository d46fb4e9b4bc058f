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
  explicit Turns(size_t jobs) : waiting_(jobs), thrown_(jobs), ended_(jobs) {}

  void tell(size_t job, std::function<void()> f) {
    std::lock_guard lock(mutex_);
    if (thrown_[job]) return;
    job == turn_ ? f() : waiting_[job].push_back(std::move(f));
  }

  // `thrown`: by the job itself.
  void end(size_t job, std::exception_ptr thrown) {
    std::lock_guard lock(mutex_);
    ended_[job] = true;
    if (!thrown_[job]) thrown_[job] = std::move(thrown);
    while (turn_ < ended_.size() && ended_[turn_])
      if (++turn_ < ended_.size()) hear(turn_);
  }

  // When all have ended.
  void rethrow_first() const {
    for (const std::exception_ptr& e : thrown_)
      if (e) std::rethrow_exception(e);
  }

 private:
  // What a job has told so far. An exception there is as one of the job: the others are heard all the same.
  void hear(size_t job) {
    try {
      for (const std::function<void()>& f : waiting_[job]) f();
    } catch (...) {
      thrown_[job] = std::current_exception();
    }
    waiting_[job].clear();
  }

  std::mutex mutex_;
  size_t turn_ = 0;  // the first job that has not ended
  std::vector<std::vector<std::function<void()>>> waiting_;
  std::vector<std::exception_ptr> thrown_;  // by job
  std::vector<bool> ended_;
};

}  // namespace

void run_jobs(size_t n, const std::function<void(size_t job, const Tell& tell)>& work) {
  Turns turns(n);
  std::atomic<size_t> next{0};
  run_concurrently(std::min(n, kMaxJobs), [&](size_t) {
    for (size_t job; (job = next.fetch_add(1)) < n;) {
      std::exception_ptr thrown;
      try {
        work(job, [&](std::function<void()> f) { turns.tell(job, std::move(f)); });
      } catch (...) {
        thrown = std::current_exception();
      }
      turns.end(job, std::move(thrown));
    }
  });
  turns.rethrow_first();
}

}  // namespace xplan::install

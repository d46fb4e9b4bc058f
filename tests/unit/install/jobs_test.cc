// Jobs that run at once: how many there are, in which order they are heard, what they throw, and how they are
// interrupted. Values that are made once. Orders are forced by waiting for events, never by sleeping.
#include "core/install/jobs.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/hosts/once_map.h"
#include "core/install/run_program.h"

using namespace xplan::install;

namespace {

// Events by number. Who waits for one that never comes gives up, and the test fails.
class Events {
 public:
  void happen(size_t event) {
    std::lock_guard lock(mutex_);
    ++happened_[event];
    changed_.notify_all();
  }
  bool wait_for(size_t event, size_t times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return happened_[event] >= times; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, size_t> happened_;
};

std::string thrown_by(size_t jobs, const std::function<void(size_t, const Tell&)>& work) {
  try {
    run_jobs(jobs, work);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("jobs: as many run at once as may, and each runs once") {
  constexpr size_t kJobs = 5 * kMaxJobs;
  std::atomic<size_t> under_way{0}, most{0}, lonely{0};
  std::array<std::atomic<int>, kJobs> ran{};
  Events events;
  run_jobs(kJobs, [&](size_t job, const Tell&) {
    const size_t now = ++under_way;
    for (size_t m = most; now > m && !most.compare_exchange_weak(m, now);) {
    }
    ++ran[job];
    // Each waits for the others of its group, which only come when all of them run at once.
    events.happen(job / kMaxJobs);
    if (!events.wait_for(job / kMaxJobs, kMaxJobs)) ++lonely;
    --under_way;
  });
  CHECK(lonely == 0);
  CHECK(most == kMaxJobs);
  for (const std::atomic<int>& n : ran) CHECK(n == 1);
}

TEST_CASE("jobs: what they tell comes in their order, though they end in the opposite one") {
  std::vector<std::pair<size_t, int>> told;
  std::vector<size_t> ended;  // in the order of time
  std::mutex ending;
  Events over;
  std::atomic<bool> in_time{true};
  run_jobs(kMaxJobs, [&](size_t job, const Tell& tell) {
    tell([&told, job] { told.emplace_back(job, 0); });
    if (job + 1 < kMaxJobs && !over.wait_for(job + 1)) in_time = false;
    tell([&told, job] { told.emplace_back(job, 1); });
    {
      std::lock_guard lock(ending);
      ended.push_back(job);
    }
    over.happen(job);
  });
  CHECK(in_time);
  for (size_t i = 0; i < kMaxJobs; ++i) CHECK(ended[i] == kMaxJobs - 1 - i);
  REQUIRE(told.size() == 2 * kMaxJobs);
  for (size_t i = 0; i < told.size(); ++i) CHECK(told[i] == std::pair<size_t, int>(i / 2, i % 2));
}

TEST_CASE("jobs: the first one is heard while it runs, a later one when all before it have ended") {
  Events events;
  std::atomic<bool> first{false}, second{false}, in_time{true}, at_once{false}, early{false};
  run_jobs(2, [&](size_t job, const Tell& tell) {
    tell([&, job] { (job == 0 ? first : second) = true; });
    if (job == 1) {
      if (second) early = true;
      events.happen(0);
    } else {
      at_once = first.load();
      if (!events.wait_for(0)) in_time = false;
      if (second) early = true;
    }
  });
  CHECK(in_time);
  CHECK(at_once);
  CHECK_FALSE(early);
  CHECK(second);
  run_jobs(0, [](size_t, const Tell&) { FAIL("there is no job"); });
}

TEST_CASE("jobs: only one is heard at a time") {
  std::atomic<int> inside{0}, together{0};
  int count = 0;  // without a lock
  run_jobs(100, [&](size_t, const Tell& tell) {
    for (int i = 0; i < 20; ++i)
      tell([&] {
        if (++inside != 1) ++together;
        ++count;
        --inside;
      });
  });
  CHECK(together == 0);
  CHECK(count == 2000);
}

TEST_CASE("jobs: of several exceptions that of the first job comes out, when all others have ended") {
  std::vector<size_t> told;
  std::atomic<int> ended{0};
  Events thrown;
  const std::string what = thrown_by(20, [&](size_t job, const Tell& tell) {
    tell([&told, job] { told.push_back(job); });
    if (job == 3 && !thrown.wait_for(0)) throw std::runtime_error("nobody else has thrown");
    if (job == 6) thrown.happen(0);
    if (job == 3 || job == 6) throw std::runtime_error("of job " + std::to_string(job));
    ++ended;
  });
  CHECK(what == "of job 3");
  CHECK(ended == 18);
  REQUIRE(told.size() == 20);
  for (size_t i = 0; i < told.size(); ++i) CHECK(told[i] == i);
}

TEST_CASE("jobs: an exception in what one tells keeps nobody else from being heard") {
  // At once, and later, on the thread of another job.
  for (const size_t throws : {0, 2}) {
    std::vector<std::pair<size_t, int>> told;
    Events over;
    const std::string what = thrown_by(kMaxJobs, [&](size_t job, const Tell& tell) {
      if (job == 0) over.wait_for(0, kMaxJobs - 1);  // so that all the others wait for it
      tell([&told, job, throws] {
        if (job == throws) throw std::runtime_error("told by " + std::to_string(job));
        told.emplace_back(job, 0);
      });
      tell([&told, job] { told.emplace_back(job, 1); });
      if (job > 0) over.happen(0);
    });
    CHECK(what == "told by " + std::to_string(throws));
    std::vector<std::pair<size_t, int>> wanted;
    for (size_t i = 0; i < kMaxJobs; ++i)
      for (int part : {0, 1})
        if (i != throws) wanted.emplace_back(i, part);
    CHECK(told == wanted);
  }
}

TEST_CASE("jobs: told to stop, those that wait end, and those that come later do not begin") {
  constexpr size_t kJobs = 3 * kMaxJobs;
  std::atomic<bool> stop{false};
  std::atomic<size_t> begun{0}, ended{0};
  std::vector<size_t> told;
  run_jobs(kJobs, [&](size_t job, const Tell& tell) {
    tell([&told, job] { told.push_back(job); });
    if (stop) return;
    if (++begun == kMaxJobs) stop = true;
    const auto ran = run({"sleep", "100"}, {}, &stop);  // longer than this test may last
    if (ran && ran->code != 0) ++ended;
  });
  CHECK(begun == kMaxJobs);
  CHECK(ended == kMaxJobs);
  REQUIRE(told.size() == kJobs);
  for (size_t i = 0; i < kJobs; ++i) CHECK(told[i] == i);
}

TEST_CASE("once: each value is made exactly once, whoever asks, and stays where it is") {
  constexpr size_t kThreads = 8, kKeys = 500;
  xplan::hosts::OnceMap<std::string> map;
  std::array<std::atomic<int>, kKeys> made{};
  std::vector<std::vector<const std::string*>> got(kThreads, std::vector<const std::string*>(kKeys));
  Events ready;
  run_jobs(kThreads, [&](size_t thread, const Tell&) {
    ready.happen(0);
    ready.wait_for(0, kThreads);
    for (size_t i = 0; i < kKeys; ++i) {
      const size_t key = thread % 2 ? kKeys - 1 - i : i;  // from both ends
      got[thread][key] = &map.get(std::to_string(key), [&] {
        ++made[key];
        std::this_thread::yield();
        return "value " + std::to_string(key);
      });
    }
  });
  for (size_t key = 0; key < kKeys; ++key) {
    CHECK(made[key] == 1);
    for (size_t thread = 0; thread < kThreads; ++thread) CHECK(got[thread][key] == got[0][key]);
    CHECK(*got[0][key] == "value " + std::to_string(key));
  }
}

TEST_CASE("once: who wants another value does not wait, and making one may ask for others") {
  xplan::hosts::OnceMap<int> map;
  Events events;
  std::atomic<bool> in_time{true};
  run_jobs(2, [&](size_t job, const Tell&) {
    if (job == 0) {
      map.get("slow", [&] {
        events.happen(0);
        if (!events.wait_for(1)) in_time = false;  // the other is made meanwhile
        return 1 + map.get("inner", [] { return 10; });
      });
    } else {
      if (!events.wait_for(0)) in_time = false;
      map.get("quick", [] { return 2; });
      events.happen(1);
    }
  });
  CHECK(in_time);
  CHECK(map.get("slow", [] { return 0; }) == 11);
}

TEST_CASE("once: a value that could not be made is made by the next who asks") {
  xplan::hosts::OnceMap<int> map;
  CHECK_THROWS_AS(map.get("a", []() -> int { throw std::runtime_error("x"); }), std::runtime_error);
  CHECK(map.get("a", [] { return 1; }) == 1);
  CHECK(map.get("a", [] { return 2; }) == 1);
}

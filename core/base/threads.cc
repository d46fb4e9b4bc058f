// Starts helper threads where the system has threads to give, and does the work on the calling thread where
// it has not.
#include "core/base/threads.h"

#include <signal.h>

#include <system_error>
#include <vector>

#include "core/base/log.h"

namespace xplan {

std::thread optional_thread(std::function<void()> f) {
  try {
    return std::thread(std::move(f));
  } catch (const std::system_error& e) {
    log_line(LogLevel::Warn, "threads",
             std::string("failed to create a thread, continuing without it: ") + e.what());
    return {};
  }
}

void take_no_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

void run_concurrently(size_t n, const std::function<void(size_t)>& f) {
  std::vector<std::thread> threads;
  std::vector<size_t> left;
  threads.reserve(n);
  for (size_t i = 1; i < n; ++i) {
    threads.push_back(optional_thread([&f, i] { f(i); }));
    if (!threads.back().joinable()) threads.pop_back(), left.push_back(i);
  }
  if (n) f(0);
  for (size_t i : left) f(i);
  for (std::thread& t : threads) t.join();
}

}  // namespace xplan

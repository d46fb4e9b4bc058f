// Starts helper threads where the system has threads to give, and does the work on the calling thread where
// it has not.
#include "core/base/threads.h"

#include <signal.h>

#include <exception>
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
  std::vector<std::exception_ptr> thrown(n);
  threads.reserve(n);
  left.reserve(n);
  auto run = [&](size_t i) {
    try {
      f(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  for (size_t i = 1; i < n; ++i) {
    threads.push_back(optional_thread([&run, i] { run(i); }));
    if (!threads.back().joinable()) threads.pop_back(), left.push_back(i);
  }
  if (n) run(0);
  for (size_t i : left) run(i);
  for (std::thread& t : threads) t.join();
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);
}

}  // namespace xplan

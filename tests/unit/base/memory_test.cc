// The end of memory: the reserve is given back once, who is to stop hears of it, and the program says why it
// ends.
#include "core/base/memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "core/base/arrival.h"

using namespace xplan;

namespace {

// What a child that keeps a reserve does: its exit code, or 128 + the signal that ended it.
int ends(const std::function<void()>& f, std::string& said) {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe_ends[1], 2);
    keep_memory_reserve();
    f();
    ::_exit(77);
  }
  ::close(pipe_ends[1]);
  said.clear();
  char buffer[512];
  for (ssize_t n; (n = ::read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<size_t>(n));
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool throws_at_end_of_memory() {
  try {
    std::get_new_handler()();
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

void check(bool holds) {
  if (!holds) ::_exit(78);
}

}  // namespace

TEST_CASE("memory: with nobody to stop, its end is an exception") {
  std::string said;
  CHECK(ends([] { check(!memory_ended() && throws_at_end_of_memory() && memory_ended()); }, said) == 77);
  CHECK(said.empty());
}

TEST_CASE("memory: who is to stop hears of its end, and each thread may try once more") {
  std::string said;
  const auto run = [] {
    std::atomic<bool> stop{false};
    stop_at_end_of_memory(&stop);
    check(!throws_at_end_of_memory() && stop && memory_ended());
    check(throws_at_end_of_memory());
    std::thread other([] { check(!throws_at_end_of_memory() && throws_at_end_of_memory()); });
    other.join();
    stop_at_end_of_memory(nullptr);
    std::thread last([] { check(throws_at_end_of_memory()); });
    last.join();
  };
  CHECK(ends(run, said) == 77);
  CHECK(said.empty());
}

TEST_CASE("memory: where its end ends the program, that is said") {
  const auto in_a_thread = [] { std::thread([] { throw std::bad_alloc(); }).join(); };
  std::vector<std::function<void()>> all = {in_a_thread, exit_without_memory};
#ifndef __SANITIZE_THREAD__  // which sets errno to a number of its own around handlers of signals
  all.emplace_back([] { errno = ENOMEM, std::abort(); });  // as libraries do
#endif
  for (const std::function<void()>& f : all) {
    std::string said;
    CHECK(ends(f, said) == 1);
    CHECK(said.find("Out of memory") != std::string::npos);
  }
  std::string said;
  CHECK(ends([] { errno = 0, std::abort(); }, said) == 128 + SIGABRT);
  CHECK(said.empty());
}

TEST_CASE("memory: what is taken is freed like what malloc gives") {
  void* memory = take_memory(100);
  REQUIRE(memory);
  std::free(memory);
}

TEST_CASE("memory: an offer to be fast does not spend the reserve") {
  std::string said;
  CHECK(ends(
            [] {
              std::atomic<bool> stop{false};
              stop_at_end_of_memory(&stop);
              Arrival arrival([] {});
              arrival.begin(uint64_t{1} << 50);
              bool last = false;
              check(arrival.wait(0, last) == 0 && last);
              check(!memory_ended() && !stop);
            },
            said) == 77);
}

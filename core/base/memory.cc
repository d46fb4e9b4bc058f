// The handlers for running out of memory: of operator new, of exceptions that nobody catches, and of
// libraries that abort. None of them may need memory.
#include "core/base/memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>

namespace xplan {
namespace {

// Enough to finish what is under way and to write a large state.
constexpr size_t kReserve = size_t{64} << 20;

std::atomic<void*> g_reserve{nullptr};
std::atomic<std::atomic<bool>*> g_stop{nullptr};
std::atomic<bool> g_ended{false};
std::mutex g_releasing;
thread_local bool g_tried_again = false;

// Who gets here while another thread releases it waits for that: what he tries again would fail as well.
void release_reserve() {
  std::lock_guard guard(g_releasing);
  if (void* reserve = g_reserve.exchange(nullptr)) munmap(reserve, kReserve);
}

// Of operator new: on return it tries again. Several threads may get here before one of them has released the
// reserve.
void on_end_of_memory() {
  g_ended = true;
  release_reserve();
  std::atomic<bool>* stop = g_stop;
  if (!stop || g_tried_again) throw std::bad_alloc();
  g_tried_again = true;
  stop->store(true);
}

void on_terminate() {
  try {
    if (const std::exception_ptr e = std::current_exception()) std::rethrow_exception(e);
  } catch (const std::bad_alloc&) {
    exit_without_memory();
  } catch (...) {
  }
  std::abort();
}

// Libraries in C abort when malloc() gives nothing, which leaves its reason in errno.
void on_abort(int) {
  if (errno == ENOMEM) exit_without_memory();
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);  // somebody else may have sent it
}

}  // namespace

void keep_memory_reserve() {
  void* memory = mmap(nullptr, kReserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) g_reserve = memory;
  std::set_new_handler(on_end_of_memory);
  std::set_terminate(on_terminate);
  signal(SIGABRT, on_abort);
}

void stop_at_end_of_memory(std::atomic<bool>* stop) {
  g_stop = stop;
}

bool memory_ended() {
  return g_ended;
}

void exit_without_memory() {
  constexpr std::string_view kText =
      "\nError: Out of memory\n\nThere was not enough memory to continue, so the program exited. If it "
      "was\napplying a plan, the finished changes are recorded, and the next run will\npick them up. Make "
      "more memory available and run it again.\n";
  (void)!write(2, kText.data(), kText.size());
  _exit(1);
}

bool has_memory(size_t size) {
  const size_t all = size + kReserve;
  void* memory = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, all) == 0;
}

void* take_memory(size_t size) {
  for (;;) {
    if (void* memory = std::malloc(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

}  // namespace xplan

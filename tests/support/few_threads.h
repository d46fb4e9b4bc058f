// While one lives, only so many threads can be made, as on a machine that is short of them. The program gets
// a pthread_create of its own for it, so include this in one file of a program only.
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <atomic>

namespace xplan::test {

inline std::atomic<int> threads_left{-1};  // below zero: as many as there are

struct FewThreads {
  explicit FewThreads(int n) { threads_left = n; }
  ~FewThreads() { threads_left = -1; }
};

}  // namespace xplan::test

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*f)(void*), void* of) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const Create create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  int left = xplan::test::threads_left;
  while (left > 0 && !xplan::test::threads_left.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0 ? EAGAIN : create(thread, how, f, of);
}

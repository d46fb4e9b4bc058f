// LazyArray: a large array of zeroed pointers whose memory is touched only where it is used.
//
// Who calls it: the process-wide tables (symbols, types, module paths), which reserve room for millions of
// chunks. Why not new T*[n](): that writes zeros to every page at start-up; calloc takes untouched pages from
// the system, so a command that uses little starts in a millisecond. Invariant: all-zero bytes are a null
// atomic pointer.  Cost: one system call.  Thread-safety: that of the elements.
#pragma once
#include <atomic>
#include <cstdlib>

#include "core/base/memory.h"

namespace xplan {

template <class T>
class LazyArray {
 public:
  explicit LazyArray(size_t n)
      : data_(static_cast<std::atomic<T*>*>(std::calloc(n, sizeof(std::atomic<T*>)))) {
    if (!data_) exit_without_memory();
  }
  ~LazyArray() { std::free(data_); }
  LazyArray(const LazyArray&) = delete;
  LazyArray& operator=(const LazyArray&) = delete;
  std::atomic<T*>& operator[](size_t i) { return data_[i]; }
  const std::atomic<T*>& operator[](size_t i) const { return data_[i]; }

 private:
  std::atomic<T*>* data_;
};

}  // namespace xplan

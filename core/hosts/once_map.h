// OnceMap: values by name, each made once, by whoever asks for it first; others wait until it is there.
//
// Who calls it: service discovery, module registries, the installation of modules: what several jobs need is
// asked of a server once. Invariant: a value never changes or moves; one whose making threw is made by the
// next who asks.  Cost: one search; making a value keeps only those waiting who want the same one.
// Thread-safety: any thread; making one may ask for others, but never in a circle.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace xplan::hosts {

template <class T>
class OnceMap {
 public:
  template <class Make>
  const T& get(const std::string& name, const Make& make) {
    Slot& s = slot(name);
    std::lock_guard lock(s.mutex);
    if (!s.value) s.value.emplace(make());
    return *s.value;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<T> value;
  };
  Slot& slot(const std::string& name) {
    std::lock_guard lock(mutex_);
    return slots_[name];
  }
  std::mutex mutex_;
  std::map<std::string, Slot> slots_;
};

}  // namespace xplan::hosts

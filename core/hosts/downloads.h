// Downloads: how far all downloads to files have come that are under way at the same time.
//
// Who calls it: http.cc, for Http::progress.
// Contract: what was downloaded since none was under way is one sum, whose total is 0 while one of its parts
// is not known; zeros when the last one has ended. Progress is told by one thread at a time. Cost: a look at
// each download under way.  Thread-safety: any thread; a download is known by an address of its own.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

namespace xplan::hosts {

class Downloads {
 public:
  using Progress = std::function<void(uint64_t done, uint64_t total)>;
  void begin(const void* download);
  void at(const void* download, uint64_t done, uint64_t total, const Progress& progress);
  void end(const void* download, const Progress& progress);

 private:
  struct Count {
    uint64_t done = 0, total = 0;
  };
  std::mutex mutex_;
  std::map<const void*, Count> under_way_;
  Count ended_;
};

}  // namespace xplan::hosts

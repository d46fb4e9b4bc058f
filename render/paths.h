// Paths: a set of paths, looked at from a place inside a value.
//
// Who calls it: the differ, for what forces a replacement and for what matters in drift.
// Cost: a step copies what is left of the set, which is small; the empty set costs nothing.
// Thread-safety: plain data; the paths it was made of must outlive it.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/value/path.h"

namespace xplan::render {

class Paths {
 public:
  Paths() = default;
  explicit Paths(const std::vector<Path>& paths);
  bool here() const;  // a path ends here
  bool any() const { return !rest_.empty(); }
  bool inside() const;  // a path goes on below here
  Paths at(std::string_view key) const;
  Paths at(size_t index) const;
  void keep_below(bool on) { keep_below_ = on; }  // a path that ended covers everything below it

 private:
  template <class Same>
  Paths below(Same same) const;  // of the paths whose next step is the same
  struct Rest {
    const Path* path;
    size_t from;
  };
  std::vector<Rest> rest_;
  bool keep_below_ = false;
};

}  // namespace xplan::render

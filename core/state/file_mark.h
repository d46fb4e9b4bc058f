// FileMark: whether a file still contains what was read from it.
//
// Who calls it: local_store.cc, before it replaces a state: whoever writes one without its lock is noticed.
// Contract: where there is nothing by now, nothing can be lost, and what is no regular file has no content:
// the same, both. Cost: a look at the file as long as nobody has touched it, else reading it.  Thread-safety:
// one thread.
#pragma once
#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan {

class FileMark {
 public:
  // Before it is read.
  void look(const std::string& path);
  // What was read after that. Of what was written, without a look before.
  void content(std::string_view bytes);
  void written(std::string_view bytes) { look_.reset(), content(bytes); }
  Result<bool> same(const std::string& path) const;

 private:
  struct Look {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    int64_t modified = 0, changed = 0;  // nanoseconds
    bool operator==(const Look&) const = default;
  };
  static std::optional<Look> look_at(const std::string& path);
  std::optional<Look> look_;  // nothing: only the content tells
  uint64_t digest_ = 0;
};

}  // namespace xplan

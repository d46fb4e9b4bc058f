// SHA-256 of large files, remembered between commands.
//
// Who calls it: the schema cache, and the check of installed packages before they may run.
// Contract: what was found for a file holds while device, inode, size and both times (modification and
// change, in nanoseconds) are the same; a file changed within the last two seconds is not remembered, as it
// could change once more within the resolution of the clock. Notes are small files, written atomically;
// failures to write are nobody's concern. Cost: a stat and a small read, or reading the file.  Thread-safety:
// any thread, any number of processes.
#pragma once
#include <string>

#include "core/base/result.h"

namespace xplan::plugin {

class FileHashes {
 public:
  explicit FileHashes(std::string dir) : dir_(std::move(dir)) {}  // empty: remembers nothing
  Result<std::string> sha256(const std::string& path) const;      // hexadecimal

 private:
  std::string dir_;
};

}  // namespace xplan::plugin

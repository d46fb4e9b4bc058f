// Which types of resources store data that is lost when an object is destroyed: databases, disks, buckets,
// keys.
//
// Who calls it: review/summary.h; cmd, for those whose types the built-in table does not have.
// Contract: a pattern is a type, or its beginning followed by "*"; the last pattern that fits decides, and
// "!" before it takes types out again. Cost: a binary search for built-in types, linear in the patterns
// that were added. Thread-safety: const functions from any thread.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan::review {

class DataTypes {
 public:
  bool hold(std::string_view type) const;
  // Lines of a file: a pattern each; empty lines and what follows "#" are skipped. The error names the line.
  Result<void> add_lines(std::string_view text);

 private:
  struct Pattern {
    std::string type;
    bool prefix = false, holds = true;
  };
  std::vector<Pattern> added_;
};

}  // namespace xplan::review

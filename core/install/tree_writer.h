// TreeWriter: makes files, directories and links below one directory, and never anywhere else.
//
// Who calls it: archive.cc.
// Contract: names are relative, in normal form, without ".." (what ArchiveReader gives). Each directory on
// the way is opened by its name alone in the one above it, and not if it is a link: so nothing leads out,
// whatever is or comes into the tree meanwhile. What exists already is never opened, replaced or followed.
// File modes are 0644 or 0755 less the umask. Errors are sentences. Cost: one or two system calls for a name
// beside the last one. Thread-safety: one thread. Why not openat2 with RESOLVE_BENEATH: kernels and
// containers without it would need this way as well, and a tree that is written in order seldom opens more
// than the last part of a name.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace xplan::install {

class TreeWriter {
 public:
  // `dir` exists; with `max_entries` files, directories and links it is full.
  TreeWriter(const std::string& dir, uint64_t max_entries);
  ~TreeWriter();
  TreeWriter(const TreeWriter&) = delete;

  Result<void> directory(const std::string& name);
  Result<void> begin_file(const std::string& name, bool executable);
  Result<void> write(std::string_view bytes);                                  // into the file that was begun
  Result<void> end_file();                                                     // does nothing without one
  Result<void> hard_link(const std::string& name, const std::string& target);  // to a file of the tree
  // As it is: what `target` leads to is the caller's business.
  Result<void> symbolic_link(const std::string& name, const std::string& target);
  bool exists(const std::string& name);  // not by way of links

 private:
  Result<int> open_directory(std::string_view name, bool make);
  Result<int> open_parent(std::string_view name, bool make);
  Result<void> count();
  Error failed(std::string_view name, int code) const;

  const uint64_t max_entries_;
  uint64_t entries_ = 0;
  int root_ = -1, file_ = -1, root_error_ = 0;
  std::string file_name_;
  std::vector<std::pair<std::string, int>> open_;  // the directories on the way to the last name
};

}  // namespace xplan::install

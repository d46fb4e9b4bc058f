// Puts packages where they belong: complete or not at all, with any number of others doing the same.
//
// Who calls it: provider_install.cc, module_install.cc, `providers mirror`.
// Contract: a package is made in a temporary directory beside its final place and renamed; whatever was there
// before is exchanged in one step where the system can do that. A failure leaves nothing behind; what a
// killed process left is removed a day later. Temporary names begin with a dot, which readers of such
// directories skip. Cost: renames.  Thread-safety: all functions, between processes too.
#pragma once
#include <string>

#include "core/base/result.h"

namespace xplan::install {

// A directory that is removed with everything in it, unless it was moved away.
class TemporaryDir {
 public:
  // Beside `final`, whose parent directories are made.
  static Result<TemporaryDir> beside(const std::string& final);
  TemporaryDir(TemporaryDir&& o) noexcept : path_(std::move(o.path_)) { o.path_.clear(); }
  TemporaryDir& operator=(TemporaryDir&&) = delete;
  ~TemporaryDir();
  const std::string& path() const { return path_; }
  // Becomes `final`, replacing what is there.
  Result<void> move_to(const std::string& final);

 private:
  explicit TemporaryDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// `final` becomes a link to `target`, replacing what is there.
Result<void> place_link(const std::string& target, const std::string& final);
void remove_all(const std::string& path);
// The empty directories on the way from `path` up to `top`, with it.
void remove_empty_dirs(const std::string& path, const std::string& top);
Result<void> make_dirs(const std::string& path);

}  // namespace xplan::install

// Puts packages where they belong: complete or not at all, with any number of others doing the same.
//
// Who calls it: provider_install.cc, module_install.cc, `providers mirror`.
// Contract: a package is made in a temporary directory beside its final place and renamed; whatever was there
// before is exchanged in one step where the system can do that. A failure leaves nothing behind; what a
// killed process left is removed a day later. Temporary names begin with a dot, which readers of such
// directories skip. Cost: renames.  Thread-safety: all functions, between processes too.
#pragma once
#include <chrono>
#include <set>
#include <string>

#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::install {

// A directory that is removed with everything in it, unless it was moved away.
class TemporaryDir {
 public:
  // Beside `final`, whose parent directories are made. Once `stop` is true, its removal ends after seconds:
  // what is left is removed a day later.
  static Result<TemporaryDir> beside(const std::string& final, Stop stop = nullptr);
  TemporaryDir(TemporaryDir&& o) noexcept : path_(std::move(o.path_)), stop_(o.stop_) { o.path_.clear(); }
  TemporaryDir& operator=(TemporaryDir&&) = delete;
  ~TemporaryDir();
  const std::string& path() const { return path_; }
  // Becomes `final`, replacing what is there.
  Result<void> move_to(const std::string& final);

 private:
  TemporaryDir(std::string path, Stop stop) : path_(std::move(path)), stop_(stop) {}
  std::string path_;
  Stop stop_;
};

// `final` becomes a link to `target`, replacing what is there.
Result<void> place_link(const std::string& target, const std::string& final);
// What is in `from` comes into `to`, links as links; names in `without` of its top are left out.
Result<void> copy_tree(const std::string& from, const std::string& to, Stop stop = nullptr,
                       const std::set<std::string>& without = {});
// Undoes a copy_tree() into a directory that was empty but for the directory `kept`.
void remove_copy(const std::string& from, const std::string& to, const std::string& kept,
                 const std::set<std::string>& without = {});
// Whether `path` is the directory `kept`, or nothing but the way to it.
bool is_way_to(const std::string& path, const std::string& kept);
void remove_all(const std::string& path);
// Likewise; a time after `stop` has become true, the rest is left.
void remove_all(const std::string& path, Stop stop, std::chrono::milliseconds patience);
// The empty directories on the way from `path` up to `top`, with it.
void remove_empty_dirs(const std::string& path, const std::string& top);
Result<void> make_dirs(const std::string& path);

}  // namespace xplan::install

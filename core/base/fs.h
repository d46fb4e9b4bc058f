// Fs: the file system as the engine sees it: the real one, an in-memory one (tests), or a plan file's
// snapshot.
//
// Who calls it: config loading and variable files; the state stores use write_atomic. Functions of the
// language that read files stay on the real one. Contract: errors are sentences that name the path. list()
// gives the names of everything but directories, sorted by bytes. Paths use '/'; clean_path and join_path are
// lexical only (links are not followed) and never empty. write_atomic survives a crash at any moment: readers
// see the old content or the new, never a part. Cost: one system call each, no caching.  Thread-safety: const
// functions may run concurrently.
#pragma once
#include <atomic>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan {

class Fs {
 public:
  virtual ~Fs() = default;
  virtual Result<std::string> read(const std::string& path) const = 0;  // regular files; /dev/null is empty
  virtual Result<std::vector<std::string>> list(const std::string& dir) const = 0;  // names of files, sorted
  virtual bool is_dir(const std::string& path) const = 0;
  virtual bool exists(const std::string& path) const = 0;
};

Fs& real_fs();

class MemoryFs : public Fs {
 public:
  std::map<std::string, std::string> files;  // path as asked for, "./" prefixes removed
  Result<std::string> read(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& dir) const override;
  bool is_dir(const std::string& path) const override;
  bool exists(const std::string& path) const override;
};

// A file that the user names: a pipe (as <(…) of a shell gives one) or a device as well. Waits for whoever
// writes into it, until `stop` is set.
Result<std::string> read_given(const std::string& path, const std::atomic<bool>* stop);

// Durable file operations. write_atomic: temporary file beside it, fsync, rename, fsync of the directory.
// What is there and no file (a device, a pipe) is written to as it is.
Result<void> write_atomic(const std::string& path, std::string_view data, int mode = 0644);
std::string join_path(std::string_view dir,
                      std::string_view name);  // "./a" → "a" normal form, lexically cleaned
std::string clean_path(std::string_view path);

}  // namespace xplan

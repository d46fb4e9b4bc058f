// SHA-256 of plugin executables with a small file per (device, inode, size, times), so that an unchanged
// file is not read again.
#include "core/provider/plugin/file_hashes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>

#include "core/base/digest.h"
#include "core/base/fs.h"

namespace xplan::plugin {
namespace {

constexpr int kSettled = 2;  // seconds after which a file's times tell it apart from what it becomes

bool is_hash(std::string_view s) {
  return s.size() == 64 && s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<std::string> FileHashes::sha256(const std::string& path) const {
  struct stat s;
  if (dir_.empty() || stat(path.c_str(), &s) != 0) return sha256_file(path);
  std::string note =
      join_path(dir_, fmt::format("program-{:x}-{:x}-{:x}-{:x}.{:x}-{:x}.{:x}", s.st_dev, s.st_ino, s.st_size,
                                  s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_ctim.tv_sec, s.st_ctim.tv_nsec));
  if (Result<std::string> known = real_fs().read(note); known && is_hash(*known)) return known;
  Result<std::string> hash = sha256_file(path);
  if (!hash || std::time(nullptr) - s.st_ctim.tv_sec <= kSettled) return hash;
  std::error_code ignored;
  std::filesystem::create_directories(dir_, ignored);
  (void)write_atomic(note, *hash).ok();
  return hash;
}

}  // namespace xplan::plugin

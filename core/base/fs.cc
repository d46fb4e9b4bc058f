// The real file system (reading, listing), the in-memory one for tests, atomic replacement of files
// (temporary file, fsync, rename, fsync of the directory), and lexical path cleaning and joining.
#include "core/base/fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/fs_internal.h"

namespace xplan {
namespace {

bool is_null_device(const struct stat& st) {
  return S_ISCHR(st.st_mode) && st.st_rdev == ::makedev(1, 3);
}

constexpr size_t kMaxPiped = size_t{256} << 20;  // of what has no size

class RealFs : public Fs {
 public:
  Result<std::string> read(const std::string& path) const override {
    if (has_zero(path)) return Error{"cannot open a path that contains a NUL character"};
    // O_NONBLOCK: opening a named pipe that nobody writes to must not hang.
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0) return system_error("open", path, errno);
    struct stat st;
    if (::fstat(fd.get(), &st) != 0) return system_error("examine", path, errno);
    if (S_ISDIR(st.st_mode)) return Error{"cannot read \"" + path + "\": it is a directory"};
    if (is_null_device(st)) return std::string();
    if (!S_ISREG(st.st_mode)) return Error{"cannot read \"" + path + "\": it is not a regular file"};
    std::string out;
    // Sizes of files in /proc are 0, so the size is only a hint.
    size_t filled = 0;
    out.resize(static_cast<size_t>(st.st_size) + 1);
    for (;;) {
      if (filled == out.size()) out.resize(out.size() * 2 + 4096);
      ssize_t n = ::read(fd.get(), out.data() + filled, out.size() - filled);
      if (n < 0) {
        if (errno == EINTR) continue;
        return system_error("read", path, errno);
      }
      if (n == 0) break;
      filled += static_cast<size_t>(n);
    }
    out.resize(filled);
    return out;
  }

  Result<std::vector<std::string>> list(const std::string& dir) const override {
    if (has_zero(dir)) return Error{"cannot open a path that contains a NUL character"};
    DIR* d = ::opendir(dir.empty() ? "." : dir.c_str());
    if (!d) return system_error("open the directory", dir, errno);
    std::vector<std::string> names;
    while (struct dirent* e = ::readdir(d)) {
      std::string_view name = e->d_name;
      if (name == "." || name == "..") continue;
      unsigned char type = e->d_type;
      if (type == DT_LNK || type == DT_UNKNOWN) {
        struct stat st;
        // A dangling link is listed: whoever reads it reports what is wrong with it.
        if (::fstatat(::dirfd(d), e->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode)) type = DT_DIR;
      }
      if (type != DT_DIR) names.emplace_back(name);
    }
    ::closedir(d);
    std::sort(names.begin(), names.end());
    return names;
  }

  bool is_dir(const std::string& path) const override {
    struct stat st;
    return !has_zero(path) && ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
  }

  bool exists(const std::string& path) const override {
    struct stat st;
    return !has_zero(path) && ::stat(path.c_str(), &st) == 0;
  }
};

}  // namespace

Fs& real_fs() {
  static RealFs fs;
  return fs;
}

Result<std::string> read_given(const std::string& path, const std::atomic<bool>* stop) {
  struct stat st;
  if (has_zero(path) || ::stat(path.c_str(), &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
    return real_fs().read(path);
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (fd.get() < 0) return system_error("open", path, errno);
  std::string out;
  char buffer[65536];
  for (;;) {
    if (stop && stop->load()) return Error{"reading \"" + path + "\" was interrupted"};
    // A signal may reach another thread, so the wait ends by itself to look at `stop`.
    struct pollfd wait = {fd.get(), POLLIN, 0};
    if (::poll(&wait, 1, 100) <= 0) continue;
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n == 0) return out;
    if (n < 0 && errno != EINTR && errno != EAGAIN) return system_error("read", path, errno);
    if (n > 0) out.append(buffer, static_cast<size_t>(n));
    if (out.size() > kMaxPiped)
      return Error{"cannot read \"" + path + "\": it is not a regular file and returned more than 256 MiB"};
  }
}

Result<std::string> MemoryFs::read(const std::string& path) const {
  auto it = files.find(clean_path(path));
  if (it == files.end()) {
    return Error{is_dir(path) ? "cannot read \"" + path + "\": it is a directory"
                              : "cannot open \"" + path + "\": no such file or directory"};
  }
  return it->second;
}

Result<std::vector<std::string>> MemoryFs::list(const std::string& dir) const {
  if (!is_dir(dir)) return Error{"cannot open the directory \"" + dir + "\": no such file or directory"};
  std::string prefix = clean_path(dir);
  prefix = prefix == "." ? "" : prefix + "/";
  std::vector<std::string> names;
  for (auto it = files.lower_bound(prefix); it != files.end() && it->first.starts_with(prefix); ++it) {
    std::string_view rest = std::string_view(it->first).substr(prefix.size());
    if (rest.find('/') == std::string_view::npos) names.emplace_back(rest);
  }
  return names;
}

bool MemoryFs::is_dir(const std::string& path) const {
  std::string clean = clean_path(path);
  if (clean == ".") return true;
  auto it = files.lower_bound(clean + "/");
  return it != files.end() && it->first.starts_with(clean + "/");
}

bool MemoryFs::exists(const std::string& path) const {
  return files.count(clean_path(path)) || is_dir(path);
}

std::string clean_path(std::string_view path) {
  const bool rooted = !path.empty() && path[0] == '/';
  std::vector<std::string_view> parts;
  for (size_t i = 0; i <= path.size();) {
    size_t slash = std::min(path.find('/', i), path.size());
    std::string_view part = path.substr(i, slash - i);
    i = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!rooted) {
      parts.push_back(part);
    }
  }
  std::string out = rooted ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i) out += '/';
    out += parts[i];
  }
  return out.empty() ? "." : out;
}

std::string join_path(std::string_view dir, std::string_view name) {
  if (name.starts_with('/')) return clean_path(name);
  if (dir.empty()) return clean_path(name);
  return clean_path(std::string(dir) + "/" + std::string(name));
}

}  // namespace xplan

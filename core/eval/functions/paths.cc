// Path resolution (base directory, "~", cleaning), relative and absolute paths, and reading files for the
// functions of the language; only regular files and the null device are read.
#include "core/eval/functions/paths.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/base/fs.h"
#include "core/base/system_text.h"
#include "core/base/text.h"
#include "core/eval/limits.h"

namespace xplan::eval {

namespace {

std::string home_directory() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  std::vector<char> buffer(16384);
  passwd entry, *found = nullptr;
  if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_dir;
  return {};
}

// As the shell shows it, links and all, where that is still true.
std::string working_directory() {
  struct stat here, there;
  const char* pwd = std::getenv("PWD");
  if (pwd && *pwd == '/' && stat(pwd, &there) == 0 && stat(".", &here) == 0 && here.st_dev == there.st_dev &&
      here.st_ino == there.st_ino) {
    return pwd;
  }
  char buffer[PATH_MAX];
  return getcwd(buffer, sizeof buffer) ? buffer : ".";
}

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

bool expand_home(std::string_view path, std::string& out, std::string& why) {
  if (!path.starts_with('~')) {
    out = path;
    return true;
  }
  if (path.size() > 1 && path[1] != '/' && path[1] != '\\') {
    why = "the home directory of another user cannot be looked up: only \"~\" and \"~/…\" are supported";
    return false;
  }
  std::string home = home_directory();
  if (home.empty()) {
    why = "the home directory is not known: the environment variable HOME is not set";
    return false;
  }
  out = clean_path(home + "/" + std::string(path.substr(1)));
  return true;
}

bool resolve_path(std::string_view base_dir, std::string_view path, std::string& out, std::string& why) {
  if (path.find('\0') != std::string_view::npos) {
    why = "the path contains a NUL character";
    return false;
  }
  std::string expanded;
  if (!expand_home(path, expanded, why)) return false;
  out = join_path(base_dir, expanded);
  return true;
}

std::string absolute_path(std::string_view base_dir, std::string_view path) {
  std::string at = join_path(base_dir, path);
  return at[0] == '/' ? at : join_path(working_directory(), at);
}

bool relative_path(std::string_view base, std::string_view target, std::string& out) {
  out.clear();
  if (base == ".") base = {};
  if (target == ".") target = {};
  size_t same = 0;  // length of the common part, whole names only
  for (size_t i = 0;; i++) {
    bool base_end = i == base.size() || base[i] == '/', target_end = i == target.size() || target[i] == '/';
    if (base_end && target_end) same = i;
    if (i >= base.size() || i >= target.size() || base[i] != target[i]) break;
  }
  std::string_view up = base.substr(same), down = target.substr(same);
  auto skip_slash = [](std::string_view& s) {
    if (s.starts_with('/')) s.remove_prefix(1);
  };
  skip_slash(up), skip_slash(down);
  while (!up.empty()) {
    size_t end = std::min(up.find('/'), up.size());
    if (up.substr(0, end) == "..") return false;
    out += out.empty() ? ".." : "/..";
    up.remove_prefix(end);
    skip_slash(up);
  }
  if (!down.empty()) {
    if (!out.empty()) out += '/';
    out += down;
  }
  if (out.empty()) out = ".";
  return true;
}

std::string_view file_kind(unsigned mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "not a regular file";
}

bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& sink,
                 std::string& why) {
  // Without blocking, so that opening a pipe does not wait for a writer.
  Descriptor file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.fd < 0) {
    if (errno == ENOENT) {
      why = "there is no file " + in_quotes(path) +
            ". This function reads files that exist before the run starts; to use a file that a resource "
            "creates, refer to an attribute of that resource";
    } else {
      why = "the file " + in_quotes(path) + " cannot be opened: " + system_text(errno);
    }
    return false;
  }
  struct stat info;
  if (fstat(file.fd, &info) != 0) {
    why = "the file " + in_quotes(path) + " cannot be read: " + system_text(errno);
    return false;
  }
  bool null_device = S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
  if (null_device) return true;
  if (!S_ISREG(info.st_mode)) {
    why = in_quotes(path) + " is " + std::string(file_kind(info.st_mode)) +
          ", and only regular files can be read";
    return false;
  }
  std::string buffer(size_t{256} << 10, 0);
  for (;;) {
    ssize_t n = read(file.fd, buffer.data(), buffer.size());
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      why = "the file " + in_quotes(path) + " cannot be read: " + system_text(errno);
      return false;
    }
    if (!sink({buffer.data(), size_t(n)})) return true;
  }
}

bool read_whole(const std::string& path, std::string& out, std::string& why) {
  out.clear();
  bool too_long = false;
  bool ok = read_pieces(
      path,
      [&](std::string_view piece) {
        too_long = out.size() + piece.size() > kMaxStringBytes;
        if (!too_long) out += piece;
        return !too_long;
      },
      why);
  if (ok && too_long) {
    out.clear();
    why = "the file " + in_quotes(path) + " is larger than the " + std::to_string(kMaxStringBytes >> 20) +
          " MiB that a string can have";
    return false;
  }
  return ok;
}

}  // namespace xplan::eval

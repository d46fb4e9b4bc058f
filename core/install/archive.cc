#include "core/install/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/install/library.h"

namespace xplan::install {
namespace {

namespace fs = std::filesystem;

// clang-format off
#define XPLAN_ARCHIVE_FUNCTIONS(X) \
  X(archive_read_new) X(archive_read_free) X(archive_read_support_filter_all) \
  X(archive_read_support_format_tar) X(archive_read_support_format_zip_seekable) \
  X(archive_read_open_filename) X(archive_read_next_header) X(archive_read_data) \
  X(archive_error_string) X(archive_entry_pathname) X(archive_entry_filetype) X(archive_entry_perm) \
  X(archive_entry_symlink) X(archive_entry_hardlink) X(archive_read_has_encrypted_entries)
// clang-format on
XPLAN_LIBRARY_API("libarchive.so.13", XPLAN_ARCHIVE_FUNCTIONS)

// The library gives names in the encoding of the thread's locale: in the plain one, only ASCII.
class Utf8Names {
 public:
  Utf8Names() {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (utf8) before_ = ::uselocale(utf8);
  }
  ~Utf8Names() {
    if (before_) ::uselocale(before_);
  }
  Utf8Names(const Utf8Names&) = delete;

 private:
  locale_t before_ = nullptr;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : a(api()) {
    if (!a.library.missing().empty()) {
      problem = "archives cannot be read on this system, because " + a.library.missing() +
                " (libarchive) is not there";
      return;
    }
    handle = a.archive_read_new();
    a.archive_read_support_filter_all(handle);
    a.archive_read_support_format_tar(handle);
    a.archive_read_support_format_zip_seekable(handle);
    if (a.archive_read_open_filename(handle, path.c_str(), 1 << 18) != ARCHIVE_OK) problem = reason();
  }
  ~Reader() {
    if (handle) a.archive_read_free(handle);
  }
  Reader(const Reader&) = delete;

  std::string reason() const {
    const char* why = a.archive_error_string(handle);
    return "the archive is damaged: " + std::string(why ? why : "it ends too early");
  }
  // The next entry; null at the end or with `problem` set.
  archive_entry* next() {
    archive_entry* e = nullptr;
    const int r = a.archive_read_next_header(handle, &e);
    if (r == ARCHIVE_EOF) return nullptr;
    if (r != ARCHIVE_OK && r != ARCHIVE_WARN) return problem = reason(), nullptr;
    return e;
  }

  const Utf8Names utf8_names;
  const Api& a;
  archive* handle = nullptr;
  std::string problem;
};

// The name in normal form; empty when it leads out of the folder. "." stands for the folder itself.
std::string inside(const char* name) {
  if (!name || !*name || *name == '/' || std::strchr(name, '\\')) return {};
  std::string clean = clean_path(name);
  if (clean == ".." || clean.starts_with("../") || clean.size() > 4000) return {};
  return clean;
}

Error twice(const std::string& name) {
  return Error{"the archive is refused, because it holds \"" + name + "\" twice"};
}
Error unsafe(const char* name) {
  return Error{"the archive is refused, because its entry \"" + std::string(name ? name : "") +
               "\" does not stay inside of the folder"};
}

// Goes through the entries; `file(name, mode)` begins a file, and `data` takes its content.
template <class File, class Data, class Link>
Result<void> walk(const std::string& path, const UnpackLimits& limits, File file, Data data, Link link) {
  Reader in(path);
  if (!in.problem.empty()) return Error{in.problem};
  uint64_t bytes = 0, entries = 0;
  std::vector<char> buffer(1 << 17);
  while (archive_entry* e = in.next()) {
    if (++entries > limits.entries)
      return Error{"the archive is refused, because it has more than " + std::to_string(limits.entries) +
                   " entries"};
    const char* raw = in.a.archive_entry_pathname(e);
    const std::string name = inside(raw);
    if (name.empty()) return unsafe(raw);
    if (const char* target = in.a.archive_entry_hardlink(e)) {
      const std::string to = inside(target);
      if (to.empty()) return unsafe(raw);
      if (Result<void> ok = link(name, to, true); !ok) return ok;
      continue;
    }
    const auto type = in.a.archive_entry_filetype(e);
    if (type == AE_IFLNK) {
      const char* target = in.a.archive_entry_symlink(e);
      if (!target || *target == '/') return unsafe(raw);
      if (Result<void> ok = link(name, target, false); !ok) return ok;
      continue;
    }
    if (type != AE_IFREG && type != AE_IFDIR)
      return Error{"the archive is refused, because its entry \"" + name +
                   "\" is neither a file nor a folder"};
    if (Result<void> ok = file(name, type == AE_IFDIR, in.a.archive_entry_perm(e)); !ok) return ok;
    if (type == AE_IFDIR) continue;
    for (;;) {
      const auto n = in.a.archive_read_data(in.handle, buffer.data(), buffer.size());
      if (n < 0) return Error{in.reason()};
      if (n == 0) break;
      bytes += static_cast<uint64_t>(n);
      if (bytes > limits.bytes)
        return Error{"the archive is refused, because it has more than " + std::to_string(limits.bytes) +
                     " bytes when it is unpacked"};
      if (Result<void> ok = data(std::string_view(buffer.data(), static_cast<size_t>(n))); !ok) return ok;
    }
  }
  if (!in.problem.empty()) return Error{in.problem};
  if (entries == 0) return Error{"the archive is empty"};
  return {};
}

class Writer {
 public:
  explicit Writer(const std::string& dir) : dir_(dir) {}
  ~Writer() {
    if (fd_ >= 0) ::close(fd_);
  }

  Result<void> begin(const std::string& name, bool folder, mode_t mode) {
    if (Result<void> ok = end(); !ok) return ok;
    std::error_code ec;
    path_ = dir_ + "/" + name;
    fs::create_directories(folder ? fs::path(path_) : fs::path(path_).parent_path(), ec);
    if (ec) return Error{"cannot make the folder for \"" + path_ + "\": " + ec.message()};
    if (folder) return {};
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, (mode & 0777) | 0600);
    if (fd_ < 0 && errno == EEXIST) return twice(name);
    if (fd_ < 0) return failed("create");
    return {};
  }
  Result<void> write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return failed("write");
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return {};
  }
  Result<void> end() {
    if (fd_ < 0) return {};
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0) return failed("write");
    return {};
  }

  struct Link {
    std::string name, target;
    bool hard;
  };
  std::vector<Link> links;

  // Links come last, so that no file is written through one; then each must lead to a place inside.
  Result<void> make_links() {
    if (links.empty()) return {};
    std::error_code ec;
    const std::string root = fs::canonical(dir_, ec).string();
    if (ec) return Error{"cannot open \"" + dir_ + "\": " + ec.message()};
    for (const Link& l : links) {
      const size_t slash = l.name.rfind('/');
      if (slash != std::string::npos) {
        if (Result<void> ok = begin(l.name.substr(0, slash), true, 0); !ok) return ok;
      }
      const std::string path = dir_ + "/" + l.name, target = dir_ + "/" + l.target;
      const int r = l.hard ? ::link(target.c_str(), path.c_str()) : ::symlink(l.target.c_str(), path.c_str());
      if (r != 0 && errno == EEXIST) return twice(l.name);
      if (r != 0) return Error{"cannot create \"" + path + "\": " + std::strerror(errno)};
    }
    for (const Link& l : links) {
      if (l.hard) continue;
      const std::string path = dir_ + "/" + l.name;
      const std::string end = fs::canonical(path, ec).string();
      if (ec) {
        ::unlink(path.c_str());
      } else if (end != root && !end.starts_with(root + "/")) {
        return unsafe(l.name.c_str());
      }
    }
    return {};
  }

 private:
  Error failed(std::string_view doing) const {
    return Error{"cannot " + std::string(doing) + " \"" + path_ + "\": " + std::strerror(errno)};
  }
  std::string dir_, path_;
  int fd_ = -1;
};

}  // namespace

Result<void> unpack(const std::string& archive, const std::string& dir, const UnpackLimits& limits) {
  Writer out(dir);
  Result<void> ok = walk(
      archive, limits,
      [&](const std::string& name, bool folder, mode_t mode) { return out.begin(name, folder, mode); },
      [&](std::string_view bytes) { return out.write(bytes); },
      [&](const std::string& name, const std::string& target, bool hard) -> Result<void> {
        out.links.push_back({name, target, hard});
        return {};
      });
  if (!ok) return ok;
  if (ok = out.end(); !ok) return ok;
  return out.make_links();
}

Result<std::map<std::string, std::string>> hash_files_in(const std::string& archive,
                                                         const UnpackLimits& limits) {
  std::map<std::string, std::string> out;
  std::optional<DigestStream> hash;
  std::string current;
  auto finish = [&]() {
    if (hash) out[current] = hex_encode(hash->finish());
    hash.reset();
  };
  Result<void> ok = walk(
      archive, limits,
      [&](const std::string& name, bool folder, mode_t) -> Result<void> {
        finish();
        if (folder) return {};
        current = name;
        hash.emplace();
        return {};
      },
      [&](std::string_view bytes) -> Result<void> {
        hash->update(bytes);
        return {};
      },
      [](const std::string&, const std::string&, bool) -> Result<void> {
        return Error{"packages of providers cannot have links"};
      });
  if (!ok) return ok.error();
  finish();
  return out;
}

}  // namespace xplan::install

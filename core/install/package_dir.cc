// Temporary directories beside their destination and the atomic exchange into place; removal of those that
// killed processes left behind.
#include "core/install/package_dir.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include "core/base/system_text.h"

namespace xplan::install {
namespace {

namespace fs = std::filesystem;

std::string temporary_name(const std::string& final) {
  static std::atomic<unsigned> counter{0};
  const fs::path p(final);
  return (p.parent_path() / ("." + p.filename().string() + ".tmp-" + std::to_string(::getpid()) + "-" +
                             std::to_string(counter.fetch_add(1))))
      .string();
}

// Temporary directories for the same place whose makers were killed: nobody works a day on one.
void remove_leftovers(const fs::path& final) {
  const std::string head = "." + final.filename().string() + ".tmp-";
  std::error_code ec;
  for (fs::directory_iterator it(final.parent_path(), ec), end; !ec && it != end; it.increment(ec)) {
    struct stat st;
    if (it->path().filename().string().starts_with(head) && ::lstat(it->path().c_str(), &st) == 0 &&
        st.st_mtime + 86400 < ::time(nullptr))
      remove_all(it->path().string());
  }
}

Error cannot(std::string_view doing, const std::string& path, int code) {
  return Error{"cannot " + std::string(doing) + " \"" + path + "\": " + system_text(code)};
}

// `from` takes the place of `to`; what was there is then at `from`, or gone.
Result<void> swap_in(const std::string& from, const std::string& to) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    if (errno == EEXIST) {
      if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) return {};
      if (errno == ENOENT) continue;  // somebody has just taken it away
    }
    if (errno != EINVAL && errno != ENOSYS) return cannot("replace", to, errno);
    // A file system without these operations: out of the way first.
    if (::rename(from.c_str(), to.c_str()) == 0) return {};
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR && errno != EISDIR)
      return cannot("replace", to, errno);
    const std::string aside = temporary_name(to);
    if (::rename(to.c_str(), aside.c_str()) == 0) remove_all(aside);
  }
  return cannot("replace", to, EBUSY);
}

// Absolute, without dots and without a slash at its end. Relative paths are not resolved, so that entries
// which are links stay themselves.
fs::path full_path(const fs::path& p) {
  std::error_code ec;
  const fs::path base = p.is_absolute() ? fs::weakly_canonical(p, ec) : fs::current_path(ec) / p;
  const fs::path out = (ec ? fs::absolute(p, ec) : base).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

bool is_within(const fs::path& p, const fs::path& dir) {
  return std::mismatch(dir.begin(), dir.end(), p.begin(), p.end()).first == dir.end();
}

// `to` and `kept` are full paths.
void remove_entries(const fs::path& from, const fs::path& to, const fs::path& kept,
                    const std::set<std::string>& without) {
  std::error_code ec;
  for (fs::directory_iterator it(from, ec), end; !ec && it != end; it.increment(ec)) {
    const fs::path name = it->path().filename(), copy = to / name;
    if (copy == kept || without.count(name.string())) continue;
    if (is_within(kept, copy))
      remove_entries(it->path(), copy, kept, {});
    else
      remove_all(copy.string());
  }
}

bool is_way(const fs::path& path, const fs::path& kept) {
  if (path == kept) return true;
  std::error_code ec;
  if (!is_within(kept, path) || !fs::is_directory(path, ec)) return false;
  for (fs::directory_iterator it(path, ec), end; !ec && it != end; it.increment(ec))
    if (!is_way(path / it->path().filename(), kept)) return false;
  return !ec;
}

}  // namespace

Result<void> make_dirs(const std::string& path) {
  std::error_code ec;
  fs::create_directories(path, ec);
  if (ec) return Error{"cannot create the directory \"" + path + "\": " + system_text(ec.value())};
  return {};
}

Result<void> copy_tree(const std::string& from, const std::string& to, Stop stop,
                       const std::set<std::string>& without) {
  std::error_code ec;
  fs::recursive_directory_iterator it(from, ec), end;
  while (!ec && it != end) {
    if (stopped(stop)) return interrupted();
    if (it.depth() == 0 && without.count(it->path().filename().string())) {
      it.disable_recursion_pending();
    } else {
      const fs::path target = fs::path(to) / it->path().lexically_relative(from);
      const bool dir = it->symlink_status(ec).type() == fs::file_type::directory;
      if (!ec && dir)
        fs::create_directory(target, it->path(), ec);
      else if (!ec)
        fs::copy(it->path(), target, fs::copy_options::copy_symlinks, ec);
    }
    if (!ec) it.increment(ec);
  }
  if (ec) return Error{"cannot copy \"" + from + "\": " + system_text(ec.value())};
  return {};
}

void remove_copy(const std::string& from, const std::string& to, const std::string& kept,
                 const std::set<std::string>& without) {
  remove_entries(from, full_path(to), full_path(kept), without);
}

bool is_way_to(const std::string& path, const std::string& kept) {
  return is_way(full_path(path), full_path(kept));
}

void remove_all(const std::string& path) {
  std::error_code ec;
  fs::remove_all(path, ec);
}

void remove_empty_dirs(const std::string& path, const std::string& top) {
  std::error_code ec;
  for (fs::path p = path; p.string().starts_with(top); p = p.parent_path()) {
    if (fs::is_directory(fs::symlink_status(p, ec)) ? ::rmdir(p.c_str()) != 0 : fs::exists(p, ec)) return;
  }
}

namespace {

struct Removal {
  Stop stop;
  std::chrono::milliseconds patience;
  std::optional<std::chrono::steady_clock::time_point> since;
  bool goes_on() {
    if (!since && stopped(stop)) since = std::chrono::steady_clock::now();
    return !since || std::chrono::steady_clock::now() - *since < patience;
  }
};
thread_local Removal* removal = nullptr;  // nftw() hands nothing to its function

int remove_one(const char* path, const struct stat*, int, struct FTW*) {
  if (!removal->goes_on()) return 1;
  ::remove(path);
  return 0;
}

}  // namespace

void remove_all(const std::string& path, Stop stop, std::chrono::milliseconds patience) {
  Removal r{stop, patience, {}};
  removal = &r;
  ::nftw(path.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
  removal = nullptr;
  if (r.goes_on()) remove_all(path);  // what that could not reach
}

Result<TemporaryDir> TemporaryDir::beside(const std::string& final, Stop stop) {
  if (Result<void> ok = make_dirs(fs::path(final).parent_path().string()); !ok) return ok.error();
  remove_leftovers(final);
  std::string path = temporary_name(final);
  if (::mkdir(path.c_str(), 0777) != 0) return cannot("create the directory", path, errno);
  return TemporaryDir(std::move(path), stop);
}

TemporaryDir::~TemporaryDir() {
  if (!path_.empty()) remove_all(path_, stop_, std::chrono::seconds(2));
}

Result<void> TemporaryDir::move_to(const std::string& final) {
  return swap_in(path_, final);  // the destructor removes what was there before
}

Result<void> place_link(const std::string& target, const std::string& final) {
  if (Result<void> ok = make_dirs(fs::path(final).parent_path().string()); !ok) return ok;
  const std::string temporary = temporary_name(final);
  if (::symlink(target.c_str(), temporary.c_str()) != 0) return cannot("create", temporary, errno);
  Result<void> ok = swap_in(temporary, final);
  remove_all(temporary);
  return ok;
}

}  // namespace xplan::install

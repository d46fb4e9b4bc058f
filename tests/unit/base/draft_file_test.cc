// Drafts on file systems that lack operations: what is there is never replaced by what must be new, also
// where it comes to be at the last moment.
#include "core/base/draft_file.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cerrno>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/fs.h"
#include "tests/support/folder.h"

using namespace xplan;

namespace {

// What the file system of this test cannot do: name what has no name and rename without replacing; links.
bool g_old = false, g_no_links = false;
std::string g_comes;  // a file that somebody else makes at the last moment
bool g_came = false;

int refuse(int code) {
  errno = code;
  return -1;
}

}  // namespace

extern "C" {
int renameat2(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) noexcept {
  if (g_old && flags != 0) return refuse(EINVAL);
  return static_cast<int>(::syscall(SYS_renameat2, from_dir, from, to_dir, to, flags));
}
int linkat(int from_dir, const char* from, int to_dir, const char* to, int flags) noexcept {
  if (g_old) return refuse(EXDEV);
  return static_cast<int>(::syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}
int link(const char* from, const char* to) noexcept {
  if (g_comes == to) {
    ::close(::open(to, O_WRONLY | O_CREAT | O_EXCL, 0600));
    g_came = true;
  }
  if (g_no_links) return refuse(EPERM);
  return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
}

TEST_CASE("drafts: a new file replaces nothing, whatever the file system cannot do") {
  for (bool links : {true, false}) {
    INFO(links);
    const test::Folder folder;
    const std::string file = folder.path + "/new", late = folder.path + "/late";
    g_old = true, g_no_links = !links;
    CHECK(write_new(file, "first", 0600).value());
    CHECK_FALSE(write_new(file, "second", 0600).value());
    g_comes = late;
    const bool made = write_new(late, "mine", 0600).value();
    g_old = g_no_links = false;
    g_comes.clear();
    CHECK(real_fs().read(file).value() == "first");
    CHECK(std::exchange(g_came, false));
    CHECK_FALSE(made);
    CHECK(real_fs().read(late).value() == "");
    CHECK(real_fs().list(folder.path).value() == std::vector<std::string>{"late", "new"});
  }
}

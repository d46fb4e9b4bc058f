// Path cleaning, the in-memory file system, and atomic writes on the real one.
#include "core/base/fs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>

#include "core/base/atomic_file.h"
#include "core/base/leftovers.h"
#include "tests/support/folder.h"

using namespace xplan;

TEST_CASE("fs: paths are cleaned lexically") {
  const std::pair<const char*, const char*> rows[] = {
      {"", "."},          {".", "."},       {"./", "."},           {"./a", "a"},
      {"a/", "a"},        {"a//b", "a/b"},  {"a/./b", "a/b"},      {"a/../b", "b"},
      {"a/..", "."},      {"../a", "../a"}, {"a/../../b", "../b"}, {"/", "/"},
      {"/..", "/"},       {"/../a", "/a"},  {"/a/./b/..", "/a"},   {"../../x", "../../x"},
      {".../a", ".../a"},
  };
  for (auto& [in, out] : rows) {
    INFO(in);
    CHECK(clean_path(in) == out);
  }
  CHECK(join_path(".", "main.tf") == "main.tf");
  CHECK(join_path("m", "../n") == "n");
  CHECK(join_path("m", "/abs") == "/abs");
  CHECK(join_path("", "a") == "a");
}

TEST_CASE("fs: memory files list by folder") {
  MemoryFs fs;
  fs.files = {{"main.tf", "1"}, {"m/a.tf", "2"}, {"m/n/b.tf", "3"}, {"m-x/c.tf", "4"}};
  CHECK(fs.list(".").value() == std::vector<std::string>{"main.tf"});
  CHECK(fs.list("./m").value() == std::vector<std::string>{"a.tf"});
  CHECK_FALSE(fs.list("main.tf").ok());
  CHECK(fs.is_dir("m/n"));
  CHECK_FALSE(fs.is_dir("m/a.tf"));
  CHECK(fs.exists("./m/a.tf"));
  CHECK_FALSE(fs.exists("x"));
  CHECK(fs.read("./m/../main.tf").value() == "1");
  CHECK(fs.read("m").error().message.find("directory") != std::string::npos);
}

TEST_CASE("fs: real files are written atomically and read back") {
  const test::Folder folder;
  const std::string& dir = folder.path;
  Fs& fs = real_fs();
  const std::string file = dir + "/state", data = std::string("a\0b\n", 4) + std::string(100000, 'x');
  REQUIRE(write_atomic(file, "old", 0600).ok());
  REQUIRE(write_atomic(file, data, 0600).ok());
  CHECK(fs.read(file).value() == data);
  struct stat st;
  REQUIRE(::stat(file.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
  REQUIRE(::mkdir((dir + "/sub").c_str(), 0755) == 0);
  REQUIRE(::mkfifo((dir + "/pipe").c_str(), 0644) == 0);
  CHECK(fs.list(dir).value() == std::vector<std::string>{"pipe", "state"});
  CHECK(fs.is_dir(dir + "/sub"));
  CHECK(fs.exists(file));
  CHECK_FALSE(fs.read(dir + "/sub").ok());
  CHECK_FALSE(fs.read(dir + "/pipe").ok());
  CHECK(fs.read(dir + "/none").error().message ==
        "cannot open \"" + dir + "/none\": no such file or directory");
  CHECK_FALSE(write_atomic(dir + "/none/x", "1").ok());
  CHECK_FALSE(write_atomic(dir + "/sub", "1").ok());
  CHECK(fs.list(dir).value().size() == 2);  // nothing temporary is left behind
  CHECK_FALSE(fs.read(std::string("a\0b", 3)).ok());
  CHECK(fs.read("/proc/self/stat").value().size() > 10);
}

TEST_CASE("fs: a new file does not replace another") {
  const test::Folder folder;
  const std::string file = folder.path + "/new", link = folder.path + "/link";
  CHECK(write_new(file, "first", 0600).value());
  CHECK_FALSE(write_new(file, "second", 0600).value());
  CHECK(real_fs().read(file).value() == "first");
  REQUIRE(::symlink("nowhere", link.c_str()) == 0);
  CHECK_FALSE(write_new(link, "1", 0600).value());
  CHECK_FALSE(write_new(folder.path + "/none/x", "1").ok());
  CHECK_FALSE(write_new(std::string("a\0b", 3), "1").ok());
  CHECK(real_fs().list(folder.path).value() == std::vector<std::string>{"link", "new"});
  CHECK(write_atomic(link, "2", 0600).ok());
  CHECK(real_fs().list(folder.path).value() == std::vector<std::string>{"link", "new"});
}

TEST_CASE("fs: drafts of killed processes do not stay") {
  const test::Folder folder;
  const std::string file = folder.path + "/file";
  const pid_t child = ::fork();
  if (child == 0) {
    (void)write_atomic(file, [](std::string& piece) -> Result<bool> {
      ::raise(SIGKILL);
      piece = "half";
      return true;
    });
    ::_exit(1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  const int unnamed = ::open(folder.path.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (unnamed >= 0) {
    CHECK(real_fs().list(folder.path).value().empty());
    ::close(unnamed);
  }
  const std::string stale = temporary_of("file", child, 7);
  REQUIRE(std::ofstream(folder.path + "/" + stale).put('x'));
  remove_leftovers(file, Look::Again);
  REQUIRE(write_atomic(file, "whole").ok());
  CHECK(real_fs().list(folder.path).value() == std::vector<std::string>{"file"});
}

TEST_CASE("files: an error of a new one means that there is none, wherever descriptors end") {
  const test::Folder folder;
  rlimit before;
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = ::dup(0);
  ::close(next);
  for (int more = 0; more < 6; ++more) {
    INFO(more);
    const std::string name = "f" + std::to_string(more);
    rlimit few = before;
    few.rlim_cur = static_cast<rlim_t>(next + more);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    const Result<bool> made = write_new(folder.path + "/" + name, "x", 0600);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(made.ok() == real_fs().exists(folder.path + "/" + name));
  }
}

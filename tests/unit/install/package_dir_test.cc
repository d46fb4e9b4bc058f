// Directories of packages: what a copy of a tree takes along.
#include "core/install/package_dir.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/folder.h"

using namespace xplan;
namespace fs = std::filesystem;

TEST_CASE("package directories: links are copied as links, also those that lead nowhere or in a circle") {
  const test::Folder f;
  f.write("from/d/file", "text");
  for (const auto& [name, target] : {std::pair{"dangling", "nowhere"}, {"loop", "loop"}, {"d/up", ".."}})
    fs::create_symlink(target, f / ("from/" + std::string(name)));
  fs::create_directory_symlink("d", f / "from/directory");
  fs::create_directory(f / "to");
  const Result<void> ok = install::copy_tree(f / "from", f / "to", nullptr, {});
  INFO((ok ? "" : ok.error().message));
  REQUIRE(ok);
  CHECK(test::file_text(f / "to/d/file") == "text");
  CHECK(fs::read_symlink(f / "to/dangling") == "nowhere");
  CHECK(fs::read_symlink(f / "to/loop") == "loop");
  CHECK(fs::read_symlink(f / "to/d/up") == "..");
  CHECK(fs::read_symlink(f / "to/directory") == "d");
}

TEST_CASE("package directories: a copy is undone, but for the directory that is to stay") {
  const test::Folder f;
  f.write("from/a/x", "");
  f.write("from/a/b/y", "");
  f.write("from/z/.git/x", "");
  f.write("from/.git/x", "");
  f.write("to/a/b/mine", "");
  f.write("to/.git/mine", "");
  CHECK(install::is_way_to(f / "to/a", f / "to/a/b/"));
  CHECK(install::is_way_to(f / "to/a/b", f / "to/./a/b"));
  REQUIRE(install::copy_tree(f / "from", f / "to", nullptr, {".git"}));
  CHECK_FALSE(install::is_way_to(f / "to/a", f / "to/a/b"));
  CHECK_FALSE(install::is_way_to(f / "to/z", f / "to/a/b"));
  install::remove_copy(f / "from", f / "to", f / "to/a/b", {".git"});
  CHECK(install::is_way_to(f / "to/a", f / "to/a/b"));
  CHECK(fs::exists(f / "to/a/b/mine"));
  CHECK(fs::exists(f / "to/.git/mine"));
  CHECK_FALSE(fs::exists(f / "to/z"));
}

TEST_CASE("package directories: a removal ends soon once the run is to stop") {
  const test::Folder f;
  std::atomic<bool> stop = false;
  for (int i = 0; i < 100; ++i) fs::create_directories(f / ("work/" + std::to_string(i) + "/deep/er"));
  stop = true;
  install::remove_all(f / "work", &stop, std::chrono::milliseconds(0));
  CHECK(std::distance(fs::directory_iterator(f / "work"), {}) == 100);
  install::remove_all(f / "work", &stop, std::chrono::hours(1));
  CHECK_FALSE(fs::exists(f / "work"));
}

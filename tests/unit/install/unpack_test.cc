// Where unpacking writes: names and links that lead nowhere else.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/install/archive.h"
#include "core/install/archive_links.h"
#include "core/install/tree_writer.h"
#include "core/install/zip_directory.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::install;
namespace fs = std::filesystem;

namespace {

std::string said(const Result<void>& r) {
  return r ? "" : r.error().message;
}

}  // namespace

TEST_CASE("links are followed as the system would follow them") {
  struct Row {
    std::vector<std::pair<std::string, std::string>> links;
    std::string name, end;  // end: "out", "circle", or where it leads
  };
  const Row rows[] = {
      {{{"a", "b"}}, "a", "b"},
      {{{"a", "./d//../b/."}}, "a", "b"},
      {{{"a", "."}}, "a", "."},
      {{{"d/a", ".."}}, "d/a", "."},
      {{{"d/a", "../.."}}, "d/a", "out"},
      {{{"a", ".."}}, "a", "out"},
      {{{"a", "b/.."}, {"b", "c/d"}}, "a", "c"},
      {{{"a", "b/../.."}, {"b", "c/d"}}, "a", "."},
      {{{"a", "b/../../.."}, {"b", "c/d"}}, "a", "out"},
      {{{"x/y/l", "../.."}, {"e", "x/y/l/../evil"}}, "e", "out"},
      {{{"a", "b"}, {"b", "c"}, {"c", ".."}}, "a", "out"},
      {{{"a", "b"}, {"b", "a"}}, "a", "circle"},
      {{{"a", "a/a"}}, "a", "circle"},
      {{{"a", "x/../../y"}}, "a", "out"},
  };
  for (const Row& row : rows) {
    ArchiveLinks links;
    for (const auto& [name, target] : row.links) REQUIRE(links.add(name, target));
    const Result<std::string> end = links.end_of(row.name);
    INFO(row.name << " -> " << row.links[0].second);
    const std::string got = end                                                      ? *end
                            : end.error().message.find("cycle") != std::string::npos ? "circle"
                                                                                     : "out";
    CHECK(got == row.end);
  }
  ArchiveLinks links;
  CHECK_FALSE(links.add("a", "/etc"));
  REQUIRE(links.add("a", "b"));
  CHECK_FALSE(links.add("a", "c"));
}

TEST_CASE("a link in the tree is not gone through, whoever made it") {
  test::Folder folder;
  const fs::path top = folder.path;
  fs::create_directory(top / "tree"), fs::create_directory(top / "outside");
  fs::create_directory_symlink(top / "outside", top / "tree/l");
  std::ofstream(top / "outside/f") << "precious";
  fs::create_symlink("../outside/f", top / "tree/g");
  TreeWriter out((top / "tree").string(), 100);
  CHECK_FALSE(out.directory("l/d"));
  CHECK_FALSE(out.directory("l"));
  CHECK_FALSE(out.begin_file("l/x", false));
  CHECK_FALSE(out.begin_file("g", false));
  CHECK_FALSE(out.hard_link("h", "l/f"));
  CHECK_FALSE(out.hard_link("h", "g"));
  CHECK_FALSE(out.hard_link("l/h", "f"));
  CHECK_FALSE(out.symbolic_link("l/s", "x"));
  CHECK_FALSE(out.exists("l/f"));
  // Between two files of one directory, too.
  REQUIRE(out.begin_file("d/1", false));
  REQUIRE(out.end_file());
  REQUIRE(out.directory("."));
  fs::remove_all(top / "tree/d");
  fs::create_directory_symlink(top / "outside", top / "tree/d");
  CHECK_FALSE(out.begin_file("d/2", false));
  CHECK(std::distance(fs::directory_iterator(top / "outside"), {}) == 1);
}

TEST_CASE("directories that names imply count") {
  test::Folder folder;
  const fs::path top = folder.path;
  TreeWriter out(folder.path, 5);
  REQUIRE(out.begin_file("a/b/c", true));
  REQUIRE(out.end_file());
  REQUIRE(out.begin_file("a/b/d", false));
  REQUIRE(out.end_file());
  REQUIRE(out.directory("a/b"));
  CHECK(said(out.begin_file("a/e/f/g", false)).find("more than 5 entries") != std::string::npos);
}

TEST_CASE("a zip file that cannot be opened, and a name that is too long") {
  test::Folder folder;
  UnpackLimits limits;
  auto problem = [&](const std::string& path) {
    const auto names = read_zip_directory(path, limits);
    return names ? "" : names.error().message;
  };
  CHECK(problem(folder.path + "/none.zip") == "the archive cannot be opened: no such file or directory");
  auto zeros = [](size_t n) { return std::string(n, '\0'); };
  auto two = [](char n) { return std::string{n, '\0'}; };
  const std::string path = folder.path + "/a.zip";
  std::ofstream(path) << "PK\3\4" + two(20) + zeros(20) + two(1) + zeros(2) + "a"  // the entry, 31 bytes
                      << "PK\1\2" + two(20) + two(20) + zeros(20) + two(1) + zeros(16) + "a"  // 47 bytes
                      << "PK\5\6" + zeros(4) + two(1) + two(1) + two(47) + zeros(2) + two(31) + zeros(4);
  CHECK(problem(path) == "");
  limits.name_bytes = 0;
  CHECK(problem(path).find("has a name that is too long") != std::string::npos);
}

TEST_CASE("endings tell the kind of archive") {
  CHECK(archive_kind("https://x/y.zip") == ArchiveKind::Zip);
  CHECK(archive_kind("y.tar.gz") == ArchiveKind::TarGzip);
  CHECK(archive_kind("tgz") == ArchiveKind::TarGzip);
  CHECK(archive_kind("y.tar") == ArchiveKind::Tar);
  CHECK_FALSE(archive_kind("yzip"));
  CHECK_FALSE(archive_kind("y.gz"));
  CHECK_FALSE(archive_kind("false"));
}

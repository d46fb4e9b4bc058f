// Where unpacking writes: names and links that lead nowhere else, and what is left out of messages.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/install/archive.h"
#include "core/install/archive_links.h"
#include "core/install/redact.h"
#include "core/install/tree_writer.h"
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

TEST_CASE("messages show no credentials") {
  const std::pair<std::string, std::string> rows[] = {
      {"https://example.com/x?a=b@c", "https://example.com/x?a=b@c"},
      {"https://me:secret@example.com/x", "https://me:xxxxx@example.com/x"},
      {"git::https://secret@example.com/x.git", "git::https://xxxxx@example.com/x.git"},
      {"ssh://git@example.com/x", "ssh://git@example.com/x"},
      {"ssh://git:secret@example.com/x", "ssh://git:xxxxx@example.com/x"},
      {"two 'https://a:s@b/' and \"http://s@c\"", "two 'https://a:xxxxx@b/' and \"http://xxxxx@c\""},
      {"https://a:s@e@b/", "https://a:xxxxx@b/"},
      {"git::ssh://git@h/x?sshkey=secret&ref=v1", "git::ssh://git@h/x?sshkey=xxxxx&ref=v1"},
      {"sshkey=secret", "sshkey=xxxxx"},
      {"://", "://"},
      {"nobody@example.com", "nobody@example.com"},
      {"", ""},
  };
  for (const auto& [text, shown] : rows) CHECK(without_credentials(text) == shown);
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

// Module sources in all forms.
#include "core/config/module_source.h"

#include <catch2/catch.hpp>

using namespace xplan;
using namespace xplan::config;

TEST_CASE("sources of modules in all their forms") {
  using Kind = ModuleSource::Kind;
  struct {
    const char* given;
    Kind kind;
    const char *text, *url, *folder;
  } rows[] = {
      {"./a/../b", Kind::Local, "./b", "", ""},
      {"../", Kind::Local, "./..", "", ""},
      {"../m2", Kind::Local, "../m2", "", ""},
      {"a/b/c", Kind::Registry, "registry.terraform.io/a/b/c", "", ""},
      {"x.example.com/a/b/c//sub", Kind::Registry, "x.example.com/a/b/c//sub", "", "sub"},
      {"github.com/o/r", Kind::Git, "git::https://github.com/o/r.git", "https://github.com/o/r.git", ""},
      {"github.com/o/r//m/n?ref=v1", Kind::Git, "git::https://github.com/o/r.git//m/n?ref=v1",
       "https://github.com/o/r.git", "m/n"},
      {"git@github.com:o/r.git", Kind::Git, "git::ssh://git@github.com/o/r.git",
       "ssh://git@github.com/o/r.git", ""},
      {"git::file:///r//b?ref=v1&x=y", Kind::Git, "git::file:///r//b?ref=v1&x=y", "file:///r?x=y", "b"},
      {"https://h/m.zip//sub?checksum=md5:1&a=b", Kind::Http, "https://h/m.zip//sub?checksum=md5:1&a=b",
       "https://h/m.zip?a=b", "sub"},
      {"/abs/dir", Kind::Folder, "file:///abs/dir", "/abs/dir", ""},
  };
  for (auto& r : rows) {
    INFO(r.given);
    auto s = parse_module_source(r.given);
    REQUIRE(s.ok());
    CHECK(s->kind == r.kind);
    CHECK(s->text == r.text);
    if (r.kind != Kind::Registry && r.kind != Kind::Local) CHECK(s->url == r.url);
    CHECK(s->folder == r.folder);
  }
  for (const char* bad :
       {"consul", "s3::https://x/y", "git::ext::sh -c x", "git::ftp://x/y", "https://h/m.zip//../x"}) {
    INFO(bad);
    CHECK_FALSE(parse_module_source(bad).ok());
  }
}

// Module sources in all forms.
#include "core/config/module_source.h"

#include <catch2/catch.hpp>

#include "core/config/bucket_source.h"

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
      {"hg::/r//b?rev=v1", Kind::Mercurial, "hg::file:///r//b?rev=v1", "file:///r", "b"},
      {"hg::https://h/r?ref=v1&x=y", Kind::Mercurial, "hg::https://h/r?ref=v1&x=y", "https://h/r?x=y", ""},
      {"s3::https://s3-eu-west-1.amazonaws.com/b/m.zip//sub", Kind::S3,
       "s3::https://s3-eu-west-1.amazonaws.com/b/m.zip//sub", "https://s3-eu-west-1.amazonaws.com/b/m.zip",
       "sub"},
      {"s3::http://h:9000/b/m?region=r&archive=zip&x=y", Kind::S3,
       "s3::http://h:9000/b/m?region=r&archive=zip&x=y", "http://h:9000/b/m?x=y", ""},
      {"b.s3.eu-west-1.amazonaws.com/d/m.zip", Kind::S3, "s3::https://s3.eu-west-1.amazonaws.com/b/d/m.zip",
       "https://s3.eu-west-1.amazonaws.com/b/d/m.zip", ""},
      {"b.s3-eu-west-1.amazonaws.com/d//sub", Kind::S3, "s3::https://s3-eu-west-1.amazonaws.com/b/d//sub",
       "https://s3-eu-west-1.amazonaws.com/b/d", "sub"},
      {"s3.amazonaws.com/b/m.zip", Kind::S3, "s3::https://s3.amazonaws.com/b/m.zip",
       "https://s3.amazonaws.com/b/m.zip", ""},
      {"www.googleapis.com/storage/v1/b/m.zip", Kind::Gcs,
       "gcs::https://www.googleapis.com/storage/v1/b/m.zip", "https://www.googleapis.com/storage/v1/b/m.zip",
       ""},
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
  for (const char* bad : {"consul",
                          "s3::https://x/y",
                          "s3::b/x",
                          "s3::ftp://h/b/x",
                          "s3::https://k:s@h/b/x",
                          "s3::https://h/b/%0a",
                          "s3::https://x.amazonaws.com/b/y",
                          "a.b.c.d.e.amazonaws.com/x/y.zip",
                          "s3.amazonaws.com/b",
                          "gcs::https://www.googleapis.com/storage/v1/b",
                          "gcs::https://h/storage/v1/b/x",
                          "gcs::https://www.googleapis.com/storage/v1/b/x#y",
                          "storage.googleapis.com/b/x.zip",
                          "hg::ssh://",
                          "hg::a@b:c",
                          "hg::static-http://h/r",
                          "hg::--config=x",
                          "git::ext::sh -c x",
                          "git::ftp://x/y",
                          "https://h/m.zip//../x"}) {
    INFO(bad);
    CHECK_FALSE(parse_module_source(bad).ok());
  }
}

TEST_CASE("places in buckets") {
  struct {
    const char *url, *server, *region, *bucket, *path;
  } rows[] = {
      {"https://s3.amazonaws.com/b/d/m.zip", "", "us-east-1", "b", "d/m.zip"},
      {"https://s3-eu-west-1.amazonaws.com/b/m.zip", "", "eu-west-1", "b", "m.zip"},
      {"https://s3.eu-west-1.amazonaws.com/b/m", "", "eu-west-1", "b", "m"},
      {"https://s3.dualstack.eu-west-1.amazonaws.com/b/m", "", "eu-west-1", "b", "m"},
      {"https://b.c.s3.cn-north-1.amazonaws.com.cn/d/m/", "", "cn-north-1", "b.c", "d/m"},
      {"https://s3.b.s3-eu-west-1.amazonaws.com/m", "", "eu-west-1", "s3.b", "m"},
      {"http://127.0.0.1:9000/b/a%20b+c/m?x=y", "http://127.0.0.1:9000", "", "b", "a b+c/m"},
      // Somebody else's.
      {"https://s3.amazonaws.com.example.com/b/m", "https://s3.amazonaws.com.example.com", "", "b", "m"},
  };
  for (const auto& r : rows) {
    INFO(r.url);
    const auto p = s3_place(r.url);
    REQUIRE(p.ok());
    CHECK(p->server == r.server);
    CHECK(p->region == r.region);
    CHECK(p->bucket == r.bucket);
    CHECK(p->path == r.path);
  }
  const auto p = gcs_place("https://www.googleapis.com/storage/v1/b/d/m.zip#12");
  REQUIRE(p.ok());
  CHECK(p->bucket == "b");
  CHECK(p->path == "d/m.zip");
  CHECK(p->generation == "12");
}

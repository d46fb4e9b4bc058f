// URLs: hosts, references resolved as documents mean them, names in paths.
#include "core/net/url.h"

#include <catch2/catch.hpp>

using namespace xplan::net;

TEST_CASE("url: the host with the port that is named") {
  const std::pair<const char*, const char*> rows[] = {
      {"https://example.com/a", "example.com"},
      {"https://example.com:8443/a?b#c", "example.com:8443"},
      {"https://example.com:443/", "example.com:443"},
      {"https://name:pass@example.com/a", "example.com"},
      {"https://good.example@evil.example/", "evil.example"},
      {"https://evil.example/@good.example", "evil.example"},
      {"https://evil.example?@good.example", "evil.example"},
      {"https://evil.example#@good.example", "evil.example"},
      {"http://[::1]:80/x", "[::1]:80"},
      {"ssh://git@example.com/x", "example.com"},
      {"https://", ""},
      {"https://example.com:99999/", ""},
      {"/path", ""},
      {"nothing", ""},
      {"", ""},
      {"https://a b/", ""},
  };
  for (const auto& [url, host] : rows) {
    INFO(url);
    CHECK(host_and_port(url) == host);
  }
  CHECK(host_and_port(std::string_view("https://a\0.example/", 19)).empty());
}

TEST_CASE("url: which hosts are this machine") {
  for (const char* url :
       {"http://localhost:1/x", "https://LocalHost/", "https://127.0.0.1/", "https://127.9.9.9/",
        "https://127.1/", "http://[::1]:8/", "http://[0:0:0:0:0:0:0:1]/", "http://[::FFFF:127.0.0.1]/"}) {
    INFO(url);
    CHECK(on_this_machine(url));
  }
  for (const char* url : {"http://localhost.example/", "https://example.com/localhost",
                          "https://localhost@a.b/", "https://127.evil.example/", "https://127.0.0.1.example/",
                          "https://128.0.0.1/", "https://[::2]/", "http://[::ffff:128.0.0.1]/", "nothing"}) {
    INFO(url);
    CHECK_FALSE(on_this_machine(url));
  }
}

TEST_CASE("url: https is https in whatever case, and nothing else") {
  for (const char* url : {"https://a.example/", "HTTPS://a.example/", "hTTps://a.example"})
    CHECK(uses_https(url));
  for (const char* url : {"http://a.example/", "HTTP://https://a.example", "git::https://a.example/",
                          "https:", "/https://a.example/", "httpss://a.example/", ""})
    CHECK_FALSE(uses_https(url));
}

TEST_CASE("url: references are resolved against the document's URL") {
  struct Row {
    const char *base, *reference, *result;
  };
  const Row rows[] = {
      {"https://a.example/d/f.json", "g.zip", "https://a.example/d/g.zip"},
      {"https://a.example/d/f.json", "./g.zip", "https://a.example/d/g.zip"},
      {"https://a.example/d/f.json", "../g.zip", "https://a.example/g.zip"},
      {"https://a.example/d/f.json", "../../../g.zip", "https://a.example/g.zip"},
      {"https://a.example/d/f.json", "/g.zip", "https://a.example/g.zip"},
      {"https://a.example/d/f.json?x=/y/z", "g.zip?q=1", "https://a.example/d/g.zip?q=1"},
      {"https://a.example:8443/d/", "e/", "https://a.example:8443/d/e/"},
      {"https://a.example", "g.zip", "https://a.example/g.zip"},
      {"https://a.example/d/e/", "..", "https://a.example/d/"},
      {"https://a.example/d/e", "/g.zip//sub?y=..", "https://a.example/g.zip//sub?y=.."},
      {"https://a.example/d", "//b.example/x", "https://b.example/x"},
      {"https://a.example/d", "http://b.example/x", "http://b.example/x"},
      {"https://a.example/d", "git::https://b.example/x", "git::https://b.example/x"},
      // Two slashes mean something in the sources of modules.
      {"https://a.example/d/f", "/g.zip//sub/dir", "https://a.example/g.zip//sub/dir"},
      {"https://a.example/d/f", "g.zip//sub?archive=zip", "https://a.example/d/g.zip//sub?archive=zip"},
      {"https://a.example/x//y/f", "g", "https://a.example/x//y/g"},
      {"https://a.example/d/f", "g.zip?from=https://b.example/x",
       "https://a.example/d/g.zip?from=https://b.example/x"},
      {"https://a.example/d/f", "/g#a://b", "https://a.example/g#a://b"},
      {"no url", "g", "g"},
  };
  for (const Row& r : rows) {
    INFO(r.base << " + " << r.reference);
    CHECK(resolve_url(r.base, r.reference) == r.result);
  }
}

TEST_CASE("url: names as parts of paths") {
  CHECK(escape_path("aZ09-_.~+") == "aZ09-_.~+");
  CHECK(escape_path("a/b?c#d e%\xc3\xa4") == "a%2Fb%3Fc%23d%20e%25%C3%A4");
  CHECK(escape_path(std::string_view("\0", 1)) == "%00");
}

TEST_CASE("url: another host in the place of its own") {
  CHECK(with_host("https://user@h:8443/a?b=c", "name.example") == "https://user@name.example:8443/a?b=c");
  CHECK(with_host("https://[::1]/", "n") == "https://n/");
  CHECK(with_host("https://h/", "a b").empty());
  CHECK(with_host("", "n").empty());
}

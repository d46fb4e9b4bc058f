// What is left out of messages.
#include "core/net/redact.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xplan::net;

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
      {"https://://a:s@b/", "https://://a:xxxxx@b/"},
      {"https://sshkey=secret@b/", "https://xxxxx@b/"},
      {"https://b/?sshkey=https://a:s@c&x=https://a:s@c", "https://b/?sshkey=xxxxx&x=https://a:xxxxx@c"},
      {"nobody@example.com", "nobody@example.com"},
      {"", ""},
  };
  for (const auto& [text, shown] : rows) CHECK(without_credentials(text) == shown);
}

TEST_CASE("messages show no values of the query of an address") {
  const std::pair<std::string, std::string> rows[] = {
      {"http://h/x", "http://h/x"},
      {"http://h/x?token=abc", "http://h/x?token=xxxxx"},
      {"http://u:s@h/x?a=1&flag&b=s=s#f", "http://u:xxxxx@h/x?a=xxxxx&flag&b=xxxxx"},
      {"http://h/x?", "http://h/x?"},
      {"http://h/#?a=b", "http://h/#?a=b"},
      {"http://h/?&=&", "http://h/?&=xxxxx&"},
      {"", ""},
  };
  for (const auto& [url, shown] : rows) CHECK(shown_address(url) == shown);
}

TEST_CASE("messages of any length are read once") {
  std::string urls, keys, keys_shown;
  for (int i = 0; i < 1000000; ++i) urls += "://", keys += "sshkey=a&", keys_shown += "sshkey=xxxxx&";
  CHECK((without_credentials(urls) == urls));
  CHECK((without_credentials(keys) == keys_shown));
}

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
      {"s3::https://h/b/x?aws_access_key_id=i&aws_access_key_secret=s&aws_access_token=t&region=r",
       "s3::https://h/b/x?aws_access_key_id=i&aws_access_key_secret=xxxxx&aws_access_token=xxxxx&region=r"},
      {"://", "://"},
      {"https://://a:s@b/", "https://://a:xxxxx@b/"},
      {"https://sshkey=secret@b/", "https://xxxxx@b/"},
      {"https://b/?sshkey=https://a:s@c&x=https://a:s@c", "https://b/?sshkey=xxxxx&x=https://a:xxxxx@c"},
      {"https://user:hunter/2@host.example/s", "https://user:xxxxx@host.example/s"},
      {"https://user:hunter#2@host.example/s?a=b", "https://user:xxxxx@host.example/s?a=b"},
      {"https://user:hunter?2@host/ and https://b:x/@c", "https://user:xxxxx@host/ and https://b:xxxxx@c"},
      {"https://u@v:hunter/2@host/", "https://u@v:xxxxx@host/"},
      {"https://example.com:8080/x@y", "https://example.com:8080/x@y"},
      {"https://[::1]:8080/x@y and https://[::1]/x@y", "https://[::1]:8080/x@y and https://[::1]/x@y"},
      {"https://me:secret@example.com:8080/x@y", "https://me:xxxxx@example.com:8080/x@y"},
      {"ssh://git@example.com:org/x", "ssh://git@example.com:org/x"},
      {"https://example.com:port/x", "https://example.com:port/x"},
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
      {"http://h/x?alt=media&key=abc&fields=a%2Cb", "http://h/x?alt=media&key=xxxxx&fields=a%2Cb"},
      {"http://h/x?release=1-2&flags=3&ID=a&b=c", "http://h/x?release=1-2&flags=3&ID=a&b=xxxxx"},
      {"http://h/x?", "http://h/x?"},
      {"http://h/#?a=b", "http://h/#?a=b"},
      {"http://h/?&=&", "http://h/?&=xxxxx&"},
      {"", ""},
  };
  for (const auto& [url, shown] : rows) CHECK(shown_address(url) == shown);
}

TEST_CASE("messages of any length are read once") {
  std::string urls, keys, keys_shown;
  std::string words;
  for (int i = 0; i < 1000000; ++i)
    urls += "://", keys += "sshkey=a&", keys_shown += "sshkey=xxxxx&", words += "://a:b/";
  CHECK((without_credentials(urls) == urls));
  CHECK((without_credentials(keys) == keys_shown));
  CHECK((without_credentials(words) == words));
}

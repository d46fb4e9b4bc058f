// Signatures against examples that AWS publishes.
#include "core/cloud/aws_signature.h"

#include <catch2/catch.hpp>

using namespace xplan;
using namespace xplan::cloud;

namespace {

std::string authorization(net::Request r, const AwsKeys& keys, const AwsScope& scope, int64_t at) {
  sign(r, keys, scope, at);
  std::string out;
  for (const auto& [name, value] : r.headers)
    if (name == "Authorization") out = value;
  return out;
}

net::Request request(const char* method, const char* url,
                     std::vector<std::pair<std::string, std::string>> headers = {},
                     std::optional<std::string> body = {}) {
  net::Request r;
  r.method = method, r.url = url, r.headers = std::move(headers), r.body = std::move(body);
  return r;
}

}  // namespace

TEST_CASE("cloud: signatures of the published test suite") {
  const AwsKeys keys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};
  constexpr int64_t kTime = 1440938160;  // 20150830T123600Z
  const struct {
    net::Request request;
    const char* signature;
  } table[] = {
      {request("GET", "https://example.amazonaws.com/"),
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {request("GET", "https://example.amazonaws.com"),
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {request("GET", "https://example.amazonaws.com/?Param2=value2&Param1=value1"),
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {request("GET", "https://example.amazonaws.com/?%E1%88%B4=bar"),
       "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
      {request("POST", "https://example.amazonaws.com/"),
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {request("POST", "https://example.amazonaws.com/",
               {{"Content-Type", "application/x-www-form-urlencoded"}}, "Param1=value1"),
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
      {request("GET", "https://example.amazonaws.com/",
               {{"My-Header1", "value1"}, {"My-Header2", "  \"a   b   c\"  "}}),
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
  };
  for (const auto& t : table) {
    INFO(t.request.method << " " << t.request.url);
    const std::string said = authorization(t.request, keys, {"us-east-1", "service"}, kTime);
    CHECK(said.ends_with(std::string("Signature=") + t.signature));
    CHECK(said.starts_with(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "));
  }
}

TEST_CASE("cloud: signatures of requests to S3, whose path is escaped once and whose content is named") {
  const AwsKeys keys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  constexpr int64_t kTime = 1369353600;  // 20130524T000000Z
  const struct {
    net::Request request;
    const char* signature;
  } table[] = {
      {request("GET", "https://examplebucket.s3.amazonaws.com/test.txt", {{"Range", "bytes=0-9"}}),
       "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
      {request("PUT", "https://examplebucket.s3.amazonaws.com/test%24file.text",
               {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
               "Welcome to Amazon S3."),
       "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
      {request("GET", "https://examplebucket.s3.amazonaws.com/?lifecycle"),
       "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
      {request("GET", "https://examplebucket.s3.amazonaws.com:443/?prefix=J&max-keys=2"),
       "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
  };
  for (const auto& t : table) {
    INFO(t.request.method << " " << t.request.url);
    CHECK(authorization(t.request, keys, {"us-east-1", "s3"}, kTime)
              .ends_with(std::string("Signature=") + t.signature));
  }
}

TEST_CASE("cloud: a token is a header that is signed, secrets are in none") {
  net::Request r = request("GET", "http://[::1]:80/x");
  sign(r, {"AK", "very-secret", "the-token"}, {"r", "s3"}, 0);
  std::string all;
  for (const auto& [name, value] : r.headers) all += name + ": " + value + "\n";
  CHECK(all.find("X-Amz-Security-Token: the-token\n") != all.npos);
  CHECK(all.find("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token") != all.npos);
  CHECK(all.find("Host: [::1]\n") != all.npos);
  CHECK(all.find("very-secret") == all.npos);
}

TEST_CASE("cloud: what signatures escape") {
  CHECK(aws_escape("a b/c+d~e:%\xc3\xa9") == "a%20b%2Fc%2Bd~e%3A%25%C3%A9");
  CHECK(aws_escape("a/b", true) == "a/b");
  CHECK(aws_escape(std::string_view("\0", 1)) == "%00");
}

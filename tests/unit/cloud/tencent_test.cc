// Signatures of Tencent Cloud against examples that it publishes; keys of roles.
#include <catch2/catch.hpp>

#include "core/cloud/tencent_client.h"

using namespace xplan;
using namespace xplan::cloud;

namespace {

std::string header(const net::Request& r, std::string_view name) {
  for (const auto& [n, value] : r.headers)
    if (n == name) return value;
  return {};
}

}  // namespace

TEST_CASE("tencent: a COS request of the documentation") {
  CosCall c;
  c.method = "PUT", c.base = "https://examplebucket-1250000000.cos.ap-beijing.myqcloud.com";
  c.name = "exampleobject(腾讯云)";
  c.headers = {{"Date", "Thu, 16 May 2019 06:45:51 GMT"},
               {"Content-Type", "text/plain"},
               {"Content-Length", "13"},
               {"Content-MD5", "mQ/fVh815F3k6TAUm8m0eg=="},
               {"x-cos-acl", "private"},
               {"x-cos-grant-read", "uin=\"100000000011\""}};
  c.body = "ObjectContent";
  // The example is valid for two hours from 1557989151 on; here it begins a minute before.
  const TencentKeys keys{"AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q", "BQYIM75p8x0iWVFSIgqEKwFprpRSVHlz", "", 0};
  const net::Request r = signed_cos(c, keys, 1557989151 + 60, 7200);
  CHECK(header(r, "Authorization") ==
        "q-sign-algorithm=sha1&q-ak=AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q&q-sign-time=1557989151;1557996351&"
        "q-key-time=1557989151;1557996351&q-header-list=content-length;content-md5;content-type;date;host;x-"
        "cos-"
        "acl;x-cos-grant-read&q-url-param-list=&q-signature=3b8851a11a569213c17ba8fa7dcf2abec6935172");
  CHECK(r.url ==
        "https://examplebucket-1250000000.cos.ap-beijing.myqcloud.com/"
        "exampleobject%28%E8%85%BE%E8%AE%AF%E4%BA%91%29");
}

// Signatures of Tencent Cloud: of its object storage (COS), and of its other services (TC3-HMAC-SHA256).
//
// Who calls it: tencent_client.cc.
// Contract: what is signed is what is sent: COS requests are made here from their parts. Cost: linear in the
// request.  Thread-safety: pure.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "core/net/client.h"

namespace xplan::cloud {

struct TencentKeys {
  std::string id, key, token;
  int64_t expires = 0;  // 0: never
};

struct CosCall {
  std::string method = "GET", base;  // base: https://BUCKET.cos.REGION.myqcloud.com
  std::string name;                  // of the object; "": the bucket
  std::map<std::string, std::string> query, headers;
  net::Body body;
  bool once = false;  // as net::Request has it, and the next
  std::chrono::seconds patience{0};
};
// `seconds`: how long it is valid, from a minute ago on; attempts may be made for a while.
net::Request signed_cos(const CosCall& call, const TencentKeys& keys, int64_t now, int64_t seconds = 3600);

struct TencentCall {
  std::string service, version, action, region, domain, body;
};
net::Request signed_tc3(const TencentCall& call, const TencentKeys& keys, int64_t now);

}  // namespace xplan::cloud

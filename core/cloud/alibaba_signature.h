// Signatures of Alibaba Cloud: of its object storage (OSS), of TableStore, and of its other services.
//
// Who calls it: alibaba_client.cc.
// Contract: requests are made here from their parts, so what is signed is what is sent. Cost: linear in the
// request.  Thread-safety: pure.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "core/net/client.h"

namespace xplan::cloud {

struct AlibabaKeys {
  std::string id, key, token;
  int64_t expires = 0;  // 0: never
};

struct OssCall {
  std::string method = "GET", base, bucket;  // base: the URL that stands for the bucket
  std::string name;                          // of the object; "": the bucket
  // The names of headers of OSS are in lower case. Arguments are not signed, so they must be some that the
  // service does not expect to be: those of a listing.
  std::map<std::string, std::string> query, headers;
  net::Body body;
  std::chrono::seconds patience{0};  // as net::Request has it
};
net::Request signed_oss(const OssCall& call, const AlibabaKeys& keys, int64_t now);

struct TableStoreCall {
  std::string base, instance, action, body;  // base: https://INSTANCE.cn-beijing.ots.aliyuncs.com
};
// `date`: like 2026-01-02T03:04:05.678Z.
net::Request signed_tablestore(const TableStoreCall& call, const AlibabaKeys& keys, const std::string& date);

struct RpcCall {
  std::string base, action, version;
  std::map<std::string, std::string> arguments;
};
// `nonce`: another one for each attempt.
net::Request signed_rpc(const RpcCall& call, const AlibabaKeys& keys, int64_t now, const std::string& nonce);

}  // namespace xplan::cloud

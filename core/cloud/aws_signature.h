// Signatures of requests to AWS (Signature Version 4), in the Authorization header.
//
// Who calls it: aws_client.cc, before every attempt.
// Contract: every header of the request is signed, and none may be changed or added afterwards that begins
// with "x-amz-". The path goes out as it stands in the URL, which is escaped already; query parameters need
// no order. Keys never occur in anything but the signature. Cost: one digest of the body.  Thread-safety:
// pure.
#pragma once
#include <cstdint>
#include <string>

#include "core/cloud/signing.h"
#include "core/net/client.h"

namespace xplan::cloud {

struct AwsKeys {
  std::string access_key, secret_key, token;
  int64_t expires = 0;  // Unix time; 0: never
};

struct AwsScope {
  std::string region, service;
};

void sign(net::Request& r, const AwsKeys& keys, const AwsScope& scope, int64_t now);

inline std::string aws_escape(std::string_view text, bool keep_slashes = false) {
  return uri_escape(text, keep_slashes);
}

}  // namespace xplan::cloud

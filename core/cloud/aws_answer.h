// What an answer of AWS says about a failure.
//
// Who calls it: aws_client.cc and the backend s3.
// Contract: answers are hostile. A text that goes into a message is on one line, of at most 300 characters,
// without control characters. Cost: linear in the answer, which is looked at up to 64 KiB.  Thread-safety:
// pure.
#pragma once
#include <string>
#include <string_view>

#include "core/net/client.h"

namespace xplan::cloud {

struct AwsFailure {
  std::string code, message;  // empty where the answer does not say
};
AwsFailure failure_of(const net::Answer& a);  // XML or JSON, of any of the services

// "403 Forbidden (AccessDenied: Access Denied)", with what would help where that is known.
std::string describe_failure(const net::Answer& a);

}  // namespace xplan::cloud

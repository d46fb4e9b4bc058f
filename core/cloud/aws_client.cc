// Signing and sending, and what is to be done about answers that a second attempt may change.
#include "core/cloud/aws_client.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/base/backoff.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

using namespace std::string_view_literals;

bool among(std::string_view code, std::initializer_list<std::string_view> codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// Statuses below 500 say this with their codes.
bool passes(std::string_view code) {
  return among(
      code, {"RequestTimeout"sv, "RequestTimeoutException"sv, "Throttling"sv, "ThrottlingException"sv,
             "ThrottledException"sv, "RequestThrottled"sv, "TooManyRequestsException"sv,
             "ProvisionedThroughputExceededException"sv, "RequestLimitExceeded"sv, "BandwidthLimitExceeded"sv,
             "LimitExceededException"sv, "TransactionInProgressException"sv, "OperationAborted"sv,
             "ConditionalRequestConflict"sv, "IDPCommunicationError"sv});
}

bool blames_clock(const AwsFailure& f) {
  return among(f.code, {"RequestTimeTooSkewed"sv, "RequestExpired"sv, "RequestInTheFuture"sv}) ||
         (among(f.code, {"SignatureDoesNotMatch"sv, "InvalidSignatureException"sv, "AuthFailure"sv}) &&
          (f.message.starts_with("Signature expired") || f.message.starts_with("Signature not yet current")));
}

bool blames_token(std::string_view code) {
  return among(code, {"ExpiredToken"sv, "ExpiredTokenException"sv, "TokenRefreshRequired"sv});
}

}  // namespace

int64_t AwsClient::now(int64_t skew) {
  return unix_now() + skew;
}

net::Retry AwsClient::retry() const {
  net::Retry out;
  out.times = retries_;
  out.most = std::chrono::seconds(20);
  out.again = [](int status) { return status == 429 || (status >= 500 && status != 501); };
  return out;
}

bool AwsClient::correct_clock(const net::Answer& a, int64_t used) {
  const auto date = a.headers.find("date");
  const auto there = date == a.headers.end() ? std::nullopt : parse_http_date(date->second);
  if (!there) return false;
  const int64_t skew = *there - unix_now();
  if (std::abs(skew - used) < 60) return false;  // then it is something else
  skew_ = skew;
  return true;
}

Result<net::Answer> AwsClient::send(const net::Request& r, const AwsScope& scope, const Keys& keys) {
  std::string refused;
  bool renewed = false;
  for (int n = 0;; ++n) {
    const Result<AwsKeys> with = keys(refused);
    if (!with) return with.error();
    net::Request signed_one = r;
    signed_one.retry = retry();
    signed_one.follow = false;
    signed_one.path_as_is = true;
    const int64_t skew = skew_;
    sign(signed_one, *with, scope, now(skew));
    Result<net::Answer> answer = client_.send(signed_one);
    if (!answer || answer->status < 400) return answer;
    const AwsFailure f = failure_of(*answer);
    refused = !renewed && blames_token(f.code) ? with->access_key : "";
    const bool again = !refused.empty() || (blames_clock(f) && correct_clock(*answer, skew));
    if (!refused.empty()) renewed = true;
    if (again && n <= retries_ + 2) continue;
    if (answer->status >= 500 || !passes(f.code) || n >= retries_) return answer;
    if (!wait_unless_stopped(backoff(n, std::chrono::milliseconds(250), std::chrono::seconds(20)),
                             r.stop.stop))
      return interrupted();
  }
}

Result<net::Answer> AwsClient::send_plain(net::Request r, bool patient) {
  r.follow = false;
  if (patient) r.retry = retry();
  return client_.send(r);
}

}  // namespace xplan::cloud

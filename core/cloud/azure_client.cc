// Sending, and what is to be done about answers that other credentials or another clock may change.
#include "core/cloud/azure_client.h"

#include <cstdlib>

#include "core/cloud/azure_answer.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

// Not what the identity may do, but who it is.
bool blames_authorization(const net::Answer& a) {
  if (a.status != 403) return a.status == 401;
  const std::string code = azure_failure_of(a).code;
  return code == "AuthenticationFailed" || code == "InvalidAuthenticationInfo" ||
         code == "ExpiredAuthenticationToken";
}

}  // namespace

int64_t AzureClient::now() const {
  return unix_now() + skew_;
}

net::Retry AzureClient::retry() const {
  net::Retry out;
  out.times = retries_;
  out.most = std::chrono::seconds(20);
  out.again = [](int status) { return status == 408 || status == 429 || (status >= 500 && status != 501); };
  return out;
}

bool AzureClient::correct_clock(const net::Answer& a) {
  const auto date = a.headers.find("date");
  const auto there = date == a.headers.end() ? std::nullopt : parse_http_date(date->second);
  if (!there) return false;
  const int64_t skew = *there - unix_now();
  if (std::abs(skew - skew_) < 300) return false;  // requests may be up to 15 minutes old
  skew_ = skew;
  return true;
}

Result<net::Answer> AzureClient::send(const net::Request& r, const Authorize& authorize) {
  Result<net::Answer> answer = Error{};
  for (bool fresh = false, renewed = false, corrected = false;;) {
    net::Request now = r;
    now.retry = retry();
    now.follow = false;
    now.path_as_is = true;
    const Result<bool> may = authorize(now, fresh);
    if (!may) return may.error();
    if (fresh && !*may) return answer;
    answer = client_.send(now);
    if (!answer || !blames_authorization(*answer)) return answer;
    fresh = corrected || !correct_clock(*answer);
    if (fresh && renewed) return answer;
    (fresh ? renewed : corrected) = true;
  }
}

Result<net::Answer> AzureClient::send_plain(net::Request r, bool patient) {
  r.follow = false;
  if (patient) r.retry = retry();
  return client_.send(r);
}

}  // namespace xplan::cloud

// AwsClient: signed requests to AWS and to what speaks like it.
//
// Who calls it: the credential chain (STS), the backend s3.
// Contract: each request is signed with the keys that `keys` gives for it. Tried again, with back-off: what
// fails on its way, 429, answers from 500 on but 501, and what the service calls transient (throttling,
// conflicts of concurrent requests, timeouts). Where the service says that this machine's clock is wrong, its
// own is used from then on; where it says that the keys have expired, `keys` is asked for others, once.
// Requests are not redirected. An answer of any status is a result; errors are phrases. What is tried again
// may have been done before: callers ask for things that may be done twice, or look afterwards.  Cost: one
// request, if all is well. Thread-safety: any thread.
#pragma once
#include <atomic>
#include <functional>
#include <string>

#include "core/cloud/aws_signature.h"
#include "core/net/client.h"

namespace xplan::cloud {

class AwsClient {
 public:
  AwsClient(net::ClientOptions options, int retries) : client_(std::move(options)), retries_(retries) {}

  // Those that are not the refused ones, by their access key; "": any.
  using Keys = std::function<Result<AwsKeys>(const std::string& refused)>;
  Result<net::Answer> send(const net::Request& r, const AwsScope& scope, const Keys& keys);
  // Not signed, for what has no keys yet. `patient`: tried again like the others.
  Result<net::Answer> send_plain(net::Request r, bool patient = true);
  int64_t now() const { return now(skew_); }  // by the service's clock, if that is known to differ

 private:
  net::Retry retry() const;
  static int64_t now(int64_t skew);
  // Sets the clock right by what the answer says. `used`: as it was set for the request, which others may
  // have set right meanwhile. False: it was not that.
  bool correct_clock(const net::Answer& a, int64_t used);
  net::Client client_;
  const int retries_;
  std::atomic<int64_t> skew_{0};
};

}  // namespace xplan::cloud

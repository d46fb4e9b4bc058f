// AzureClient: requests to Azure's services, authorized for each attempt.
//
// Who calls it: the sources of tokens, azure_account.cc, the backend azurerm.
// Contract: tried again, with back-off, and for as long as the service asks: what fails on its way, 408, 429,
// and answers from 500 on but 501. Where the service refuses the authorization, it is asked for afresh, once;
// where the answer shows that this machine's clock is wrong, the service's own is used from then on. Requests
// are not redirected. An answer of any status is a result; errors are phrases. What is tried again may have
// been done before: callers ask for things that may be done twice, or look afterwards.  Cost: one request, if
// all is well. Thread-safety: any thread.
#pragma once
#include <atomic>
#include <functional>
#include <string>

#include "core/net/client.h"

namespace xplan::cloud {

class AzureClient {
 public:
  AzureClient(net::ClientOptions options, int retries) : client_(std::move(options)), retries_(retries) {}

  // Adds what authorizes the request. `fresh`: what was used before was refused; false: there is nothing
  // else.
  using Authorize = std::function<Result<bool>(net::Request& r, bool fresh)>;
  Result<net::Answer> send(const net::Request& r, const Authorize& authorize);
  // Without authorization, for what has none yet. `patient`: tried again like the others.
  Result<net::Answer> send_plain(net::Request r, bool patient = true);
  int64_t now() const;  // by the service's clock, if that is known to differ

 private:
  net::Retry retry() const;
  bool correct_clock(const net::Answer& a);  // false: it was not that
  net::Client client_;
  const int retries_;
  std::atomic<int64_t> skew_{0};
};

}  // namespace xplan::cloud

// GoogleClient: requests to Google's services, with the access token of whoever asks.
//
// Who calls it: the backend gcs, the key provider gcp_kms.
// Contract: tried again, with back-off: what fails on its way, 408, 429, and answers from 500 on but 501.
// Where the service does not know the token, another one is fetched, once. Over http the token goes to this
// machine only. Requests are not redirected. An answer of any status is a result; errors are phrases. What is
// tried again may have been done before: callers ask for things that may be done twice, or look afterwards.
// Cost: one request, if all is well. Thread-safety: any thread.
#pragma once
#include <string>

#include "core/cloud/google_token.h"

namespace xplan::cloud {

class GoogleClient {
 public:
  // `anonymous`: no credentials are looked for, or sent.
  GoogleClient(GoogleSettings settings, Stop stop, bool anonymous = false)
      : token_(std::move(settings), client_, stop), anonymous_(anonymous) {}
  Result<net::Answer> send(const net::Request& r);

 private:
  net::Client client_;
  GoogleToken token_;
  const bool anonymous_;
};

// Has the request sent with the token. Over http it goes to services on this machine only.
void authorize(net::Request& r, const GoogleAccess& access);
// "403 Forbidden: what Google says": on one line, and not at any length.
std::string google_failure(const net::Answer& a);
net::Retry google_retries();

}  // namespace xplan::cloud

// One attempt of a request: what is set for it in libcurl, what it sends, and what comes of it.
//
// Who calls it: client.cc, which has the handles, and decides what is tried again.
// Contract: that of client.h. An error is not to be tried again, whatever the policy. Cost: one transfer.
// Thread-safety: a handle is one thread's.
#pragma once
#include <string>

#include "core/net/client.h"
#include "core/net/curl_api.h"

namespace xplan::net {

struct Tried {
  CURLcode code = CURLE_OK;
  Answer answer;
  std::string detail;        // of a code that is not OK
  curl_off_t wait_told = 0;  // seconds that the server asks for
  bool redirected = false;
  std::string next;       // where a redirect leads that was not followed
  uint64_t received = 0;  // bytes of the body
};
// `shown`: the URL without its credentials.
Result<Tried> attempt(CURL* handle, const Request& r, const ClientOptions& options, const std::string& shown);

}  // namespace xplan::net

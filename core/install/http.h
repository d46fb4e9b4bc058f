// HTTP: fetches documents and files over https and http.
//
// Who calls it: service discovery, registries, network mirrors, modules.
// Contract: certificates are checked against the system's store, or SSL_CERT_FILE and SSL_CERT_DIR; proxies
// come from the usual environment variables; connections and silence have time limits; failed connections,
// dropped transfers, 429 and 5xx answers are tried again a few times. When `stop` becomes true, what is under
// way ends within a second, with an error. A token is sent over https only, and to the host it is for only,
// also after redirects; none leads from https to http. An answer of any status is a result; errors are
// sentences that name the URL. Cost: the library is loaded by the first request; connections are kept open
// for the next.  Thread-safety: any thread may get(); `stop` and `progress` are set before.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace xplan::install {

struct HttpRequest {
  std::string url;
  std::string token;              // sent as a bearer token
  std::string to_file;            // the body goes there; otherwise into the answer
  uint64_t max_bytes = 64 << 20;  // more is an error
  bool follow = true;             // redirects
};
struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string url;  // after redirects
};

class Http {
 public:
  Http();
  ~Http();
  Result<HttpAnswer> get(const HttpRequest& r);
  const std::atomic<bool>* stop = nullptr;
  // Called again and again while something is downloaded to files, by one thread at a time, and with zeros
  // when that is over. Counted are all downloads since none was under way. The total is 0 while it is not
  // known.
  std::function<void(uint64_t done, uint64_t total)> progress;
  bool stopped() const { return stop && stop->load(); }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "404 Not Found": the status as people know it.
std::string status_text(int status);
// The host of a URL with its port; empty when there is none.
std::string host_of(std::string_view url);
// An absolute or relative reference, resolved against the URL of the document that it stands in.
std::string resolve_url(std::string_view base, std::string_view reference);
std::string escape_path(std::string_view segment);

}  // namespace xplan::install

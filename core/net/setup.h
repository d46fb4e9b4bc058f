// Setup: what libcurl is told about a request: method, routes, limits, trust, identity and headers.
//
// Who calls it: transfer.cc, once for each attempt.
// Contract: nothing that comes from outside (the URL, headers, tokens, names) can begin another line of the
// request: what has control characters is an error that says which part it is. Which options libcurl knows
// depends on its version and how it was built; without one of them a request could be less safe than it is to
// be, and must not be sent: problem() says so. Cost: a few system calls. Thread-safety: a handle is one
// thread's.
#pragma once
#include <string>

#include "core/net/client.h"
#include "core/net/curl_api.h"

namespace xplan::net {

// What an answer may come compressed with; transfer.cc unpacks it.
inline constexpr const char* kCompression = "gzip";

class Setup {
 public:
  // `r` and `o` live for as long as the transfer.
  Setup(CURL* handle, const Request& r, const ClientOptions& o);
  ~Setup();
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  // The first option that fails is remembered.
  template <class T>
  void set(CURLoption option, T value) {
    const CURLcode code = curl().curl_easy_setopt(handle_, option, value);
    if (failed_ != CURLE_OK || code == CURLE_OK) return;
    failed_ = code;
    option_ = static_cast<int>(option);
  }
  // Why the request must not be sent; empty when it may.
  std::string problem() const;

 private:
  void protocols(CURLoption names, int bits, bool only_https);
  void blob(CURLoption option, const std::string& text);
  void method();
  void routes();
  void usual_proxy();
  void address();
  void limits();
  void trust();
  void identity();
  void headers();
  void add_header(const std::string& line);
  void refuse_controls(std::string_view text, std::string_view what);

  CURL* const handle_;
  const Request& r_;
  const ClientOptions& options_;
  curl_slist *headers_ = nullptr, *connect_to_ = nullptr;
  std::string problem_;
  CURLcode failed_ = CURLE_OK;
  int option_ = 0;
};

}  // namespace xplan::net

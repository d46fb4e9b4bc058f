// Client: HTTP requests of any method over https and http.
//
// Who calls it: installation (core/hosts/http.h); backends that keep states on servers.
// Contract: certificates are checked against the client's own authorities, or SSL_CERT_FILE and SSL_CERT_DIR,
// or the system's store; proxies come from the usual environment variables, and none leads to this machine.
// An answer of any status is a result; errors are phrases that name the URL without its credentials. Bearer
// tokens go over https only; they, passwords, Authorization headers and `own_headers` go to the host of the
// URL only, also after redirects, and no redirect leads from https to http. Nothing is sent that has control
// characters in its URL, headers, token, user or password. Answers may come compressed with gzip and nothing
// else; limits count what comes out of that, while it does, and what ends too early is an error. Only GET and
// HEAD follow redirects. What is tried again, how often and after which pause is the policy of the request.
// When `stop` becomes true, what is under way ends within a second, or within its grace, with an error. Cost:
// the library is loaded by the first request; the connections and TLS sessions of a client are kept for its
// next requests.  Thread-safety: any thread may send(); requests that are under way at the same time have a
// connection each.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/arrival.h"
#include "core/base/result.h"
#include "core/net/ending.h"

namespace xplan::net {

// How often something is tried again that failed on its way (connections, dropped transfers), and what
// answers count as such. The pause begins with `first` and doubles up to `most`, with a part by chance; where
// the server asks for more, it gets that, up to a minute.
struct Retry {
  int times = 0;
  std::chrono::milliseconds first{250}, most{4000};
  bool refused_at_first = true;  // also when the first connection of the client is refused
  std::function<bool(int status)> again = [](int status) { return status == 429 || status >= 500; };
};

struct Limits {
  // Seconds; 0: none. Silence: less than 1 KiB a second; one second more for each MiB that is sent.
  long connect = 15, silence = 15, whole = 0;
  uint64_t body = 64 << 20;  // a larger answer is an error
  // Bytes that may still come, of all requests that share it; those of attempts that failed do not count.
  std::atomic<int64_t>* together = nullptr;
};

// Proxies instead of those that the environment names: a URL for each scheme ("": none), and the hosts that
// are reached without one.
struct Proxies {
  std::string http, https, except;
};

// What is the same for all requests of a client. PEM texts, not files.
struct ClientOptions {
  std::string user_agent = "xplan";
  std::string authorities;               // certificates to trust instead of the system's
  std::string certificate, private_key;  // of the client itself
  bool verify = true;
  std::string server_name;  // that the server's certificate must be for, instead of the host's
  std::string unix_socket;  // where all requests go, whatever their hosts
  std::optional<Proxies> proxies;
};

// What is sent, if anything: copies of a request share it, so whoever wipes it wipes it for all of them.
class Body {
 public:
  Body() = default;
  Body(std::string text) : text_(std::make_shared<std::string>(std::move(text))) {}
  Body(const char* text) : Body(std::string(text)) {}
  Body(std::optional<std::string> text) {
    if (text) *this = Body(std::move(*text));
  }
  explicit operator bool() const { return text_ != nullptr; }
  std::string& operator*() const { return *text_; }
  std::string* operator->() const { return text_.get(); }

 private:
  std::shared_ptr<std::string> text_;
};

struct Request {
  std::string url, method = "GET";
  std::vector<std::pair<std::string, std::string>> headers;
  Body body;
  std::string token;                        // sent as a bearer token
  std::string user, password;               // basic authentication, when either is set
  std::string to_file;                      // the body of the answer goes there; otherwise into the answer
  std::string failure = "failed to reach";  // begins the error: "failed to reach URL: reason"
  bool follow = true;
  bool own_headers =
      false;                // `headers` stay with the host of the URL, and do not follow a redirect elsewhere
  bool compressed = true;   // the answer may come compressed
  bool path_as_is = false;  // "." and ".." in the path are names like others
  bool secret_path = false;  // who knows the URL needs nothing else: messages show its host only; over https
  bool direct = false;       // by no proxy
  bool once = false;         // one attempt, whatever `retry` says, which libcurl does not repeat either
  Limits limits;
  Retry retry;
  // For so long it is tried again, beyond `retry`, where a server that has answered before is away, or a load
  // balancer says so (502, 503, 504).
  std::chrono::seconds patience{0};
  Ending stop;
  // Gets a copy of the body as it comes, of an answer of status 200 that says how long it is. The answer
  // itself is what counts.
  Arrival* arrival = nullptr;
  std::function<void(uint64_t done, uint64_t total)> progress;  // of the body; a total of 0 is not known
};

struct Answer {
  int status = 0;
  int attempts = 1;  // that were made; what is asked for may have been done by an earlier one
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string url;  // after redirects
};

class Client {
 public:
  explicit Client(ClientOptions options = {});
  ~Client();
  Result<Answer> send(const Request& r);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "404 Not Found": the status as people know it.
std::string status_text(int status);

}  // namespace xplan::net

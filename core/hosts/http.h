// Http: what installation asks of servers, and how: with its headers, time limits, attempts and progress.
//
// Who calls it: service discovery, registries, network mirrors, modules.
// Contract: that of net::Client. TF_REGISTRY_CLIENT_TIMEOUT limits connections and silence,
// TF_REGISTRY_DISCOVERY_RETRY says how often failed connections, dropped transfers, 429 and 5xx answers are
// tried again; where they are not set, the CLI configuration. An answer of any status is a result; errors are
// phrases that name the URL. Cost: that of net::Client. Nothing is sent with a TF_APPEND_USER_AGENT that
// cannot be sent.  Thread-safety: any thread may get(); `stop` and `progress` are set before.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stop.h"
#include "core/hosts/downloads.h"
#include "core/net/client.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::hosts {

using HttpAnswer = net::Answer;
using net::escape_path;
using net::host_and_port;
using net::resolve_url;
using net::status_text;
using net::without_credentials;

struct HttpRequest {
  std::string url;
  std::string token;           // sent as a bearer token
  std::string user, password;  // basic authentication, when either is set
  std::vector<std::pair<std::string, std::string>> headers;
  std::string form;              // sent by POST; empty: this is a GET
  std::string to_file;           // the body goes there; otherwise into the answer
  uint64_t max_bytes = 8 << 20;  // more, when decompressed, is an error
  std::optional<int> retries;    // empty: as the environment says
};

class Http {
 public:
  Http();
  Result<HttpAnswer> get(const HttpRequest& r);
  Stop stop = nullptr;
  std::optional<int> retries, seconds;  // where the environment says nothing: as the user has configured
  // Called again and again while something is downloaded to files, by one thread at a time, and with zeros
  // when that is over. Counted are all downloads since none was under way. The total is 0 while it is not
  // known.
  std::function<void(uint64_t done, uint64_t total)> progress;
  bool stopped() const { return xplan::stopped(stop); }

 private:
  const std::string user_agent_;
  net::Client client_;
  Downloads downloads_;
};

}  // namespace xplan::hosts

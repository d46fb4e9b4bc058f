// Api: requests to the service for states of a host (tfe.v2), in JSON:API's form, and what its answers say.
//
// Who calls it: workspaces.cc, place.cc and server.cc.
// Contract: the service is found, and the token, by the first request. The token goes to the service, and to
// where a state is only if that is the same host. Answers are hostile: what goes into a message is one short
// line without control characters; a document is looked at only where it is of the expected form. What `stop`
// is given to ends when it is set. Cost: one request each.  Thread-safety: any thread.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "core/backend/hcp/settings.h"
#include "core/base/document.h"
#include "core/base/stop.h"
#include "core/hosts/user_hosts.h"
#include "core/net/client.h"

namespace xplan::backend::hcp {

struct Reply {
  int status = 0;
  std::string body;
  bool good() const { return status >= 200 && status < 300; }
};

class Api {
 public:
  Api(HcpSettings settings, Stop stop) : settings_(std::move(settings)), stop_(stop), hosts_(stop) {}
  const HcpSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& workspace) const {
    return settings_.host + "/" + settings_.organization + "/" + workspace;
  }

  // `path` is that behind the service's. What was carried out may be tried again, if its answer was lost,
  // unless it is to be sent `once`.
  Result<Reply> send(const char* method, const std::string& path, const std::string* body, net::Ending stop,
                     bool once = false);
  // The member "data" of an answer, which must be an object.
  static Result<Json> data_of(const Reply& r);
  // What is kept beside the service, at a URL that it has given.
  Result<Reply> get_content(const std::string& url, net::Ending stop, Arrival* arrival);
  Result<Reply> put_content(const std::string& url, std::string_view bytes);
  // "cannot WHAT: the server answered …", with what would help.
  Error refused(const std::string& what, const Reply& r) const;

  std::string organization_path() const;  // "organizations/NAME/"
  // Of runs: how many seconds to wait between writes of the state, as the server last said.
  int snapshot_interval() const { return interval_.load(std::memory_order_relaxed); }

 private:
  struct Found {
    std::string base, token;
  };
  Result<Found> find();
  Result<Reply> exchange(net::Request r);
  Result<net::Request> content(const char* method, const std::string& url, net::Ending stop);

  const HcpSettings settings_;
  const Stop stop_;
  hosts::UserHosts hosts_;
  net::Client client_;
  std::mutex mutex_;
  std::optional<Found> found_;
  std::atomic<int> interval_{0};
};

// The text of an answer for messages.
std::string shown_line(std::string_view text);
// An attribute of an object of an answer.
std::string attribute(const Json& object, std::string_view name);
bool flag_attribute(const Json& object, std::string_view name, bool otherwise);

}  // namespace xplan::backend::hcp

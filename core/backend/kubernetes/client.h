// KubeClient: secrets and leases of a namespace, as the backend "kubernetes" uses them.
//
// Who calls it: place.cc, lease.cc and server.cc.
// Contract: an error is a phrase that names the object and what the cluster said of it. A replacement is for
// the version that the object itself names. What `stop` is given to ends when it is set; the rest (whatever
// ends a run: the last write, the release of locks) does not. Cost: one request each; one more, and a
// program, when credentials have ended.  Thread-safety: any thread.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/kubernetes/credentials.h"
#include "core/backend/kubernetes/settings.h"
#include "core/base/document.h"
#include "core/base/stop.h"

namespace xplan::backend::kubernetes {

enum class ObjectKind : uint8_t { Secret, Lease };

class KubeClient {
 public:
  KubeClient(KubeSettings settings, Stop stop);
  const KubeSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }      // of what asks for a lock
  std::string shown(ObjectKind kind, const std::string& name) const;  // secret "NAMESPACE/NAME"

  Result<std::optional<Json>> get(ObjectKind kind, const std::string& name, net::Ending stop = nullptr);
  // False: there is one already, or another version of it, or none.
  Result<bool> create(ObjectKind kind, const Json& object, net::Ending stop = nullptr);
  Result<bool> replace(ObjectKind kind, const Json& object, net::Ending stop = nullptr);
  // A secret, whatever is there: `fill` sets what it is to contain, and the rest stays. `may`: asked between
  // looking at what is there and replacing just that; false: it may not be written any more.
  using May = std::function<Result<bool>()>;
  Result<bool> put_secret(const std::string& name, const std::function<void(Json&)>& fill,
                          const May& may = nullptr);
  Result<void> remove(ObjectKind kind, const std::string& name);  // fine if it is not there
  // False: there is another version.
  Result<bool> remove_version(ObjectKind kind, const std::string& name, const std::string& version);
  // Secrets with all of these labels. `bare`: what is in them is not needed.
  Result<std::vector<Json>> list(const std::string& selector, bool bare, net::Ending stop = nullptr);

 private:
  struct Asked {
    std::string method, path;
    std::string query = {};
    net::Body body = {};
    net::Ending stop = nullptr;
    bool bare = false;
    bool patient = false;  // waits for a server that is away
  };
  Result<net::Answer> send(const Asked& asked);
  Result<net::Answer> attempt(const Asked& asked, const Credentials* refused, Credentials& used);
  std::shared_ptr<net::Client> client_for(const Credentials& credentials);
  std::string path(ObjectKind kind, const std::string& name = {}) const;
  Error refused(const std::string& doing, const net::Answer& a) const;

  const KubeSettings settings_;
  const Stop stop_;
  CredentialSource credentials_;
  std::mutex mutex_;
  std::string certificate_;  // of the client below
  std::shared_ptr<net::Client> client_;
};

std::string name_of(const Json& object);
std::string version_in(const Json& object);
std::string state_in(const Json& secret);  // as base64; "": there is none
std::string text_of(const Json& object);
Json& inner(Json& object, const char* name);  // its member that is an object, which it may not be yet

}  // namespace xplan::backend::kubernetes

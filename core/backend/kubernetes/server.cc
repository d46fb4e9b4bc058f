// The backend "kubernetes": states as secrets of a namespace, tfstate-WORKSPACE-SUFFIX.
#include "core/backend/server.h"

#include <nlohmann/json.hpp>

#include "core/backend/kubernetes/place.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

class KubeServer : public Server {
 public:
  explicit KubeServer(std::shared_ptr<kubernetes::KubeClient> client) : client_(std::move(client)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return kubernetes::make_place(client_, workspace);
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return kubernetes::remove_place(client_, workspace);
  }
  Result<Backend::Rest> remove_locked(const std::string& workspace, bool) const override {
    if (Result<void> gone = kubernetes::remove_state(client_, workspace); !gone) return gone.error();
    return Backend::Rest([this, workspace] { return kubernetes::remove_lock(client_, workspace); });
  }
  Empty begins_empty() const override { return Empty::Always; }

 private:
  const std::shared_ptr<kubernetes::KubeClient> client_;  // places share it
};

Result<std::vector<std::string>> KubeServer::workspaces() const {
  const Result<std::vector<Json>> secrets =
      client_->list(kubernetes::selector_of(*client_), true, client_->stop());
  if (!secrets) return secrets.error();
  std::vector<std::string> out;
  for (const Json& secret : *secrets) {
    const Json* labels = object_in(*object_in(secret, "metadata"), "labels");
    std::string name = labels ? string_in(*labels, "tfstateWorkspace") : "";
    if (!name.empty() && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

Result<std::unique_ptr<Backend>> open_kubernetes(const Value& settings, const Opening& opening) {
  Result<kubernetes::KubeSettings> read = kubernetes::read_settings(settings);
  if (!read) return read.error();
  auto client = std::make_shared<kubernetes::KubeClient>(std::move(*read), opening.stop);
  return remote_backend(std::make_unique<KubeServer>(std::move(client)), opening);
}

}  // namespace

constinit const Kind kKubernetes{"kubernetes", kubernetes::kubernetes_schema, open_kubernetes};

}  // namespace xplan::backend

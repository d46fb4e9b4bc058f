// The backend "consul": states as keys. PATH is the state of the workspace "default", PATH-env:NAME those of
// the others.
#include "core/backend/server.h"

#include "core/backend/consul/place.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

class ConsulServer : public Server {
 public:
  explicit ConsulServer(std::shared_ptr<consul::ConsulClient> client) : client_(std::move(client)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return consul::make_place(client_, key_of(workspace));
  }
  // Datacenters, namespaces and partitions have keys of their own.
  std::string identity(const std::string& workspace) const override {
    const consul::ConsulSettings& s = client_->settings();
    return client_->shown(key_of(workspace)) + "\n" + s.client.unix_socket + "\n" + s.datacenter + "\n" +
           s.name_space + "\n" + s.partition;
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return consul::remove_place(client_, key_of(workspace));
  }
  bool lock_outlives_state() const override { return true; }

 private:
  std::string key_of(const std::string& workspace) const {
    const std::string& path = client_->settings().path;
    return workspace == kDefaultWorkspace ? path : path + "-env:" + workspace;
  }
  const std::shared_ptr<consul::ConsulClient> client_;  // places share it
};

// Locks and parts of states are below a slash.
Result<std::vector<std::string>> ConsulServer::workspaces() const {
  const std::string prefix = key_of("");
  Result<std::vector<std::string>> keys = client_->keys(prefix, client_->stop());
  if (!keys) return keys.error();
  std::vector<std::string> out;
  for (const std::string& key : *keys)
    if (key.starts_with(prefix) && key.find('/', prefix.size()) == key.npos)
      out.push_back(key.substr(prefix.size()));
  return out;
}

Result<std::unique_ptr<Backend>> open_consul(const Value& settings, const Opening& opening) {
  Result<consul::ConsulSettings> read = consul::read_settings(settings);
  if (!read) return read.error();
  auto client = std::make_shared<consul::ConsulClient>(std::move(*read), opening.stop);
  return remote_backend(std::make_unique<ConsulServer>(std::move(client)), opening);
}

}  // namespace

constinit const Kind kConsul{"consul", consul::consul_schema, open_consul};

}  // namespace xplan::backend

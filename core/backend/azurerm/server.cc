// The backend "azurerm": states as blobs of a container. KEY is the state of the workspace "default",
// KEYenv:NAME those of the others.
#include "core/backend/server.h"

#include "core/backend/azurerm/arguments.h"
#include "core/backend/azurerm/place.h"
#include "core/backend/clients.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

class AzurermServer : public Server {
 public:
  AzurermServer(std::shared_ptr<azurerm::AzurermClient> client, std::string key)
      : client_(std::move(client)), key_(std::move(key)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return azurerm::make_place(client_, key_of(workspace));
  }
  std::string identity(const std::string& workspace) const override {
    return client_->shown(key_of(workspace)) + " " + client_->settings().metadata_host;
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return azurerm::remove_place(client_, key_of(workspace));
  }
  Result<Backend::Rest> remove_locked(const std::string& workspace, bool) const override {
    return azurerm::remove_locked_place(client_, key_of(workspace));
  }
  Empty begins_empty() const override { return Empty::Always; }

 private:
  std::string key_of(const std::string& workspace) const {
    return workspace == kDefaultWorkspace ? key_ : key_ + "env:" + workspace;
  }
  const std::shared_ptr<azurerm::AzurermClient> client_;  // places share it, and other backends may
  const std::string key_;
};

// What has a slash is something else: the state of another key, or a journal.
Result<std::vector<std::string>> AzurermServer::workspaces() const {
  const std::string prefix = key_ + "env:";
  Result<std::vector<std::string>> keys = client_->list(prefix, client_->stop());
  if (!keys) return keys.error();
  std::vector<std::string> out;
  for (const std::string& key : *keys)
    if (std::string name = key.substr(prefix.size()); name.find('/') == name.npos)
      out.push_back(std::move(name));
  return out;
}

Result<std::unique_ptr<Backend>> open_azurerm(const Value& settings, const Opening& opening) {
  Result<azurerm::AzurermSettings> read = azurerm::read_settings(settings);
  if (!read) return read.error();
  std::string key = read->key;
  auto client =
      client_of<azurerm::AzurermClient>(opening, client_name("azurerm", settings, {"key"}), std::move(*read));
  return remote_backend(std::make_unique<AzurermServer>(std::move(client), std::move(key)), opening);
}

}  // namespace

constinit const Kind kAzurerm{"azurerm", azurerm::azurerm_schema, open_azurerm, true, azurerm::kAdditions};

}  // namespace xplan::backend

// The backend "azurerm": states as blobs of a container. KEY is the state of the workspace "default",
// KEYenv:NAME those of the others.
#include "core/backend/server.h"

#include "core/backend/azurerm/arguments.h"
#include "core/backend/azurerm/place.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

class AzurermServer : public Server {
 public:
  explicit AzurermServer(std::shared_ptr<azurerm::AzurermClient> client) : client_(std::move(client)) {}

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
  Empty begins_empty() const override { return Empty::Always; }

 private:
  std::string key_of(const std::string& workspace) const {
    const std::string& key = client_->settings().key;
    return workspace == kDefaultWorkspace ? key : key + "env:" + workspace;
  }
  const std::shared_ptr<azurerm::AzurermClient> client_;  // places share it
};

// What has a slash is something else: the state of another key, or a journal.
Result<std::vector<std::string>> AzurermServer::workspaces() const {
  const std::string prefix = client_->settings().key + "env:";
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
  auto client = std::make_shared<azurerm::AzurermClient>(std::move(*read), opening.stop);
  return remote_backend(std::make_unique<AzurermServer>(std::move(client)), opening);
}

}  // namespace

constinit const Kind kAzurerm{"azurerm", azurerm::azurerm_schema, open_azurerm, true, azurerm::kAdditions};

}  // namespace xplan::backend

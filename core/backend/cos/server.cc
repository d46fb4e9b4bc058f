// The backend "cos": states as objects of a bucket. PREFIX/KEY is the state of the workspace "default",
// PREFIX/NAME/KEY those of the others.
#include "core/backend/server.h"

#include "core/backend/cos/place.h"
#include "core/backend/workspace.h"

namespace xplan::backend {
namespace {

class CosServer : public Server {
 public:
  explicit CosServer(std::shared_ptr<cos::CosClient> client) : client_(std::move(client)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return cos::make_place(client_, state(workspace));
  }
  std::string identity(const std::string& workspace) const override {
    return client_->settings().base + "/" + state(workspace);
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return cos::remove_place(client_, state(workspace));
  }
  bool lock_outlives_state() const override { return true; }

 private:
  std::string folder() const {
    const std::string& prefix = client_->settings().prefix;
    return prefix.empty() ? "" : prefix + "/";
  }
  std::string state(const std::string& workspace) const {
    return folder() + (workspace == kDefaultWorkspace ? "" : workspace + "/") + client_->settings().key;
  }
  const std::shared_ptr<cos::CosClient> client_;  // places share it
};

// Whatever is between the prefix and the key, up to the first slash: other states may lie in the bucket,
// whose keys end in ours.
Result<std::vector<std::string>> CosServer::workspaces() const {
  const std::string prefix = folder();
  Result<std::vector<std::string>> names = client_->list(prefix, client_->stop());
  if (!names) return names.error();
  std::vector<std::string> out;
  for (const std::string& name : *names) {
    const size_t end = name.find('/', prefix.size());
    if (end != name.npos && end > prefix.size() &&
        name.compare(end + 1, name.npos, client_->settings().key) == 0)
      out.push_back(name.substr(prefix.size(), end - prefix.size()));
  }
  return out;
}

Result<std::unique_ptr<Backend>> open_cos(const Value& settings, const Opening& opening) {
  Result<cos::CosSettings> read = cos::read_settings(settings);
  if (!read) return read.error();
  auto client = std::make_shared<cos::CosClient>(std::move(*read), opening.stop);
  return remote_backend(std::make_unique<CosServer>(std::move(client)), opening);
}

}  // namespace

constinit const Kind kCos{"cos", cos::cos_schema, open_cos};

}  // namespace xplan::backend

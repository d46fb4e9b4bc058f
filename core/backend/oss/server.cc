// The backend "oss": states as objects of a bucket. PREFIX/KEY is the state of the workspace "default",
// PREFIX/NAME/KEY those of the others.
#include "core/backend/server.h"

#include "core/backend/oss/place.h"
#include "core/backend/workspace.h"
#include "core/base/fs.h"

namespace xplan::backend {
namespace {

class OssServer : public Server {
 public:
  explicit OssServer(std::shared_ptr<oss::OssClient> client) : client_(std::move(client)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return oss::make_place(client_, state(workspace));
  }
  std::string identity(const std::string& workspace) const override {
    const oss::OssSettings& s = client_->settings();
    return "oss " + (s.host.empty() ? s.alibaba.region : s.host) + "/" + s.bucket + "/" + state(workspace);
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return oss::remove_place(client_, state(workspace));
  }
  bool lock_outlives_state() const override { return true; }

 private:
  std::string folder() const {
    const std::string& prefix = client_->settings().prefix;
    return prefix.empty() ? "" : prefix + "/";
  }
  // The key may begin with "..", as in other tools.
  std::string state(const std::string& workspace) const {
    return clean_path(folder() + (workspace == kDefaultWorkspace ? "" : workspace + "/") +
                      client_->settings().key);
  }
  const std::shared_ptr<oss::OssClient> client_;  // places share it
};

// Whatever is after the prefix, up to the first slash, if that is where the state would be: other states may
// lie in the bucket.
Result<std::vector<std::string>> OssServer::workspaces() const {
  const std::string prefix = folder();
  Result<std::vector<std::string>> names = client_->list(prefix, client_->stop());
  if (!names) return names.error();
  std::vector<std::string> out;
  for (const std::string& name : *names) {
    const size_t end = name.find('/', prefix.size());
    if (end == name.npos || end == prefix.size()) continue;
    if (std::string workspace = name.substr(prefix.size(), end - prefix.size()); state(workspace) == name)
      out.push_back(std::move(workspace));
  }
  return out;
}

Result<std::unique_ptr<Backend>> open_oss(const Value& settings, const Opening& opening) {
  Result<oss::OssSettings> read = oss::read_settings(settings);
  if (!read) return read.error();
  auto client = std::make_shared<oss::OssClient>(std::move(*read), opening.stop);
  return remote_backend(std::make_unique<OssServer>(std::move(client)), opening);
}

}  // namespace

constinit const Kind kOss{"oss", oss::oss_schema, open_oss};

}  // namespace xplan::backend

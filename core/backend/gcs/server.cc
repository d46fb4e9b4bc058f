// The backend "gcs": states as objects of a bucket, PREFIX/WORKSPACE.tfstate.
#include "core/backend/server.h"

#include "core/backend/clients.h"
#include "core/backend/gcs/place.h"

namespace xplan::backend {
namespace {

class GcsServer : public Server {
 public:
  GcsServer(std::shared_ptr<gcs::GcsClient> client, const std::string& prefix)
      : client_(std::move(client)), folder_(prefix.empty() ? "" : prefix + "/") {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return gcs::make_place(client_, folder_ + workspace);
  }
  // Two services may have buckets of the same name.
  std::string identity(const std::string& workspace) const override {
    return client_->settings().base + " " + Server::identity(workspace);
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return gcs::remove_place(client_, folder_ + workspace);
  }
  bool lock_outlives_state() const override { return true; }
  Empty begins_empty() const override { return Empty::Always; }

 private:
  const std::shared_ptr<gcs::GcsClient> client_;  // places share it, and other backends may
  const std::string folder_;
};

Result<std::vector<std::string>> GcsServer::workspaces() const {
  constexpr std::string_view kEnd = ".tfstate";
  const size_t begin = folder_.size();
  Result<std::vector<std::string>> names = client_->list(folder_, client_->stop());
  if (!names) return names.error();
  std::vector<std::string> out;
  for (const std::string& name : *names)
    if (name.size() > begin + kEnd.size() && name.ends_with(kEnd))
      out.push_back(name.substr(begin, name.size() - begin - kEnd.size()));
  return out;
}

Result<std::unique_ptr<Backend>> open_gcs(const Value& settings, const Opening& opening) {
  Result<gcs::GcsSettings> read = gcs::read_settings(settings);
  if (!read) return read.error();
  const std::string prefix = read->prefix;
  auto client =
      client_of<gcs::GcsClient>(opening, client_name("gcs", settings, {"prefix"}), std::move(*read));
  return remote_backend(std::make_unique<GcsServer>(std::move(client), prefix), opening);
}

}  // namespace

constinit const Kind kGcs{"gcs", gcs::gcs_schema, open_gcs, true, gcs::kAdditions};

}  // namespace xplan::backend

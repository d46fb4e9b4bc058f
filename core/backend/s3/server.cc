// The backend "s3": states as objects of a bucket. KEY is the state of the workspace "default",
// PREFIX/NAME/KEY those of the others.
#include "core/backend/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/backend/clients.h"
#include "core/backend/s3/arguments.h"
#include "core/backend/s3/place.h"
#include "core/backend/workspace.h"
#include "core/base/text.h"
#include "core/net/url.h"

namespace xplan::backend {
namespace {

class S3Server : public Server {
 public:
  S3Server(std::shared_ptr<s3::S3Client> client, std::string key, std::string prefix)
      : client_(std::move(client)), key_(std::move(key)), prefix_(std::move(prefix)) {}

  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return s3::make_place(client_, key_of(workspace));
  }
  std::string identity(const std::string& workspace) const override;
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override {
    return s3::remove_place(client_, key_of(workspace));
  }
  bool lock_outlives_state() const override { return true; }

 private:
  std::string key_of(const std::string& workspace) const {
    return workspace == kDefaultWorkspace ? key_ : prefix_ + "/" + workspace + "/" + key_;
  }
  const std::shared_ptr<s3::S3Client> client_;  // places share it, and other backends may
  const std::string key_, prefix_;
};

// AWS has each bucket once in a partition, whichever way leads there; other servers have their own.
std::string S3Server::identity(const std::string& workspace) const {
  const s3::S3Settings& s = client_->settings();
  std::string where = ascii_lower(cloud::aws_endpoint(s.aws, "s3", s.region, s.s3_endpoint));
  const std::string host = net::host_and_port(where);
  if (host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn") || s.s3_endpoint.empty())
    where = cloud::aws_endpoint(s.aws, "iam", s.region);  // one for each partition
  return fmt::format("s3 {} {}/{}", where, s.bucket, key_of(workspace));
}

// Whatever is between the prefix and the key, up to the first slash: other states may lie in the bucket,
// whose keys end in ours.
Result<std::vector<std::string>> S3Server::workspaces() const {
  const std::string prefix = prefix_ + "/";
  Result<std::vector<std::string>> keys = client_->list(prefix, client_->stop());
  if (!keys) return keys.error();
  std::vector<std::string> out;
  for (const std::string& key : *keys) {
    const size_t end = key.find('/', prefix.size());
    if (end != key.npos && end > prefix.size() && key.compare(end + 1, key.npos, key_) == 0)
      out.push_back(key.substr(prefix.size(), end - prefix.size()));
  }
  return out;
}

Result<std::unique_ptr<Backend>> open_s3(const Value& settings, const Opening& opening) {
  Result<s3::S3Settings> read = s3::read_settings(settings);
  if (!read) return read.error();
  std::string key = read->key, prefix = read->prefix;
  auto client = client_of<s3::S3Client>(opening, client_name("s3", settings, {"key", "workspace_key_prefix"}),
                                        std::move(*read));
  return remote_backend(std::make_unique<S3Server>(std::move(client), std::move(key), std::move(prefix)),
                        opening);
}

}  // namespace

constinit const Kind kS3{"s3", s3::s3_schema, open_s3, true, s3::kAdditions};

}  // namespace xplan::backend

// Modules in Google Cloud Storage.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/google_client.h"
#include "core/cloud/google_storage.h"
#include "core/cloud/listing.h"
#include "core/cloud/signing.h"
#include "core/install/object_store.h"

namespace xplan::install {
namespace {

cloud::GoogleSettings google_settings() {
  cloud::GoogleSettings out;
  out.access_token = Secret(environment_variable("GOOGLE_OAUTH_ACCESS_TOKEN"));
  out.scopes = {"https://www.googleapis.com/auth/devstorage.read_only"};
  out.variable = environment_variable;
  return out;
}

class GcsStore : public ObjectStore {
 public:
  GcsStore(config::BucketPlace place, cloud::GoogleStorage storage, Stop stop)
      : place_(std::move(place)),
        base_(std::move(storage.base)),
        stop_(stop),
        client_(google_settings(), stop, storage.anonymous) {}

  Result<std::vector<std::string>> list(const std::string& prefix) override {
    cloud::Listing out;
    for (std::string token;;) {
      net::Request r;
      r.url = cloud::google_object_url(base_, place_.bucket, "") +
              "?fields=items(name)%2CnextPageToken&prefix=" + cloud::uri_escape(prefix);
      if (!token.empty()) r.url += "&pageToken=" + cloud::uri_escape(token);
      r.limits.body = 16 << 20;
      const Result<net::Answer> a = send(std::move(r));
      if (!a) return a.error();
      if (a->status != 200) return refused("list the objects of", prefix, *a);
      const Result<Json> doc = parse_document(a->body);
      if (!doc) return Error{"the list of objects of " + shown(prefix) + " " + doc.error().message};
      if (const Json* items = list_in(*doc, "items"))
        for (const Json& item : *items)
          if (std::string name = string_in(item, "name"); name.starts_with(prefix)) out.add(std::move(name));
      token = string_in(*doc, "nextPageToken");
      if (token.empty()) return out.take();
      if (!out.goes_on(token)) return Error{"the server keeps returning further pages of " + shown(prefix)};
    }
  }

  Result<void> download(const std::string& name, const std::string& to_file,
                        std::atomic<int64_t>& left) override {
    net::Request r;
    r.url = cloud::google_object_url(base_, place_.bucket, name) + "?alt=media";
    if (!place_.generation.empty()) r.url += "&generation=" + place_.generation;
    r.to_file = to_file;
    r.limits.body = uint64_t{2} << 30;
    r.limits.together = &left;
    Result<net::Answer> a = send(std::move(r));
    if (!a) return a.error();
    if (a->status == 200) return {};
    a->body = beginning_of(to_file);
    return refused("read", name, *a);
  }

 private:
  std::string shown(const std::string& name) const {
    return in_quotes("gs://" + place_.bucket + "/" + shown_text(name));
  }
  Result<net::Answer> send(net::Request r) {
    r.compressed = false;
    r.path_as_is = true;
    r.stop = stop_;
    return client_.send(r);
  }
  Error refused(const std::string& what, const std::string& name, const net::Answer& a) const {
    return Error{
        fmt::format("failed to {} {}: the server answered {}", what, shown(name), cloud::google_failure(a))};
  }

  const config::BucketPlace place_;
  const std::string base_;
  const Stop stop_;
  cloud::GoogleClient client_;
};

}  // namespace

Result<std::unique_ptr<ObjectStore>> gcs_store(const config::BucketPlace& place, Stop stop) {
  return std::unique_ptr<ObjectStore>(
      std::make_unique<GcsStore>(place, cloud::google_storage(environment_variable), stop));
}

}  // namespace xplan::install

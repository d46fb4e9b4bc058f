// Provider packages from a network mirror: JSON lists of versions and of packages below one URL.
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/install/discovery.h"
#include "core/install/source.h"

namespace xplan::install {
namespace {

class NetworkSource : public ProviderSource {
 public:
  NetworkSource(std::string url, Http& http, Services& services)
      : url_(std::move(url)), http_(http), services_(services) {}
  std::string name() const { return "the mirror " + url_; }
  std::string name(const ProviderAddr&) const override { return name(); }

  Result<Available> versions(const ProviderAddr& p) override {
    Available out;
    auto doc = fetch(p, "index.json");
    if (!doc) return doc.error();
    if (!doc->root) return out;
    const JsonNode* list = doc->root->root().find("versions");
    if (!list || !list->is_object())
      return Error{"the response from " + doc->url + " has no object \"versions\""};
    for (const JsonMember& m : list->members) {
      if (auto v = parse_version(m.key)) out.versions.push_back(std::move(*v));
    }
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    auto doc = fetch(p, v.text() + ".json");
    if (!doc) return doc.error();
    const JsonNode* list = doc->root ? doc->root->root().find("archives") : nullptr;
    const JsonNode* entry = list && list->is_object() ? list->find(platform.text()) : nullptr;
    const JsonNode* url = entry && entry->is_object() ? entry->find("url") : nullptr;
    if (!url || !url->is_string())
      return Error{name() + " has no package of version " + v.text() + " for " + platform.text()};
    Package out;
    out.kind = Package::Kind::Url;
    out.location = resolve_url(doc->url, url->str());
    if (!out.location.starts_with("https://") && !out.location.starts_with("http://"))
      return Error{name() + " returned the package URL " + in_quotes(out.location) +
                   ", which is not a valid web address"};
    out.token = services_.token_for(host_of(url_), out.location);
    if (const JsonNode* hashes = entry->find("hashes"); hashes && hashes->is_array()) {
      for (const JsonNode* h : hashes->items) {
        // Other schemes may come; they say nothing to us.
        if (h->str().starts_with("h1:") || h->str().starts_with("zh:")) out.hashes.emplace(h->str());
      }
      if (out.hashes.empty() && !hashes->items.empty())
        return Error{name() + " has checksums of version " + v.text() +
                     " only in unknown schemes (h1 and zh are supported)"};
    }
    return out;
  }

 private:
  struct Document {
    std::string url;
    std::unique_ptr<JsonDocument> root;  // null: there is none
  };
  Result<Document> fetch(const ProviderAddr& p, const std::string& file) {
    HttpRequest r;
    r.url = url_ + p.text() + "/" + escape_path(file);
    r.token = services_.token(host_of(url_));
    auto answer = http_.get(r);
    if (!answer) return answer.error();
    Document out{answer->url, nullptr};
    if (answer->status == 404) return out;
    if (answer->status != 200)
      return Error{name() + " answered " + status_text(answer->status) + " to " + r.url};
    JsonError error;
    out.root = JsonDocument::parse_owned(std::move(answer->body), error);
    if (!out.root || !out.root->root().is_object())
      return Error{"the response from " + out.url + " is not a JSON object"};
    return out;
  }

  std::string url_;
  Http& http_;
  Services& services_;
};

}  // namespace

std::unique_ptr<ProviderSource> network_source(std::string url, Http& http, Services& services) {
  return std::make_unique<NetworkSource>(std::move(url), http, services);
}

}  // namespace xplan::install

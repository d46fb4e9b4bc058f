// Provider packages from a network mirror: JSON lists of versions and of packages below one URL.
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/install/hosts.h"
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
    const Json* list = object_in(*doc->root, "versions");
    if (!list) return Error{"the response from " + doc->url + " has no object \"versions\""};
    for (const auto& [name, value] : list->items()) {
      if (auto v = parse_version(name)) out.versions.push_back(std::move(*v));
    }
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    auto doc = fetch(p, v.text() + ".json");
    if (!doc) return doc.error();
    const Json* list = doc->root ? object_in(*doc->root, "archives") : nullptr;
    const Json* entry = list ? object_in(*list, platform.text()) : nullptr;
    const std::string url = entry ? text_in(*entry, "url") : "";
    if (url.empty())
      return Error{name() + " has no package of version " + v.text() + " for " + platform.text()};
    Package out;
    out.kind = Package::Kind::Url;
    out.location = resolve_url(doc->url, url);
    if (!out.location.starts_with("https://") && !out.location.starts_with("http://"))
      return Error{name() + " returned the package URL " + in_quotes(out.location) +
                   ", which is not a valid web address"};
    Result<std::string> token = services_.token_for(host_and_port(url_), out.location);
    if (!token) return token.error();
    out.token = std::move(*token);
    if (const Json* hashes = list_in(*entry, "hashes")) {
      for (const Json& h : *hashes) {
        // Other schemes may come; they say nothing to us.
        std::string text = text_of(h);
        if (text.starts_with("h1:") || text.starts_with("zh:")) out.hashes.insert(std::move(text));
      }
      if (out.hashes.empty() && !hashes->empty())
        return Error{name() + " has checksums of version " + v.text() +
                     " only in unknown schemes (h1 and zh are supported)"};
    }
    return out;
  }

 private:
  struct Document {
    std::string url;
    std::optional<Json> root;  // absent: there is none
  };
  Result<Document> fetch(const ProviderAddr& p, const std::string& file) {
    HttpRequest r;
    r.url = url_ + p.text() + "/" + escape_path(file);
    Result<std::string> token = services_.token(host_and_port(url_));
    if (!token) return token.error();
    r.token = std::move(*token);
    auto answer = http_.get(r);
    if (!answer) return answer.error();
    Document out{answer->url, std::nullopt};
    if (answer->status == 404) return out;
    if (answer->status != 200)
      return Error{name() + " answered " + status_text(answer->status) + " to " + r.url};
    auto root = parse_document(answer->body);
    if (!root) return Error{"the response from " + out.url + " " + root.error().message};
    out.root = std::move(*root);
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

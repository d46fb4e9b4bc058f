// Provider packages from OCI registries: a repository for each provider, a tag for each version, an index
// with a manifest for each platform.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/base/text.h"
#include "core/config/oci_source.h"
#include "core/install/hosts.h"
#include "core/install/oci_registry.h"
#include "core/install/source.h"

namespace xplan::install {
namespace {

constexpr const char* kIndex = "application/vnd.oci.image.index.v1+json";
constexpr const char* kImage = "application/vnd.oci.image.manifest.v1+json";
constexpr const char* kProvider = "application/vnd.opentofu.provider";
constexpr const char* kTarget = "application/vnd.opentofu.provider-target";
constexpr const char* kPackage = "archive/zip";
constexpr uint64_t kMostMetadata = 4 << 20;
constexpr int kPagesOfTags = 1000;

// Tags have no "+".
std::string tag_of(const Version& v) {
  std::string out = v.text();
  std::replace(out.begin(), out.end(), '+', '_');
  return out;
}

// Behind "tags/list"; "" is the last page.
std::string next_page(const HttpAnswer& a) {
  const auto link = a.headers.find("link");
  if (link == a.headers.end() || link->second.find("rel=\"next\"") == std::string::npos) return "";
  const size_t question = link->second.find('?'), end = link->second.find('>');
  return question < end && end != std::string::npos ? link->second.substr(question, end - question) : "";
}

class OciMirror : public ProviderSource {
 public:
  OciMirror(std::string repository, const hosts::OciSettings& settings, Http& http)
      : template_(std::move(repository)), settings_(settings), http_(http) {}
  std::string name(const ProviderAddr& p) const override {
    return "the OCI repository " + hosts::oci_repository(template_, p);
  }

  Result<Available> versions(const ProviderAddr& p) override {
    Result<std::shared_ptr<Asked>> asked = ask(p);
    if (!asked) return asked.error();
    Available out;
    std::string page = "tags/list";
    for (int n = 0; n < kPagesOfTags && !page.empty(); ++n) {
      const Result<HttpAnswer> a = (*asked)->registry.get(page, "application/json", kMostMetadata);
      if (!a) return a.error();
      if (a->status == 404) return out;  // which other sources may have
      const Result<Json> doc = read(*a, "the list of tags of " + name(p));
      if (!doc) return doc.error();
      if (const Json* tags = list_in(*doc, "tags"))
        for (const Json& t : *tags) {
          std::string text = text_of(t);
          std::replace(text.begin(), text.end(), '_', '+');
          if (auto v = parse_version(text)) out.versions.push_back(std::move(*v));
        }
      page = next_page(*a);
      if (!page.empty()) page = "tags/list" + page;
    }
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    Result<std::shared_ptr<Asked>> asked = ask(p);
    if (!asked) return asked.error();
    const std::string what = "version " + v.text() + " in " + name(p);
    const Result<Json> index = manifest(**asked, tag_of(v), kIndex, what);
    if (!index) return index.error();
    if (const std::string type = string_in(*index, "artifactType"); type != kProvider)
      return Error{what + " is not a provider: its artifactType must be " + in_quotes(kProvider) +
                   (type.empty() ? ", and it has none" : ", not " + in_quotes(type.substr(0, 200)))};
    const Result<std::string> chosen = for_platform(*index, platform, what);
    if (!chosen) return chosen.error();
    const Result<Json> image = manifest(**asked, *chosen, kImage, what);
    if (!image) return image.error();
    const Json* found = nullptr;
    size_t count = 0;
    if (const Json* layers = list_in(*image, "layers"))
      for (const Json& l : *layers)
        if (string_in(l, "mediaType") == kPackage) found = &l, ++count;
    const std::string digest = count == 1 ? string_in(*found, "digest") : "";
    if (!config::is_oci_digest(digest) || !digest.starts_with("sha256:"))
      return Error{what + " for " + platform.text() + " must have exactly one layer with the media type " +
                   in_quotes(kPackage) + " and a SHA-256 digest"};
    Package out;
    out.kind = Package::Kind::Url;
    out.location = "https://" + hosts::oci_repository(template_, p) + "@" + digest;
    out.hashes.insert("zh:" + digest.substr(7));
    out.ask = [holder = *asked, digest](const HttpRequest& r) {
      return holder->registry.get("blobs/" + digest, "*/*", r.max_bytes, r.to_file);
    };
    return out;
  }

 private:
  // A registry refers to its place.
  struct Asked {
    Asked(config::OciPlace p, const hosts::OciSettings& settings, Http& http)
        : place(std::move(p)), registry(place, settings, http) {}
    const config::OciPlace place;
    OciRegistry registry;
  };

  Result<std::shared_ptr<Asked>> ask(const ProviderAddr& p) {
    const std::string repository = hosts::oci_repository(template_, p);
    const size_t slash = repository.find('/');
    if (!config::is_oci_repository(repository))
      return Error{in_quotes(repository) +
                   ", which the repository_template of oci_mirror gives, is not a valid OCI repository"};
    return std::make_shared<Asked>(
        config::OciPlace{repository.substr(0, slash), repository.substr(slash + 1), {}, false}, settings_,
        http_);
  }

  static Result<Json> read(const HttpAnswer& a, const std::string& what) {
    if (a.status != 200)
      return Error{what + " cannot be read: the registry answered " + status_text(a.status)};
    Result<Json> doc = parse_document(a.body);
    if (!doc) return Error{what + " cannot be read: the response " + doc.error().message};
    return doc;
  }

  Result<Json> manifest(Asked& asked, const std::string& reference, const char* accept,
                        const std::string& what) {
    const Result<HttpAnswer> a = asked.registry.get("manifests/" + reference, accept, kMostMetadata);
    if (!a) return a.error();
    if (a->status == 404) return Error{what + " does not exist"};
    const bool named = reference.starts_with("sha256:");
    if (a->status == 200 && named && reference.substr(7) != hex_encode(digest(Digest::Sha256, a->body)))
      return Error{what + ": the registry returned a manifest that does not have the digest " + reference};
    return read(*a, what);
  }

  static Result<std::string> for_platform(const Json& index, const Platform& platform,
                                          const std::string& what) {
    if (const Json* manifests = list_in(index, "manifests"))
      for (const Json& m : *manifests) {
        const Json* target = object_in(m, "platform");
        if (string_in(m, "artifactType") != kTarget || !target) continue;
        if (string_in(*target, "os") + "_" + string_in(*target, "architecture") != platform.text()) continue;
        const std::string digest = string_in(m, "digest");
        if (config::is_oci_digest(digest) && digest.starts_with("sha256:")) return digest;
      }
    return Error{what + " has no package for " + platform.text()};
  }

  const std::string template_;
  const hosts::OciSettings& settings_;
  Http& http_;
};

}  // namespace

std::unique_ptr<ProviderSource> oci_source(std::string repository, const hosts::OciSettings& settings,
                                           Http& http) {
  return std::make_unique<OciMirror>(std::move(repository), settings, http);
}

}  // namespace xplan::install

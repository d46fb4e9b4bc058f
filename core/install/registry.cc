// Provider packages from a registry: versions, the download of one platform, and the signed list of
// checksums, whose signature is verified (signature.cc).
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/install/discovery.h"
#include "core/install/signature.h"
#include "core/install/source.h"

namespace xplan::install {
namespace {

// The key with which HashiCorp signs its releases, by its published fingerprint.
constexpr std::string_view kHashiCorpKey = "C874011F0AB405110D02105534365D9472D7468F";

std::string text_of(const JsonNode& n, std::string_view name) {
  const JsonNode* x = n.find(name);
  return x ? std::string(x->str()) : std::string();
}

// The protocols of a version that are all unknown here; empty when it can be run.
std::string foreign_protocols(const JsonNode& version) {
  std::string out;
  const JsonNode* list = version.find("protocols");
  if (!list || !list->is_array()) return out;
  for (const JsonNode* x : list->items) {
    const std::string_view s = x->str();
    if (s == "5" || s == "6" || s.starts_with("5.") || s.starts_with("6.")) return {};
    out += (out.empty() ? "" : ", ") + std::string(s);
  }
  return out;
}

bool is_sha256(std::string_view s) {
  return s.size() == 64 && s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

class RegistrySource : public ProviderSource {
 public:
  explicit RegistrySource(Services& services) : services_(services) {}
  std::string name(const ProviderAddr& p) const override {
    return "the registry " + std::string(p.host.sv());
  }

  Result<Available> versions(const ProviderAddr& p) override {
    Available out;
    auto doc = fetch(p, "versions");
    if (!doc) return doc.error();
    if (!doc->root) return out;
    const JsonNode* list = doc->root->root().find("versions");
    if (!list || !list->is_array())
      return Error{"the response from " + doc->url + " has no list \"versions\""};
    for (const JsonNode* n : list->items) {
      auto v = n->is_object() ? parse_version(text_of(*n, "version")) : std::nullopt;
      if (!v) continue;
      if (const std::string foreign = foreign_protocols(*n); !foreign.empty())
        out.unusable = "; version " + v->text() + " requires plugin protocol " + foreign +
                       ", but only 5 and 6 are supported";
      else
        out.versions.push_back(std::move(*v));
    }
    if (const JsonNode* w = doc->root->root().find("warnings"); w && w->is_array()) {
      for (const JsonNode* x : w->items)
        if (x->is_string()) out.warnings.emplace_back(x->str());
    }
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    auto doc = fetch(p, escape_path(v.text()) + "/download/" + platform.os + "/" + platform.arch);
    if (!doc) return doc.error();
    if (!doc->root)
      return Error{"the registry has no package of version " + v.text() + " for " + platform.text()};
    const JsonNode& n = doc->root->root();
    const std::string file = text_of(n, "filename"), sum = text_of(n, "shasum");
    if (file.empty() || !is_sha256(sum) || text_of(n, "download_url").empty())
      return Error{"the response from " + doc->url + " has no filename, shasum or download_url"};
    if (text_of(n, "shasums_url").empty() || text_of(n, "shasums_signature_url").empty())
      return Error{"the response from " + doc->url + " has no signed list of checksums"};
    for (const auto& [name, ours] : {std::pair("os", platform.os), std::pair("arch", platform.arch)}) {
      if (const std::string theirs = text_of(n, name); !theirs.empty() && theirs != ours)
        return Error{"the registry returned a package for another platform (" + theirs + ", not " + ours +
                     ")"};
    }
    if (const std::string foreign = foreign_protocols(n); !foreign.empty())
      return Error{"version " + v.text() + " requires plugin protocol " + foreign +
                   ", but only 5 and 6 are supported"};
    Package out;
    out.kind = Package::Kind::Url;
    out.location = resolve_url(doc->url, text_of(n, "download_url"));
    const std::string host(p.host.sv());
    out.token = services_.token_for(host, out.location);
    if (Result<void> ok = authenticate(p, n, *doc, file, sum, out); !ok) return ok.error();
    return out;
  }

 private:
  struct Document {
    std::string url;
    std::unique_ptr<JsonDocument> root;  // null: there is none
  };

  Result<Document> fetch(const ProviderAddr& p, const std::string& path) {
    const std::string host(p.host.sv());
    auto base = services_.find(host, "providers.v1");
    if (!base) return base.error();
    auto answer =
        services_.get(host, *base + escape_path(p.ns.sv()) + "/" + escape_path(p.type.sv()) + "/" + path);
    if (!answer) return answer.error();
    Document out{answer->url, nullptr};
    if (answer->status != 200) return out;
    JsonError error;
    out.root = JsonDocument::parse_owned(std::move(answer->body), error);
    if (!out.root || !out.root->root().is_object())
      return Error{"the response from " + out.url + " is not a JSON object"};
    return out;
  }

  Result<std::string> fetch_text(const ProviderAddr& p, const std::string& url) {
    auto answer = services_.get(std::string(p.host.sv()), url, true);
    if (!answer) return answer.error();
    if (answer->status != 200) return Error{url + " does not exist"};
    return std::move(answer->body);
  }

  // The checksum of the package must be in the list, and the list be signed by a key that the registry names.
  Result<void> authenticate(const ProviderAddr& p, const JsonNode& n, const Document& doc,
                            const std::string& file, const std::string& sum, Package& out) {
    auto sums = fetch_text(p, resolve_url(doc.url, text_of(n, "shasums_url")));
    if (!sums) return Error{"failed to download its list of checksums: " + sums.error().message};
    auto signature = fetch_text(p, resolve_url(doc.url, text_of(n, "shasums_signature_url")));
    if (!signature)
      return Error{"failed to download the signature of its checksums: " + signature.error().message};
    std::vector<std::string> keys;
    const JsonNode* signing = n.find("signing_keys");
    const JsonNode* list = signing && signing->is_object() ? signing->find("gpg_public_keys") : nullptr;
    if (list && list->is_array()) {
      for (const JsonNode* k : list->items)
        if (k->is_object()) keys.push_back(text_of(*k, "ascii_armor"));
    }
    auto key = verify_signature(*sums, *signature, keys);
    if (!key) return Error{"the signature of its checksums was rejected: " + key.error().message};
    bool listed = false;
    for (size_t i = 0; i < sums->size();) {
      const size_t end = std::min(sums->find('\n', i), sums->size());
      std::string_view line = std::string_view(*sums).substr(i, end - i);
      i = end + 1;
      const std::string_view hash = line.substr(0, std::min<size_t>(64, line.size()));
      if (!is_sha256(hash) || line.size() < 67) continue;
      out.lock_hashes.insert("zh:" + std::string(hash));
      std::string_view name = line.substr(64);
      name.remove_prefix(std::min(name.find_first_not_of(" *"), name.size()));
      while (name.ends_with('\r') || name.ends_with(' ')) name.remove_suffix(1);
      if (name != file) continue;
      if (hash != sum)
        return Error{"the registry's checksum of " + file + " does not match the one in its signed list"};
      listed = true;
    }
    if (!listed) return Error{"the signed list of checksums has no entry for " + file};
    out.hashes.insert("zh:" + sum);
    out.signer = key->fingerprint == kHashiCorpKey ? "signed by HashiCorp" : "self-signed, key ID " + key->id;
    return {};
  }

  Services& services_;
};

}  // namespace

std::unique_ptr<ProviderSource> registry_source(Services& services) {
  return std::make_unique<RegistrySource>(services);
}

}  // namespace xplan::install

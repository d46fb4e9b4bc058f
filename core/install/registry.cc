// Provider packages from a registry: versions, the download of one platform, and the signed list of
// checksums, whose signature is verified (signature.cc).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/config/dialect.h"
#include "core/install/hosts.h"
#include "core/install/registry_policy.h"
#include "core/install/signature.h"
#include "core/install/source.h"

namespace xplan::install {
namespace {

// The key with which HashiCorp signs its releases, by its published fingerprint.
constexpr std::string_view kHashiCorpKey = "C874011F0AB405110D02105534365D9472D7468F";

// The protocols of a version that are all unknown here; empty when it can be run.
std::string foreign_protocols(const Json& version) {
  std::string out;
  const Json* list = list_in(version, "protocols");
  if (!list) return out;
  for (const Json& x : *list) {
    const std::string s = text_of(x);
    if (s == "5" || s == "6" || s.starts_with("5.") || s.starts_with("6.")) return {};
    out += (out.empty() ? "" : ", ") + s;
  }
  return out;
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
    const Json* list = list_in(*doc->root, "versions");
    if (!list) return Error{"the response from " + doc->url + " has no list \"versions\""};
    for (const Json& n : *list) {
      auto v = parse_version(text_in(n, "version"));
      if (!v) continue;
      if (const std::string foreign = foreign_protocols(n); !foreign.empty())
        out.unusable = "; version " + v->text() + " requires plugin protocol " + foreign +
                       ", but only 5 and 6 are supported";
      else
        out.versions.push_back(std::move(*v));
    }
    if (const Json* w = list_in(*doc->root, "warnings")) {
      for (const Json& x : *w)
        if (x.is_string()) out.warnings.push_back(x.get<std::string>());
    }
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    auto doc = fetch(p, escape_path(v.text()) + "/download/" + platform.os + "/" + platform.arch);
    if (!doc) return doc.error();
    if (!doc->root)
      return Error{"the registry has no package of version " + v.text() + " for " + platform.text()};
    const Json& n = *doc->root;
    const std::string file = text_in(n, "filename"), sum = text_in(n, "shasum");
    if (file.empty() || !is_sha256(sum) || text_in(n, "download_url").empty())
      return Error{"the response from " + doc->url + " has no filename, shasum or download_url"};
    if (text_in(n, "shasums_url").empty() || text_in(n, "shasums_signature_url").empty())
      return Error{"the response from " + doc->url + " has no signed list of checksums"};
    for (const auto& [name, ours] : {std::pair("os", platform.os), std::pair("arch", platform.arch)}) {
      if (const std::string theirs = text_in(n, name); !theirs.empty() && theirs != ours)
        return Error{"the registry returned a package for another platform (" + theirs + ", not " + ours +
                     ")"};
    }
    if (const std::string foreign = foreign_protocols(n); !foreign.empty())
      return Error{"version " + v.text() + " requires plugin protocol " + foreign +
                   ", but only 5 and 6 are supported"};
    Package out;
    out.kind = Package::Kind::Url;
    out.location = resolve_url(doc->url, text_in(n, "download_url"));
    const std::string host(p.host.sv());
    Result<std::string> token = services_.token_for(host, out.location);
    if (!token) return token.error();
    out.token = std::move(*token);
    if (Result<void> ok = authenticate(p, n, *doc, file, sum, out); !ok) return ok.error();
    if (config::has_additions()) {
      auto listed = hashes_of_platforms(n, platform, sum);
      if (!listed) return listed.error();
      if (counts_unsigned(p)) out.lock_hashes.merge(*listed);
    }
    return out;
  }

 private:
  struct Document {
    std::string url;
    std::optional<Json> root;  // absent: there is none
  };

  Result<Document> fetch(const ProviderAddr& p, const std::string& path) {
    const std::string host(p.host.sv());
    auto base = services_.find(host, "providers.v1");
    if (!base) return base.error();
    auto answer =
        services_.get(host, *base + escape_path(p.ns.sv()) + "/" + escape_path(p.type.sv()) + "/" + path);
    if (!answer) return answer.error();
    Document out{answer->url, std::nullopt};
    if (answer->status != 200) return out;
    auto root = parse_document(answer->body);
    if (!root) return Error{"the response from " + out.url + " " + root.error().message};
    out.root = std::move(*root);
    return out;
  }

  Result<std::string> fetch_text(const ProviderAddr& p, const std::string& url) {
    auto answer = services_.get(std::string(p.host.sv()), url, true);
    if (!answer) return answer.error();
    if (answer->status != 200) return Error{url + " does not exist"};
    return std::move(answer->body);
  }

  // The checksum of the package must be in the list, and the list be signed by a key that the registry names.
  Result<void> authenticate(const ProviderAddr& p, const Json& n, const Document& doc,
                            const std::string& file, const std::string& sum, Package& out) {
    auto sums = fetch_text(p, resolve_url(doc.url, text_in(n, "shasums_url")));
    if (!sums) return Error{"failed to download its list of checksums: " + sums.error().message};
    auto signature = fetch_text(p, resolve_url(doc.url, text_in(n, "shasums_signature_url")));
    if (!signature)
      return Error{"failed to download the signature of its checksums: " + signature.error().message};
    std::vector<std::string> keys;
    const Json* signing = object_in(n, "signing_keys");
    if (const Json* list = signing ? list_in(*signing, "gpg_public_keys") : nullptr) {
      for (const Json& k : *list)
        if (k.is_object()) keys.push_back(string_in(k, "ascii_armor"));
    }
    auto signer = signed_by(p, *sums, *signature, keys);
    if (!signer) return Error{"the signature of its checksums was rejected: " + signer.error().message};
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
    out.signer = std::move(*signer);
    return {};
  }

  // As it is said to the user.
  static Result<std::string> signed_by(const ProviderAddr& p, const std::string& sums,
                                       const std::string& signature, const std::vector<std::string>& keys) {
    if (keys.empty() && counts_unsigned(p)) return std::string("not verified, as the registry has no keys");
    const Result<SigningKey> key = verify_signature(sums, signature, keys);
    if (!key) return key.error();
    if (key->expired && refuses_expired_keys())
      return Error{"it was made with the key " + key->id +
                   ", which has expired, and OPENTOFU_ENFORCE_GPG_EXPIRATION is set to true"};
    if (key->fingerprint == kHashiCorpKey) return std::string("signed by HashiCorp");
    return "self-signed, key ID " + key->id +
           (key->expired && config::has_additions() ? ", which has expired" : "");
  }

  Services& services_;
};

}  // namespace

std::unique_ptr<ProviderSource> registry_source(Services& services) {
  return std::make_unique<RegistrySource>(services);
}

}  // namespace xplan::install

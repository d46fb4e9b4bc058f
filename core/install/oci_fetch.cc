// Reads the manifest of a module package in an OCI registry, then its one archive.
#include "core/install/oci_fetch.h"

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/base/text.h"
#include "core/config/oci_source.h"
#include "core/install/module_archive.h"
#include "core/install/oci_registry.h"
#include "core/install/package_dir.h"

namespace xplan::install {
namespace {

constexpr const char* kManifest = "application/vnd.oci.image.manifest.v1+json";
constexpr const char* kModule = "application/vnd.opentofu.modulepkg";
constexpr const char* kZip = "archive/zip";
constexpr uint64_t kMostManifest = 4 << 20, kMostPackage = uint64_t{2} << 30;

Digest kind_of_digest(const std::string& digest) {
  return digest.starts_with("sha512:") ? Digest::Sha512 : Digest::Sha256;
}

// What the registry says of a failure, beside the status.
std::string failure_of(const HttpAnswer& a) {
  std::string out = status_text(a.status);
  const Result<Json> doc = parse_document(std::string_view(a.body).substr(0, 64 << 10));
  const Json* errors = doc ? list_in(*doc, "errors") : nullptr;
  if (!errors || errors->empty()) return out;
  const std::string code = string_in((*errors)[0], "code");
  const bool fine = !code.empty() && code.size() <= 64 &&
                    code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == code.npos;
  return fine ? out + " (" + code + ")" : out;
}

struct Layer {
  std::string digest;
  uint64_t size = 0;
};

Result<Layer> layer_of(const std::string& manifest) {
  const Result<Json> doc = parse_document(manifest);
  if (!doc) return Error{"the manifest " + doc.error().message};
  const std::string type = string_in(*doc, "artifactType");
  if (type != kModule)
    return Error{"the manifest is not that of a module: its artifactType must be " + in_quotes(kModule) +
                 (type.empty() ? ", and it has none" : ", not " + in_quotes(type.substr(0, 200)))};
  const Json* found = nullptr;
  size_t count = 0;
  if (const Json* layers = list_in(*doc, "layers"))
    for (const Json& l : *layers)
      if (string_in(l, "mediaType") == kZip) found = &l, ++count;
  if (count != 1)
    return Error{"the manifest must have exactly one layer with the media type " + in_quotes(kZip) +
                 ", and has " + std::to_string(count)};
  Layer out;
  out.digest = string_in(*found, "digest");
  const Json* size = member(*found, "size");
  if (!config::is_oci_digest(out.digest) || !size || !size->is_number_unsigned())
    return Error{"the layer of the manifest has no valid digest and size"};
  out.size = size->get<uint64_t>();
  if (out.size > kMostPackage) return Error{"the package is larger than 2 GiB"};
  return out;
}

Result<Layer> read_manifest_of(OciRegistry& registry, const config::OciPlace& place) {
  const Result<HttpAnswer> a = registry.get("manifests/" + place.reference, kManifest, kMostManifest);
  if (!a) return a.error();
  const std::string what = (place.by_digest ? "the digest " : "the tag ") + in_quotes(place.reference);
  if (a->status == 404) return Error{"the repository does not exist, or does not have " + what};
  if (a->status != 200) return Error{what + " cannot be read: the registry answered " + failure_of(*a)};
  if (place.by_digest &&
      place.reference.substr(7) != hex_encode(digest(kind_of_digest(place.reference), a->body)))
    return Error{"the registry returned a manifest that does not have " + what};
  const auto told = a->headers.find("docker-content-digest");
  if (told != a->headers.end() && config::is_oci_digest(told->second) &&
      told->second.substr(7) != hex_encode(digest(kind_of_digest(told->second), a->body)))
    return Error{"the registry returned a manifest for " + what + " that does not have the digest " +
                 told->second + " of its header Docker-Content-Digest"};
  return layer_of(a->body);
}

}  // namespace

Result<void> fetch_oci(const config::ModuleSource& source, const std::string& target,
                       const hosts::OciSettings& settings, Http& http) {
  const Result<config::OciPlace> place = config::oci_place(source);
  if (!place) return place.error();
  OciRegistry registry(*place, settings, http);
  const Result<Layer> layer = read_manifest_of(registry, *place);
  if (!layer) return layer.error();
  auto work = TemporaryDir::beside(target);
  if (!work) return work.error();
  const std::string file = work->path() + "/package";
  const Result<HttpAnswer> a = registry.get("blobs/" + layer->digest, "*/*", layer->size + 1, file);
  if (!a) return a.error();
  if (a->status != 200)
    return Error{"the package cannot be read: the registry answered " + status_text(a->status)};
  const Result<std::string> sum = digest_of_file(kind_of_digest(layer->digest), file);
  if (!sum) return sum.error();
  if (*sum != layer->digest.substr(7))
    return Error{"the package does not have the digest that its manifest says, which is " + layer->digest};
  return place_archive(file, source, ArchiveKind::Zip, target, http.stop);
}

}  // namespace xplan::install

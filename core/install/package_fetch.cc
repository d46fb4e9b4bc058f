// Downloads one provider package (or takes it from a directory), checks it against the hashes its source
// gives, and computes its "h1:" and "zh:" hashes.
#include "core/install/package_fetch.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/install/archive.h"
#include "core/install/hash.h"
#include "core/net/redact.h"
#include "core/provider/provider.h"

namespace xplan::install {

const char* const kNotVerifiable =
    ", which does not use https, and there is no checksum to verify the package with, so it could be "
    "replaced in transit";

bool hash_matches(const std::set<std::string>& hashes, const std::string& h1, const std::string& zh) {
  return (!h1.empty() && hashes.count(h1)) || (!zh.empty() && hashes.count(zh));
}

std::string sentence(std::string text) {
  text = without_credentials(text);
  if (!text.ends_with('\n')) text += '.';
  return text;
}

// Where the name alone means a provider of the registry, but one that is built in has it, too.
std::string builtin_hint(const ProviderAddr& p) {
  const ProviderAddr builtin{Symbol("terraform.io"), Symbol("builtin"), p.type};
  Diagnostics unknown;
  if (p != default_provider(p.type) || !make_builtin_factory()->start(builtin, unknown)) return "";
  return "\n\nA provider of this name is built in. To use it, write in the block \"required_providers\":\n "
         " " +
         std::string(p.type.sv()) + " = { source = \"" + builtin.text() + "\" }";
}

void report_no_version(const ProviderAddr& p, const std::string& why, Diagnostics& diags) {
  const std::string detail =
      sentence("No version of the provider " + p.display() + " can be selected: " + why);
  diags.error("Failed to query available provider packages",
              detail + (detail.ends_with('\n') ? "" : "\n") + "\nRun " + own_command("providers") +
                  " to see which modules require which versions of it." + builtin_hint(p));
}

void report_interruption(Diagnostics& diags) {
  diags.error("Installation interrupted", "Completed downloads are kept. Rerun the command to continue.");
}

namespace {

// Of packages alone, and more than 0, as OpenTofu reads it.
std::optional<int> retries_of_downloads() {
  const char* v = std::getenv("TF_PROVIDER_DOWNLOAD_RETRY");
  const int n = v ? std::atoi(v) : 0;
  return n > 0 ? std::optional(n) : std::nullopt;
}

}  // namespace

Result<std::string> fetch_archive(const Package& p, Http& http, const std::string& to,
                                  const std::set<std::string>& locked) {
  if (p.kind == Package::Kind::Archive) return p.location;
  if (!net::uses_https(p.location) && p.hashes.empty() && locked.empty())
    return Error{"its source names the address " + p.location + kNotVerifiable +
                 ". The source must use https for it, or list its checksums"};
  HttpRequest r;
  r.url = p.location;
  r.token = p.token;
  r.to_file = to;
  r.max_bytes = uint64_t{4} << 30;
  r.retries = p.retries ? p.retries : retries_of_downloads();
  auto answer = p.ask ? p.ask(r) : http.get(r);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return Error{"the download from " + p.location + " failed with status " + status_text(answer->status)};
  return to;
}

Result<FetchedPackage> fetch_package(const Package& p, Http& http, const std::string& to) {
  FetchedPackage out;
  const Error wrong{
      "the package from " + p.location +
      " does not have the checksum that its source states, so it was damaged or replaced in transit"};
  if (p.kind == Package::Kind::Folder) {
    auto h1 = hash_directory(p.location, nullptr, http.stop);
    if (!h1) return h1.error();
    out.h1 = std::move(*h1);
  } else {
    auto archive = fetch_archive(p, http, to);
    if (!archive) return archive.error();
    out.archive = std::move(*archive);
    auto zh = sha256_file(out.archive);
    if (!zh) return zh.error();
    out.zh = "zh:" + *zh;
    const bool only_zh = std::none_of(p.hashes.begin(), p.hashes.end(),
                                      [](const std::string& h) { return h.starts_with("h1:"); });
    if (only_zh && !p.hashes.empty() && !p.hashes.count(out.zh)) return wrong;  // without a look inside
    auto files = hash_files_in(out.archive, http.stop);
    if (!files) return Error{files.error().message + " (package " + p.location + ")"};
    out.h1 = hash_listing(*files);
  }
  if (!p.hashes.empty() && !hash_matches(p.hashes, out.h1, out.zh)) return wrong;
  return out;
}

}  // namespace xplan::install

// Downloads one provider package (or takes it from a directory), checks it against the hashes its source
// gives, and computes its "h1:" and "zh:" hashes.
#include "core/install/package_fetch.h"

#include <algorithm>

#include "core/base/digest.h"
#include "core/install/archive.h"
#include "core/install/hash.h"
#include "core/install/redact.h"

namespace xplan::install {

bool hash_matches(const std::set<std::string>& hashes, const std::string& h1, const std::string& zh) {
  return (!h1.empty() && hashes.count(h1)) || (!zh.empty() && hashes.count(zh));
}

std::string sentence(std::string text) {
  text = without_credentials(text);
  if (!text.ends_with('\n')) text += '.';
  return text;
}

void report_interruption(Diagnostics& diags) {
  diags.error("Installation interrupted", "Completed downloads are kept. Rerun the command to continue.");
}

Result<std::string> fetch_archive(const Package& p, Http& http, const std::string& to) {
  if (p.kind == Package::Kind::Archive) return p.location;
  HttpRequest r;
  r.url = p.location;
  r.token = p.token;
  r.to_file = to;
  r.max_bytes = uint64_t{4} << 30;
  auto answer = http.get(r);
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
    auto h1 = hash_directory(p.location);
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
    auto files = hash_files_in(out.archive);
    if (!files) return Error{files.error().message + " (package " + p.location + ")"};
    out.h1 = hash_listing(*files);
  }
  if (!p.hashes.empty() && !hash_matches(p.hashes, out.h1, out.zh)) return wrong;
  return out;
}

}  // namespace xplan::install

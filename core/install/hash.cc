// The "h1:" hash of a provider package: digests of all files in a directory, listed in order and hashed.
#include "core/install/hash.h"

#include <filesystem>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/system_text.h"

namespace xplan::install {

namespace fs = std::filesystem;

std::string hash_listing(const std::map<std::string, std::string>& files) {
  DigestStream h;
  for (const auto& [path, sum] : files) h.update(sum + "  " + path + "\n");
  return "h1:" + base64_encode(h.finish());
}

Result<std::string> hash_directory(const std::string& dir, const plugin::FileHashes* known, Stop stop) {
  std::error_code ec;
  const fs::path root = fs::canonical(dir, ec);
  if (ec) return Error{"cannot open \"" + dir + "\": " + system_text(ec.value())};
  if (!fs::is_directory(root, ec)) return Error{"\"" + dir + "\" is not a directory"};
  std::map<std::string, std::string> files;
  fs::recursive_directory_iterator it(root, ec), end;
  for (; !ec && it != end; it.increment(ec)) {
    if (stopped(stop)) return interrupted();
    std::error_code own;
    if (it->is_directory(own) && !it->is_symlink(own)) continue;
    if (!it->is_regular_file(own)) return Error{"\"" + it->path().string() + "\" is not a regular file"};
    const std::string path = it->path().string();
    Result<std::string> sum = known ? known->sha256(path) : sha256_file(path);
    if (!sum) return sum.error();
    files.emplace(it->path().lexically_relative(root).generic_string(), std::move(*sum));
  }
  if (ec) return Error{"cannot read \"" + dir + "\": " + system_text(ec.value())};
  return hash_listing(files);
}

}  // namespace xplan::install

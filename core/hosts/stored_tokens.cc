// Reads and writes {"credentials": {"HOST": {"token": "…"}}}.
#include "core/hosts/stored_tokens.h"

#include <sys/stat.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/addr/host.h"
#include "core/base/atomic_file.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/system_text.h"

namespace xplan::hosts {
namespace {

constexpr const char* kMember = "credentials";

// An empty document where there is no file.
Result<Json> read(const std::string& path) {
  if (!real_fs().exists(path)) return Json(Json::object());
  const Result<std::string> text = real_fs().read(path);
  if (!text) return text.error();
  Result<Json> doc = parse_document(*text);
  if (!doc) return Error{"the file \"" + path + "\" " + doc.error().message};
  if (doc->contains(kMember) && !(*doc)[kMember].is_object())
    return Error{"in the file \"" + path + "\", \"credentials\" is not an object"};
  return doc;
}

// The name under which a host stands there, in whatever form; empty: it does not.
std::string name_of(const Json& doc, const std::string& host) {
  if (const Json* all = object_in(doc, kMember))
    for (const auto& [name, value] : all->items())
      if (normal_host(name) == host) return name;
  return {};
}

Result<void> write(const std::string& path, const Json& doc) {
  return write_private(path, doc.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

StoredTokens::StoredTokens(const std::string& home)
    : directory_(join_path(home, ".terraform.d")), path_(join_path(directory_, "credentials.tfrc.json")) {}

Result<bool> StoredTokens::has(const std::string& host) const {
  const Result<Json> doc = read(path_);
  if (!doc) return doc.error();
  return !name_of(*doc, host).empty();
}

Result<void> StoredTokens::store(const std::string& host, const std::string& token) const {
  Result<Json> doc = read(path_);
  if (!doc) return doc.error();
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    return Error{"cannot create the directory \"" + directory_ + "\": " + system_text(errno)};
  const std::string name = name_of(*doc, host);
  (*doc)[kMember][name.empty() ? host : name] = {{"token", token}};
  return write(path_, *doc);
}

Result<bool> StoredTokens::forget(const std::string& host) const {
  Result<Json> doc = read(path_);
  if (!doc) return doc.error();
  const std::string name = name_of(*doc, host);
  if (name.empty()) return false;
  (*doc)[kMember].erase(name);
  if (const Result<void> written = write(path_, *doc); !written) return written.error();
  return true;
}

}  // namespace xplan::hosts

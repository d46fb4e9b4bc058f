// Shared Key: the string to sign of a request, and the HMAC over it.
#include "core/cloud/azure_signature.h"

#include <algorithm>
#include <map>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

// The path as it stands in the URL, and the arguments as they are meant, by name.
std::string canonical_resource(const std::string& account, std::string_view url) {
  const UrlParts parts = url_parts(url);
  std::map<std::string, std::string> arguments;
  for (std::string_view query = parts.query; !query.empty();) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    const size_t equals = std::min(one.find('='), one.size());
    std::string& values = arguments[ascii_lower(uri_unescape(one.substr(0, equals)))];
    values += (values.empty() ? "" : ",") + uri_unescape(one.substr(std::min(equals + 1, one.size())));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::string out = "/" + account + std::string(parts.path);
  for (const auto& [name, value] : arguments) out += "\n" + name + ":" + value;
  return out;
}

}  // namespace

void sign(net::Request& r, const AzureAccountKey& key, int64_t now) {
  r.headers.emplace_back("x-ms-date", http_date(now));
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : r.headers) {
    std::string& all = sorted[ascii_lower(name)];
    all += (all.empty() ? "" : ",") + folded_spaces(value);
  }
  sorted["content-length"] = r.body && !r.body->empty() ? std::to_string(r.body->size()) : "";
  std::string text = r.method + "\n";
  // A date of HTTP itself is not sent.
  for (const char* name :
       {"content-encoding", "content-language", "content-length", "content-md5", "content-type", "date",
        "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"})
    text += sorted[name] + "\n";
  for (const auto& [name, value] : sorted)
    if (name.starts_with("x-ms-")) text += name + ":" + value + "\n";
  text += canonical_resource(key.account, r.url);
  r.headers.emplace_back("Authorization",
                         "SharedKey " + key.account + ":" + base64_encode(hmac_sha256(key.key, text)));
}

}  // namespace xplan::cloud

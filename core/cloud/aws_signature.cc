// Signature Version 4: the canonical form of a request, and the chain of HMACs over it.
#include "core/cloud/aws_signature.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

std::string canonical_query(std::string_view query) {
  std::vector<std::string> all;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    std::string one(query.substr(0, end));
    if (one.find('=') == one.npos) one += '=';
    all.push_back(std::move(one));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  // By name, then by value: "=" comes after characters that names may have.
  std::sort(all.begin(), all.end(), [](const std::string& a, const std::string& b) {
    const size_t i = a.find('='), j = b.find('=');
    const int names = a.compare(0, i, b, 0, j);
    return names != 0 ? names < 0 : a.compare(i, a.npos, b, j, b.npos) < 0;
  });
  std::string out;
  for (const std::string& one : all) out += (out.empty() ? "" : "&") + one;
  return out;
}

std::string without_default_port(std::string_view url, std::string_view host) {
  for (const auto& [scheme, port] : {std::pair("https://", ":443"), std::pair("http://", ":80")})
    if (url.starts_with(scheme) && host.ends_with(port)) host.remove_suffix(std::strlen(port));
  return std::string(host);
}

}  // namespace

void sign(net::Request& r, const AwsKeys& keys, const AwsScope& scope, int64_t now) {
  const UrlParts parts = url_parts(r.url);
  const bool s3 = scope.service == "s3";
  const std::string stamp = basic_timestamp(now), day = stamp.substr(0, 8);
  const std::string content = sha256_hex(r.body ? std::string_view(*r.body) : "");
  r.headers.emplace_back("Host", without_default_port(r.url, parts.host));
  r.headers.emplace_back("X-Amz-Date", stamp);
  if (!keys.token.empty()) r.headers.emplace_back("X-Amz-Security-Token", keys.token);
  if (s3) r.headers.emplace_back("X-Amz-Content-Sha256", content);
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : r.headers) {
    std::string& all = sorted[ascii_lower(name)];
    all += (all.empty() ? "" : ",") + folded_spaces(value);
  }
  std::string names, lines;
  for (const auto& [name, value] : sorted) {
    names += (names.empty() ? "" : ";") + name;
    lines += name + ":" + value + "\n";
  }
  // All services but S3 escape the path once more.
  const std::string path = s3 ? std::string(parts.path) : uri_escape(parts.path, true);
  const std::string canonical = r.method + "\n" + path + "\n" + canonical_query(parts.query) + "\n" + lines +
                                "\n" + names + "\n" + content;
  const std::string where = day + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string text = "AWS4-HMAC-SHA256\n" + stamp + "\n" + where + "\n" + sha256_hex(canonical);
  std::string key = "AWS4" + keys.secret_key;
  for (const std::string& step : {day, scope.region, scope.service, std::string("aws4_request")})
    key = hmac_sha256(key, step);
  r.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + keys.access_key + "/" + where +
                                              ", SignedHeaders=" + names +
                                              ", Signature=" + hex_encode(hmac_sha256(key, text)));
}

}  // namespace xplan::cloud

// Signature Version 4: the canonical form of a request, and the chain of HMACs over it.
#include "core/cloud/aws_signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

struct Parts {
  std::string_view host, path, query;
};

Parts parts_of(std::string_view url) {
  Parts out;
  const size_t from = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  const size_t path = std::min(url.find_first_of("/?", from), url.size());
  const size_t query = std::min(url.find('?', path), url.size());
  out.host = url.substr(from, path - from);
  out.path = url.substr(path, query - path);
  if (out.path.empty()) out.path = "/";
  out.query = url.substr(std::min(query + 1, url.size()));
  return out;
}

std::string hmac(std::string_view key, std::string_view text) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), out, &size);
  return {reinterpret_cast<const char*>(out), size};
}

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

// Runs of spaces count as one.
std::string folded(std::string_view value) {
  std::string out;
  for (char c : trimmed(value))
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  return out;
}

std::string without_default_port(std::string_view url, std::string_view host) {
  for (const auto& [scheme, port] : {std::pair("https://", ":443"), std::pair("http://", ":80")})
    if (url.starts_with(scheme) && host.ends_with(port)) host.remove_suffix(std::strlen(port));
  return std::string(host);
}

}  // namespace

std::string aws_escape(std::string_view text, bool keep_slashes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        (c && std::strchr("-._~", c)) || (keep_slashes && c == '/'))
      out += static_cast<char>(c);
    else
      out += '%', out += digits[c >> 4], out += digits[c & 15];
  }
  return out;
}

void sign(net::Request& r, const AwsKeys& keys, const AwsScope& scope, int64_t now) {
  const Parts parts = parts_of(r.url);
  const bool s3 = scope.service == "s3";
  const std::string stamp = basic_timestamp(now), day = stamp.substr(0, 8);
  const std::string content = sha256_hex(r.body ? *r.body : std::string());
  r.headers.emplace_back("Host", without_default_port(r.url, parts.host));
  r.headers.emplace_back("X-Amz-Date", stamp);
  if (!keys.token.empty()) r.headers.emplace_back("X-Amz-Security-Token", keys.token);
  if (s3) r.headers.emplace_back("X-Amz-Content-Sha256", content);
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : r.headers) {
    std::string& all = sorted[ascii_lower(name)];
    all += (all.empty() ? "" : ",") + folded(value);
  }
  std::string names, lines;
  for (const auto& [name, value] : sorted) {
    names += (names.empty() ? "" : ";") + name;
    lines += name + ":" + value + "\n";
  }
  // All services but S3 escape the path once more.
  const std::string path = s3 ? std::string(parts.path) : aws_escape(parts.path, true);
  const std::string canonical = r.method + "\n" + path + "\n" + canonical_query(parts.query) + "\n" + lines +
                                "\n" + names + "\n" + content;
  const std::string where = day + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string text = "AWS4-HMAC-SHA256\n" + stamp + "\n" + where + "\n" + sha256_hex(canonical);
  std::string key = "AWS4" + keys.secret_key;
  for (const std::string& step : {day, scope.region, scope.service, std::string("aws4_request")})
    key = hmac(key, step);
  r.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + keys.access_key + "/" + where +
                                              ", SignedHeaders=" + names +
                                              ", Signature=" + hex_encode(hmac(key, text)));
}

}  // namespace xplan::cloud

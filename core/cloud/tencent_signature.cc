// The canonical forms of requests, and the chains of HMACs over them.
#include "core/cloud/tencent_signature.h"

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

// Names in lower case, escaped and sorted, alone and with their values.
struct Canonical {
  std::string names, pairs;
};
Canonical canonical(const std::map<std::string, std::string>& of) {
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : of) sorted[ascii_lower(uri_escape(name))] = uri_escape(value);
  Canonical out;
  for (const auto& [name, value] : sorted) {
    out.names += (out.names.empty() ? "" : ";") + name;
    out.pairs += (out.pairs.empty() ? "" : "&") + name + "=" + value;
  }
  return out;
}

}  // namespace

net::Request signed_cos(const CosCall& call, const TencentKeys& keys, int64_t now, int64_t seconds) {
  std::map<std::string, std::string> headers = call.headers;
  headers["Host"] = net::host_and_port(call.base);
  const std::string time = fmt::format("{};{}", now - 60, now - 60 + seconds);
  const Canonical query = canonical(call.query), head = canonical(headers);
  const std::string text =
      ascii_lower(call.method) + "\n/" + call.name + "\n" + query.pairs + "\n" + head.pairs + "\n";
  const std::string to_sign = "sha1\n" + time + "\n" + hex_encode(digest(Digest::Sha1, text)) + "\n";
  const std::string signature = hex_encode(hmac_sha1(hex_encode(hmac_sha1(keys.key, time)), to_sign));
  net::Request r;
  r.method = call.method;
  r.url = call.base + "/" + uri_escape(call.name, true);
  for (const auto& [name, value] : call.query)
    r.url += (r.url.find('?') == r.url.npos ? "?" : "&") + uri_escape(name) + "=" + uri_escape(value);
  r.body = call.body, r.once = call.once, r.patience = call.patience;
  for (const auto& [name, value] : call.headers) r.headers.emplace_back(name, value);
  if (!keys.token.empty()) r.headers.emplace_back("x-cos-security-token", keys.token);
  r.headers.emplace_back(
      "Authorization",
      fmt::format("q-sign-algorithm=sha1&q-ak={}&q-sign-time={}&q-key-time={}&q-header-list={}"
                  "&q-url-param-list={}&q-signature={}",
                  keys.id, time, time, head.names, query.names, signature));
  return r;
}

net::Request signed_tc3(const TencentCall& call, const TencentKeys& keys, int64_t now) {
  const std::string host = call.service + "." + call.domain, type = "application/json";
  const std::string stamp = basic_timestamp(now);
  const std::string day = stamp.substr(0, 4) + "-" + stamp.substr(4, 2) + "-" + stamp.substr(6, 2);
  const std::string names = "content-type;host";
  const std::string text =
      fmt::format("POST\n/\n\ncontent-type:{}\nhost:{}\n\n{}\n{}", type, host, names, sha256_hex(call.body));
  const std::string where = day + "/" + call.service + "/tc3_request";
  const std::string to_sign = fmt::format("TC3-HMAC-SHA256\n{}\n{}\n{}", now, where, sha256_hex(text));
  std::string key = "TC3" + keys.key;
  for (const std::string& step : {day, call.service, std::string("tc3_request")})
    key = hmac_sha256(key, step);
  net::Request r;
  r.method = "POST";
  r.url = "https://" + host + "/";
  r.body = call.body;
  r.headers = {
      {"Content-Type", type},
      {"X-TC-Action", call.action},
      {"X-TC-Version", call.version},
      {"X-TC-Region", call.region},
      {"X-TC-Timestamp", std::to_string(now)},
      {"Authorization", fmt::format("TC3-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}",
                                    keys.id, where, names, hex_encode(hmac_sha256(key, to_sign)))}};
  if (!keys.token.empty()) r.headers.emplace_back("X-TC-Token", keys.token);
  return r;
}

}  // namespace xplan::cloud

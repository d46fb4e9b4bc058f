// The canonical forms of requests, and the HMACs over them.
#include "core/cloud/alibaba_signature.h"

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

std::string value_of(const std::map<std::string, std::string>& headers, const char* name) {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string lines(const std::map<std::string, std::string>& headers, std::string_view prefix) {
  std::string out;
  for (const auto& [name, value] : headers)
    if (name.starts_with(prefix)) out.append(name).append(":").append(value).append("\n");
  return out;
}

std::string pairs(const std::map<std::string, std::string>& of) {
  std::string out;
  for (const auto& [name, value] : of)
    out += (out.empty() ? "" : "&") + uri_escape(name) + "=" + uri_escape(value);
  return out;
}

}  // namespace

net::Request signed_oss(const OssCall& call, const AlibabaKeys& keys, int64_t now) {
  std::map<std::string, std::string> headers = call.headers;
  headers["Date"] = http_date(now);
  if (!keys.token.empty()) headers["x-oss-security-token"] = keys.token;
  const std::string text = call.method + "\n" + value_of(headers, "Content-MD5") + "\n" +
                           value_of(headers, "Content-Type") + "\n" + headers["Date"] + "\n" +
                           lines(headers, "x-oss-") + "/" + call.bucket + "/" + call.name;
  net::Request r;
  r.method = call.method;
  r.url = call.base + "/" + uri_escape(call.name, true);
  if (!call.query.empty()) r.url += "?" + pairs(call.query);
  r.body = call.body, r.patience = call.patience;
  r.headers.assign(headers.begin(), headers.end());
  r.headers.emplace_back("Authorization", "OSS " + keys.id + ":" + base64_encode(hmac_sha1(keys.key, text)));
  return r;
}

net::Request signed_tablestore(const TableStoreCall& call, const AlibabaKeys& keys, const std::string& date) {
  std::map<std::string, std::string> headers = {
      {"x-ots-accesskeyid", keys.id},
      {"x-ots-apiversion", "2015-12-31"},
      {"x-ots-contentmd5", base64_encode(digest(Digest::Md5, call.body))},
      {"x-ots-date", date},
      {"x-ots-instancename", call.instance}};
  if (!keys.token.empty()) headers["x-ots-ststoken"] = keys.token;
  const std::string text = "/" + call.action + "\nPOST\n\n" + lines(headers, "x-ots-");
  net::Request r;
  r.method = "POST";
  r.url = call.base + "/" + call.action;
  r.body = call.body;
  r.headers.assign(headers.begin(), headers.end());
  r.headers.emplace_back("x-ots-signature", base64_encode(hmac_sha1(keys.key, text)));
  return r;
}

net::Request signed_rpc(const RpcCall& call, const AlibabaKeys& keys, int64_t now, const std::string& nonce) {
  std::map<std::string, std::string> all = call.arguments;
  all.insert({{"AccessKeyId", keys.id},
              {"Action", call.action},
              {"Format", "JSON"},
              {"SignatureMethod", "HMAC-SHA1"},
              {"SignatureNonce", nonce},
              {"SignatureVersion", "1.0"},
              {"Timestamp", timestamp(now)},
              {"Version", call.version}});
  if (!keys.token.empty()) all["SecurityToken"] = keys.token;
  const std::string text = "POST&%2F&" + uri_escape(pairs(all));
  all["Signature"] = base64_encode(hmac_sha1(keys.key + "&", text));
  all.erase("Action");
  net::Request r;
  r.method = "POST";
  r.url = call.base + "/?Action=" + uri_escape(call.action);  // messages name it, and nothing that is secret
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  r.body = pairs(all);
  return r;
}

}  // namespace xplan::cloud

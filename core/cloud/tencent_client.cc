// Finding keys, assuming roles, and sending.
#include "core/cloud/tencent_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

int64_t number_in(const Json& object, const char* name) {
  const Json* n = member(object, name);
  return n && n->is_number_integer() ? n->get<int64_t>() : 0;
}

}  // namespace

Result<net::Answer> TencentClient::send(net::Request r, net::Ending stop) {
  r.follow = false;
  r.compressed = false;
  r.path_as_is = true;
  r.stop = stop;
  r.retry.times = 4;
  r.retry.most = std::chrono::seconds(20);
  r.retry.again = [](int status) { return status == 429 || (status >= 500 && status != 501); };
  return client_.send(r);
}

Result<net::Answer> TencentClient::send(const CosCall& call, const net::Limits& limits, net::Ending stop) {
  const Result<TencentKeys> with = keys();
  if (!with) return with.error();
  net::Request r = signed_cos(call, *with, unix_now());
  r.limits = limits;
  return send(std::move(r), stop);
}

Result<TencentReply> TencentClient::ask_as(const TencentKeys& keys, TencentCall call, net::Ending stop,
                                           std::string* whole) {
  call.region = settings_.region, call.domain = settings_.domain;
  net::Request r = signed_tc3(call, keys, unix_now());
  r.limits.body = 1 << 20;
  // On a connection that was used before, libcurl may send it twice without telling.
  r.headers.emplace_back("Connection", "close");
  const Result<net::Answer> a = send(std::move(r), stop);
  if (!a) return stopped(stop) ? interrupted() : a.error();
  const Result<Json> doc = parse_document(a->body);
  const Json* response = doc ? object_in(*doc, "Response") : nullptr;
  if (a->status != 200 || !response)
    return Error{fmt::format("the service \"{}\" answered {}", call.service, describe_failure(*a))};
  if (whole) *whole = response->dump();
  const Json* error = object_in(*response, "Error");
  if (!error) return TencentReply{"", "", a->attempts > 1};
  const std::string code = string_in(*error, "Code"), message = string_in(*error, "Message");
  return TencentReply{code.empty() ? "unknown" : code,
                      fmt::format("the service \"{}\" refused to {}: {} ({})", call.service, call.action,
                                  shown_text(message), shown_text(code)),
                      a->attempts > 1};
}

Result<TencentReply> TencentClient::ask(const std::string& service, const char* version, const char* action,
                                        const std::string& body, net::Ending stop) {
  const Result<TencentKeys> with = keys();
  if (!with) return with.error();
  return ask_as(*with, {service, version, action, "", "", body}, stop, nullptr);
}

Result<TencentKeys> TencentClient::keys() {
  return kept_.get([this](bool first) { return find(first ? stop_ : nullptr); });
}

Result<TencentKeys> TencentClient::find(Stop stop) {
  const TencentKeys& own = settings_.keys;
  Result<TencentKeys> by = own.id.empty() && !settings_.machine_role.empty() ? keys_of_machine(stop) : own;
  if (by && (by->id.empty() || by->key.empty()))
    return Error{
        "there are no credentials for Tencent Cloud; set secret_id and secret_key, or the environment "
        "variables "
        "TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY"};
  return by && settings_.role ? assume(*settings_.role, *by, stop) : by;
}

Result<TencentKeys> TencentClient::keys_of_machine(Stop stop) {
  net::Request r;
  r.url = "http://metadata.tencentyun.com/latest/meta-data/cam/security-credentials/" +
          uri_escape(settings_.machine_role);
  r.direct = true;
  r.limits.connect = 1, r.limits.whole = 10, r.limits.body = 1 << 20;
  const Result<net::Answer> a = send(std::move(r), stop);
  if (!a) return a.error();
  const Result<Json> doc = parse_document(a->body);
  if (a->status != 200 || !doc || string_in(*doc, "TmpSecretId").empty())
    return Error{fmt::format("the metadata service returned no credentials for the role \"{}\": {}",
                             shown_text(settings_.machine_role), describe_failure(*a))};
  return TencentKeys{string_in(*doc, "TmpSecretId"), string_in(*doc, "TmpSecretKey"),
                     string_in(*doc, "Token"), number_in(*doc, "ExpiredTime")};
}

Result<TencentKeys> TencentClient::assume(const TencentRole& role, const TencentKeys& by, Stop stop) {
  Json body = {
      {"RoleArn", role.arn}, {"RoleSessionName", role.session_name}, {"DurationSeconds", role.seconds}};
  if (!role.policy.empty()) body["Policy"] = role.policy;
  if (!role.external_id.empty()) body["ExternalId"] = role.external_id;
  std::string whole;
  const Result<TencentReply> reply =
      ask_as(by, {"sts", "2018-08-13", "AssumeRole", "", "", document_text(body)}, stop, &whole);
  const std::string what = fmt::format("the role \"{}\" cannot be assumed: ", shown_text(role.arn));
  if (!reply) return Error{what + reply.error().message};
  if (!reply->refused.empty()) return Error{what + reply->text};
  const Result<Json> doc = parse_document(whole);
  const Json* keys = doc ? object_in(*doc, "Credentials") : nullptr;
  if (!keys || string_in(*keys, "TmpSecretId").empty() || string_in(*keys, "TmpSecretKey").empty())
    return Error{what + "the response does not contain credentials"};
  return TencentKeys{string_in(*keys, "TmpSecretId"), string_in(*keys, "TmpSecretKey"),
                     string_in(*keys, "Token"), number_in(*doc, "ExpiredTime")};
}

}  // namespace xplan::cloud

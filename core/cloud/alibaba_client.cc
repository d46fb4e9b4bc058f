// Finding keys, assuming roles, and sending.
#include "core/cloud/alibaba_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/base64.h"
#include "core/base/secret.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

// As both services give them; without an id where they do not.
AlibabaKeys alibaba_keys(const Json& object) {
  AlibabaKeys out{string_in(object, "AccessKeyId"), string_in(object, "AccessKeySecret"),
                  string_in(object, "SecurityToken")};
  out.expires = parse_timestamp(string_in(object, "Expiration")).value_or(0);
  if (out.key.empty()) out.id.clear();
  return out;
}

}  // namespace

bool AlibabaClient::passes(int status) {
  return status == 429 || (status >= 500 && status != 501);
}

Result<net::Answer> AlibabaClient::send(net::Request r, net::Ending stop, bool conflicts) {
  r.follow = false;
  r.compressed = false;
  r.path_as_is = true;
  r.stop = stop;
  r.retry.times = kTries;
  r.retry.most = std::chrono::seconds(20);
  r.retry.again = [conflicts](int status) { return passes(status) || (conflicts && status == 409); };
  return client_.send(r);
}

Result<net::Answer> AlibabaClient::send(const OssCall& call, const net::Limits& limits, net::Ending stop) {
  const Result<AlibabaKeys> with = keys();
  if (!with) return with.error();
  net::Request r = signed_oss(call, *with, unix_now());
  r.limits = limits;
  return send(std::move(r), stop);
}

// Two who touch one row at a time are in conflict; that passes.
Result<net::Answer> AlibabaClient::send(const TableStoreCall& call, net::Ending stop) {
  const Result<AlibabaKeys> with = keys();
  if (!with) return with.error();
  std::string date = timestamp(unix_now());
  date.insert(date.size() - 1, ".000");
  net::Request r = signed_tablestore(call, *with, date);
  r.limits.body = 1 << 20;
  return send(std::move(r), stop, true);
}

// A nonce serves once, so each attempt is a request of its own.
Result<net::Answer> AlibabaClient::ask(const RpcCall& call, const AlibabaKeys& keys, net::Ending stop,
                                       int tries) {
  for (int n = 1;; ++n) {
    net::Request r = signed_rpc(call, keys, unix_now(), hex_encode(random_bytes(16)));
    r.follow = false;
    r.compressed = false;
    r.stop = stop;
    r.limits.connect = 5, r.limits.whole = 30, r.limits.body = 1 << 20;
    Result<net::Answer> a = client_.send(r);
    if ((a && !passes(a->status)) || n >= tries || stopped(stop)) return a;
    std::this_thread::sleep_for(std::chrono::milliseconds(200) * n);
  }
}

std::string AlibabaClient::host_of(const std::string& service, net::Ending stop) {
  const Result<AlibabaKeys> with = keys();
  if (!with) return {};
  const auto a = ask({"https://location-readonly.aliyuncs.com",
                      "DescribeEndpoints",
                      "2015-06-12",
                      {{"Id", settings_.region}, {"RegionId", settings_.region}, {"ServiceCode", service}}},
                     *with, stop, 1);
  const Result<Json> doc = a && a->status == 200 ? parse_document(a->body) : Error{""};
  const Json* all = doc ? object_in(*doc, "Endpoints") : nullptr;
  const Json* list = all ? list_in(*all, "Endpoint") : nullptr;
  return list && !list->empty() ? string_in(list->front(), "Endpoint") : "";
}

Result<AlibabaKeys> AlibabaClient::keys() {
  return kept_.get([this](bool first) { return find(first ? stop_ : nullptr); });
}

Result<AlibabaKeys> AlibabaClient::find(Stop stop) {
  const AlibabaKeys& own = settings_.keys;
  Result<AlibabaKeys> by = own.id.empty() && !settings_.machine_role.empty() ? keys_of_machine(stop) : own;
  if (by && (by->id.empty() || by->key.empty()))
    return Error{
        "there are no credentials for Alibaba Cloud; set access_key and secret_key, or the environment "
        "variables ALICLOUD_ACCESS_KEY and ALICLOUD_SECRET_KEY"};
  return by && settings_.role ? assume(*settings_.role, *by, stop) : by;
}

Result<AlibabaKeys> AlibabaClient::keys_of_machine(Stop stop) {
  net::Request r;
  r.url =
      settings_.metadata + "/latest/meta-data/ram/security-credentials/" + uri_escape(settings_.machine_role);
  r.direct = true;
  r.limits.connect = 1, r.limits.whole = 10, r.limits.body = 1 << 20;
  const Result<net::Answer> a = send(std::move(r), stop);
  if (!a) return stopped(stop) ? interrupted() : a.error();
  const Result<Json> doc = parse_document(a->body);
  const AlibabaKeys found = a->status == 200 && doc ? alibaba_keys(*doc) : AlibabaKeys{};
  if (found.id.empty())
    return Error{fmt::format("the metadata service returned no credentials for the role \"{}\": {}",
                             shown_text(settings_.machine_role), describe_failure(*a))};
  return found;
}

Result<AlibabaKeys> AlibabaClient::assume(const AlibabaRole& role, const AlibabaKeys& by, Stop stop) {
  RpcCall call{settings_.sts, "AssumeRole", "2015-04-01", {}};
  call.arguments = {{"DurationSeconds", std::to_string(role.seconds)},
                    {"RegionId", settings_.region},
                    {"RoleArn", role.arn},
                    {"RoleSessionName", role.session_name}};
  if (!role.policy.empty()) call.arguments["Policy"] = role.policy;
  const Result<net::Answer> a = ask(call, by, stop);
  const std::string what = fmt::format("the role \"{}\" cannot be assumed: ", shown_text(role.arn));
  if (!a) return stopped(stop) ? interrupted() : Error{what + a.error().message};
  if (a->status != 200) return Error{what + "the server answered " + describe_failure(*a)};
  const Result<Json> doc = parse_document(a->body);
  const Json* inner = doc ? object_in(*doc, "Credentials") : nullptr;
  const AlibabaKeys found = inner ? alibaba_keys(*inner) : AlibabaKeys{};
  if (found.id.empty()) return Error{what + "the response does not contain credentials"};
  return found;
}

}  // namespace xplan::cloud

// Keys from services beside the machine or the container, and from single sign-on.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr const char* kContainer = "http://169.254.170.2";

net::Request beside(const AwsAsking& a, std::string url, const char* failure) {
  net::Request r;
  r.url = std::move(url);
  r.failure = failure;
  r.direct = true;
  r.stop = a.stop;
  r.limits.connect = 1;
  r.limits.whole = 5;
  r.limits.body = 1 << 20;
  r.retry.times = 2;
  return r;
}

// Over http, tokens go to this machine and to what is beside it only.
bool may_ask(const std::string& url) {
  if (net::uses_https(url)) return true;
  if (!net::uses_http(url)) return false;
  std::string host = net::host_and_port(url);
  if (const size_t colon = host.rfind(':'); colon != host.npos && host.find(']', colon) == host.npos)
    host.resize(colon);
  return net::on_this_machine(url) || host == "169.254.170.2" || host == "169.254.170.23" ||
         host == "[fd00:ec2::23]";
}

Result<AwsKeys> keys_from_service(const Result<net::Answer>& answer, const std::string& service) {
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{service + " answered " + describe_failure(*answer)};
  Result<AwsKeys> keys = keys_in(answer->body, "Token");
  if (!keys) return Error{"the answer of " + service + " " + keys.error().message};
  return keys;
}

std::string from_profile(const IniSection& section, std::string_view name) {
  const auto it = section.find(name);
  return it == section.end() ? std::string() : it->second;
}

// The token that a login has left; "" and a reason where there is none.
Result<std::string> sign_on_token(const std::string& name) {
  const std::string path = home_file(".aws/sso/cache/" + hex_encode(digest(Digest::Sha1, name)) + ".json");
  const std::string advice = "; run \"aws sso login\"";
  const Result<std::string> text = real_fs().read(path);
  if (!text) return Error{"there is no token for single sign-on: " + text.error().message + advice};
  const Result<Json> doc = parse_document(*text);
  if (!doc)
    return Error{fmt::format("the token for single sign-on in \"{}\" {}", path, doc.error().message) +
                 advice};
  const std::string token = string_in(*doc, "accessToken");
  const auto end = parse_timestamp(string_in(*doc, "expiresAt"));
  if (token.empty() || !end || *end <= unix_now())
    return Error{fmt::format("the token for single sign-on in \"{}\" has expired", path) + advice};
  return token;
}

}  // namespace

Result<AwsKeys> keys_of_sign_on(const AwsAsking& a, const IniSection& profile, const AwsProfiles& all) {
  const std::string session = from_profile(profile, "sso_session");
  const auto found = all.sso_sessions.find(session);
  if (!session.empty() && found == all.sso_sessions.end())
    return Error{fmt::format("the AWS profile refers to the sso-session \"{}\", which does not exist",
                             shown_text(session))};
  const IniSection& where = session.empty() ? profile : found->second;
  const std::string account = from_profile(profile, "sso_account_id"),
                    role = from_profile(profile, "sso_role_name"), region = from_profile(where, "sso_region"),
                    start = from_profile(where, "sso_start_url");
  for (const auto& [name, value] : {std::pair("sso_account_id", account), std::pair("sso_role_name", role),
                                    std::pair("sso_region", region), std::pair("sso_start_url", start)})
    if (value.empty()) return Error{fmt::format("the AWS profile for single sign-on lacks {}", name)};
  const Result<std::string> token = sign_on_token(session.empty() ? start : session);
  if (!token) return token.error();
  net::Request r;
  r.url = aws_endpoint(a.settings, "portal.sso", region, a.settings.sso_endpoint) +
          "/federation/credentials?account_id=" + aws_escape(account) + "&role_name=" + aws_escape(role);
  r.failure = "failed to reach single sign-on at";
  r.stop = a.stop;
  r.headers = {{"x-amz-sso_bearer_token", *token}};
  r.limits.body = 1 << 20;
  const Result<net::Answer> answer = a.client.send_plain(r);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{"single sign-on answered " + describe_failure(*answer)};
  const Result<Json> doc = parse_document(answer->body);
  const Json* keys = doc ? object_in(*doc, "roleCredentials") : nullptr;
  const Json* end = keys ? member(*keys, "expiration") : nullptr;
  if (!keys || !end || !end->is_number_integer())
    return Error{"the answer of single sign-on does not contain credentials"};
  return AwsKeys{string_in(*keys, "accessKeyId"), string_in(*keys, "secretAccessKey"),
                 string_in(*keys, "sessionToken"), end->get<int64_t>() / 1000};
}

bool in_container() {
  return !variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").empty() ||
         !variable("AWS_CONTAINER_CREDENTIALS_FULL_URI").empty();
}

Result<AwsKeys> keys_of_container(const AwsAsking& a) {
  const std::string relative = variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string url =
      relative.empty() ? variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") : kContainer + relative;
  if (url.empty()) return Error{"the environment variable AWS_CONTAINER_CREDENTIALS_FULL_URI is not set"};
  if (!may_ask(url))
    return Error{
        "the environment variable AWS_CONTAINER_CREDENTIALS_FULL_URI must have an https URL, or one of this "
        "machine "
        "or its container service"};
  net::Request r = beside(a, url, "failed to reach the container's credential service at");
  std::string token = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const std::string file = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); !file.empty()) {
    Result<std::string> text = read_given(file, a.stop);
    if (!text)
      return Error{"the token for the container's credential service is not available: " +
                   text.error().message};
    token = std::string(trimmed(*text));
  }
  if (!token.empty()) r.headers = {{"Authorization", token}};
  return keys_from_service(a.client.send_plain(r, false), "the container's credential service");
}

Result<AwsKeys> keys_of_machine(const AwsAsking& a) {
  const AwsSettings& s = a.settings;
  if (!s.metadata) return Error{"the machine's metadata service is not to be asked"};
  std::string base = s.metadata_endpoint;
  if (base.empty())
    base = ascii_lower(s.metadata_mode) == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
  while (base.ends_with('/')) base.pop_back();
  const std::string what = "the machine's metadata service";
  net::Request r = beside(a, base + "/latest/api/token", "failed to reach the machine's metadata service at");
  r.method = "PUT";
  r.body = "";
  r.retry.times = 0;
  r.headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "300"}};
  Result<net::Answer> answer = a.client.send_plain(r, false);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{what + " answered " + describe_failure(*answer)};
  const std::string token(trimmed(answer->body)),
      roles = base + "/latest/meta-data/iam/security-credentials/";
  auto get = [&](const std::string& url) {
    net::Request g = beside(a, url, "failed to reach the machine's metadata service at");
    g.headers = {{"x-aws-ec2-metadata-token", token}};
    return a.client.send_plain(g, false);
  };
  answer = get(roles);
  if (!answer) return answer.error();
  const std::string_view body = trimmed(answer->body), role = trimmed(body.substr(0, body.find('\n')));
  if (answer->status == 404 || (answer->status == 200 && role.empty()))
    return Error{"the machine has no role of its own"};
  if (answer->status != 200) return Error{what + " answered " + describe_failure(*answer)};
  return keys_from_service(get(roles + aws_escape(role)), what);
}

}  // namespace xplan::cloud

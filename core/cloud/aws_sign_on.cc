// Keys from single sign-on, for the token that a login has left.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"

namespace xplan::cloud {
namespace {

std::string from_profile(const IniSection& section, std::string_view name) {
  const auto it = section.find(name);
  return it == section.end() ? std::string() : it->second;
}

// The token that a login has left; A reason where there is none.
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

}  // namespace xplan::cloud

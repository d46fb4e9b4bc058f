// Keys from single sign-on, for the token that a login has left.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"

namespace xplan::cloud {
namespace {

Result<net::Answer> ask_for_keys(const AwsAsking& a, const std::string& url, const std::string& token) {
  net::Request r;
  r.url = url;
  r.failure = "failed to reach the single sign-on service at";
  r.stop = a.stop;
  r.headers = {{"x-amz-sso_bearer_token", token}};
  r.limits.body = 1 << 20;
  return a.client.send_plain(r);
}

// A token that is refused before its time is renewed, once.
Result<net::Answer> keys_for_token(const AwsAsking& a, const SignOn& s, const std::string& url) {
  Result<std::string> token = sign_on_token(a, s);
  if (!token) return token.error();
  Result<net::Answer> answer = ask_for_keys(a, url, *token);
  if (!answer || answer->status != 401 || !s.session) return answer;
  token = sign_on_token(a, s, *token);
  return token ? ask_for_keys(a, url, *token) : token.error();
}

}  // namespace

Result<AwsKeys> keys_of_sign_on(const AwsAsking& a, const IniSection& profile, const AwsProfiles& all) {
  const std::string session = value_in(profile, "sso_session");
  const auto found = all.sso_sessions.find(session);
  if (!session.empty() && found == all.sso_sessions.end())
    return Error{fmt::format("the AWS profile refers to the sso-session \"{}\", which does not exist",
                             shown_text(session))};
  const IniSection& where = session.empty() ? profile : found->second;
  const std::string account = value_in(profile, "sso_account_id"), role = value_in(profile, "sso_role_name"),
                    region = value_in(where, "sso_region"), start = value_in(where, "sso_start_url");
  for (const auto& [name, value] : {std::pair("sso_account_id", account), std::pair("sso_role_name", role),
                                    std::pair("sso_region", region), std::pair("sso_start_url", start)})
    if (value.empty()) return Error{fmt::format("the AWS profile for single sign-on lacks {}", name)};
  const std::string url = aws_endpoint(a.settings, "portal.sso", region, a.settings.sso_endpoint) +
                          "/federation/credentials?account_id=" + aws_escape(account) +
                          "&role_name=" + aws_escape(role);
  const Result<net::Answer> answer =
      keys_for_token(a, {session.empty() ? start : session, region, !session.empty()}, url);
  if (!answer) return answer.error();
  if (answer->status != 200) return Error{"the single sign-on service answered " + describe_failure(*answer)};
  const Result<Json> doc = parse_document(answer->body);
  const Json* keys = doc ? object_in(*doc, "roleCredentials") : nullptr;
  const Json* end = keys ? member(*keys, "expiration") : nullptr;
  if (!keys || !end || !end->is_number_integer())
    return Error{"the response from the single sign-on service does not contain credentials"};
  return AwsKeys{string_in(*keys, "accessKeyId"), string_in(*keys, "secretAccessKey"),
                 string_in(*keys, "sessionToken"), end->get<int64_t>() / 1000};
}

}  // namespace xplan::cloud

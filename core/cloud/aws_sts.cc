// Roles: temporary keys from STS, for keys or for the token of another identity provider.
#include <fmt/format.h>

#include <chrono>

#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"
#include "core/cloud/xml.h"

namespace xplan::cloud {
namespace {

using Form = std::vector<std::pair<std::string, std::string>>;

std::string encoded(const Form& form) {
  std::string out;
  for (const auto& [name, value] : form)
    out += (out.empty() ? "" : "&") + aws_escape(name) + "=" + aws_escape(value);
  return out;
}

Form form_of(const char* action, const AwsRole& role) {
  Form out = {{"Action", action}, {"Version", "2011-06-15"}, {"RoleArn", role.arn}};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  out.emplace_back("RoleSessionName",
                   !role.session_name.empty()
                       ? role.session_name
                       : std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
  auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.emplace_back(name, value);
  };
  add("Policy", role.policy);
  add("ExternalId", role.external_id);
  add("SourceIdentity", role.source_identity);
  int n = 0;
  for (const std::string& arn : role.policy_arns)
    add(fmt::format("PolicyArns.member.{}.arn", ++n).c_str(), arn);
  n = 0;
  for (const auto& [key, value] : role.tags) {
    out.emplace_back(fmt::format("Tags.member.{}.Key", ++n), key);
    out.emplace_back(fmt::format("Tags.member.{}.Value", n), value);
  }
  n = 0;
  for (const std::string& key : role.transitive_tag_keys)
    add(fmt::format("TransitiveTagKeys.member.{}", ++n).c_str(), key);
  return out;
}

net::Request request_of(const AwsAsking& a, const std::string& region, const Form& form) {
  const AwsSettings& s = a.settings;
  net::Request r;
  r.method = "POST";
  r.url = aws_endpoint(s, "sts", region, s.sts_endpoint) + "/";
  r.failure = "failed to reach STS at";
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  r.body = encoded(form);
  r.limits.body = 1 << 20;
  r.stop = a.stop;
  return r;
}

Result<AwsKeys> keys_from(const Result<net::Answer>& answer, const AwsRole& role, const char* result) {
  const std::string what = fmt::format("the role \"{}\" cannot be assumed: ", shown_text(role.arn));
  if (!answer) return Error{what + answer.error().message};
  if (answer->status != 200) return Error{what + "STS answered " + describe_failure(*answer)};
  const Result<Xml> xml = parse_xml(answer->body);
  if (!xml) return Error{what + "the response from STS " + xml.error().message};
  const Xml* inner = xml->child(result);
  const Xml* c = inner ? inner->child("Credentials") : nullptr;
  AwsKeys out;
  if (c) out = {c->at("AccessKeyId"), c->at("SecretAccessKey"), c->at("SessionToken")};
  const auto end = c ? parse_timestamp(c->at("Expiration")) : std::nullopt;
  if (out.access_key.empty() || out.secret_key.empty() || !end)
    return Error{what + "the response from STS does not contain credentials"};
  out.expires = *end;
  return out;
}

std::string region_of(const AwsSettings& s) {
  return s.sts_region.empty() ? s.region : s.sts_region;
}

}  // namespace

Result<AwsKeys> assume_role(const AwsAsking& a, const AwsRole& role, const AwsKeys& by) {
  Form form = form_of("AssumeRole", role);
  form.emplace_back("DurationSeconds", std::to_string(role.seconds));
  const std::string region = region_of(a.settings);
  const auto keys = [&](const std::string&) -> Result<AwsKeys> { return by; };
  return keys_from(a.client.send(request_of(a, region, form), {region, "sts"}, keys), role,
                   "AssumeRoleResult");
}

Result<AwsKeys> assume_web_identity(const AwsAsking& a, const AwsRole& role) {
  std::string token = role.token;
  if (token.empty()) {
    Result<std::string> text = read_given(role.token_file, a.stop);
    if (!text) return Error{"the token of the web identity is not available: " + text.error().message};
    token = std::move(*text);
  }
  Form form = form_of("AssumeRoleWithWebIdentity", role);
  form.emplace_back("WebIdentityToken", token);
  if (role.seconds != 900) form.emplace_back("DurationSeconds", std::to_string(role.seconds));
  return keys_from(a.client.send_plain(request_of(a, region_of(a.settings), form)), role,
                   "AssumeRoleWithWebIdentityResult");
}

}  // namespace xplan::cloud

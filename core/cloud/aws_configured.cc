// Endpoints of services that the environment and the user's profile configure.
#include <fmt/format.h>

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/aws_sources.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr std::string_view kServices[] = {"dynamodb", "iam", "kms", "s3", "sso", "sso_oidc", "sts"};
constexpr std::string_view kUrl = "endpoint_url";

bool is_true(const std::string& text) {
  return ascii_lower(text) == "true";
}

IniSection section_of(const Ini& sections, const std::string& name) {
  const auto it = sections.find(name);
  return it == sections.end() ? IniSection() : it->second;
}

std::optional<Error> problem_of(const std::string& url, const std::string& where) {
  const bool fine = (net::uses_https(url) || net::uses_http(url)) && !net::host_and_port(url).empty() &&
                    !net::has_controls(url) && url.find_first_of("?#@") == url.npos;
  if (fine) return std::nullopt;
  return Error{fmt::format(
      "the endpoint \"{}\" {} is not a URL with a scheme and a host, such as https://s3.example.com",
      shown_text(url), where)};
}

}  // namespace

std::string AwsConfigured::of(std::string_view service) const {
  const auto it = services.find(service);
  return it == services.end() ? others : it->second;
}

// A variable counts before the profile, even if that names the service and the variable does not.
Result<AwsConfigured> configured_endpoints(const AwsSettings& s, const AwsEnvironment& environment) {
  AwsConfigured out;
  const Result<AwsProfiles> all = read_profiles(s);
  std::string name = s.profile;
  for (const char* names : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"})
    if (name.empty()) name = environment(names);
  if (name.empty()) name = "default";
  const IniSection profile = all ? section_of(all->profiles, name) : IniSection();
  out.fips = is_true(value_in(profile, "use_fips_endpoint"));
  out.dualstack = is_true(value_in(profile, "use_dualstack_endpoint"));
  const std::string ignored = environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
  if (is_true(ignored.empty() ? value_in(profile, "ignore_configured_endpoint_urls") : ignored)) return out;
  if (std::string oidc = environment("AWS_ENDPOINT_URL_SSO_OIDC"); !oidc.empty()) {
    if (auto wrong = problem_of(oidc, "of the environment variable AWS_ENDPOINT_URL_SSO_OIDC")) return *wrong;
    out.services.emplace("sso_oidc", std::move(oidc));
  }
  const std::string by_all = environment("AWS_ENDPOINT_URL"),
                    where = fmt::format("of the AWS profile \"{}\"", shown_text(name));
  out.others = by_all.empty() ? value_in(profile, kUrl) : by_all;
  if (!out.others.empty())
    if (auto wrong =
            problem_of(out.others, by_all.empty() ? where : "of the environment variable AWS_ENDPOINT_URL"))
      return *wrong;
  if (!by_all.empty() || !all) return out;
  const IniSection services = section_of(all->services, value_in(profile, "services"));
  for (const std::string_view service : kServices) {
    std::string url = value_in(services, fmt::format("{}.{}", service, kUrl));
    if (url.empty()) continue;
    if (auto wrong = problem_of(url, where)) return *wrong;
    out.services.emplace(service, std::move(url));
  }
  return out;
}

}  // namespace xplan::cloud

// Where Google credentials are looked for, and what is made of a document of them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/cloud/google_sources.h"

namespace xplan::cloud {
namespace {

constexpr int kDepth = 3;  // of credentials that stand in credentials

// That pays for the requests of these credentials.
std::string project_of(const GoogleAsking& a, const Json& json) {
  const std::string said = a.settings.variable("GOOGLE_CLOUD_QUOTA_PROJECT");
  return said.empty() ? string_in(json, "quota_project_id") : said;
}

Result<GoogleAccess> access_in_text(const GoogleAsking& a, const std::string& text, const std::string& from,
                                    const Scopes& scopes) {
  const Result<Json> json = parse_document(text);
  if (!json) return Error{fmt::format("{} does not contain Google credentials in JSON", from)};
  Result<GoogleAccess> access = access_in_document(a, {*json, from}, scopes);
  if (access) access->project = project_of(a, *json);
  return access;
}

Result<GoogleAccess> access_in_file(const GoogleAsking& a, const std::string& path, const Scopes& scopes) {
  Result<std::string> text = read_given(path, a.stop);
  if (!text) return Error{"Google credentials are not available: " + text.error().message};
  Result<GoogleAccess> out = access_in_text(a, *text, fmt::format("\"{}\"", path), scopes);
  wipe(*text);
  return out;
}

// Before impersonation.
Result<GoogleAccess> own_access(const GoogleAsking& a, const Scopes& scopes) {
  const GoogleSettings& s = a.settings;
  if (!s.access_token.empty()) return GoogleAccess{s.access_token.copy(), "", 0};
  const std::string home = s.variable("HOME");
  if (!s.credentials.empty()) {
    if (trimmed(s.credentials).starts_with('{'))
      return access_in_text(a, s.credentials, "\"credentials\"", scopes);
    return access_in_file(a, s.credentials.starts_with("~/") ? home + s.credentials.substr(1) : s.credentials,
                          scopes);
  }
  if (const std::string path = s.variable("GOOGLE_APPLICATION_CREDENTIALS"); !path.empty())
    return access_in_file(a, path, scopes);
  const std::string config = s.variable("CLOUDSDK_CONFIG");
  const std::string path =
      (config.empty() ? home + "/.config/gcloud" : config) + "/application_default_credentials.json";
  if (real_fs().exists(path)) return access_in_file(a, path, scopes);
  Result<GoogleAccess> machine = access_of_machine(a, scopes);
  if (machine || stopped(a.stop)) return machine;
  return Error{
      "there are no Google credentials. Set \"credentials\" or \"access_token\", or the environment variable "
      "GOOGLE_CREDENTIALS, GOOGLE_OAUTH_ACCESS_TOKEN or GOOGLE_APPLICATION_CREDENTIALS, or log in with "
      "\"gcloud auth application-default login\". This machine has none either: " +
      machine.error().message};
}

Result<GoogleAccess> access_of_impersonated(const GoogleAsking& a, const GoogleDocument& d,
                                            const Scopes& scopes, int depth) {
  const Json* source = object_in(d.json, "source_credentials");
  Impersonation i;
  i.url = string_in(d.json, "service_account_impersonation_url");
  if (!source || i.url.empty())
    return Error{
        fmt::format("{} lacks \"source_credentials\" or \"service_account_impersonation_url\"", d.from)};
  if (!safe_for_secrets(i.url)) return unsafe_url("service_account_impersonation_url", d.from);
  i.whom = fmt::format("the service account of {}", d.from);
  if (const Json* list = list_in(d.json, "delegates"))
    for (const Json& account : *list)
      if (account.is_string()) i.delegates.push_back(account.get<std::string>());
  const Result<GoogleAccess> by = access_in_document(a, {*source, d.from}, {kCloudPlatform}, depth + 1);
  return by ? impersonate(a, i, *by, scopes) : by.error();
}

}  // namespace

Result<GoogleAccess> access_in_document(const GoogleAsking& a, const GoogleDocument& d, const Scopes& scopes,
                                        int depth) {
  const std::string type = string_in(d.json, "type");
  if (type == "service_account") return access_of_service_account(a, d, scopes);
  if (type == "authorized_user") return access_of_user(a, d);
  if (type == "external_account") return access_of_identity(a, d, scopes);
  if (type == "impersonated_service_account" && depth < kDepth)
    return access_of_impersonated(a, d, scopes, depth);
  return Error{fmt::format(
      "{} has credentials of a type that is not supported. Use credentials of a service account, a "
      "user or a federated identity, or set GOOGLE_OAUTH_ACCESS_TOKEN to an access token",
      d.from)};
}

Result<GoogleAccess> find_google_access(const GoogleAsking& a) {
  const GoogleSettings& s = a.settings;
  if (s.impersonate.empty()) return own_access(a, s.scopes);
  const Result<GoogleAccess> by = own_access(a, {kCloudPlatform});
  if (!by) return by.error();
  Impersonation i{
      impersonation_url(a, s.impersonate), fmt::format("the service account \"{}\"", s.impersonate), {}};
  for (const std::string& d : s.delegates) i.delegates.push_back("projects/-/serviceAccounts/" + d);
  return impersonate(a, i, *by, s.scopes);
}

}  // namespace xplan::cloud

// Reads the arguments of the backend "azurerm".
#include "core/backend/azurerm/settings.h"

#include <fmt/format.h>

#include "core/backend/azurerm/arguments.h"
#include "core/base/base64.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/azure_arguments.h"
#include "core/net/url.h"

namespace xplan::backend::azurerm {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";

std::string account_problem(std::string_view s) {
  const bool fine = s.size() >= 3 && s.size() <= 24 && s.find_first_not_of(kLower) == s.npos;
  return fine ? "" : "must have 3 to 24 lower-case letters and digits";
}

std::string container_problem(std::string_view s) {
  const std::string_view name = s.starts_with('$') ? s.substr(1) : s;
  const bool fine =
      s.size() >= 3 && s.size() <= 63 && name.find_first_not_of(std::string(kLower) + "-") == name.npos;
  return fine ? "" : "must have 3 to 63 lower-case letters, digits and hyphens";
}

// Other tools put it into URLs as it is, where these would mean something else.
std::string key_problem(std::string_view s) {
  if (s.find_first_of("%?#") != s.npos) return "must not contain \"%\", \"?\" or \"#\"";
  if (net::has_controls(s)) return "must not contain control characters";
  return s.size() > 1000 ? "must have at most 1000 bytes" : "";
}

// Reads arguments until the first that is wrong.
class Reader {
 public:
  explicit Reader(const Value& settings) : a_(arguments(), settings) {}

  Result<AzurermSettings> read() {
    places();
    encryption();
    clouds();
    credentials();
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  std::string text(std::string_view name) const { return a_.text(name); }
  bool flag(std::string_view name) {
    const Result<bool> on = a_.flag(name);
    if (!on) wrong(on.error().message);
    return on && *on;
  }
  void wrong(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  // Empty: all is well.
  void check(std::string_view name, const std::string& problem) {
    if (!problem.empty()) wrong(fmt::format("the argument \"{}\" {}", name, problem));
  }

  void places() {
    out_.account = text("storage_account_name"), out_.container = text("container_name");
    out_.key = text("key");
    if (const std::string missing = a_.missing({"storage_account_name", "container_name", "key"});
        !missing.empty())
      wrong(missing);
    check("storage_account_name", account_problem(out_.account));
    check("container_name", container_problem(out_.container));
    check("key", key_problem(out_.key));
    out_.group = text("resource_group_name"), out_.subscription = text("subscription_id");
    out_.lookup = flag("lookup_blob_endpoint"), out_.snapshot = flag("snapshot");
    if (out_.lookup && out_.group.empty())
      wrong("the argument \"resource_group_name\" is required with \"lookup_blob_endpoint\"");
  }

  void encryption() {
    out_.encryption_scope = text("encryption_scope");
    const std::string key = text("customer_provided_key");
    if (!key.empty() && !out_.encryption_scope.empty())
      wrong("the arguments \"customer_provided_key\" and \"encryption_scope\" cannot be used together");
    if (!key.empty() && (!base64_decode(key, out_.customer_key) || out_.customer_key.size() != 32))
      check("customer_provided_key", "must be the base64 form of 32 bytes");
    if (net::has_controls(out_.encryption_scope))
      check("encryption_scope", "must not contain control characters");
    if (!a_.is_set("timeout_seconds")) return;
    const Result<int64_t> seconds = a_.number("timeout_seconds");
    if (!seconds) return wrong(seconds.error().message);
    if (*seconds < 0 || *seconds > 86400) check("timeout_seconds", "must be between 0 and 86400");
    out_.seconds = *seconds;
  }

  void clouds() {
    const std::string host = text("metadata_host"), name = text("environment");
    const auto known = cloud::azure_cloud_named(name);
    if (known) out_.cloud = *known;
    if (!host.empty())
      check("metadata_host", net::host_and_port("https://" + host) == host && host.find('/') == host.npos
                                 ? ""
                                 : "must be the name of a host, such as management.azure.com");
    else if (!known)
      check("environment", "must be \"public\", \"usgovernment\" or \"china\"");
    out_.metadata_host = host;
  }

  void credentials() {
    const std::string key = text("access_key");
    out_.sas_token = text("sas_token"), out_.as_identity = flag("use_azuread_auth");
    if (out_.sas_token.starts_with('?')) out_.sas_token.erase(0, 1);
    if (!key.empty() && (!base64_decode(key, out_.access_key) || out_.access_key.empty()))
      check("access_key", "must be a key of the storage account, in base64");
    if (net::has_controls(out_.sas_token) || out_.sas_token.find_first_of(" #") != std::string::npos)
      check("sas_token", "must consist of arguments of a URL, such as sv=…&sig=…");
    const bool own = !out_.access_key.empty() || !out_.sas_token.empty();
    if (!own && !out_.as_identity && out_.group.empty())
      wrong(
          "no credentials for the storage account are configured; set \"access_key\" or \"sas_token\", for "
          "example in the environment variables ARM_ACCESS_KEY and ARM_SAS_TOKEN, or \"use_azuread_auth\", "
          "or "
          "\"resource_group_name\" to look up a key, which both can use the login of the Azure CLI");
    if ((own && !out_.lookup) || !problem_.empty()) return;
    Result<cloud::AzureIdentity> identity = cloud::read_azure_identity(
        {[this](std::string_view name) {
           const bool renamed = name == "ado_pipeline_service_connection_id" && a_.value(name).is_null();
           return renamed && a_.is_set("ado_service_connection_id") ? a_.text("ado_service_connection_id")
                                                                    : a_.text(name);
         },
         [this](std::string_view name) { return a_.flag(name); }, cloud::variable});
    if (identity)
      out_.identity = std::move(*identity);
    else
      wrong(identity.error().message);
    if (!out_.as_identity || out_.lookup) check_subscription();
  }
  // The program knows one.
  void check_subscription() {
    if (out_.subscription.empty() && out_.identity.source != cloud::AzureIdentity::Source::Program)
      wrong("the subscription is not known; set \"subscription_id\" or ARM_SUBSCRIPTION_ID");
  }

  const Arguments a_;
  AzurermSettings out_;
  std::string problem_;
};

}  // namespace

Result<AzurermSettings> read_settings(const Value& settings) {
  return Reader(settings).read();
}

}  // namespace xplan::backend::azurerm

// Reads how AWS is reached, and the roles that are to be assumed.
#include "core/crypt/aws_settings.h"

#include <algorithm>

#include "core/base/duration.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/crypt/key_provider.h"

namespace xplan::crypt {
namespace {

class Reader {
 public:
  Reader(const Arguments& a, const Environment& e) : a_(a), environment_(e) {}

  std::optional<AwsAccess> read() {
    out_.region = from("region", {"AWS_REGION", "AWS_DEFAULT_REGION"});
    if (out_.region.empty())
      wrong("region", "must be set, in the block or in the environment variable AWS_REGION.");
    if (out_.region.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      wrong("region", "must be the name of a region, eu-central-1 for example.");
    credentials();
    connection();
    out_.allowed_accounts = a_.list("allowed_account_ids");
    out_.forbidden_accounts = a_.list("forbidden_account_ids");
    if (!out_.allowed_accounts.empty() && !out_.forbidden_accounts.empty())
      wrong("allowed_account_ids", "cannot be used together with \"forbidden_account_ids\".");
    return ok_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  void wrong(std::string_view name, std::string_view what) {
    a_.wrong(name, what);
    ok_ = false;
  }
  std::string from(std::string_view argument, std::initializer_list<const char*> names) const {
    std::string out = a_.text(argument);
    for (const char* n : names)
      if (out.empty()) out = variable(environment_, n);
    return out;
  }
  bool flag(std::string_view argument, const char* name = "") const {
    if (const Value* v = a_.value(argument)) return v->is_true();
    return *name && ascii_lower(variable(environment_, name)) == "true";
  }
  std::string endpoint(std::string_view argument, const char* name) {
    std::string url = from(argument, {name});
    if (!url.empty() && url.find("://") == std::string::npos) url = "https://" + url;
    if (!url.empty() && !url.starts_with("https://") && !url.starts_with("http://"))
      wrong("endpoints", "must contain addresses that begin with https:// or http://.");
    return url;
  }
  std::vector<std::string> files(std::string_view argument, const char* name) const {
    std::vector<std::string> out = a_.list(argument);
    if (std::string said = variable(environment_, name); out.empty() && !said.empty()) out.push_back(said);
    return out;
  }

  void connection() {
    out_.client.verify = !flag("insecure");
    const int64_t times = a_.number("max_retries", 5);
    out_.retries = static_cast<int>(std::clamp<int64_t>(times - 1, 0, 1000));
    net::Proxies p{from("http_proxy", {"HTTP_PROXY", "http_proxy"}),
                   from("https_proxy", {"HTTPS_PROXY", "https_proxy"}),
                   from("no_proxy", {"NO_PROXY", "no_proxy"})};
    if (p.https.empty() && a_.is_set("http_proxy")) p.https = p.http;
    out_.client.proxies = std::move(p);
    out_.aws.region = out_.region, out_.aws.sts_region = a_.text("sts_region");
    out_.aws.fips = flag("use_fips_endpoint", "AWS_USE_FIPS_ENDPOINT");
    out_.aws.dualstack = flag("use_dualstack_endpoint", "AWS_USE_DUALSTACK_ENDPOINT");
    endpoints();
    out_.aws.metadata = !flag("skip_metadata_api_check", "AWS_EC2_METADATA_DISABLED");
    out_.aws.metadata_endpoint = from("ec2_metadata_service_endpoint", {"AWS_EC2_METADATA_SERVICE_ENDPOINT"});
    out_.aws.metadata_mode =
        ascii_lower(from("ec2_metadata_service_endpoint_mode", {"AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"}));
    const std::string bundle = from("custom_ca_bundle", {"AWS_CA_BUNDLE"});
    if (bundle.empty()) return;
    Result<std::string> pem = real_fs().read(bundle);
    if (pem)
      out_.client.authorities = std::move(*pem);
    else
      wrong("custom_ca_bundle", "names a file that cannot be read: " + pem.error().message + ".");
  }

  void endpoints() {
    out_.kms_endpoint = endpoint("endpoints.kms", "AWS_ENDPOINT_URL_KMS");
    out_.aws.sts_endpoint = endpoint("endpoints.sts", "AWS_ENDPOINT_URL_STS");
    out_.aws.sso_endpoint = variable(environment_, "AWS_ENDPOINT_URL_SSO");
    const Result<cloud::AwsConfigured> configured = cloud::configured_endpoints(
        out_.aws, [this](const char* name) { return variable(environment_, name); });
    if (!configured) return wrong("endpoints", "cannot be completed: " + configured.error().message + ".");
    const std::pair<std::string&, const char*> rows[] = {{out_.kms_endpoint, "kms"},
                                                         {out_.aws.sts_endpoint, "sts"},
                                                         {out_.aws.sso_endpoint, "sso"},
                                                         {out_.aws.sso_oidc_endpoint, "sso_oidc"}};
    for (const auto& [url, service] : rows)
      if (url.empty()) url = configured->of(service);
    out_.aws.fips |= configured->fips, out_.aws.dualstack |= configured->dualstack;
  }

  void credentials() {
    cloud::AwsSettings& aws = out_.aws;
    aws.keys = {a_.text("access_key"), a_.text("secret_key"), a_.text("token")};
    if (aws.keys.access_key.empty() != aws.keys.secret_key.empty())
      wrong("access_key", "must be set together with \"secret_key\".");
    aws.profile = a_.text("profile");
    aws.credentials_files = files("shared_credentials_files", "AWS_SHARED_CREDENTIALS_FILE");
    aws.config_files = files("shared_config_files", "AWS_CONFIG_FILE");
    aws.role = role("assume_role");
    aws.web_identity = role("assume_role_with_web_identity");
    if (!aws.web_identity) return;
    if (aws.web_identity->token.empty() && aws.web_identity->token_file.empty())
      wrong("assume_role_with_web_identity",
            "must have \"web_identity_token\" or \"web_identity_token_file\".");
  }

  std::optional<cloud::AwsRole> role(std::string_view argument) {
    const Value* v = a_.value(argument);
    if (!v) return std::nullopt;
    if (v->kind() != Kind::Obj) return wrong(argument, "must be an object."), std::nullopt;
    auto member = [&](std::string_view name) -> const Value* {
      const Value* m = v->find_attr(name);
      return m && !m->is_null() ? m : nullptr;
    };
    auto text = [&](std::string_view name) {
      const Value* m = member(name);
      if (m && !m->is_string())
        wrong(argument, "must have a string as its attribute \"" + std::string(name) + "\".");
      return m && m->is_string() ? std::string(m->as_string()) : std::string();
    };
    auto list = [&](std::string_view name) {
      std::vector<std::string> out;
      if (const Value* m = member(name); m && m->kind() == Kind::Seq)
        for (const Value& e : m->elements())
          if (e.is_string()) out.emplace_back(e.as_string());
      return out;
    };
    cloud::AwsRole out;
    out.arn = text("role_arn"), out.session_name = text("session_name"), out.policy = text("policy");
    out.external_id = text("external_id"), out.policy_arns = list("policy_arns");
    out.transitive_tag_keys = list("transitive_tag_keys");
    out.token = text("web_identity_token"), out.token_file = text("web_identity_token_file");
    if (const Value* tags = member("tags"); tags && tags->kind() == Kind::Obj)
      for (size_t i = 0; i < tags->length(); ++i)
        if (const Value& t = tags->elements()[i]; t.is_string())
          out.tags.emplace(tags->type().attr_names()[i].sv(), t.as_string());
    if (out.arn.empty()) wrong(argument, "must have a \"role_arn\".");
    if (const std::string duration = text("duration"); !duration.empty()) {
      int64_t ms = 0;
      if (!parse_duration_ms(duration, ms) || ms < 15 * 60'000 || ms > 12 * 3600'000)
        wrong(argument, "must have a \"duration\" between 15m and 12h.");
      out.seconds = ms / 1000;
    }
    return out;
  }

  const Arguments& a_;
  const Environment& environment_;
  AwsAccess out_;
  bool ok_ = true;
};

}  // namespace

std::optional<AwsAccess> read_aws_access(const Arguments& a, const Environment& environment) {
  return Reader(a, environment).read();
}

}  // namespace xplan::crypt

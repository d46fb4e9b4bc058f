// Reads the arguments of the backend "s3".
#include "core/backend/s3/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/backend/s3/arguments.h"
#include "core/backend/s3/checks.h"
#include "core/base/duration.h"
#include "core/base/fs.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace xplan::backend::s3 {
namespace {

// Reads arguments until the first that is wrong.
class Reader {
 public:
  explicit Reader(const Value& settings) : settings_(settings), a_(main_arguments(), settings) {}

  Result<S3Settings> read() {
    places();
    encryption();
    accounts();
    connection();
    credentials();
    services();
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
  void wrong(std::string problem) {  // empty: all is well
    if (problem_.empty()) problem_ = std::move(problem);
  }
  void check(std::string_view name, const std::string& problem) {
    if (!problem.empty()) wrong(fmt::format("the argument \"{}\" {}", name, problem));
  }
  // What is in the block, and not what stands for it elsewhere.
  std::string said(std::string_view name) const {
    const Value& v = a_.value(name);
    return v.is_null() ? std::string() : std::string(v.as_string());
  }
  void one_of(std::string_view a, std::string_view b) {
    if (!a_.value(a).is_null() && !a_.value(b).is_null())
      wrong(fmt::format("the arguments \"{}\" and \"{}\" cannot be used together", a, b));
  }

  void places() {
    out_.state_tags = tags("state_tags"), out_.lock_tags = tags("lock_tags");
    out_.bucket = text("bucket"), out_.key = text("key"), out_.region = text("region");
    out_.prefix = text("workspace_key_prefix"), out_.acl = text("acl"), out_.table = text("dynamodb_table");
    if (const std::string missing = a_.missing({"bucket", "key"}); !missing.empty()) wrong(missing);
    check("bucket", bucket_problem(out_.bucket));
    check("key", key_problem(out_.key));
    if (trimmed(out_.key).empty() || out_.key.find("//") != std::string::npos)
      check("key", "must be more than spaces, and must not contain \"//\"");
    check("workspace_key_prefix", key_problem(out_.prefix));
    if (out_.region.empty())
      wrong("the region is not known; set the argument \"region\" or the environment variable AWS_REGION");
    const bool any = flag("skip_region_validation");
    check("region", any ? name_problem(out_.region) : region_problem(out_.region));
  }

  void encryption() {
    wrong(a_.empty({"kms_key_id", "sse_customer_key"}));
    out_.encrypt = flag("encrypt"), out_.kms_key = text("kms_key_id");
    const std::string key = text("sse_customer_key");
    if (!out_.kms_key.empty()) check("kms_key_id", kms_key_problem(out_.kms_key));
    if (key.empty()) return;
    if (!out_.kms_key.empty())
      wrong(
          "the arguments \"kms_key_id\" and \"sse_customer_key\" (or AWS_SSE_CUSTOMER_KEY) cannot be used "
          "together");
    check("sse_customer_key", customer_key_problem(key, out_.customer_key));
  }

  void accounts() {
    one_of("allowed_account_ids", "forbidden_account_ids");
    out_.allowed_accounts = a_.list("allowed_account_ids");
    out_.forbidden_accounts = a_.list("forbidden_account_ids");
    flag("skip_requesting_account_id");
    out_.ask_account = !flag("skip_credentials_validation") || !out_.allowed_accounts.empty() ||
                       !out_.forbidden_accounts.empty();
  }

  void connection() {
    out_.client.verify = !flag("insecure");
    out_.checksums = !flag("skip_s3_checksum");
    out_.lockfile = flag("use_lockfile");
    const Result<int64_t> times = a_.number("max_retries");
    if (!times) wrong(times.error().message);
    if (times) out_.retries = static_cast<int>(std::clamp<int64_t>(*times - 1, 0, 1000));
    wrong(a_.empty({"retry_mode"}));
    const std::string here = said("retry_mode"), mode = here.empty() ? ascii_lower(text("retry_mode")) : here;
    const bool legacy = mode == "legacy" && here.empty();
    if (!mode.empty() && mode != "standard" && mode != "adaptive" && !legacy)
      wrong("the argument \"retry_mode\" must be \"standard\" or \"adaptive\"");
    net::Proxies p{text("http_proxy"), text("https_proxy"), text("no_proxy")};
    // As the reference tools take it where only this one is set in the block.
    if (p.https.empty() && !a_.value("http_proxy").is_null()) p.https = p.http;
    out_.client.proxies = std::move(p);
    const std::string bundle = text("custom_ca_bundle");
    if (bundle.empty()) return;
    Result<std::string> pem = real_fs().read(bundle.starts_with("~/") ? home() + bundle.substr(1) : bundle);
    if (!pem)
      return wrong("the certificates of \"custom_ca_bundle\" are not available: " + pem.error().message);
    out_.client.authorities = std::move(*pem);
  }

  void services() {
    one_of("use_path_style", "force_path_style");
    out_.path_style = flag("use_path_style") || flag("force_path_style");
    const Value& nested = *settings_.find_attr("endpoints");
    const Arguments endpoints(endpoint_arguments(), nested);
    const Result<cloud::AwsConfigured> configured = cloud::configured_endpoints(out_.aws);
    if (!configured) return wrong(configured.error().message);
    // The block's own, wherever they stand in it, before the environment's, and those before the profile's.
    auto endpoint = [&](std::string_view name, std::string_view flat) {
      const bool here = !nested.is_null() && !nested.find_attr(name)->is_null();
      const bool outside = !here && !flat.empty() && a_.is_set(flat);
      if (here && !flat.empty() && !a_.value(flat).is_null())
        wrong(fmt::format("the arguments \"{}\" and \"endpoints.{}\" cannot be used together", flat, name));
      std::string url = outside ? text(flat) : endpoints.text(name);
      check(outside ? std::string(flat) : fmt::format("endpoints.{}", name), endpoint_problem(url));
      return url.empty() ? configured->of(name) : url;
    };
    out_.s3_endpoint = endpoint("s3", "endpoint"),
    out_.dynamodb_endpoint = endpoint("dynamodb", "dynamodb_endpoint");
    endpoint("iam", "iam_endpoint");
    out_.aws.sts_endpoint = endpoint("sts", "sts_endpoint"), out_.aws.sso_endpoint = endpoint("sso", "");
    out_.aws.sso_oidc_endpoint = configured->of("sso_oidc");
    out_.aws.fips = flag("use_fips_endpoint") || configured->fips;
    out_.aws.dualstack = flag("use_dualstack_endpoint") || configured->dualstack;
    out_.aws.region = out_.region, out_.aws.sts_region = text("sts_region");
    out_.aws.metadata = !flag("skip_metadata_api_check");
    out_.aws.metadata_endpoint = text("ec2_metadata_service_endpoint");
    wrong(a_.empty({"ec2_metadata_service_endpoint", "ec2_metadata_service_endpoint_mode"}));
    check("ec2_metadata_service_endpoint", endpoint_problem(out_.aws.metadata_endpoint));
    if (const std::string url = said("ec2_metadata_service_endpoint");
        url.find("://") == url.npos && !url.empty())
      check("ec2_metadata_service_endpoint", "must begin with http:// or https://");
    const std::string mode = said("ec2_metadata_service_endpoint_mode");
    out_.aws.metadata_mode = ascii_lower(text("ec2_metadata_service_endpoint_mode"));
    const std::string& m = out_.aws.metadata_mode;
    if ((!m.empty() && m != "ipv4" && m != "ipv6") || (!mode.empty() && mode != "IPv4" && mode != "IPv6"))
      wrong("the argument \"ec2_metadata_service_endpoint_mode\" must be \"IPv4\" or \"IPv6\"");
  }

  void credentials() {
    cloud::AwsSettings& aws = out_.aws;
    aws.keys = {text("access_key"), text("secret_key"), text("token")};
    if (aws.keys.access_key.empty() != aws.keys.secret_key.empty())
      wrong("the arguments \"access_key\" and \"secret_key\" must be set together");
    aws.profile = text("profile");
    one_of("shared_credentials_file", "shared_credentials_files");
    aws.credentials_files = files("shared_credentials_files", "AWS_SHARED_CREDENTIALS_FILE");
    if (a_.is_set("shared_credentials_file")) aws.credentials_files = {text("shared_credentials_file")};
    aws.config_files = files("shared_config_files", "AWS_CONFIG_FILE");
    if (const Value& v = *settings_.find_attr("assume_role"); !v.is_null())
      aws.role = role(v, "assume_role", role_arguments());
    flat_role(aws);
    if (const Value& v = *settings_.find_attr("assume_role_with_web_identity"); !v.is_null())
      aws.web_identity = role(v, "assume_role_with_web_identity", web_identity_arguments());
  }
  // The arguments that OpenTofu has outside of the block "assume_role", in its place.
  void flat_role(cloud::AwsSettings& aws) {
    constexpr std::pair<std::string_view, std::string_view> kOutside[] = {
        {"role_arn", "role_arn"},         {"session_name", "session_name"},
        {"external_id", "external_id"},   {"assume_role_duration_seconds", "duration"},
        {"assume_role_policy", "policy"}, {"assume_role_policy_arns", "policy_arns"},
        {"assume_role_tags", "tags"},     {"assume_role_transitive_tag_keys", "transitive_tag_keys"}};
    std::vector<std::pair<Symbol, Value>> inside = {{Symbol("source_identity"), Value::null(Type::string())}};
    std::string first;
    for (const auto& [outside, name] : kOutside) {
      const Value& v = a_.value(outside);
      if (!v.is_null() && first.empty()) first = outside;
      const bool seconds = name == "duration" && !v.is_null();
      inside.emplace_back(Symbol(name), seconds ? Value::string(text(outside) + "s") : v);
    }
    if (first.empty()) return;
    if (aws.role)
      return wrong(
          fmt::format("the argument \"{}\" and the block \"assume_role\" cannot be used together", first));
    if (!a_.is_set("role_arn"))
      return wrong(fmt::format("the argument \"{}\" has no effect without the argument \"role_arn\"", first));
    aws.role = role(Value::object(inside), "assume_role", role_arguments());
  }

  // As a query: keys in order, both sides escaped.
  std::string tags(std::string_view name) {
    std::string out;
    const Value& v = a_.value(name);
    for (size_t i = 0; !v.is_null() && i < v.length(); ++i) {
      const Value& tag = v.elements()[i];
      if (!tag.is_string()) continue;
      out += (out.empty() ? "" : "&") + cloud::aws_escape(v.map_key(i)) + "=" +
             cloud::aws_escape(tag.as_string());
    }
    return out;
  }
  std::vector<std::string> files(std::string_view name, const char* variable) const {
    std::vector<std::string> out = a_.list(name);
    const char* said = std::getenv(variable);
    if (out.empty() && said && *said) out.emplace_back(said);
    return out;
  }
  static std::string home() {
    const char* h = std::getenv("HOME");
    return h ? h : "";
  }

  cloud::AwsRole role(const Value& nested, std::string_view block, std::span<const Argument> table) {
    const Arguments r(table, nested);
    const bool web = table.data() == web_identity_arguments().data();
    auto at = [&](std::string_view name) { return fmt::format("{}.{}", block, name); };
    cloud::AwsRole out;
    out.arn = r.text("role_arn"), out.session_name = r.text("session_name"), out.policy = r.text("policy");
    if (!web) wrong(r.empty({"duration", "external_id", "policy", "session_name", "source_identity"}, block));
    out.policy_arns = r.list("policy_arns");
    check(at("role_arn"), out.arn.empty() ? "is required" : arn_problem(out.arn));
    for (const std::string& arn : out.policy_arns) check(at("policy_arns"), arn_problem(arn));
    if (const std::string text = r.text("duration"); !text.empty()) {
      int64_t ms = 0;
      if (!parse_duration_ms(text, ms) || ms < 15 * 60'000 || ms > 12 * 3600'000)
        check(at("duration"), "must be between 15m and 12h");
      out.seconds = ms / 1000;
    }
    check(at("session_name"), session_name_problem(out.session_name));
    JsonError not_json;
    if (!out.policy.empty() && !JsonDocument::parse(out.policy, not_json))
      check(at("policy"), "must be a JSON document");
    if (web) {
      out.token = r.text("web_identity_token");
      if (out.token.empty()) out.token_file = r.text("web_identity_token_file");
      if (!r.value("web_identity_token").is_null() && !r.value("web_identity_token_file").is_null())
        wrong(fmt::format(
            "the arguments web_identity_token and web_identity_token_file of \"{}\" cannot be used together",
            block));
      if (out.token.empty() && out.token_file.empty())
        wrong(fmt::format("\"{}\" requires web_identity_token or web_identity_token_file", block));
      return out;
    }
    out.external_id = r.text("external_id"), out.source_identity = r.text("source_identity");
    check(at("source_identity"), session_name_problem(out.source_identity));
    if (const size_t n = out.external_id.size(); n == 1 || n > 1224)
      check(at("external_id"), "must have 2 to 1224 characters");
    out.transitive_tag_keys = r.list("transitive_tag_keys");
    if (const Value& v = r.value("tags"); !v.is_null())
      for (size_t i = 0; i < v.length(); ++i)
        if (const Value& tag = v.elements()[i]; tag.is_string())
          out.tags.emplace(v.map_key(i), tag.as_string());
    return out;
  }

  const Value& settings_;
  const Arguments a_;
  S3Settings out_;
  std::string problem_;
};

}  // namespace

Result<S3Settings> read_settings(const Value& settings) {
  return Reader(settings).read();
}

}  // namespace xplan::backend::s3

// Modules in S3, and in servers that speak like it: whose keys, which region, and the requests.
#include <fmt/format.h>

#include <cstdlib>

#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_bucket.h"
#include "core/cloud/aws_credentials.h"
#include "core/install/object_store.h"
#include "core/net/url.h"

namespace xplan::install {
namespace {

struct S3Access {
  cloud::AwsSettings aws;
  net::ClientOptions client;
  std::string region, bucket, bucket_url, version;
};

class S3Store : public ObjectStore {
 public:
  S3Store(S3Access access, Stop stop)
      : access_(std::move(access)),
        stop_(stop),
        client_(access_.client, 4),
        credentials_(access_.aws, client_, stop) {}

  Result<std::vector<std::string>> list(const std::string& prefix) override {
    cloud::Listing out;
    for (std::string token;;) {
      const Result<net::Answer> a = send(cloud::list_request(access_.bucket_url, prefix, token));
      if (!a) return a.error();
      if (a->status != 200) return refused("list the objects of", prefix, *a);
      Result<std::string> next = cloud::read_list_page(*a, prefix, out);
      if (!next) return Error{"the list of objects of " + shown(prefix) + " " + next.error().message};
      token = std::move(*next);
      if (token.empty()) return out.take();
      if (!out.goes_on(token)) return Error{"the server keeps returning further pages of " + shown(prefix)};
    }
  }

  Result<void> download(const std::string& name, const std::string& to_file,
                        std::atomic<int64_t>& left) override {
    net::Request r;
    r.url = access_.bucket_url + "/" + cloud::aws_escape(name, true);
    if (!access_.version.empty()) r.url += "?versionId=" + cloud::aws_escape(access_.version);
    r.path_as_is = true;
    r.to_file = to_file;
    r.limits.body = uint64_t{2} << 30;
    r.limits.together = &left;
    Result<net::Answer> a = send(std::move(r));
    if (!a) return a.error();
    if (a->status == 200) return {};
    a->body = beginning_of(to_file);
    return refused("read", name, *a);
  }

 private:
  std::string shown(const std::string& name) const {
    return in_quotes("s3://" + access_.bucket + "/" + shown_text(name));
  }
  Result<net::Answer> send(net::Request r) {
    r.compressed = false;
    r.stop = stop_;
    return client_.send(r, {access_.region, "s3"},
                        [this](const std::string& refused) { return credentials_.keys(refused); });
  }
  Error refused(const std::string& what, const std::string& name, const net::Answer& a) const {
    const std::string code = cloud::failure_of(a).code;
    std::string help;
    if (code == "PermanentRedirect" || code == "AuthorizationHeaderMalformed" || a.status == 301)
      help = fmt::format("; the bucket may not be in the region \"{}\"", access_.region);
    return Error{fmt::format("failed to {} {}: the server answered {}{}", what, shown(name),
                             cloud::describe_failure(a), help)};
  }

  const S3Access access_;
  const Stop stop_;
  cloud::AwsClient client_;
  cloud::AwsCredentials credentials_;
};

}  // namespace

std::string environment_variable(const char* name) {
  const char* said = std::getenv(name);
  return said ? said : "";
}

Result<std::unique_ptr<ObjectStore>> s3_store(const config::ModuleSource& s, const config::BucketPlace& place,
                                              Stop stop) {
  S3Access out;
  cloud::AwsSettings& aws = out.aws;
  aws.has_arguments = false;
  aws.keys = {s.argument("aws_access_key_id"), s.argument("aws_access_key_secret"),
              s.argument("aws_access_token")};
  if (aws.keys.access_key.empty() != aws.keys.secret_key.empty())
    return Error{"the arguments aws_access_key_id and aws_access_key_secret must be set together"};
  aws.profile = s.argument("aws_profile");
  if (const std::string f = environment_variable("AWS_SHARED_CREDENTIALS_FILE"); !f.empty())
    aws.credentials_files = {f};
  if (const std::string f = environment_variable("AWS_CONFIG_FILE"); !f.empty()) aws.config_files = {f};
  aws.metadata = ascii_lower(environment_variable("AWS_EC2_METADATA_DISABLED")) != "true";
  for (const std::string& region : {s.argument("region"), place.region, environment_variable("AWS_REGION"),
                                    environment_variable("AWS_DEFAULT_REGION"), std::string("us-east-1")})
    if (out.region.empty()) out.region = region;
  if (!net::is_host_label(out.region)) return Error{in_quotes(out.region) + " is not a valid region"};
  aws.region = out.region;
  const Result<cloud::AwsConfigured> configured = cloud::configured_endpoints(aws);
  if (!configured) return configured.error();
  aws.sts_endpoint = configured->of("sts"), aws.sso_oidc_endpoint = configured->of("sso_oidc");
  aws.fips = configured->fips, aws.dualstack = configured->dualstack;
  if (const std::string bundle = environment_variable("AWS_CA_BUNDLE"); !bundle.empty()) {
    Result<std::string> pem = read_given(bundle, nullptr);
    if (!pem) return Error{"the certificates of AWS_CA_BUNDLE are not available: " + pem.error().message};
    out.client.authorities = std::move(*pem);
  }
  const bool own = !place.server.empty();
  std::string endpoint = own ? place.server : environment_variable("AWS_ENDPOINT_URL_S3");
  if (endpoint.empty()) endpoint = configured->of("s3");
  endpoint = cloud::aws_endpoint(aws, "s3", out.region, endpoint);
  out.bucket = place.bucket, out.version = s.argument("version");
  out.bucket_url = cloud::bucket_url(endpoint, place.bucket, own);
  return std::unique_ptr<ObjectStore>(std::make_unique<S3Store>(std::move(out), stop));
}

}  // namespace xplan::install

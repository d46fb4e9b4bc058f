// Keys from services beside the machine or the container.
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
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
  if (!keys) return Error{"the response from " + service + " " + keys.error().message};
  return keys;
}

}  // namespace

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
        "the environment variable AWS_CONTAINER_CREDENTIALS_FULL_URI must be an https URL, or an "
        "address of this machine or of its container service"};
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
  if (!s.metadata)
    return Error{
        "the instance metadata service is disabled (skip_metadata_api_check or AWS_EC2_METADATA_DISABLED)"};
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
    return Error{"no IAM role is attached to this machine"};
  if (answer->status != 200) return Error{what + " answered " + describe_failure(*answer)};
  return keys_from_service(get(roles + aws_escape(role)), what);
}

}  // namespace xplan::cloud

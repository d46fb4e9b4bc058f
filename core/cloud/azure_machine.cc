// Tokens of a machine's managed identity: from the service beside the machine, or the one of its platform.
#include "core/base/text.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/azure_sources.h"
#include "core/cloud/signing.h"
#include "core/net/url.h"

namespace xplan::cloud {

Result<AzureToken> token_of_machine(const AzureAsking& a, const std::string& resource) {
  const std::string platform = variable("IDENTITY_ENDPOINT"), header = variable("IDENTITY_HEADER");
  const bool on_platform = a.identity.machine_endpoint.empty() && !platform.empty() && !header.empty();
  std::string url = a.identity.machine_endpoint;
  if (url.empty()) url = on_platform ? platform : "http://169.254.169.254/metadata/identity/oauth2/token";
  if (!net::uses_http(url) && !net::uses_https(url))
    return Error{"the address of the identity service is not an http or https URL"};
  net::Request r;
  r.url = url + (url.find('?') == url.npos ? "?" : "&") +
          (on_platform ? "api-version=2019-08-01" : "api-version=2018-02-01") +
          "&resource=" + uri_escape(resource);
  if (!a.identity.client.empty()) r.url += "&client_id=" + uri_escape(a.identity.client);
  r.headers = {on_platform ? std::pair<std::string, std::string>("X-IDENTITY-HEADER", header)
                           : std::pair<std::string, std::string>("Metadata", "true")};
  r.failure = "failed to reach the identity service of this machine at";
  r.follow = false;
  r.direct = true;
  r.stop = a.stop;
  r.limits.connect = 3;
  r.limits.whole = 30;
  r.limits.body = 1 << 20;
  // It may not know the identity of a new machine yet, and be replaced while it is asked.
  r.retry = {.times = 4, .first = std::chrono::seconds(1), .again = [](int status) {
               return status == 404 || status == 410 || status == 429 || status >= 500;
             }};
  const Result<net::Answer> answer = a.client.send_plain(r, false);
  if (!answer) return answer.error();
  return token_in(*answer, "the identity service of this machine", a.client.now());
}

}  // namespace xplan::cloud

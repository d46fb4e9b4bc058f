// Requests of installation: user agent, version header, limits and attempts from the environment, and the
// common progress of all downloads.
#include "core/hosts/http.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text.h"
#include "core/config/version.h"

namespace xplan::hosts {
namespace {

int retries_of_environment(std::optional<int> configured) {
  const char* v = std::getenv("TF_REGISTRY_DISCOVERY_RETRY");
  return std::clamp(v && *v ? std::atoi(v) : configured.value_or(2), 0, 20);
}
long time_limit(std::optional<int> configured) {
  const char* v = std::getenv("TF_REGISTRY_CLIENT_TIMEOUT");
  const long n = v && *v ? std::atol(v) : configured.value_or(0);
  return n > 0 && n < 86400 ? n : 15;
}
std::string user_agent() {
  std::string out = net::ClientOptions().user_agent;
  const char* more = std::getenv("TF_APPEND_USER_AGENT");
  if (more && !trimmed(more).empty()) out += " " + std::string(trimmed(more));
  return out;
}

}  // namespace

Http::Http() : user_agent_(user_agent()), client_({.user_agent = user_agent_}) {}

Result<HttpAnswer> Http::get(const HttpRequest& r) {
  if (net::has_controls(user_agent_))
    return Error{
        "the environment variable TF_APPEND_USER_AGENT contains control characters, such as a line break, "
        "and would be sent with every request. Remove them or unset it"};
  const bool file = !r.to_file.empty();
  const long limit = time_limit(seconds);
  net::Request q;
  q.url = r.url;
  q.user = r.user, q.password = r.password;
  q.to_file = r.to_file;
  q.failure = "failed to download";
  q.headers = r.headers;
  if (!r.token.empty() && net::uses_http(r.url) && net::on_this_machine(r.url))
    q.headers.emplace_back("Authorization", "Bearer " + r.token);  // a cache for registries, for example
  else
    q.token = r.token;
  q.headers.emplace_back("X-Terraform-Version", kLanguageVersion);
  if (!r.form.empty()) {
    q.method = "POST", q.body = r.form;
    q.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  }
  // A transfer that stands still or only drips is given up; a slow one is not, unless it is of a document,
  // which is small.
  q.limits = {limit, file ? limit * 2 : limit, file ? 0 : limit * 10, r.max_bytes};
  q.retry.times = r.retries ? std::clamp(*r.retries, 0, 20) : retries_of_environment(retries);
  q.retry.first = std::chrono::milliseconds(500);
  q.stop = stop;
  if (!file) return client_.send(q);
  q.progress = [&](uint64_t done, uint64_t total) { downloads_.at(&q, done, total, progress); };
  downloads_.begin(&q);
  Result<HttpAnswer> answer = client_.send(q);
  downloads_.end(&q, progress);
  return answer;
}

}  // namespace xplan::hosts

// Sending with a token, and what Google's services say of failures.
#include "core/cloud/google_client.h"

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/net/url.h"

namespace xplan::cloud {

net::Retry google_retries() {
  net::Retry out;
  out.times = 4;
  out.most = std::chrono::seconds(20);
  out.again = [](int status) { return status == 408 || status == 429 || (status >= 500 && status != 501); };
  return out;
}

void authorize(net::Request& r, const GoogleAccess& access) {
  if (net::uses_http(r.url) && net::on_this_machine(r.url))
    r.headers.emplace_back("Authorization", "Bearer " + std::string(access.token.bytes()));
  else
    r.token = access.token.bytes();
  if (!access.project.empty()) r.headers.emplace_back("X-Goog-User-Project", access.project);
}

Result<net::Answer> GoogleClient::send(const net::Request& r) {
  GoogleAccess last;
  for (bool fresh = false;; fresh = true) {
    net::Request now = r;
    now.retry = google_retries();
    now.follow = false;
    if (!anonymous_) {
      Result<GoogleAccess> access = token_.access(last.token.bytes());
      if (!access) return access.error();
      authorize(now, *access);
      last = std::move(*access);
    }
    Result<net::Answer> answer = client_.send(now);
    if (!answer || answer->status != 401 || fresh || anonymous_ || !token_.renewable()) return answer;
  }
}

std::string google_failure(const net::Answer& a) {
  std::string said;
  constexpr size_t kLooked = 64 << 10;
  if (const Result<Json> body = parse_document(std::string_view(a.body).substr(0, kLooked))) {
    const Json* error = object_in(*body, "error");
    said = error ? string_in(*error, "message") : string_in(*body, "error_description");
    if (said.empty()) said = string_in(*body, "error");
  } else if (a.body.find('<') != a.body.npos) {
    said = failure_of(a).message;
  }
  while (said.ends_with('.') || said.ends_with(' ')) said.pop_back();  // the sentence may go on
  const std::string out = net::status_text(a.status);
  return said.empty() ? out : out + ": " + shown_text(said);
}

}  // namespace xplan::cloud

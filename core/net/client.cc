// Sends requests: takes a libcurl handle from a pool, so that connections are used again, makes as many
// attempts as the policy of the request allows, and pauses between them for as long as the server or the
// policy says.
#include "core/net/client.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "core/base/backoff.h"
#include "core/net/redact.h"
#include "core/net/transfer.h"
#include "core/net/url.h"
#include "core/net/waiting.h"

namespace xplan::net {
namespace {

using std::chrono::milliseconds;

bool worth_another_try(CURLcode code, int status, const Retry& retry, bool answered) {
  switch (code) {
    case CURLE_OK:
      return retry.again && retry.again(status);
    case CURLE_COULDNT_CONNECT:
      return answered || retry.refused_at_first;
    case CURLE_COULDNT_RESOLVE_HOST:  // where the network is away, so are the servers that know names
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_SSL_CONNECT_ERROR:  // so does a proxy that is started again
      return answered;
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

// Nothing came from the server: nothing at all, or what a load balancer says while there is none behind it.
bool is_away(const Tried& t) {
  const int status = t.answer.status;
  return t.code != CURLE_OK || status == 502 || status == 503 || status == 504;
}

// As long as the policy says, or the server asks for.
void pause(int attempt, curl_off_t told, const Request& r) {
  const milliseconds asked = std::chrono::seconds(std::min<curl_off_t>(told, 60));
  (void)wait_unless_stopped(std::max(backoff(attempt, r.retry.first, r.retry.most), asked), r.stop.stop);
}

std::function<void(const std::string&)> g_listener;
milliseconds g_again{0};
std::atomic<int64_t> g_told = 0;  // when, in milliseconds of a clock that only runs forward

// From the second attempt that failed on.
void note_waiting(int attempt, const std::string& url) {
  if (attempt == 0 || !g_listener) return;
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t now = std::chrono::duration_cast<milliseconds>(since).count();
  int64_t told = g_told;
  if (told != 0 && now - told < g_again.count()) return;
  if (!g_told.compare_exchange_strong(told, now)) return;  // another thread tells
  g_listener("The server at " + host_and_port(url) + " is not responding. Retrying...");
}

// The URL as messages show it: without secrets, on one line, and not at any length.
std::string shown_url(const Request& r, const std::string& url) {
  constexpr size_t kShown = 2000;
  std::string out = r.secret_path ? "https://" + host_and_port(url) + "/…" : shown_address(url);
  if (out.size() > kShown) out = out.substr(0, kShown) + "…";
  for (char& c : out)
    if (has_controls({&c, 1})) c = '?';
  return out;
}

// libcurl sends headers along wherever it is redirected. So it is not told to follow as long as they may not
// go there; without them, the credentials stay behind, too.
Result<Tried> attempt_and_follow(CURL* handle, const Request& r, const ClientOptions& options,
                                 const std::string& shown) {
  constexpr int kMostRedirects = 10;
  Result<Tried> tried = attempt(handle, r, options, shown);
  if (!r.own_headers || !r.follow || r.body || (r.method != "GET" && r.method != "HEAD")) return tried;
  Request next = r;
  for (int n = 1; tried && next.own_headers && !tried->next.empty(); ++n) {
    if (n > kMostRedirects) return Error{r.failure + " " + shown + ": it redirects too often"};
    if (!uses_https(tried->next) && (uses_https(next.url) || !uses_http(tried->next)))
      return Error{r.failure + " " + shown + ": it redirects to an address without " +
                   (uses_https(next.url) ? "https" : "http or https")};
    const bool elsewhere = host_and_port(tried->next) != host_and_port(r.url);
    next.url = tried->next;
    if (elsewhere) next.own_headers = false, next.headers = {}, next.user = next.password = next.token = "";
    tried = attempt(handle, next, options, shown);
    if (tried) tried->redirected = true;
  }
  return tried;
}

}  // namespace

// Each request has a handle for itself, with the connections that were made with it before.
struct Client::Impl {
  const ClientOptions options;
  std::mutex mutex;
  std::vector<CURL*> idle;
  std::set<std::string> answered;  // hosts and ports of servers

  explicit Impl(ClientOptions o) : options(std::move(o)) {}
  ~Impl() {
    for (CURL* h : idle) curl().curl_easy_cleanup(h);
  }
  CURL* take() {
    std::lock_guard lock(mutex);
    if (idle.empty()) return curl().curl_easy_init();
    CURL* h = idle.back();
    idle.pop_back();
    return h;
  }
  void give_back(CURL* h) {
    std::lock_guard lock(mutex);
    if (h) idle.push_back(h);
  }
  // Whether that server has answered; `now`: it just did.
  bool knows(const std::string& host, bool now) {
    std::lock_guard lock(mutex);
    return now ? answered.insert(host), true : answered.contains(host);
  }
};

Client::Client(ClientOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Client::~Client() = default;

Result<Answer> Client::send(const Request& r) {
  if (!curl_missing().empty())
    return Error{"HTTP requests are not possible on this system, because " + curl_missing() +
                 " (libcurl) is not available"};
  const std::string shown = shown_url(r, r.url);
  if (!r.token.empty() && !uses_https(r.url))
    return Error{r.failure + " " + shown + ": the token for its host is only sent over https"};
  auto give_back = [this](CURL* used) { impl_->give_back(used); };
  const std::unique_ptr<CURL, decltype(give_back)> handle(impl_->take(), give_back);
  if (!handle) return Error{r.failure + " " + shown + ": there is not enough memory"};
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0;; ++n) {
    if (stopped(r.stop) && (n > 0 || r.stop.grace.count() == 0)) return interrupted();
    Result<Tried> tried = attempt_and_follow(handle.get(), r, impl_->options, shown);
    if (!tried) return tried.error();
    if (tried->code != CURLE_OK && stopped(r.stop)) return interrupted();
    // The server itself, and not what an answer of its names.
    const bool away = is_away(*tried);
    const bool known = !tried->redirected && impl_->knows(host_and_port(r.url), !away);
    const bool patient =
        away && known && n >= r.retry.times && std::chrono::steady_clock::now() - start < r.patience;
    if (!r.once && !r.stop.once && (n < r.retry.times || patient) &&
        worth_another_try(tried->code, tried->answer.status, r.retry, known)) {
      if (r.limits.together) *r.limits.together += static_cast<int64_t>(tried->received);
      note_waiting(n, r.url);
      constexpr int kLongest = 4;  // pauses do not grow for ever
      pause(patient ? std::min(n, kLongest) : n, tried->wait_told, r);
      continue;
    }
    tried->answer.attempts = n + 1;
    if (tried->code == CURLE_OK) return g_told = 0, std::move(tried->answer);
    const bool elsewhere = tried->redirected && tried->code != CURLE_UNSUPPORTED_PROTOCOL &&
                           host_and_port(tried->answer.url) != host_and_port(r.url);
    const std::string where = elsewhere ? shown_url(r, tried->answer.url) : "";
    return Error{r.failure + " " + shown + ": " + (elsewhere ? "it redirects to " + where + ": " : "") +
                 without_credentials(tried->detail)};
  }
}

void tell_when_waiting(std::function<void(const std::string&)> listener, milliseconds again) {
  g_listener = std::move(listener), g_again = again;
}

std::string status_text(int status) {
  static constexpr std::pair<int, std::string_view> kNames[] = {{400, "Bad Request"},
                                                                {401, "Unauthorized"},
                                                                {403, "Forbidden"},
                                                                {404, "Not Found"},
                                                                {405, "Method Not Allowed"},
                                                                {408, "Request Timeout"},
                                                                {409, "Conflict"},
                                                                {410, "Gone"},
                                                                {412, "Precondition Failed"},
                                                                {413, "Content Too Large"},
                                                                {423, "Locked"},
                                                                {429, "Too Many Requests"},
                                                                {500, "Internal Server Error"},
                                                                {501, "Not Implemented"},
                                                                {502, "Bad Gateway"},
                                                                {503, "Service Unavailable"},
                                                                {504, "Gateway Timeout"},
                                                                {507, "Insufficient Storage"}};
  std::string out = std::to_string(status);
  for (const auto& [code, name] : kNames) {
    if (code == status) out += " " + std::string(name);
  }
  return out;
}

}  // namespace xplan::net

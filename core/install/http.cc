// HTTP requests through libcurl (loaded on first use): retries, timeouts, redirects, progress and
// cancellation; resolving URLs against a base and escaping path segments.
#include "core/install/http.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/text.h"
#include "core/install/downloads.h"
#include "core/install/library.h"
#include "core/install/redact.h"

namespace xplan::install {
namespace {

#define XPLAN_CURL_FUNCTIONS(X) \
  X(curl_global_init)           \
  X(curl_easy_init)             \
  X(curl_easy_setopt)           \
  X(curl_easy_perform)          \
  X(curl_easy_getinfo) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_slist_append) X(curl_slist_free_all)
// The header replaces some of the names by macros.
#undef curl_easy_setopt
#undef curl_easy_getinfo
XPLAN_LIBRARY_API("libcurl.so.4", XPLAN_CURL_FUNCTIONS,
                  if (library.missing().empty()) curl_global_init(CURL_GLOBAL_DEFAULT);)

int retries() {
  const char* v = std::getenv("TF_REGISTRY_DISCOVERY_RETRY");
  return v && *v ? std::clamp(std::atoi(v), 0, 20) : 2;
}
long time_limit() {
  const char* v = std::getenv("TF_REGISTRY_CLIENT_TIMEOUT");
  const long n = v && *v ? std::atol(v) : 0;
  return n > 0 && n < 86400 ? n : 15;
}

struct Transfer {
  const HttpRequest* request;
  HttpAnswer* answer;
  const Http* http;
  Downloads* downloads;
  std::FILE* file = nullptr;
  uint64_t received = 0;
  bool too_large = false;
  int write_error = 0;
};

size_t on_body(char* data, size_t size, size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  const size_t n = size * count;
  t.received += n;
  if (t.received > t.request->max_bytes) return t.too_large = true, 0;
  if (!t.file) return t.answer->body.append(data, n), n;
  if (std::fwrite(data, 1, n, t.file) == n) return n;
  t.write_error = errno;
  return 0;
}

size_t on_header(char* data, size_t size, size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) t.answer->headers.clear();  // of the answer after a redirect
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos && t.answer->headers.size() < 200) {
    t.answer->headers[ascii_lower(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
  }
  return size * count;
}

int on_progress(void* user, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  auto& t = *static_cast<Transfer*>(user);
  if (t.file)
    t.downloads->at(&t, static_cast<uint64_t>(done), static_cast<uint64_t>(total), t.http->progress);
  return t.http->stopped() ? 1 : 0;
}

// No proxy leads there, whatever the environment says.
bool on_this_machine(std::string host) {
  if (const size_t colon = host.rfind(':'); colon != std::string::npos && !host.ends_with(']'))
    host.resize(colon);
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

bool worth_another_try(CURLcode code, int status) {
  switch (code) {
    case CURLE_OK:
      return status == 429 || status >= 500;
    case CURLE_COULDNT_CONNECT:
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

}  // namespace

// Each request has a handle for itself, with the connections that were made with it before.
struct Http::Impl {
  std::mutex mutex;
  std::vector<CURL*> idle;
  Downloads downloads;

  CURL* take() {
    std::lock_guard lock(mutex);
    if (idle.empty()) return api().curl_easy_init();
    CURL* h = idle.back();
    idle.pop_back();
    return h;
  }
  void give_back(CURL* h) {
    std::lock_guard lock(mutex);
    idle.push_back(h);
  }
};

Http::Http() : impl_(std::make_unique<Impl>()) {}
Http::~Http() {
  for (CURL* h : impl_->idle) api().curl_easy_cleanup(h);
}

Result<HttpAnswer> Http::get(const HttpRequest& r) {
  const Api& a = api();
  if (!a.library.missing().empty())
    return Error{"downloads are not possible on this system, because " + a.library.missing() +
                 " (libcurl) is not available"};
  const std::string shown = without_credentials(r.url);
  if (!r.token.empty() && !r.url.starts_with("https://"))
    return Error{"failed to download " + shown + ": the token for its host is only sent over https"};
  auto give_back = [this](CURL* used) { impl_->give_back(used); };
  const std::unique_ptr<CURL, decltype(give_back)> taken(impl_->take(), give_back);
  CURL* h = taken.get();
  std::string reason;
  curl_off_t told = 0;  // seconds that the server wants us to wait
  for (int attempt = 0, last = retries(); attempt <= last; ++attempt) {
    const auto pause = std::max<curl_off_t>(5 << std::min(attempt, 4), std::min<curl_off_t>(told, 60) * 20);
    for (auto waits = attempt > 0 ? pause : 0; waits > 0 && !stopped(); --waits)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (stopped()) return Error{"it was interrupted"};
    HttpAnswer out;
    Transfer t{&r, &out, this, &impl_->downloads};
    char detail[CURL_ERROR_SIZE] = "";
    if (!r.to_file.empty() && !(t.file = std::fopen(r.to_file.c_str(), "we")))
      return Error{"cannot create \"" + r.to_file + "\": " + std::strerror(errno)};
    a.curl_easy_reset(h);
    curl_slist* headers = nullptr;
    auto set = [&](CURLoption o, auto value) { a.curl_easy_setopt(h, o, value); };
    set(CURLOPT_URL, r.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, r.url.starts_with("https:") ? "https" : "http,https");
    set(CURLOPT_FOLLOWLOCATION, r.follow ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ERRORBUFFER, detail);
    set(CURLOPT_CONNECTTIMEOUT, time_limit());
    // A transfer that stands still or only drips is given up; a slow one is not, unless it is of a document,
    // which is small.
    set(CURLOPT_LOW_SPEED_LIMIT, 100L);
    if (r.to_file.empty()) set(CURLOPT_TIMEOUT, time_limit() * 10);
    set(CURLOPT_LOW_SPEED_TIME, time_limit() * (r.to_file.empty() ? 1 : 2));
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, &t);
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, &t);
    set(CURLOPT_ACCEPT_ENCODING, r.to_file.empty() ? "" : "gzip");
    if (on_this_machine(host_of(r.url))) set(CURLOPT_PROXY, "");
    std::string agent = "xplan";
    if (const char* more = std::getenv("TF_APPEND_USER_AGENT"); more && *more)
      agent += " " + std::string(more);
    set(CURLOPT_USERAGENT, agent.c_str());
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &on_progress);
    set(CURLOPT_XFERINFODATA, &t);
    if (!r.token.empty()) {
      set(CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
      set(CURLOPT_XOAUTH2_BEARER, r.token.c_str());
    }
    if (const char* file = std::getenv("SSL_CERT_FILE"); file && *file) set(CURLOPT_CAINFO, file);
    if (const char* dir = std::getenv("SSL_CERT_DIR"); dir && *dir) set(CURLOPT_CAPATH, dir);
    headers = a.curl_slist_append(headers, "X-Terraform-Version: 1.11.4");
    set(CURLOPT_HTTPHEADER, headers);
    if (t.file) t.downloads->begin(&t);
    const CURLcode code = a.curl_easy_perform(h);
    if (t.file) t.downloads->end(&t, progress);
    a.curl_slist_free_all(headers);
    if (t.file && std::fclose(t.file) != 0 && t.write_error == 0) t.write_error = errno;
    if (t.write_error != 0)
      return Error{"cannot write \"" + r.to_file + "\": " + std::strerror(t.write_error)};
    if (t.too_large)
      return Error{"the response from " + shown + " was rejected because it is larger than " +
                   std::to_string(r.max_bytes) + " bytes"};
    long status = 0;
    char* url = nullptr;
    a.curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &status);
    a.curl_easy_getinfo(h, CURLINFO_EFFECTIVE_URL, &url);
    a.curl_easy_getinfo(h, CURLINFO_RETRY_AFTER, &told);
    out.status = static_cast<int>(status);
    out.url = url ? url : r.url;
    if (worth_another_try(code, out.status) && attempt < last) continue;
    if (code == CURLE_OK) return out;
    reason = code == CURLE_UNSUPPORTED_PROTOCOL ? "it redirects to an address without https" : detail;
    if (reason.empty()) reason = "transfer error " + std::to_string(static_cast<int>(code));
    break;
  }
  return Error{"failed to download " + shown + ": " + without_credentials(reason)};
}

std::string status_text(int status) {
  static constexpr std::pair<int, std::string_view> kNames[] = {{400, "Bad Request"},
                                                                {401, "Unauthorized"},
                                                                {403, "Forbidden"},
                                                                {404, "Not Found"},
                                                                {410, "Gone"},
                                                                {423, "Locked"},
                                                                {429, "Too Many Requests"},
                                                                {500, "Internal Server Error"},
                                                                {502, "Bad Gateway"},
                                                                {503, "Service Unavailable"},
                                                                {504, "Gateway Timeout"}};
  std::string out = std::to_string(status);
  for (const auto& [code, name] : kNames) {
    if (code == status) out += " " + std::string(name);
  }
  return out;
}

std::string host_of(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  const size_t at = rest.rfind('@');
  return std::string(at == std::string_view::npos ? rest : rest.substr(at + 1));
}

std::string resolve_url(std::string_view base, std::string_view reference) {
  if (reference.find("://") != std::string_view::npos) return std::string(reference);
  const size_t scheme = base.find("://");
  if (scheme == std::string_view::npos) return std::string(reference);
  if (reference.starts_with("//")) return std::string(base.substr(0, scheme + 1)) + std::string(reference);
  const size_t path = std::min(base.find_first_of("/?#", scheme + 3), base.size());
  const std::string site(base.substr(0, path));
  std::string full;
  if (reference.starts_with('/')) {
    full = reference;
  } else {
    std::string_view dir = base.substr(path);
    dir = dir.substr(0, dir.find_first_of("?#"));
    dir = dir.substr(0, dir.rfind('/') == std::string_view::npos ? 0 : dir.rfind('/') + 1);
    full = (dir.empty() ? "/" : std::string(dir)) + std::string(reference);
  }
  // "." and ".." in the path.
  const size_t query = std::min(full.find_first_of("?#"), full.size());
  const std::string tail = full.substr(query);
  std::string out;
  std::string_view rest = std::string_view(full).substr(0, query);
  // Empty parts stay: two slashes mean something in the sources of modules.
  std::vector<std::string_view> parts;
  for (size_t i = 1; i <= rest.size();) {
    const size_t end = std::min(rest.find('/', i), rest.size());
    const std::string_view part = rest.substr(i, end - i);
    const bool last = end == rest.size();
    i = end + 1;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (part != ".") {
      parts.push_back(part);
      continue;
    }
    if (last) parts.push_back("");
  }
  for (std::string_view p : parts) out += "/" + std::string(p);
  return site + out + tail;
}

std::string escape_path(std::string_view segment) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : segment) {
    if (std::isalnum(c) || std::strchr("-_.~+", c))
      out += static_cast<char>(c);
    else
      out += '%', out += digits[c >> 4], out += digits[c & 15];
  }
  return out;
}

}  // namespace xplan::install

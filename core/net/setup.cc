// Sets the options of a libcurl handle for one attempt, and refuses a request with control characters in any
// part that goes into its lines. Open this to see what a request may do: hosts, redirects, trust, limits.
#include "core/net/setup.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/text.h"
#include "core/net/authorities.h"
#include "core/net/url.h"

namespace xplan::net {
namespace {

// Of methods and of names of headers. What is not a token could begin another line.
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c > ' ' && c < 0x7f && !std::strchr("\"(),/:;<=>?@[\\]{}", c);
  });
}

}  // namespace

Setup::Setup(CURL* handle, const Request& r, const ClientOptions& o) : handle_(handle), r_(r), options_(o) {
  curl().curl_easy_reset(handle_);
  method();
  routes();
  limits();
  trust();
  identity();
  headers();
}

Setup::~Setup() {
  curl().curl_slist_free_all(headers_);
  curl().curl_slist_free_all(connect_to_);
}

std::string Setup::problem() const {
  if (!problem_.empty() || failed_ == CURLE_OK) return problem_;
  return "libcurl does not support what the request requires (option " + std::to_string(option_) + ": " +
         curl().curl_easy_strerror(failed_) + ")";
}

void Setup::refuse_controls(std::string_view text, std::string_view what) {
  if (problem_.empty() && has_controls(text)) problem_ = std::string(what) + " contains control characters";
}

// By name since 7.85; before that, as bits in an option that is deprecated today.
void Setup::protocols(CURLoption names, int bits, bool only_https) {
  if (curl().curl_easy_setopt(handle_, names, only_https ? "https" : "http,https") != CURLE_OK)
    set(static_cast<CURLoption>(bits),
        static_cast<long>(only_https ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

void Setup::blob(CURLoption option, const std::string& text) {
  curl_blob b{const_cast<char*>(text.data()), text.size(), CURL_BLOB_NOCOPY};
  set(option, &b);
}

void Setup::method() {
  if (!is_token(r_.method)) problem_ = "its method is not valid";
  const bool head = r_.method == "HEAD";
  if (head) set(CURLOPT_NOBODY, 1L);
  if (r_.body) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(r_.body->size()));
    set(CURLOPT_POSTFIELDS, r_.body->data());
  }
  if (!head && (r_.body || r_.method != "GET")) set(CURLOPT_CUSTOMREQUEST, r_.method.c_str());
}

void Setup::routes() {
  const bool reads = !r_.body && (r_.method == "GET" || r_.method == "HEAD");
  refuse_controls(r_.url, "the address");
  refuse_controls(user_and_password(r_.url), "the user name or password in the address");
  address();
  protocols(CURLOPT_PROTOCOLS_STR, CURLOPTTYPE_LONG + 181, false);
  protocols(CURLOPT_REDIR_PROTOCOLS_STR, CURLOPTTYPE_LONG + 182, uses_https(r_.url));
  set(CURLOPT_FOLLOWLOCATION, r_.follow && reads && !r_.own_headers ? 1L : 0L);
  set(CURLOPT_MAXREDIRS, 10L);
  if (r_.path_as_is) set(CURLOPT_PATH_AS_IS, 1L);
  if (r_.once) set(CURLOPT_FRESH_CONNECT, 1L);  // on one that was used before, it may send twice
  if (!options_.unix_socket.empty()) set(CURLOPT_UNIX_SOCKET_PATH, options_.unix_socket.c_str());
  if (r_.direct || on_this_machine(r_.url)) return set(CURLOPT_PROXY, "");
  if (!options_.proxies) return usual_proxy();
  const Proxies& p = *options_.proxies;
  set(CURLOPT_PROXY, (uses_https(r_.url) ? p.https : p.http).c_str());
  set(CURLOPT_NOPROXY, p.except.c_str());
}

// The environment's, which libcurl reads, except for the name that other programs read, too.
void Setup::usual_proxy() {
  const char *given = std::getenv("HTTP_PROXY"), *known = std::getenv("http_proxy");
  if (!uses_https(r_.url) && given && *given && !known) set(CURLOPT_PROXY, given);
}

// A server whose certificate is for another name gets the request under that name; where it is to go, and the
// host that it is for, are told besides.
void Setup::address() {
  const std::string host = host_and_port(r_.url);
  const std::string url =
      options_.server_name.empty() || !uses_https(r_.url) ? "" : with_host(r_.url, options_.server_name);
  set(CURLOPT_URL, url.empty() ? r_.url.c_str() : url.c_str());
  if (url.empty()) return;
  add_header("Host: " + host);
  const bool port = host.rfind(':') != host.npos && host.rfind(':') >= host.rfind(']') + 1;
  connect_to_ = curl().curl_slist_append(nullptr, ("::" + host + (port ? "" : ":")).c_str());
  if (!connect_to_ && problem_.empty()) problem_ = "there is not enough memory";
  set(CURLOPT_CONNECT_TO, connect_to_);
}

void Setup::limits() {
  set(CURLOPT_NOSIGNAL, 1L);
  if (r_.limits.connect) set(CURLOPT_CONNECTTIMEOUT, r_.limits.connect);
  if (r_.limits.whole) set(CURLOPT_TIMEOUT, r_.limits.whole);
  if (r_.limits.silence) {
    // A server may think for long about what is large, before it answers.
    const long patience = r_.body ? static_cast<long>(r_.body->size() >> 20) : 0;
    set(CURLOPT_LOW_SPEED_LIMIT, 1024L);
    set(CURLOPT_LOW_SPEED_TIME, r_.limits.silence + patience);
  }
}

void Setup::trust() {
  if (!options_.verify) {
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }
  if (!options_.authorities.empty()) return blob(CURLOPT_CAINFO_BLOB, options_.authorities);
  Authorities from;
#ifdef XPLAN_PORTABLE
  from = system_authorities();
#endif
  if (const char* file = std::getenv("SSL_CERT_FILE"); file && *file) from = {file, {}};
  if (const char* dir = std::getenv("SSL_CERT_DIR"); dir && *dir) from.directory = dir;
  if (!from.file.empty()) set(CURLOPT_CAINFO, from.file.c_str());
  if (!from.directory.empty()) set(CURLOPT_CAPATH, from.directory.c_str());
}

void Setup::identity() {
  refuse_controls(options_.user_agent, "the user agent");
  refuse_controls(r_.token, "the token");
  refuse_controls(r_.user, "the user name");
  refuse_controls(r_.password, "the password");
  set(CURLOPT_USERAGENT, options_.user_agent.c_str());
  if (!options_.certificate.empty()) blob(CURLOPT_SSLCERT_BLOB, options_.certificate);
  if (!options_.private_key.empty()) blob(CURLOPT_SSLKEY_BLOB, options_.private_key);
  if (!r_.token.empty()) {
    set(CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    set(CURLOPT_XOAUTH2_BEARER, r_.token.c_str());
  } else if (!r_.user.empty() || !r_.password.empty()) {
    set(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    set(CURLOPT_USERNAME, r_.user.c_str());
    set(CURLOPT_PASSWORD, r_.password.c_str());
  }
}

void Setup::headers() {
  bool type = false;
  for (const auto& [name, value] : r_.headers) {
    if (problem_.empty() && (!is_token(name) || has_controls(value)))
      problem_ = "a header of the request is not valid";
    type |= ascii_lower(name) == "content-type";
    std::string line = name;
    if (value.empty())
      line += ";";
    else
      line.append(": ").append(value);
    add_header(line);
  }
  if (r_.compressed) add_header(std::string("Accept-Encoding: ") + kCompression);
  if (r_.body && !type) add_header("Content-Type:");  // libcurl would call it a form
  if (r_.body) add_header("Expect:");
  set(CURLOPT_HTTPHEADER, headers_);
}

void Setup::add_header(const std::string& line) {
  if (curl_slist* longer = curl().curl_slist_append(headers_, line.c_str()))
    headers_ = longer;
  else if (problem_.empty())
    problem_ = "there is not enough memory";
}

}  // namespace xplan::net

// Takes URLs apart and resolves references with libcurl's own parser; tells which ones lead to this machine.
#include "core/net/url.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <memory>

#include "core/base/text.h"
#include "core/net/curl_api.h"

namespace xplan::net {
namespace {

class Parsed {
 public:
  Parsed() : handle_(curl_missing().empty() ? curl().curl_url() : nullptr) {}
  ~Parsed() {
    if (handle_) curl().curl_url_cleanup(handle_);
  }
  Parsed(const Parsed&) = delete;

  // A second one is resolved against the first.
  bool set(std::string_view url) {
    return handle_ && url.find('\0') == url.npos &&
           curl().curl_url_set(handle_, CURLUPART_URL, std::string(url).c_str(), CURLU_NON_SUPPORT_SCHEME) ==
               CURLUE_OK;
  }
  bool set_host(const std::string& host) {
    return handle_ && curl().curl_url_set(handle_, CURLUPART_HOST, host.c_str(), 0) == CURLUE_OK;
  }
  // Empty when there is none.
  std::string get(CURLUPart part) const {
    char* text = nullptr;
    if (!handle_ || curl().curl_url_get(handle_, part, &text, 0) != CURLUE_OK) return {};
    std::string out = text;
    curl().curl_free(text);
    return out;
  }

 private:
  CURLU* handle_;
};

bool has_scheme(std::string_view url, std::string_view scheme) {
  Parsed p;
  return p.set(url) && ascii_lower(p.get(CURLUPART_SCHEME)) == scheme;
}

// "127.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]": whatever the system takes for such an address.
bool is_loopback(const std::string& host) {
  in_addr v4;
  if (::inet_aton(host.c_str(), &v4)) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6;
  if (!host.starts_with('[') || ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) != 1)
    return false;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

}  // namespace

std::string host_and_port(std::string_view url) {
  Parsed p;
  if (!p.set(url)) return {};
  const std::string host = p.get(CURLUPART_HOST), port = p.get(CURLUPART_PORT);
  return port.empty() ? host : host + ":" + port;
}

std::string user_and_password(std::string_view url) {
  Parsed p;
  std::string out;
  if (!p.set(url)) return out;
  const std::string text = p.get(CURLUPART_USER) + ":" + p.get(CURLUPART_PASSWORD);
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* end = text.data() + std::min(i + 3, text.size());
    const bool escape = text[i] == '%' && std::from_chars(text.data() + i + 1, end, byte, 16).ptr == end &&
                        end == text.data() + i + 3;
    out += escape ? static_cast<char>(byte) : text[i];
    if (escape) i += 2;
  }
  return out;
}

std::string with_host(std::string_view url, const std::string& host) {
  Parsed p;
  return p.set(url) && p.set_host(host) ? p.get(CURLUPART_URL) : std::string();
}

bool uses_https(std::string_view url) {
  return has_scheme(url, "https");
}

bool uses_http(std::string_view url) {
  return has_scheme(url, "http");
}

bool on_this_machine(std::string_view url) {
  Parsed p;
  if (!p.set(url)) return false;
  const std::string host = p.get(CURLUPART_HOST);
  return ascii_lower(host) == "localhost" || is_loopback(host);
}

std::string resolve_url(std::string_view base, std::string_view reference) {
  // "git::https://…" is not relative to the base, though it is not a URL. What follows a slash, a question
  // mark or a number sign tells nothing of that.
  if (reference.find("://") < reference.find_first_of("/?#")) return std::string(reference);
  Parsed p;
  if (!p.set(base) || !p.set(reference)) return std::string(reference);
  return p.get(CURLUPART_URL);
}

bool is_host_label(std::string_view text) {
  return !text.empty() && text.size() <= 63 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

std::string escape_path(std::string_view segment) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : segment) {
    if (std::isalnum(c) || (c && std::strchr("-_.~+", c)))
      out += static_cast<char>(c);
    else
      out += '%', out += digits[c >> 4], out += digits[c & 15];
  }
  return out;
}

}  // namespace xplan::net

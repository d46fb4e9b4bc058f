// Parts of URLs, escapes, and OpenSSL's HMACs and signatures.
#include "core/cloud/signing.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/base/base64.h"
#include "core/base/text.h"

namespace xplan::cloud {

UrlParts url_parts(std::string_view url) {
  UrlParts out;
  const size_t from = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  const size_t path = std::min(url.find_first_of("/?", from), url.size());
  const size_t query = std::min(url.find('?', path), url.size());
  out.host = url.substr(from, path - from);
  out.path = url.substr(path, query - path);
  if (out.path.empty()) out.path = "/";
  out.query = url.substr(std::min(query + 1, url.size()));
  return out;
}

std::string uri_escape(std::string_view text, bool keep_slashes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        (c && std::strchr("-._~", c)) || (keep_slashes && c == '/'))
      out += static_cast<char>(c);
    else
      out += '%', out += digits[c >> 4], out += digits[c & 15];
  }
  return out;
}

std::string uri_unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    out += escape ? static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

std::string folded_spaces(std::string_view value) {
  std::string out;
  for (char c : trimmed(value))
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  return out;
}

namespace {

std::string hmac_with(const EVP_MD* method, std::string_view key, std::string_view text) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(method, key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), out, &size);
  return {reinterpret_cast<const char*>(out), size};
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
  return hmac_with(EVP_sha256(), key, text);
}
std::string hmac_sha1(std::string_view key, std::string_view text) {
  return hmac_with(EVP_sha1(), key, text);
}

std::string sign_rs256(EVP_PKEY* key, std::string_view text) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  size_t size = 0;
  if (!key || !ctx || EVP_PKEY_base_id(key) != EVP_PKEY_RSA ||
      EVP_DigestSignInit(ctx.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
      EVP_DigestSign(ctx.get(), nullptr, &size, data, text.size()) != 1)
    return {};
  std::string out(size, '\0');
  if (EVP_DigestSign(ctx.get(), reinterpret_cast<unsigned char*>(out.data()), &size, data, text.size()) != 1)
    return {};
  out.resize(size);
  return out;
}

std::string base64url_encode(std::string_view bytes) {
  std::string out = base64_encode(bytes);
  while (out.ends_with('=')) out.pop_back();
  for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return out;
}

std::string base64url_decode(std::string text) {
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (text.ends_with('=')) text.pop_back();
  text.append((4 - text.size() % 4) % 4, '=');
  std::string out;
  return base64_decode(text, out) ? out : std::string();
}

}  // namespace xplan::cloud

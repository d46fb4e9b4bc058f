// Building blocks of request and token signatures: splitting and escaping URLs, folding spaces, HMAC, RSA,
// base64url.
//
// Who calls it: aws_signature.cc, azure_signature.cc, azure_assertion.cc, and whoever writes URLs that they
// sign; crypt/azure_vault.cc.
// Contract: parts are as they stand in the URL, escaped.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

struct evp_pkey_st;  // EVP_PKEY

namespace xplan::cloud {

struct UrlParts {
  std::string_view host, path, query;  // path: "/" where there is none
};
UrlParts url_parts(std::string_view url);

// Escapes all but A-Z a-z 0-9 - . _ ~ and, when told so, slashes.
std::string uri_escape(std::string_view text, bool keep_slashes = false);
// Undoes %XX; everything else stays as it is.
std::string uri_unescape(std::string_view text);
// Without spaces at both ends, and with one for each run of them.
std::string folded_spaces(std::string_view value);

std::string hmac_sha256(std::string_view key, std::string_view text);
std::string hmac_sha1(std::string_view key, std::string_view text);
// Empty: the key is not one for it.
std::string sign_rs256(evp_pkey_st* key, std::string_view text);

// In the alphabet for URLs, without padding. Empty: it is not that.
std::string base64url_encode(std::string_view bytes);
std::string base64url_decode(std::string text);

}  // namespace xplan::cloud

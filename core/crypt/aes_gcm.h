// AES-GCM in the form that OpenTofu uses: a nonce of 12 bytes, the ciphertext, a tag of 16.
//
// Who calls it: the method aes_gcm, records.cc.  Contract: keys have 16, 24 or 32 bytes; a nonce must never
// occur twice with one key: random ones are for few messages, counted ones for many. open() tells nothing of
// what it cannot authenticate. Cost: linear, one copy.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/secret.h"

namespace xplan::crypt {

inline constexpr size_t kNonceSize = 12, kTagSize = 16;
constexpr bool is_aes_key_size(size_t n) {
  return n == 16 || n == 24 || n == 32;
}

// `nonce` empty: a random one.
Result<std::string> aes_gcm_seal(const Secret& key, std::string_view plain, std::string_view aad,
                                 std::string nonce = {});
Result<std::string> aes_gcm_open(const Secret& key, std::string_view sealed, std::string_view aad);

}  // namespace xplan::crypt

// AES-GCM on OpenSSL's EVP interface, which takes at most 2 GiB at a time.
#include "core/crypt/aes_gcm.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "core/base/check.h"

namespace xplan::crypt {
namespace {

const unsigned char* in(std::string_view s) {
  return reinterpret_cast<const unsigned char*>(s.data());
}

class Gcm {
 public:
  enum class Way { Seal, Open };
  Gcm(Way way, const Secret& key, std::string_view nonce) : way_(way) {
    const EVP_CIPHER* cipher = key.size() == 16   ? EVP_aes_128_gcm()
                               : key.size() == 24 ? EVP_aes_192_gcm()
                                                  : EVP_aes_256_gcm();
    ok_ = ctx_ &&
          EVP_CipherInit_ex(ctx_.get(), cipher, nullptr, in(key.bytes()), in(nonce), way == Way::Seal) == 1;
  }
  void associate(std::string_view aad) {
    int n = 0;
    if (!aad.empty())
      ok_ = ok_ && EVP_CipherUpdate(ctx_.get(), nullptr, &n, in(aad), static_cast<int>(aad.size())) == 1;
  }
  // As many bytes come out as go in.
  void update(std::string_view from, std::string& to) {
    constexpr size_t kPiece = size_t{1} << 30;
    for (; ok_ && !from.empty(); from.remove_prefix(std::min(kPiece, from.size()))) {
      const size_t at = to.size(), size = std::min(kPiece, from.size());
      to.resize(at + size);
      int n = 0;
      ok_ = EVP_CipherUpdate(ctx_.get(), reinterpret_cast<unsigned char*>(to.data() + at), &n, in(from),
                             static_cast<int>(size)) == 1 &&
            n == static_cast<int>(size);
    }
  }
  bool finish(std::string& tag) {
    unsigned char rest[16];
    int n = 0;
    if (way_ == Way::Open)
      ok_ = ok_ && EVP_CIPHER_CTX_ctrl(ctx_.get(), EVP_CTRL_AEAD_SET_TAG, kTagSize, tag.data()) == 1;
    ok_ = ok_ && EVP_CipherFinal_ex(ctx_.get(), rest, &n) == 1;
    if (way_ == Way::Seal) {
      tag.resize(kTagSize);
      ok_ = ok_ && EVP_CIPHER_CTX_ctrl(ctx_.get(), EVP_CTRL_AEAD_GET_TAG, kTagSize, tag.data()) == 1;
    }
    return ok_;
  }

 private:
  const Way way_;
  std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> ctx_{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
  bool ok_ = false;
};

}  // namespace

Result<std::string> aes_gcm_seal(const Secret& key, std::string_view plain, std::string_view aad,
                                 std::string nonce) {
  XPLAN_CHECK(is_aes_key_size(key.size()));
  if (nonce.empty()) nonce = random_bytes(kNonceSize);
  if (nonce.size() != kNonceSize) return Error{"the system failed to provide random numbers"};
  Gcm gcm(Gcm::Way::Seal, key, nonce);
  gcm.associate(aad);
  std::string out, tag;
  out.reserve(nonce.size() + plain.size() + kTagSize);
  out += nonce;
  gcm.update(plain, out);
  if (!gcm.finish(tag)) return Error{"the cryptographic library failed to encrypt"};
  return out += tag;
}

Result<std::string> aes_gcm_open(const Secret& key, std::string_view sealed, std::string_view aad) {
  XPLAN_CHECK(is_aes_key_size(key.size()));
  if (sealed.size() < kNonceSize + kTagSize) return Error{"the encrypted data is incomplete"};
  std::string tag(sealed.substr(sealed.size() - kTagSize)), out;
  Gcm gcm(Gcm::Way::Open, key, sealed.substr(0, kNonceSize));
  gcm.associate(aad);
  gcm.update(sealed.substr(kNonceSize, sealed.size() - kNonceSize - kTagSize), out);
  if (gcm.finish(tag)) return out;
  wipe(out);
  return Error{"either the key is wrong, or the data was changed after it was encrypted"};
}

}  // namespace xplan::crypt

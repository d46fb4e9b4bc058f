// rsadecrypt: reads PEM and OpenSSH private keys and decrypts with OpenSSL.
#include "core/eval/functions/rsa.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <array>
#include <memory>

#include "core/base/base64.h"

namespace xplan::eval {

namespace {

template <class T, void (*Free)(T*)>
struct Freer {
  void operator()(T* p) const { Free(p); }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY, EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freer<EVP_PKEY_CTX, EVP_PKEY_CTX_free>>;
using Big = std::unique_ptr<BIGNUM, Freer<BIGNUM, BN_clear_free>>;
using BigContext = std::unique_ptr<BN_CTX, Freer<BN_CTX, BN_CTX_free>>;
using ParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, Freer<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, Freer<OSSL_PARAM, OSSL_PARAM_free>>;

int no_passphrase(char*, int, int, void*) {
  return -1;
}

// The fields of an OpenSSH key file: 32-bit length, then the bytes.
struct Fields {
  std::string_view rest;
  bool ok = true;
  uint32_t number() {
    if (rest.size() < 4) return ok = false, 0;
    uint32_t n = 0;
    for (int i = 0; i < 4; i++) n = n << 8 | uint8_t(rest[size_t(i)]);
    rest.remove_prefix(4);
    return n;
  }
  std::string_view field() {
    uint32_t n = number();
    if (!ok || n > rest.size()) return ok = false, std::string_view();
    std::string_view f = rest.substr(0, n);
    rest.remove_prefix(n);
    return f;
  }
};

Big big(std::string_view bytes) {
  return Big(BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), int(bytes.size()), nullptr));
}

Key make_key(std::string_view n, std::string_view e, std::string_view d, std::string_view p,
             std::string_view q, std::string_view q_inverse) {
  Big bn = big(n), be = big(e), bd = big(d), bp = big(p), bq = big(q), bi = big(q_inverse);
  Big dp(BN_new()), dq(BN_new()), p1(BN_dup(bp.get())), q1(BN_dup(bq.get()));
  BigContext scratch(BN_CTX_new());
  if (BN_is_zero(bp.get()) || BN_is_zero(bq.get())) return {};
  if (!BN_sub_word(p1.get(), 1) || !BN_sub_word(q1.get(), 1) || BN_is_zero(p1.get()) || BN_is_zero(q1.get()))
    return {};
  if (!BN_mod(dp.get(), bd.get(), p1.get(), scratch.get()) ||
      !BN_mod(dq.get(), bd.get(), q1.get(), scratch.get()))
    return {};
  ParamBuilder b(OSSL_PARAM_BLD_new());
  const std::array<std::pair<const char*, BIGNUM*>, 8> parts = {
      {{OSSL_PKEY_PARAM_RSA_N, bn.get()},
       {OSSL_PKEY_PARAM_RSA_E, be.get()},
       {OSSL_PKEY_PARAM_RSA_D, bd.get()},
       {OSSL_PKEY_PARAM_RSA_FACTOR1, bp.get()},
       {OSSL_PKEY_PARAM_RSA_FACTOR2, bq.get()},
       {OSSL_PKEY_PARAM_RSA_EXPONENT1, dp.get()},
       {OSSL_PKEY_PARAM_RSA_EXPONENT2, dq.get()},
       {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, bi.get()}}};
  for (auto [name, value] : parts) {
    if (!OSSL_PARAM_BLD_push_BN(b.get(), name, value)) return {};
  }
  Params params(OSSL_PARAM_BLD_to_param(b.get()));
  KeyContext ctx(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  if (!ctx || EVP_PKEY_fromdata_init(ctx.get()) <= 0 ||
      EVP_PKEY_fromdata(ctx.get(), &key, EVP_PKEY_KEYPAIR, params.get()) <= 0) {
    return {};
  }
  return Key(key);
}

Key openssh_key(std::string_view body, std::string& message) {
  message = "the OpenSSH private key is damaged";
  std::string bytes;
  constexpr std::string_view kMagic("openssh-key-v1\0", 15);
  if (!base64_decode(body, bytes) || !bytes.starts_with(kMagic)) return {};
  Fields file{std::string_view(bytes).substr(kMagic.size())};
  std::string_view cipher = file.field();
  file.field();  // key derivation
  file.field();  // and its options
  uint32_t keys = file.number();
  file.field();  // the public key
  if (!file.ok) return {};
  if (cipher != "none") {
    message = "the private key is protected by a passphrase; an unprotected one is required";
    return {};
  }
  Fields secret{file.field()};
  uint32_t check = secret.number();
  if (!file.ok || keys != 1 || secret.number() != check || !secret.ok) return {};
  if (secret.field() != "ssh-rsa") {
    if (secret.ok) message = "the private key is not an RSA key";
    return {};
  }
  std::string_view n = secret.field(), e = secret.field(), d = secret.field();
  std::string_view q_inverse = secret.field(), p = secret.field(), q = secret.field();
  return secret.ok ? make_key(n, e, d, p, q, q_inverse) : Key();
}

Key read_key(std::string_view pem, std::string& message) {
  constexpr std::string_view kBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";
  if (size_t begin = pem.find(kBegin); begin != std::string_view::npos) {
    std::string_view body = pem.substr(begin + kBegin.size());
    return openssh_key(body.substr(0, body.find("-----END")), message);
  }
  if (pem.find("-----BEGIN ") == std::string_view::npos) {
    message =
        "the private key must be in PEM format, which begins with a line such as -----BEGIN RSA PRIVATE "
        "KEY-----";
    return {};
  }
  message = "the private key cannot be read; it must be an unprotected key in PEM format";
  std::unique_ptr<BIO, Freer<BIO, BIO_free_all>> bio(BIO_new_mem_buf(pem.data(), int(pem.size())));
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
  if (key && EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) {
    message = "the private key is not an RSA key";
    return {};
  }
  return key;
}

}  // namespace

RsaProblem rsa_decrypt(std::string_view cipher, std::string_view pem, std::string& out,
                       std::string& message) {
  constexpr size_t kMaxKeyText = size_t{1} << 20;
  if (pem.size() > kMaxKeyText) {
    message = "the private key is too long to be valid";
    return RsaProblem::Key;
  }
  Key key = read_key(pem, message);
  ERR_clear_error();
  if (!key) return RsaProblem::Key;
  KeyContext ctx(EVP_PKEY_CTX_new(key.get(), nullptr));
  // Newer libraries would turn wrong padding into random text; older ones do not know the setting.
  if (EVP_PKEY_decrypt_init(ctx.get()) > 0)
    EVP_PKEY_CTX_ctrl_str(ctx.get(), "rsa_pkcs1_implicit_rejection", "0");
  size_t size = size_t(EVP_PKEY_get_size(key.get()));
  out.resize(size);
  const auto* in = reinterpret_cast<const unsigned char*>(cipher.data());
  bool ok =
      EVP_PKEY_CTX_set_rsa_padding(ctx.get(), RSA_PKCS1_PADDING) > 0 &&
      EVP_PKEY_decrypt(ctx.get(), reinterpret_cast<unsigned char*>(out.data()), &size, in, cipher.size()) > 0;
  ERR_clear_error();
  if (!ok) {
    out.clear();
    message =
        "the string cannot be decrypted with this key; it was encrypted for another key, or with a padding "
        "other than PKCS #1 v1.5";
    return RsaProblem::Text;
  }
  out.resize(size);
  return RsaProblem::None;
}

}  // namespace xplan::eval

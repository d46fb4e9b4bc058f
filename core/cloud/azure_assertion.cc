// What an application with a certificate shows instead of a secret: a token that its key has signed.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/cloud/azure_sources.h"
#include "core/cloud/signing.h"

namespace xplan::cloud {
namespace {

template <auto f>
struct Free {
  template <class T>
  void operator()(T* p) const {
    f(p);
  }
};
template <class T, auto f>
using Owned = std::unique_ptr<T, Free<f>>;

// Files of older tools are encrypted in ways that OpenSSL has in a provider of its own, if it is installed.
struct Opened {
  Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free> context{OSSL_LIB_CTX_new()};
  Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> usual{OSSL_PROVIDER_load(context.get(), "default")};
  Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> older{OSSL_PROVIDER_load(context.get(), "legacy")};
  Owned<EVP_PKEY, EVP_PKEY_free> key;
  Owned<X509, X509_free> certificate;
};

Result<void> open_certificate(Opened& to, const std::string& bytes, const std::string& password) {
  const std::string what = "the client certificate ";
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  PKCS12* started = PKCS12_init_ex(NID_pkcs7_data, to.context.get(), nullptr);
  const bool read = started && d2i_PKCS12(&started, &data, static_cast<long>(bytes.size()));
  const Owned<PKCS12, PKCS12_free> file(started);
  ERR_clear_error();
  if (!read) return Error{what + "is not a PKCS#12 file (PFX)"};
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  const bool opened = PKCS12_parse(file.get(), password.c_str(), &key, &certificate, nullptr) == 1;
  to.key.reset(key), to.certificate.reset(certificate);
  ERR_clear_error();
  if (!opened) return Error{what + "cannot be opened; check \"client_certificate_password\""};
  if (!key || !certificate) return Error{what + "must contain a certificate and its private key"};
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) return Error{what + "must have an RSA key"};
  return {};
}

std::string thumbprint(X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size <= 0) return {};
  const std::string bytes(reinterpret_cast<char*>(der), static_cast<size_t>(size));
  CRYPTO_free(der, "", 0);  // its macro would put the path of this file into the program
  return base64url_encode(digest(Digest::Sha1, bytes));
}

std::string random_id() {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return {};
  return uuid_text({reinterpret_cast<char*>(bytes), sizeof bytes});
}

}  // namespace

Result<std::string> signed_assertion(const AzureIdentity& identity, const std::string& audience,
                                     int64_t now) {
  Opened opened;
  if (Result<void> fine = open_certificate(opened, identity.certificate, identity.certificate_password);
      !fine)
    return fine.error();
  const Json header = {{"alg", "RS256"}, {"typ", "JWT"}, {"x5t", thumbprint(opened.certificate.get())}};
  const Json claims = {{"aud", audience},
                       {"iss", identity.client},
                       {"sub", identity.client},
                       {"jti", random_id()},
                       {"iat", now},
                       {"nbf", now},
                       {"exp", now + 600}};
  const std::string text =
      base64url_encode(document_text(header)) + "." + base64url_encode(document_text(claims));
  const std::string signature = sign_rs256(opened.key.get(), text);
  if (signature.empty()) return Error{"the key of the client certificate cannot sign"};
  return text + "." + base64url_encode(signature);
}

}  // namespace xplan::cloud

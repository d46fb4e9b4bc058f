#include "core/provider/kit/server/identity.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <memory>

namespace xplan::kit {
namespace {

template <class T, void (*F)(T*)>
struct Free {
  void operator()(T* p) const { F(p); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY, EVP_PKEY_free>>;
using Cert = std::unique_ptr<X509, Free<X509, X509_free>>;
using Bio = std::unique_ptr<BIO, Free<BIO, BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION, X509_EXTENSION_free>>;

bool add_extension(X509* cert, int nid, const char* value) {
  X509V3_CTX ctx;
  X509V3_set_ctx_nodb(&ctx);
  X509V3_set_ctx(&ctx, cert, cert, nullptr, nullptr, 0);
  Extension e(X509V3_EXT_conf_nid(nullptr, &ctx, nid, value));
  return e && X509_add_ext(cert, e.get(), -1) == 1;
}

bool fill(X509* cert, EVP_PKEY* key) {
  uint64_t serial = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) != 1) return false;
  constexpr long kYear = 365L * 24 * 3600;
  X509_NAME* name = X509_get_subject_name(cert);
  auto entry = [&](const char* field, const char* text) {
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, reinterpret_cast<const unsigned char*>(text),
                                      -1, -1, 0) == 1;
  };
  return X509_set_version(cert, 2) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(cert), serial >> 1) == 1 &&
         X509_gmtime_adj(X509_getm_notBefore(cert), -60) &&
         X509_gmtime_adj(X509_getm_notAfter(cert), kYear) && X509_set_pubkey(cert, key) == 1 &&
         entry("CN", "localhost") && entry("O", "xplan") && X509_set_issuer_name(cert, name) == 1 &&
         add_extension(cert, NID_basic_constraints, "critical,CA:TRUE") &&
         add_extension(cert, NID_key_usage,
                       "critical,digitalSignature,keyEncipherment,keyAgreement,keyCertSign") &&
         add_extension(cert, NID_ext_key_usage, "serverAuth,clientAuth") &&
         add_extension(cert, NID_subject_alt_name, "DNS:localhost") && X509_sign(cert, key, EVP_sha256()) > 0;
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  long n = BIO_get_mem_data(bio, &data);
  return n > 0 ? std::string(data, static_cast<size_t>(n)) : std::string();
}

std::string base64(const unsigned char* data, int length) {
  std::string out(static_cast<size_t>(length + 2) / 3 * 4 + 1, '\0');
  out.resize(
      static_cast<size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), data, length)));
  while (!out.empty() && out.back() == '=') out.pop_back();
  return out;
}

}  // namespace

Result<TlsIdentity> make_tls_identity() {
  const Error failed{"the certificate for the connection could not be made"};
  Key key(EVP_EC_gen("P-256"));
  Cert cert(X509_new());
  if (!key || !cert || !fill(cert.get(), key.get())) return failed;
  TlsIdentity out;
  Bio bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return failed;
  out.key_pem = text_of(bio.get());
  bio.reset(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_X509(bio.get(), cert.get()) != 1) return failed;
  out.cert_pem = text_of(bio.get());
  unsigned char* der = nullptr;
  int n = i2d_X509(cert.get(), &der);
  if (n <= 0) return failed;
  out.cert_base64 = base64(der, n);
  OPENSSL_free(der);
  return out;
}

}  // namespace xplan::kit

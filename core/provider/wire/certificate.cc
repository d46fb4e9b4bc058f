// Makes the self-signed certificates of plugin connections with OpenSSL, and converts between PEM and the
// form in the handshake line.
#include "core/provider/wire/certificate.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>

namespace xplan::wire {
namespace {

template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* p) const {
    Free(p);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Bio = std::unique_ptr<BIO, Freer<BIO_free>>;

std::string text_of(BIO* b) {
  char* data = nullptr;
  long n = BIO_get_mem_data(b, &data);
  return std::string(data, static_cast<size_t>(n));
}

bool extend(X509* c, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, c, c, nullptr, nullptr, 0);
  std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>> e(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  return e && X509_add_ext(c, e.get(), -1) == 1;
}

bool fill(X509* c, EVP_PKEY* key) {
  unsigned char serial[16];
  if (RAND_bytes(serial, sizeof serial) != 1) return false;
  serial[0] &= 0x7f;
  std::unique_ptr<BIGNUM, Freer<BN_free>> n(BN_bin2bn(serial, sizeof serial, nullptr));
  if (!n || !BN_to_ASN1_INTEGER(n.get(), X509_get_serialNumber(c))) return false;
  X509_set_version(c, 2);
  X509_gmtime_adj(X509_getm_notBefore(c), -24 * 3600);
  X509_gmtime_adj(X509_getm_notAfter(c), 365L * 24 * 3600);
  X509_set_pubkey(c, key);
  X509_NAME* name = X509_get_subject_name(c);
  auto add = [&](const char* field, const char* value) {
    X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, reinterpret_cast<const unsigned char*>(value), -1,
                               -1, 0);
  };
  add("O", "xplan");
  add("CN", "localhost");
  X509_set_issuer_name(c, name);
  return extend(c, NID_basic_constraints, "critical,CA:TRUE") &&
         extend(c, NID_key_usage, "critical,digitalSignature,keyEncipherment,keyAgreement,keyCertSign") &&
         extend(c, NID_ext_key_usage, "clientAuth,serverAuth") &&
         extend(c, NID_subject_alt_name, "DNS:localhost") && X509_sign(c, key, EVP_sha256()) > 0;
}

}  // namespace

Result<TlsIdentity> make_tls_identity(const char* curve) {
  const Error failed{"failed to create a certificate for the connection to the plugin"};
  Key key(EVP_EC_gen(curve));
  Certificate c(X509_new());
  Bio cert_text(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
  if (!key || !c || !cert_text || !key_text || !fill(c.get(), key.get())) return failed;
  if (PEM_write_bio_X509(cert_text.get(), c.get()) != 1 ||
      PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return failed;
  return TlsIdentity{text_of(cert_text.get()), text_of(key_text.get())};
}

std::string handshake_certificate(std::string_view pem) {
  std::string out;
  for (size_t i = 0; i < pem.size();) {
    size_t end = std::min(pem.find('\n', i), pem.size());
    if (pem[i] != '-') out += pem.substr(i, end - i);
    i = end + 1;
  }
  while (!out.empty() && out.back() == '=') out.pop_back();
  return out;
}

Result<std::string> certificate_pem(std::string_view handshake_form) {
  const Error bad{"the certificate in its first line of output cannot be read"};
  std::string padded(handshake_form);
  while (!padded.empty() && padded.back() == '=') padded.pop_back();
  size_t length = padded.size() * 3 / 4;
  if (padded.size() % 4 == 1 || padded.size() > 100'000) return bad;
  padded.append((4 - padded.size() % 4) % 4, '=');
  std::string der(padded.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(der.data()),
                      reinterpret_cast<const unsigned char*>(padded.data()),
                      static_cast<int>(padded.size())) < 0)
    return bad;
  const auto* p = reinterpret_cast<const unsigned char*>(der.data());
  Certificate c(d2i_X509(nullptr, &p, static_cast<long>(length)));
  Bio out(BIO_new(BIO_s_mem()));
  ERR_clear_error();
  if (!c || !out || PEM_write_bio_X509(out.get(), c.get()) != 1) return bad;
  return text_of(out.get());
}

}  // namespace xplan::wire

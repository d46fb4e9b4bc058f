// Wiping of bytes that nobody is to find, and random bytes.
#include "core/base/secret.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

namespace xplan {

void wipe(std::string& bytes) {
  bytes.resize(bytes.capacity());  // what it once was longer by
  OPENSSL_cleanse(bytes.data(), bytes.size());
  bytes.clear();
}

std::string random_bytes(size_t n) {
  std::string out(n, '\0');
  if (RAND_priv_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(n)) != 1) out.clear();
  return out;
}

}  // namespace xplan

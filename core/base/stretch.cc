// Stretches a key with OpenSSL's scrypt.
#include "core/base/stretch.h"

#include <openssl/evp.h>

namespace xplan {

std::string stretch(std::string_view bytes, std::string_view salt) {
  constexpr uint64_t kCost = 1 << 15, kBlock = 8, kParallel = 1, kMostMemory = uint64_t{64} << 20;
  std::string out(32, '\0');
  const int ok = EVP_PBE_scrypt(
      bytes.data(), bytes.size(), reinterpret_cast<const unsigned char*>(salt.data()), salt.size(), kCost,
      kBlock, kParallel, kMostMemory, reinterpret_cast<unsigned char*>(out.data()), out.size());
  return ok == 1 ? out : "";
}

}  // namespace xplan

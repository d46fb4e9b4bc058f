#include <sys/random.h>

#include <cerrno>

#include <cstdlib>

#include "core/state/store.h"

namespace xplan {
namespace {

void random_bytes(unsigned char* out, size_t n) {
  for (size_t have = 0; have < n;) {
    ssize_t got = ::getrandom(out + have, n - have, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      std::abort();  // a lineage that is not random could make two states look like one
    }
    have += static_cast<size_t>(got);
  }
}

std::string hex(const unsigned char* bytes, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i)
    out += "0123456789abcdef"[bytes[i] >> 4], out += "0123456789abcdef"[bytes[i] & 15];
  return out;
}

}  // namespace

std::string new_uuid() {
  unsigned char b[16];
  random_bytes(b, sizeof b);
  b[6] = static_cast<unsigned char>((b[6] & 0x0f) | 0x40);
  b[8] = static_cast<unsigned char>((b[8] & 0x3f) | 0x80);
  std::string h = hex(b, 16);
  return h.substr(0, 8) + "-" + h.substr(8, 4) + "-" + h.substr(12, 4) + "-" + h.substr(16, 4) + "-" +
         h.substr(20);
}

std::string new_deposed_key(const std::map<std::string, ObjectPtr>& taken) {
  for (;;) {
    unsigned char b[4];
    random_bytes(b, sizeof b);
    std::string key = hex(b, 4);
    if (!taken.count(key)) return key;
  }
}

}  // namespace xplan

// Random identifiers: the lineage of a state (UUID) and deposed keys. Declared in store.h.
#include <sys/random.h>

#include <cerrno>

#include <cstdlib>

#include "core/base/base64.h"
#include "core/state/store.h"

namespace xplan {
namespace {

std::string random_bytes(size_t n) {
  std::string out(n, '\0');
  for (size_t have = 0; have < n;) {
    ssize_t got = ::getrandom(out.data() + have, n - have, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      std::abort();  // a lineage that is not random could make two states look like one
    }
    have += static_cast<size_t>(got);
  }
  return out;
}

}  // namespace

std::string new_uuid() {
  std::string b = random_bytes(16);
  b[6] = static_cast<char>((b[6] & 0x0f) | 0x40);
  b[8] = static_cast<char>((b[8] & 0x3f) | 0x80);
  return uuid_text(b);
}

std::string new_deposed_key(const std::map<std::string, ObjectPtr>& taken) {
  for (;;) {
    std::string key = hex_encode(random_bytes(4));
    if (!taken.count(key)) return key;
  }
}

}  // namespace xplan

// Random identifiers: the lineage of a state (UUID) and deposed keys. Declared in store.h.
#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/base/secret.h"
#include "core/state/store.h"

namespace xplan {
namespace {

std::string surely_random(size_t n) {
  std::string out = random_bytes(n);
  XPLAN_CHECK(out.size() == n);  // a lineage that is not random could make two states look like one
  return out;
}

}  // namespace

std::string new_uuid() {
  std::string b = surely_random(16);
  b[6] = static_cast<char>((b[6] & 0x0f) | 0x40);
  b[8] = static_cast<char>((b[8] & 0x3f) | 0x80);
  return uuid_text(b);
}

std::string new_deposed_key(const std::map<std::string, ObjectPtr>& taken) {
  for (;;) {
    std::string key = hex_encode(surely_random(4));
    if (!taken.count(key)) return key;
  }
}

}  // namespace xplan

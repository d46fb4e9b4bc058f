// Secret: bytes that are wiped when they go: keys and passphrases.
//
// Who calls it: all of core/crypt, and core/cloud for tokens.  Contract: moved, never copied but by copy();
// nothing that prints takes one. Cost: one allocation.  Thread-safety: as a string's.
#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace xplan {

void wipe(std::string& bytes);  // and leaves it empty

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string bytes) : bytes_(std::move(bytes)) { wipe(bytes); }
  Secret(Secret&& o) noexcept { take(o); }
  Secret& operator=(Secret&& o) noexcept {
    if (this != &o) take(o);
    return *this;
  }
  ~Secret() { wipe(bytes_); }
  Secret copy() const { return Secret(bytes_); }
  std::string_view bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }

 private:
  void take(Secret& o) {
    wipe(bytes_);
    bytes_.swap(o.bytes_);
  }
  std::string bytes_;
};

// That many random bytes, for keys and nonces; empty: the system has none.
std::string random_bytes(size_t n);

}  // namespace xplan

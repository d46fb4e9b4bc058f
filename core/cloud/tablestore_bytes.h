// Bytes of TableStore's forms, taken one after the other.
//
// Who calls it: tablestore_message.cc and tablestore_row.cc.
// Contract: what comes from a server is hostile: after something was not there, nothing is, and fine() is
// false.  Cost: constant. Thread-safety: none.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xplan::cloud::tablestore {

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool fine() const { return fine_; }
  bool empty() const { return bytes_.empty(); }
  std::string_view take(uint64_t n) {
    if (n > bytes_.size()) fine_ = false;
    if (!fine_) return {};
    const std::string_view out = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return out;
  }
  uint8_t byte() {
    const std::string_view b = take(1);
    return b.empty() ? 0 : static_cast<uint8_t>(b[0]);
  }
  bool next_is(uint8_t tag) const {
    return fine_ && !bytes_.empty() && static_cast<uint8_t>(bytes_[0]) == tag;
  }
  bool take_tag(uint8_t tag) { return next_is(tag) && byte() == tag; }
  uint32_t number() {  // of four bytes, the lowest first
    uint32_t out = 0;
    int shift = 0;
    for (const char c : take(4)) out |= static_cast<uint32_t>(static_cast<uint8_t>(c)) << shift, shift += 8;
    return out;
  }
  uint64_t varint() {
    uint64_t out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t b = byte();
      out |= static_cast<uint64_t>(b & 127) << shift;
      if (!(b & 128)) return out;
    }
    fine_ = false;
    return 0;
  }

 private:
  std::string_view bytes_;
  bool fine_ = true;
};

}  // namespace xplan::cloud::tablestore

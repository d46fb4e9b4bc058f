// IP addresses and prefixes: parsing and printing.
//
// Who calls it: network.cc.
// Contract: octets may have leading zeros and are decimal all the same (configurations rely on it). IPv4
// addresses written inside IPv6 (::ffff:1.2.3.4) stay 128 bits wide and print as IPv4. Cost: constant.
// Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xplan::eval {

__extension__ typedef unsigned __int128 Bits128;

struct Prefix {
  Bits128 address = 0;  // host bits are zero
  int width = 32;       // 32 or 128
  int length = 0;
  bool mapped() const { return width == 128 && address >> 32 == 0xFFFF; }  // IPv4 inside IPv6
};

Bits128 low_bits(int n);  // n ones, n from 0 to 128
bool parse_prefix(std::string_view text, Prefix& out, std::string& why);
std::string address_text(Bits128 address, int width);
std::string prefix_text(const Prefix& p);

}  // namespace xplan::eval

// IP range functions: cidrcontains, cidrhost, cidrnetmask, cidrsubnet, cidrsubnets.
#include <algorithm>

#include "core/eval/function.h"
#include "core/eval/functions/ip.h"

namespace xplan::eval {

namespace {

bool prefix_argument(const Value& v, Prefix& out, CallError& error) {
  std::string why;
  if (parse_prefix(v.as_string(), out, why)) return true;
  error = {why, 0};
  return false;
}

// A whole number as sign and magnitude; numbers wider than 128 bits only say so.
struct WholeNumber {
  bool negative = false, too_wide = false;
  Bits128 magnitude = 0;
};

bool whole_argument(const Value& v, int at, WholeNumber& out, CallError& error) {
  Number n = v.as_number();
  if (!n.is_integer() || n.is_infinite()) {
    error = {"a whole number is required", at};
    return false;
  }
  std::string text = n.text();
  std::string_view digits = text;
  out.negative = digits.starts_with('-');
  if (out.negative) digits.remove_prefix(1);
  for (char c : digits) {
    if (out.magnitude > (~Bits128(0) - Bits128(c - '0')) / 10) {
      out.too_wide = true;
      return true;
    }
    out.magnitude = out.magnitude * 10 + Bits128(c - '0');
  }
  return true;
}

bool int_argument(const Value& v, int at, int64_t& out, CallError& error) {
  std::optional<int64_t> n = v.as_number().exact_int64();
  if (!n) {
    error = {"a whole number of bits is required", at};
    return false;
  }
  out = *n;
  return true;
}

// The address with `number` in the bits that end at `length`. False when it does not fit into the address.
// A negative number fills with ones, as two's complement does, and the magnitude of the sum counts. That, and
// numbers so large that they reach into the prefix, are odd, but existing configurations were planned with
// the results.
bool place(const Prefix& p, const WholeNumber& number, int length, Bits128& out) {
  int shift = p.width - length;
  Bits128 n = number.magnitude;
  if (number.too_wide || (n != 0 && (shift >= 128 || n << shift >> shift != n))) return false;
  n = shift >= 128 ? 0 : n << shift;
  out = number.negative && n != 0 ? 0 - (p.address | (0 - n)) : p.address | n;
  return (out & ~low_bits(p.width)) == 0;
}

Value fn_cidrhost(std::span<const Value> a, const CallContext&, CallError& error) {
  WholeNumber number;
  Prefix p;
  if (!whole_argument(a[1], 1, number, error) || !prefix_argument(a[0], p, error)) return {};
  Bits128 most = low_bits(p.width - p.length), address = 0;
  // Of a positive number only the low 63 bits are compared with the room for it; see place() for the rest.
  int64_t low = int64_t(uint64_t(number.magnitude));
  bool fits =
      !number.too_wide && (number.negative ? number.magnitude - 1 <= most : low < 0 || Bits128(low) <= most);
  if (number.too_wide && number.negative) {
    // -2^128 is host 0 of a range that spans everything.
    fits = most == ~Bits128(0) && a[1].as_number().text() == "-340282366920938463463374607431768211456";
    number = fits ? WholeNumber() : number;
  } else if (number.negative && fits) {
    number = {false, false, most - (number.magnitude - 1)};
  }
  if (!fits || !place(p, number, p.width == 32 || p.mapped() ? 32 : 128, address)) {
    error = {"a prefix of " + std::to_string(p.length) + " bits has no host with that number: " +
                 std::to_string(p.width - p.length) + " bits are left for host numbers",
             1};
    return {};
  }
  return Value::string(address_text(address, p.width));
}

// An IPv4 prefix written inside IPv6 as what it is.
Prefix without_mapping(const Prefix& p) {
  return p.mapped() ? Prefix{p.address & low_bits(32), 32, std::max(p.length - 96, 0)} : p;
}

Value fn_cidrcontains(std::span<const Value> a, const CallContext&, CallError& error) {
  Prefix outer, inner;
  if (!prefix_argument(a[0], outer, error)) return {};
  std::string text(a[1].as_string()), why;
  if (text.find('/') == text.npos) text += text.find(':') == text.npos ? "/32" : "/128";
  if (!parse_prefix(text, inner, why)) {
    error = {"an IP address or a prefix in CIDR notation is required, such as 10.0.0.1 or 10.1.0.0/16", 1};
    return {};
  }
  outer = without_mapping(outer), inner = without_mapping(inner);
  if (outer.width != inner.width) {
    auto family = [](const Prefix& p) { return std::string(p.width == 32 ? "IPv4" : "IPv6"); };
    error = {"this is " + family(inner) + ", but the containing prefix is " + family(outer), 1};
    return {};
  }
  const Bits128 host = low_bits(outer.width - outer.length);
  return Value::boolean(inner.length >= outer.length && (inner.address & ~host) == outer.address);
}

Value fn_cidrnetmask(std::span<const Value> a, const CallContext&, CallError& error) {
  Prefix p;
  if (!prefix_argument(a[0], p, error)) return {};
  if (p.width == 128 && !p.mapped()) {
    error = {"only IPv4 prefixes have netmasks; IPv6 prefixes are written with their length", 0};
    return {};
  }
  return Value::string(address_text(low_bits(p.width) & ~low_bits(p.width - p.length), p.width));
}

Value fn_cidrsubnet(std::span<const Value> a, const CallContext&, CallError& error) {
  int64_t new_bits = 0;
  WholeNumber number;
  Prefix p;
  if (!int_argument(a[1], 1, new_bits, error) || !whole_argument(a[2], 2, number, error) ||
      !prefix_argument(a[0], p, error)) {
    return {};
  }
  if (new_bits > p.width - p.length || new_bits < -p.length) {
    error = {"a prefix of " + std::to_string(p.length) + " bits cannot be extended by " +
                 std::to_string(new_bits) + " bits: an address has " + std::to_string(p.width),
             1};
    return {};
  }
  // Only the low 64 bits of the number are compared with the room for it; see place() for what is behind
  // them.
  uint64_t most = new_bits >= 0 && new_bits < 64 ? (uint64_t{1} << new_bits) - 1 : UINT64_MAX;
  Prefix subnet{0, p.width, p.length + int(new_bits)};
  if (uint64_t(number.magnitude) > most || !place(p, number, subnet.length, subnet.address)) {
    error = {std::to_string(new_bits) + " additional bits are not enough for a subnet with that number", 2};
    return {};
  }
  return Value::string(prefix_text(subnet));
}

Value fn_cidrsubnets(std::span<const Value> a, const CallContext&, CallError& error) {
  constexpr int64_t kMaxNewBits = 32;
  Prefix p;
  if (!prefix_argument(a[0], p, error)) return {};
  const Bits128 all = low_bits(p.width), last_of_range = p.address | low_bits(p.width - p.length);
  Bits128 last = (p.address - 1) & all;  // of the subnet before
  std::vector<Value> subnets;
  for (size_t i = 1; i < a.size(); i++) {
    int64_t new_bits = 0;
    if (!int_argument(a[i], int(i), new_bits, error)) return {};
    if (new_bits < 1 || new_bits > kMaxNewBits || p.length + new_bits > p.width) {
      error = {"a subnet must have 1 to 32 bits more than its parent's " + std::to_string(p.length) +
                   ", and at most " + std::to_string(p.width) + " in all",
               int(i)};
      return {};
    }
    Prefix subnet{0, p.width, p.length + int(new_bits)};
    Bits128 hosts = low_bits(p.width - subnet.length);
    Bits128 next = ((last | hosts) + 1) & all;  // the next multiple of the subnet's size
    // Running past the end of the address space arrives at zero; so does a range that starts there, which has
    // always been refused.
    if (next == 0 || next < p.address || next > last_of_range || p.mapped()) {
      error = {"there are not enough addresses left in the range for a subnet of " +
                   std::to_string(subnet.length) + " bits",
               int(i)};
      return {};
    }
    subnet.address = next;
    last = next | hosts;
    subnets.push_back(Value::string(prefix_text(subnet)));
  }
  return Value::list(Type::string(), std::move(subnets));
}

}  // namespace

void register_network(FunctionTable& table) {
  const Type str = Type::string(), num = Type::number();
  table.add({.name = "cidrcontains",
             .params = {{"containing_prefix", str}, {"contained_ip_or_prefix", str}},
             .returns = Type::boolean(),
             .impl = fn_cidrcontains,
             .addition = true,
             .description = "Whether an address or a range lies in a range."});
  table.add({.name = "cidrhost",
             .params = {{"prefix", str}, {"hostnum", num}},
             .returns = str,
             .impl = fn_cidrhost,
             .description = "The address of the host with a given number in a range."});
  table.add({.name = "cidrnetmask",
             .params = {{"prefix", str}},
             .returns = str,
             .impl = fn_cidrnetmask,
             .description = "The netmask of an IPv4 prefix."});
  table.add({.name = "cidrsubnet",
             .params = {{"prefix", str}, {"newbits", num}, {"netnum", num}},
             .returns = str,
             .impl = fn_cidrsubnet,
             .description = "The subnet with a given number of a range."});
  table.add({.name = "cidrsubnets",
             .params = {{"prefix", str}},
             .variadic = Param{"newbits", num},
             .returns = Type::list(str),
             .impl = fn_cidrsubnets,
             .description = "Consecutive subnets of a range, by their sizes."});
}

}  // namespace xplan::eval

// A streaming splitter of protobuf fields, so that large repeated fields are decoded one element at a time.
#include "planfile/fields.h"

namespace xplan::planfile {
namespace {

// Bytes taken; 0: incomplete, -1: wrong.
int varint(std::string_view s, uint64_t& out) {
  out = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (i == 10) return -1;
    out |= static_cast<uint64_t>(s[i] & 0x7f) << (7 * i);
    if (!(s[i] & 0x80)) return static_cast<int>(i + 1);
  }
  return s.size() >= 10 ? -1 : 0;
}

bool handled(uint32_t number) {
  return number == 3 || number == 4 || number == 15 || number == 18;
}

}  // namespace

bool Fields::feed(std::string_view piece) {
  // Whole fields are taken straight from the piece.
  std::string_view input = piece;
  if (!pending_.empty()) {
    pending_ += piece;
    input = pending_;
  }
  size_t used = 0;
  for (;;) {
    size_t size = 0;
    if (!one(input.substr(used), size)) return false;
    if (size == 0) break;
    used += size;
  }
  // A long field comes in many pieces, which are appended: pending_ moves only when something was taken from
  // it.
  if (pending_.empty())
    pending_.assign(input.substr(used));
  else
    pending_.erase(0, used);
  return true;
}

bool Fields::finish() {
  return pending_.empty() || fail("it ends within a field");
}

bool Fields::one(std::string_view s, size_t& size) {
  size = 0;
  uint64_t tag = 0, length = 0;
  const int head = varint(s, tag);
  if (head == 0) return true;
  if (head < 0) return fail("a field in it has an invalid number");
  const auto number = static_cast<uint32_t>(tag >> 3);
  size_t at = static_cast<size_t>(head);
  switch (tag & 7) {
    case 0: {
      const int n = varint(s.substr(at), length);
      if (n < 0) return fail("a number in it is too long");
      if (n == 0) return true;
      size = at + static_cast<size_t>(n);
      rest_ += s.substr(0, size);
      return true;
    }
    case 1:
    case 5: {  // no field that is known is of these kinds
      const size_t n = (tag & 7) == 1 ? 8 : 4;
      if (s.size() >= at + n) size = at + n;
      return true;
    }
    case 2:
      break;
    default:
      return fail("a field in it is of an unknown kind");
  }
  const int n = varint(s.substr(at), length);
  if (n < 0 || length > kMaxField) return fail("a field in it is larger than a plan field can be");
  if (n == 0) return true;
  at += static_cast<size_t>(n);
  if (s.size() - at < length) return true;
  size = at + static_cast<size_t>(length);
  if (handled(number)) {
    if (Result<void> r = handler_(number, s.substr(at, static_cast<size_t>(length))); !r)
      return error_ = r.error(), false;
    return true;
  }
  rest_ += s.substr(0, size);
  return rest_.size() <= kMaxField || fail("it is larger than a plan can be");
}

}  // namespace xplan::planfile

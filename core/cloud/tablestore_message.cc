// Reading and writing of messages.
#include "core/cloud/tablestore_message.h"

#include "core/cloud/tablestore_bytes.h"

namespace xplan::cloud::tablestore {
namespace {

std::string varint(uint64_t n) {
  std::string out;
  for (; n > 127; n >>= 7) out += static_cast<char>((n & 127) | 128);
  return out + static_cast<char>(n);
}

}  // namespace

Message& Message::add(int field, std::string_view bytes) {
  bytes_ += varint(static_cast<uint64_t>(field) << 3 | 2) + varint(bytes.size());
  bytes_ += bytes;
  return *this;
}

Message& Message::add(int field, uint64_t number) {
  bytes_ += varint(static_cast<uint64_t>(field) << 3) + varint(number);
  return *this;
}

std::optional<std::vector<Field>> read_message(std::string_view bytes) {
  std::vector<Field> out;
  for (Bytes in(bytes); !in.empty();) {
    const uint64_t tag = in.varint();
    Field f;
    f.number = static_cast<int>(tag >> 3 & 0x1FFFFFFF);
    switch (tag & 7) {
      case 0:
        f.integer = in.varint();
        break;
      case 1:
        f.bytes = in.take(8);
        break;
      case 2:
        f.bytes = in.take(in.varint());
        break;
      case 5:
        f.bytes = in.take(4);
        break;
      default:
        return std::nullopt;
    }
    if (!in.fine() || f.number == 0) return std::nullopt;
    out.push_back(f);
  }
  return out;
}

std::string_view bytes_of(const std::vector<Field>& fields, int number) {
  std::string_view out;
  for (const Field& f : fields)
    if (f.number == number) out = f.bytes;
  return out;
}

}  // namespace xplan::cloud::tablestore

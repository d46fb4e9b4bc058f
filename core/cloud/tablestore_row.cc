// Reading and writing of rows.
#include "core/cloud/tablestore_row.h"

#include "core/cloud/tablestore_bytes.h"

namespace xplan::cloud::tablestore {
namespace {

constexpr uint32_t kHeader = 0x75;
enum Tag : uint8_t {
  kKey = 1,
  kData,
  kCell,
  kCellName,
  kCellValue,
  kCellType,
  kCellTime,
  kDeleted,
  kRowSum,
  kCellSum
};
constexpr char kString = 3;

// CRC-8 with the polynomial x^8 + x^2 + x + 1.
class Sum {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      sum_ ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) sum_ = static_cast<uint8_t>(sum_ & 128 ? sum_ << 1 ^ 7 : sum_ << 1);
    }
  }
  char value() const { return static_cast<char>(sum_); }

 private:
  uint8_t sum_ = 0;
};

std::string little_endian(uint64_t n) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(n >> 8 * i & 255);
  return out;
}

void add_cell(std::string& out, Sum& row, const std::string& name, const std::string& text) {
  const std::string value = value_of(text);
  Sum sum;
  sum.add(name);
  sum.add(value);
  out += static_cast<char>(kCell);
  out += static_cast<char>(kCellName) + little_endian(name.size()) + name;
  out += static_cast<char>(kCellValue) + little_endian(value.size()) + value;
  out += {static_cast<char>(kCellSum), sum.value()};
  row.add({&out.back(), 1});
}

bool read_cell(Bytes& in, Sum& row, Columns& out) {
  Sum sum;
  if (!in.take_tag(kCell) || !in.take_tag(kCellName)) return false;
  const std::string_view name = in.take(in.number());
  sum.add(name);
  std::string_view value;
  if (in.take_tag(kCellValue)) sum.add(value = in.take(in.number()));
  const std::string_view type = in.take_tag(kCellType) ? in.take(1) : std::string_view();
  if (in.take_tag(kCellTime)) sum.add(in.take(8));
  sum.add(type);
  if (!in.take_tag(kCellSum) || in.byte() != static_cast<uint8_t>(sum.value()) || !in.fine()) return false;
  const char end = sum.value();
  row.add({&end, 1});
  if (value.size() >= 5 && value[0] == kString) out.emplace_back(name, value.substr(5));
  return true;
}

}  // namespace

std::string value_of(std::string_view text) {
  return kString + little_endian(text.size()) + std::string(text);
}

std::string row_of(const Columns& key, const Columns& columns, bool deleted) {
  Sum sum;
  std::string out = little_endian(kHeader) + static_cast<char>(kKey);
  for (const auto& [name, value] : key) add_cell(out, sum, name, value);
  if (!columns.empty()) out += static_cast<char>(kData);
  for (const auto& [name, value] : columns) add_cell(out, sum, name, value);
  if (deleted) out += static_cast<char>(kDeleted);
  const char last = deleted ? 1 : 0;
  sum.add({&last, 1});
  return out + static_cast<char>(kRowSum) + sum.value();
}

std::optional<Columns> read_row(std::string_view bytes) {
  Columns out;
  if (bytes.empty()) return out;
  Bytes in(bytes);
  Sum sum;
  if (in.number() != kHeader) return std::nullopt;
  for (const Tag part : {kKey, kData})
    if (in.take_tag(part))
      while (in.next_is(kCell))
        if (!read_cell(in, sum, out)) return std::nullopt;
  const char last = in.take_tag(kDeleted) ? 1 : 0;
  sum.add({&last, 1});
  if (!in.take_tag(kRowSum) || in.byte() != static_cast<uint8_t>(sum.value()) || !in.fine())
    return std::nullopt;
  return out;
}

}  // namespace xplan::cloud::tablestore

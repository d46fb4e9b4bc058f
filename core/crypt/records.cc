// Records of journals: AES-256-GCM with a key of their own and counted nonces.
#include "core/base/base64.h"
#include "core/crypt/aes_gcm.h"
#include "core/crypt/codec.h"

namespace xplan::crypt {
namespace {

constexpr uint64_t kMostRecords = uint64_t{1} << 32;

std::string nonce_of(uint64_t number) {
  std::string out(kNonceSize, '\0');
  for (size_t i = kNonceSize; number > 0; number >>= 8) out[--i] = static_cast<char>(number & 0xff);
  return out;
}

}  // namespace

Result<std::string> RecordWriter::seal(std::string_view record) {
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= kMostRecords)
    return Error{"the journal has reached the number of records that can be encrypted with one key"};
  Result<std::string> sealed = aes_gcm_seal(key_, record, {}, nonce_of(number));
  if (!sealed) return sealed.error();
  return base64_encode(*sealed);
}

Result<RecordReader::Record> RecordReader::open(std::string_view line) const {
  std::string sealed;
  if (!base64_decode(line, sealed)) return Error{"an encrypted record is incomplete or damaged"};
  Result<std::string> plain = aes_gcm_open(key_, sealed, {});
  if (!plain) return Error{"an encrypted record is damaged: it was changed since it was written"};
  Record out{std::move(*plain), 0};
  for (size_t i = 0; i < kNonceSize; ++i) out.number = out.number << 8 | static_cast<uint8_t>(sealed[i]);
  return out;
}

bool is_record_header(std::string_view line) {
  return line.starts_with("{\"meta\":");
}

}  // namespace xplan::crypt

// Computes the digest of a plan file while it is written, and checks it before anything else of the file is
// read, so that a damaged or edited plan is never applied.
#include "planfile/seal.h"

#include <algorithm>

#include "core/base/base64.h"

namespace xplan::planfile {
namespace {

constexpr std::string_view kMark = "xplan plan file, sha256 of all before: ";
constexpr size_t kHex = 64;

}  // namespace

std::string open_seal() {
  return std::string(kMark) + std::string(kHex, '0');
}

SealCloser::SealCloser(uint64_t size) : left_(size > kHex ? size - kHex : 0) {}

void SealCloser::pass(std::string& piece) {
  const size_t n = static_cast<size_t>(std::min<uint64_t>(left_, piece.size()));
  digest_.update(std::string_view(piece).substr(0, n));
  left_ -= n;
  if (n == piece.size()) return;
  if (closed_.empty()) closed_ = hex_encode(digest_.finish());
  const size_t rest = std::min(piece.size() - n, closed_.size() - at_);
  piece.replace(n, rest, closed_, at_, rest);
  at_ += rest;
}

Seal check_seal(std::FILE* file) {
  char end[kMark.size() + kHex];
  const long before = static_cast<long>(sizeof end);
  if (std::fseek(file, 0, SEEK_END) != 0) return Seal::None;
  const long size = std::ftell(file);
  if (size < before || std::fseek(file, size - before, SEEK_SET) != 0 ||
      std::fread(end, 1, sizeof end, file) != sizeof end)
    return Seal::None;
  const std::string_view tail(end, sizeof end);
  if (!tail.starts_with(kMark)) return Seal::None;
  std::rewind(file);
  DigestStream digest;
  std::string buffer(256 << 10, '\0');
  for (size_t left = static_cast<size_t>(size) - kHex; left > 0;) {
    const size_t n = std::fread(buffer.data(), 1, std::min(left, buffer.size()), file);
    if (n == 0) return Seal::Broken;
    digest.update({buffer.data(), n});
    left -= n;
  }
  return hex_encode(digest.finish()) == tail.substr(kMark.size()) ? Seal::Good : Seal::Broken;
}

}  // namespace xplan::planfile

// Packs gzip with zlib, piece by piece, and unpacks it.
#include "core/backend/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "core/base/gunzip.h"

namespace xplan::backend {
namespace {

constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
constexpr size_t kPiece = 256 << 10;

// zlib counts in 32 bits.
void feed(z_stream& z, std::string_view& rest) {
  const size_t n = std::min<size_t>(rest.size(), 1 << 30);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  z.avail_in = static_cast<uInt>(n);
  rest.remove_prefix(n);
}

}  // namespace

Result<std::string> gzip(std::string_view bytes) {
  z_stream z{};
  if (::deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{"there is not enough memory"};
  std::string out;
  int code = Z_OK;
  do {
    if (z.avail_in == 0) feed(z, bytes);
    const size_t at = out.size();
    out.resize(at + kPiece);
    z.next_out = reinterpret_cast<Bytef*>(out.data() + at);
    z.avail_out = kPiece;
    code = ::deflate(&z, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.resize(out.size() - z.avail_out);
  } while (code == Z_OK || code == Z_BUF_ERROR);
  ::deflateEnd(&z);
  if (code != Z_STREAM_END) return Error{"it cannot be compressed"};
  return out;
}

Result<std::string> gunzip(std::string_view bytes, uint64_t most) {
  using Status = Gunzip::Status;
  Gunzip stream;
  std::string out;
  const Status status = stream.take(bytes, [&](std::string_view piece) {
    out += piece;
    return out.size() <= most;
  });
  if (status == Status::Refused)
    return Error{"are larger than " + std::to_string(most) + " bytes when unpacked"};
  if (status == Status::More) return Error{"are compressed, but end too early"};
  if (status == Status::Damaged) return Error{"are not valid gzip"};
  return out;
}

}  // namespace xplan::backend

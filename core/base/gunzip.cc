// Unpacks gzip with zlib, which checks the sums.
#include "core/base/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>

namespace xplan {
namespace {

constexpr int kGzipFormat = 15 + 16;  // the largest window, with gzip's header
constexpr size_t kUnpackedPiece = 256 << 10;

}  // namespace

struct Gunzip::Stream {
  z_stream z{};
  std::string piece = std::string(kUnpackedPiece, '\0');
};

Gunzip::Gunzip() : stream_(std::make_unique<Stream>()) {
  if (::inflateInit2(&stream_->z, kGzipFormat) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() {
  ::inflateEnd(&stream_->z);
}

Gunzip::Status Gunzip::take(std::string_view bytes, const std::function<bool(std::string_view)>& give) {
  z_stream& z = stream_->z;
  bool full = false;  // there may be more to come of what was taken
  while (status_ == Status::More && (full || !bytes.empty())) {
    const size_t n = std::min<size_t>(bytes.size(), 1 << 30);  // zlib counts in 32 bits
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<uInt>(n);
    z.next_out = reinterpret_cast<Bytef*>(stream_->piece.data());
    z.avail_out = kUnpackedPiece;
    const int code = ::inflate(&z, Z_NO_FLUSH);
    bytes.remove_prefix(n - z.avail_in);
    full = z.avail_out == 0;
    const std::string_view out(stream_->piece.data(), kUnpackedPiece - z.avail_out);
    if (!out.empty() && !give(out)) return status_ = Status::Refused;
    if (code == Z_STREAM_END) status_ = Status::End;
    if (code != Z_STREAM_END && code != Z_OK && code != Z_BUF_ERROR) status_ = Status::Damaged;
  }
  if (status_ == Status::End && !bytes.empty()) status_ = Status::Damaged;
  return status_;
}

}  // namespace xplan

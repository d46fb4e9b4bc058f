// Unpacks gzip piece by piece.
//
// Who calls it: requests whose answers come compressed (core/net/transfer.cc); states that are kept so
// (core/backend/gzip.h).  Contract: the bytes are hostile: what comes out has no limit but the one that the
// taker sets; its sums are checked, and only a stream that ends is whole. Cost: linear; a piece of memory.
// Thread-safety: one thread.
#pragma once
#include <functional>
#include <memory>
#include <string_view>

namespace xplan {

class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // Damaged: it is not gzip, or something follows it. Refused: the taker wants no more.
  enum class Status { More, End, Damaged, Refused };
  // Calls `give` with what comes out of the next bytes, until it returns false.
  Status take(std::string_view bytes, const std::function<bool(std::string_view)>& give);
  Status status() const { return status_; }

 private:
  struct Stream;
  const std::unique_ptr<Stream> stream_;
  Status status_ = Status::More;
};

}  // namespace xplan

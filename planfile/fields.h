// Takes the entry "tfplan" apart as its bytes come in, so that a plan of a million changes is never in memory
// as a message and as changes together.
//
// Who calls it: read.cc.  Private to this folder.
// Contract: fields 3, 4, 15 and 18 (changes, outputs, references, drift) go to the handler one by one; all
// others are collected in rest(), which is then parsed as a message. After the first problem feed() returns
// false and error() says what it is. No field may be larger than kMaxField. Cost: linear; only a field that
// is cut by the end of a piece is copied.  Thread-safety: one object, one thread.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::planfile {

inline constexpr uint64_t kMaxField = uint64_t{512} << 20;

class Fields {
 public:
  using Handler = std::function<Result<void>(uint32_t number, std::string_view bytes)>;
  explicit Fields(Handler handler) : handler_(std::move(handler)) {}

  bool feed(std::string_view piece);
  bool finish();
  const std::string& rest() const { return rest_; }
  const Error& error() const { return error_; }

 private:
  bool fail(std::string why) { return error_ = {std::move(why)}, false; }
  bool one(std::string_view s, size_t& size);  // the first field of s; size 0 when it is not complete yet

  Handler handler_;
  std::string pending_, rest_;
  Error error_;
};

}  // namespace xplan::planfile

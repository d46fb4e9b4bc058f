// The zip around a saved plan: entries written from producers, sealed as a whole, and read with every size
// checked.
//
// Who calls it: write.cc, read.cc, snapshot.cc. Only container_read.cc and container_write.cc include the zip
// library.
// Contract: a ZipWriter asks each producer for its bytes when close() writes the file, one entry after the
// other, so only one of them is in memory at a time, beside the compressed file. close() replaces the file in
// one step. A ZipReader trusts nothing: names must be relative, plain and unique, sizes within kMaxEntry and
// kMaxRatio, checksums right. A file with any trace of xplan (a seal, an entry below kOwnPrefix) must be
// sealed and as it was when it was sealed (see seal.h); one without is another program's, and only its
// checksums protect it. A file that is encrypted, or must be, is decrypted first, in memory: nothing of it is
// ever on the disk in the clear. Cost: linear, streaming.  Thread-safety: one object, one thread.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/crypt/codec.h"

namespace xplan::planfile {

inline constexpr uint64_t kMaxEntry = uint64_t{4} << 30, kMaxSmallEntry = uint64_t{256} << 20;
inline constexpr uint64_t kMaxRatio = 300,
                          kFreeSize = uint64_t{64} << 20;  // of what inflates to more than kFreeSize
inline constexpr uint64_t kMaxEntries = 200'000;
inline constexpr std::string_view kOwnPrefix = "xplan/";

// Appends the next piece; false: there is no more (what was appended counts all the same).
using Producer = std::function<bool(std::string& piece)>;

class ZipWriter {
 public:
  ZipWriter(std::string path, int64_t unix_time);
  ~ZipWriter();
  // `start` is called when the entry's turn has come.
  void add(std::string name, std::function<Producer()> start);
  void add_text(std::string name, std::string text);
  // Encrypted if the codec does that, as a whole.
  Result<void> close(bool sealed = true, crypt::Codec& codec = *crypt::Codec::plain_plan());

  struct Entry;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ZipReader {
 public:
  ZipReader();
  ~ZipReader();
  Result<void> open(const std::string& path, crypt::Codec& codec = *crypt::Codec::plain_plan());
  std::vector<std::string> names() const;
  bool has(std::string_view name) const;
  bool sealed() const;  // made by xplan, and unchanged since
  // Calls sink with pieces of at most 256 KiB until the entry ends; sink returns false to stop (its own error
  // is then what the caller reports).
  Result<void> stream(const std::string& name, const std::function<bool(std::string_view)>& sink);
  Result<std::string> read(const std::string& name, uint64_t limit = kMaxEntry);

 private:
  Result<void> decrypt(uint64_t size, crypt::Codec& codec);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::planfile

// The end of a zip file: where its directory is, and that there is no other one.
//
// Who calls it: zip_directory.cc, and nobody else.
// Contract: the file is hostile. Tools look for the directory in different ways: by the end record, by the
// one for large files (zip64) before it, or backwards from either; here all of them find the same directory,
// or there is an error, a sentence that begins with "the archive". Cost: the last 64 KiB are read.
// Thread-safety: const functions may run concurrently.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::install {

class ZipFile {
 public:
  explicit ZipFile(const std::string& path);
  ~ZipFile();
  ZipFile(const ZipFile&) = delete;
  const std::string& problem() const { return problem_; }  // why it cannot be opened; empty: it is open
  uint64_t size() const { return size_; }
  std::string read(uint64_t at, uint64_t bytes) const;  // shorter when the file is

 private:
  const int fd_;
  uint64_t size_ = 0;
  std::string problem_;
};

struct ZipDirectory {
  uint64_t entries = 0, size = 0, at = 0;
};

Result<ZipDirectory> find_directory(const ZipFile& file);

// A number of so many bytes, the lowest first; 0 behind the end.
uint64_t zip_number(std::string_view s, size_t at, size_t bytes);
Error damaged_zip(std::string_view why);

constexpr uint64_t kZipElsewhere = 0xffffffff;  // the number stands in the record for large files

}  // namespace xplan::install

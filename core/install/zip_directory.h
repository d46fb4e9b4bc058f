// The directory at the end of a zip file, checked against the headers before its entries.
//
// Who calls it: archive_reader.cc, before anything else reads the file.
// Contract: the file is hostile. Some tools believe the directory and some the headers, so a file where they
// tell different names, sizes or checksums would be another one to each of them: that is an error, and so are
// entries that overlap, are encrypted, or are neither files, directories nor links, and whatever is not one
// zip file from its first byte to its last: headers that the directory does not name, a second directory,
// data before, between or behind the entries. Errors are sentences that begin with "the archive". Cost: the
// directory (256 MiB at most) is read into memory, and one header for each entry. Thread-safety: pure
// function.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace xplan::install {

struct UnpackLimits;

// The names of all entries, in the order in which they stand in the file.
Result<std::vector<std::string>> read_zip_directory(const std::string& path, const UnpackLimits& limits);

}  // namespace xplan::install

// Archives: zip files and tar files in any of the usual compressions.
//
// Who calls it: installation of provider packages and modules.
// Contract: the archive is hostile. Names that are absolute, lead out of the folder or occur twice, links
// that lead out, devices and whatever else is no file, and more than the limits allow end in an error; what
// had been written so far is the caller's to remove, so unpack into a folder of its own. Links to nothing are
// left out. Cost: linear; memory does not grow with the archive.  Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "core/base/result.h"

namespace xplan::install {

struct UnpackLimits {
  uint64_t bytes = uint64_t{8} << 30;
  uint64_t entries = 200'000;
};

// `dir` must exist and be empty.
Result<void> unpack(const std::string& archive, const std::string& dir, const UnpackLimits& limits = {});
// SHA-256 of each file, in hexadecimal, by name: what hash_listing() takes.
Result<std::map<std::string, std::string>> hash_files_in(const std::string& archive,
                                                         const UnpackLimits& limits = {});

}  // namespace xplan::install

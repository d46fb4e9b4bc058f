// Hashes of provider packages, in the two schemes of the dependency lock file.
//
// Who calls it: installation (checking and recording), the check before a provider is started.
// Schemes: "h1:" is base64 of the SHA-256 of a list "sha256hex, two spaces, path, newline" of all files of
// the package, sorted by path; "zh:" is the SHA-256 of the archive in hexadecimal. Cost: every byte is read
// once; with `stop`, no further file after it became true. Thread-safety: pure functions.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/provider/plugin/file_hashes.h"

namespace xplan::install {

// "h1:…"; `dir` itself may be a link. `known` spares reading files that it remembers.
Result<std::string> hash_directory(const std::string& dir, const plugin::FileHashes* known = nullptr,
                                   Stop stop = nullptr);
// "h1:…" of a package whose files are known: path → SHA-256 in hexadecimal.
std::string hash_listing(const std::map<std::string, std::string>& files);

}  // namespace xplan::install

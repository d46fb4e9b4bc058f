// Archives: zip files, and tar files in any of the usual compressions, unpacked or hashed.
//
// Who calls it: installation of provider packages and modules.
// Contract: the archive is hostile; what it may hold is checked by ArchiveReader (names, kinds of entries,
// sizes) and ArchiveLinks (where links lead), and TreeWriter writes nothing outside of `dir`. Names that
// occur twice are refused, modes are 0644 and 0755, links to nothing are left out; and of modules what is in
// ".git", since a git that runs in their directory would do what its configuration says. What had been
// written before an error is the caller's to remove, so unpack into a directory of its own. When `stop`
// becomes true, that is an error at the next entry or piece of one. Cost: linear, tar files are read twice;
// memory grows with links only. Thread-safety: pure functions.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/install/archive_reader.h"

namespace xplan::install {

// By the end of a file name: "tar.gz", "x.tar.gz".
std::optional<ArchiveKind> archive_kind(std::string_view name);

enum class ArchiveLinksMay : uint8_t { NotBe, StayInside };
// `dir` must exist and be empty.
Result<void> unpack(const std::string& archive, ArchiveKind kind, ArchiveLinksMay links,
                    const std::string& dir, Stop stop = nullptr, const UnpackLimits& limits = {});
// SHA-256 of each file of a zip, in hexadecimal, by name: what hash_listing() takes. Links are refused.
Result<std::map<std::string, std::string>> hash_files_in(const std::string& archive, Stop stop = nullptr,
                                                         const UnpackLimits& limits = {});

}  // namespace xplan::install

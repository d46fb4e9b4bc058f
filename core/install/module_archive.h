// Archives as module packages.
//
// Who calls it: module_fetch.cc, and what it fetches packages with.
// Contract: as module_fetch.h says. Cost: one pass over the archive, and one for its checksum. Thread-safety:
// any thread.
#pragma once
#include <optional>
#include <string>

#include "core/config/module_source.h"
#include "core/install/archive.h"

namespace xplan::install {

// By the argument "archive" or the URL; nothing when it leads to no archive.
std::optional<ArchiveKind> archive_of(const config::ModuleSource& s);
// What is in an archive becomes `target`, once the checksum that the source gives is found right.
Result<void> place_archive(const std::string& archive, const config::ModuleSource& s, ArchiveKind kind,
                           const std::string& target, Stop stop);

}  // namespace xplan::install

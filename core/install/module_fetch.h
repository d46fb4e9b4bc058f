// Fetches the package of a module: a git repository, an archive, a folder.
//
// Who calls it: module_install.cc.
// Contract: the package is complete at `target` or nothing is there that was not before. Programs that
// git might start beside ssh are not allowed; it never asks for passwords. Checksums, where the source gives
// them, are checked before an archive is opened. Cost: one download.  Thread-safety: one thread.
#pragma once
#include <string>

#include "core/install/http.h"
#include "core/install/module_source.h"

namespace xplan::install {

Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http);

}  // namespace xplan::install

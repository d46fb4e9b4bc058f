// Fetches the package of a module: a git repository, an archive, a directory.
//
// Who calls it: module_install.cc.
// Contract: the package is complete at `target` or nothing is there that was not before. Checksums, where the
// source gives them, are checked before an archive is opened. Cost: one download.  Thread-safety: one thread.
#pragma once
#include <string>

#include "core/config/module_source.h"
#include "core/install/http.h"

namespace xplan::install {

using config::ModuleSource;
using config::parse_module_source;

enum class SaidBy : uint8_t { Configuration, Server };
// Where a server has said where the package is, it must not be a directory of this machine.
Result<void> fetch_module(const ModuleSource& source, const std::string& target, Http& http, SaidBy said);

}  // namespace xplan::install

// Clones Mercurial repositories.
//
// Who calls it: module_fetch.cc.
// Contract: the repository is hostile. Nothing in it is run: neither its hooks nor what else its settings
// say, and subrepositories, which may lead to files and programs of this machine, are refused. hg never asks
// for a password; what it prints is shown without credentials. Cost: a download.  Thread-safety: one clone to
// one place.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/config/module_source.h"

namespace xplan::install {

// `to` exists and is empty.
Result<void> clone_mercurial(const config::ModuleSource& source, const std::string& to, Stop stop);

}  // namespace xplan::install

// Clones git repositories.
//
// Who calls it: module_fetch.cc.
// Contract: the repository is hostile. Nothing in it is run: no hook, no monitor, no program of a submodule;
// what is cloned beside it, its submodules, comes over a network and never from a file of this machine. The
// repository that one happens to be in is not touched, whatever the environment says. git never asks for a
// password; what it prints is shown without credentials. Cost: a download.  Thread-safety: one clone to one
// place.
#pragma once
#include <atomic>
#include <string>

#include "core/base/result.h"
#include "core/config/module_source.h"

namespace xplan::install {

// `to` exists and is empty.
Result<void> clone_repository(const config::ModuleSource& source, const std::string& to,
                              const std::atomic<bool>* stop);

}  // namespace xplan::install

// Fetches modules from buckets: an archive, or all objects below a path.
//
// Who calls it: module_fetch.cc.
// Contract: that of module_fetch.h. All objects together have at most as many bytes and names as an archive
// may unpack to; names are checked like those of archives. Cost: the downloads; objects are downloaded at
// once. Thread-safety: any thread.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/config/module_source.h"

namespace xplan::install {

Result<void> fetch_objects(const config::ModuleSource& source, const std::string& target, Stop stop);

}  // namespace xplan::install

// Names of the entries of a plan file, and the configuration among them.
//
// Who calls it: write.cc, read.cc, snapshot.cc. Private to this folder. Cost: linear in the source files.
// Thread-safety: one container, one thread.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "planfile/container.h"
#include "planfile/planfile.h"

namespace xplan::planfile {

inline constexpr std::string_view kBodyEntry = "tfplan", kStateEntry = "tfstate",
                                  kPrevStateEntry = "tfstate-prev", kConfigPrefix = "tfconfig/m-",
                                  kModulesEntry = "tfconfig/modules.json", kLockEntry = ".terraform.lock.hcl",
                                  kExtraEntry = "xplan/plan", kSchemasEntry = "xplan/schemas",
                                  kDeferredEntry = "xplan/deferred",
                                  kNamedEntry = "xplan/named";  // below kOwnPrefix
inline constexpr uint32_t kExtraFormat = 1;
inline constexpr uint64_t kBodyVersion = 3;

void add_snapshot(ZipWriter& zip, const ConfigSnapshot& config);
// Fills fs, root_dir and data_dir.
Result<void> read_snapshot(ZipReader& zip, Opened& out);

}  // namespace xplan::planfile

// What init recorded of the backend, in DATA_DIR/terraform.tfstate.
//
// Who calls it: configured.cc; init. Contract: the record is the file that the reference tools write there,
// so any of them can go on with a working directory that another one initialized.  Cost: one small file.
// Thread-safety: one thread.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/backend/settings.h"
#include "core/base/result.h"

namespace xplan::backend {

// Input variables that the block uses, and their values as text; nothing: secret, or not a primitive value.
using BlockVariables = std::map<std::string, std::optional<std::string>>;

struct Record {
  Settings settings;
  uint32_t block_hash = 0;        // Settings::hash() of the block; settings may have come from elsewhere
  BlockVariables variables = {};  // other tools record none
};
// Nothing: the default, which is not recorded.
Result<std::optional<Record>> read_record(const std::string& data_dir);
Result<void> write_record(const std::string& data_dir, const std::optional<Record>& r);

}  // namespace xplan::backend

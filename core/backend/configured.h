// The backend of a configuration: what its block says, compared with what init recorded.
//
// Who calls it: run (opens states), cmd (init, workspace and state commands). Contract: what is recorded
// counts. Where the block says something else than it did when it was recorded, nothing works until init was
// told what becomes of the states: by other settings all existing objects would seem to be gone.  Cost: one
// small file.  Thread-safety: one thread.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/record.h"
#include "core/config/config.h"

namespace xplan::backend {

struct Configured {
  Settings settings;
  std::unique_ptr<Backend> backend;
};

// The settings in use: those that init recorded. Nothing after reporting why init must be run first.
std::optional<Settings> settings_in_use(const config::Config& c, const std::string& data_dir,
                                        Diagnostics& diags);
// Null in `backend` after reporting why there is none. `c` null: the default.
Configured configured(const config::Config* c, const Opening& opening, Diagnostics& diags);

// What the block says, and the variables that it says it with.
struct BlockSettings {
  Settings settings;
  BlockVariables variables;
};
// Nothing: there is no block, or a problem, which is reported.
std::optional<BlockSettings> block_settings(const config::Config& c, Diagnostics& diags);
// Where the block has changed because variables that it uses have other values than when it was recorded:
// sentences that say so and what to do; "": that is not why.
std::string changed_variables(const BlockVariables& now, const BlockVariables& recorded);
// Adds what -backend-config says: NAME=VALUE, or a file of arguments. Reports what is wrong.
void add_given(const std::vector<std::string>& given, SourceTable& sources, const std::atomic<bool>* stop,
               Settings& settings, Diagnostics& diags);
// False after reporting that the record cannot be read.
bool read_record(const std::string& data_dir, std::optional<Record>& out, Diagnostics& diags);
// Null after reporting why it cannot be opened. `c`: whose block says which backend it is, and most of the
// settings; null: none.
std::unique_ptr<Backend> open(const Settings& settings, const Opening& opening, Diagnostics& diags,
                              const config::Config* c = nullptr);

}  // namespace xplan::backend

// A file of the root module with more moved blocks at its end.
//
// Who calls it: cmd (refactor suggest).
// Contract: what is in the file already stays as it is, byte for byte. The configuration is loaded with the
// new text first: with an error, nothing is written. Cost: the configuration is loaded once more.
// Thread-safety: one thread.
#pragma once
#include <string>

#include "core/run/configuration.h"

namespace xplan::run {

// `blocks`: in the canonical layout. False after reporting why they are not there.
bool add_moved_blocks(const Context& c, const std::string& path, const std::string& blocks,
                      Diagnostics& diags);

}  // namespace xplan::run

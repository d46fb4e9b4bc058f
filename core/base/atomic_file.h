// Writes a file in one step from pieces that are made one after the other.
//
// Who calls it: plan files; write_atomic of fs.h, which is the same for what is in memory already.
// Contract: as write_atomic there: a draft beside it (draft_file.h), fsync, rename, fsync of the directory.
// When the maker of pieces fails, its error is the result and nothing is left behind.  Cost: one piece in
// memory. Thread-safety: one call per file.
#pragma once
#include <functional>
#include <string>

#include "core/base/result.h"

namespace xplan {

// Puts the next piece into the empty string; false: it is the last one.
using NextPiece = std::function<Result<bool>(std::string& piece)>;
Result<void> write_atomic(const std::string& path, const NextPiece& next, int mode = 0644);
// For secrets: only its owner can read a new file; one that is there keeps its mode.
Result<void> write_private(const std::string& path, std::string_view data);
// Likewise where nothing is yet. False, and nothing is written, where something is, even since this moment.
Result<bool> write_new(const std::string& path, std::string_view data, int mode = 0644);

}  // namespace xplan

// Files that calls of functions name in source text, whether planning has evaluated the calls or not.
//
// Who calls it: the end of planning; review/code.h, for which code reads files.
// Meaning: some code is first evaluated when the plan is applied: provisioners, and what stands behind values
// that are not known yet. A plan is to say what the files that it names contained, so those whose path is
// written out are noted as if they had been read. Contract: mentions are searched for in words, so text that
// only looks like a call is one, too; no call is overlooked. Cost: linear in the text, and a digest of each
// file that was not read before.  Thread-safety: free functions.
#pragma once
#include <string_view>

#include "core/config/config.h"
#include "core/eval/file_reads.h"

namespace xplan {

// Whether the text may call a function that reads files, or renders text that may.
bool mentions_files(std::string_view source);
// Notes what is read by calls whose path is a literal, which may begin with path.module or path.root.
void note_written_reads(const config::Config& c, eval::FileReads& reads);

}  // namespace xplan

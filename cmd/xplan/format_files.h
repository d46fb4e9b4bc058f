// The files that fmt is to lay out.
//
// Who calls it: the command fmt.
// Contract: files stand in the order in which they are found, each once; hidden files and directories below a
// target are left out, links to directories are not followed. Paths are as the user would type them from the
// working directory. Cost: one listing per directory.  Thread-safety: one thread.
#pragma once
#include <string>
#include <vector>

#include "core/diag/diagnostic.h"

namespace xplan::cmd {

// `targets`: files and directories; one that is neither, or no native configuration, is an error.
std::vector<std::string> files_to_format(const std::vector<std::string>& targets, bool recursive,
                                         Diagnostics& diags);

}  // namespace xplan::cmd

// Runs a script on a server: uploads it, runs it on a terminal, removes it.
//
// Who calls it: remote-exec (core/apply).
// Contract: only its owner can read the script there, since it may contain secrets. Output goes line by line
// to `line`, as it comes, both streams together. When the run is told to stop, the script gets an interrupt
// from its terminal, and five seconds later a hang-up. The file is removed however the script ends, unless
// the connection is lost. Cost: four commands; output is never kept.  Thread-safety: that of the session.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/remote/session.h"

namespace xplan::remote {

// The path with digits in place of each %RAND%, which nobody can guess.
std::string script_path(std::string pattern);
// An error says what failed and how, without the script's output.
Result<void> run_script(Session& s, std::string_view content, const std::string& path, bool windows,
                        Stop stop, const std::function<void(std::string_view)>& line);

}  // namespace xplan::remote

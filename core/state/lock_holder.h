// What messages say of whoever holds a lock, beyond its "Lock Info:" block: since when, and whether it is
// known to be at work still.
//
// Who calls it: the stores, when a lock cannot be acquired.  Contract: what is not certain is left out; the
// text comes from others, so it has no control characters.  Thread-safety: pure but for looks at the system.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/state/store.h"

namespace xplan {

// "root@build-7 acquired it 3 hours ago, on this machine, in process 4711, which has ended"; empty: nothing
// is known. `now`: seconds since 1970.
std::string lock_holder_text(const LockInfo& info, int64_t now);
// Whether the process that the lock names is at work still; nothing where that cannot be told.
std::optional<bool> lock_holder_runs(const LockInfo& info);
// What the lock of this run says about its process, for that: processes of containers, whose numbers mean
// nothing elsewhere, are told apart.
std::string process_note();
// "process 4711", as such a note says; empty: it says nothing of the kind.
std::string noted_process(std::string_view note);
// What it also says in a run that keeps its journal on its own machine; and what that means to somebody who
// is about to release it: empty where the lock does not say so. `here`: the path that a journal of the state
// has in this directory, absolute.
std::string journal_note(const std::string& path, const std::string& who);
std::string journal_advice(const LockInfo& info, const std::string& here = {});
// The same of a run of which nothing is known but that it kept its journal on its own machine.
std::string journal_advice();
// "3 hours ago", "just now".
std::string ago_text(int64_t seconds);
// The process on this machine that holds a lock on the file, as far as it can be seen. A few thousand reads
// of small files at most.
std::optional<pid_t> process_locking(const std::string& path);

}  // namespace xplan

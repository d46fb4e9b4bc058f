// Temporary files that killed processes have left beside the file that they were to become.
//
// Who calls it: drafts of files, whoever removes a file, the lock of a state.
// Contract: temporary_beside() names a file that nobody else writes, PATH.tmp-PID-N-SUM; the sum over the
// rest tells our names from those of others. remove_leftovers() removes files of that form for this path,
// where they are regular files of this user, no process has that PID, and nobody holds the lock that whoever
// writes one holds on it (another container has PIDs of its own). Whatever is wrong is left alone. Cost:
// reads the directory; with Look::Once each directory is read once in the life of the process, however many
// files are written there.  Thread-safety: any thread.
#pragma once
#include <string>

namespace xplan {

std::string temporary_beside(const std::string& path);
std::string temporary_of(const std::string& path, int pid, unsigned number);  // as that process names one
enum class Look : unsigned char { Once, Again };
void remove_leftovers(const std::string& path, Look look);
// For reading and writing: new, not by way of a link, locked, and for nobody else to read. -1: errno says
// why.
int create_temporary(const std::string& path);

}  // namespace xplan

// Writes the trace of a command.
#include "cmd/xplan/timings.h"

#include "core/base/fs.h"

namespace xplan::cmd {

Result<void> Timings::write() {
  JsonWriter w(0);
  write_trace(recorder_.take(), w);
  return write_atomic(path_, w.take() + "\n");
}

}  // namespace xplan::cmd

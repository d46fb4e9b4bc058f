// The error for a walk that ended by an exception.
#include "core/plan/ended_early.h"

#include <fmt/format.h>

namespace xplan {

void report_ended_early(const WalkOutcome& walked, std::string_view summary, std::string_view consequence,
                        Diagnostics& diags) {
  const std::string_view space = consequence.empty() ? "" : " ";
  if (walked.out_of_memory)
    diags.error("Out of memory", fmt::format("There was not enough memory to continue.{}{} "
                                             "Make more memory available and run the command again.",
                                             space, consequence));
  else if (!walked.exception.empty())
    diags.error(std::string(summary),
                fmt::format("The run ended with an internal error ({}).{}{} This is a bug in xplan; please "
                            "report it.",
                            walked.exception, space, consequence));
}

}  // namespace xplan

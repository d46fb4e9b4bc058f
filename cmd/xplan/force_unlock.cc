// force-unlock: releases a state lock whose holder can no longer release it.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "core/state/lock_holder.h"

namespace xplan::cmd {

int run_force_unlock(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool force = false;
  Flags flags("force-unlock LOCK_ID", "Releases a state lock whose holder can no longer release it.");
  flags.flag("force", force, "Do not ask for confirmation.").arguments(given, 1, 1, "the ID of the lock");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  const auto backend = backend_of_directory(s);
  if (!backend || !run::check_workspace(s.context(), s.diags)) return s.finish();
  const auto store = backend->open(s.workspace());
  const std::optional<LockInfo> holder = store->holder();
  const std::string journal = holder                        ? journal_advice(*holder, "")
                              : store->journal_stays_here() ? journal_advice()
                                                            : std::string();
  if (!force && store->breaks_locks() &&
      !s.approved(
          fmt::format("Do you really want to release the lock of {}?\n  If the run that holds it is still in "
                      "progress,\n  another one can then change the state at the same time.{}{}{}",
                      store->path(), journal.empty() ? "" : "\n\n", journal, journal.empty() ? "" : ".\n"),
          "Nothing was changed. To release the lock without being asked, use -force.")) {
    if (!s.diags.has_errors()) s.tell("Cancelled. The lock was not released.");
    return s.finish(1);
  }
  if (Result<void> ok = store->break_lock(given[0]); !ok)
    return s.diags.error("Failed to unlock state", ok.error().sentence()), s.finish();
  s.tell(fmt::format("The lock of {} was released.", store->path()));
  if (!journal.empty()) s.diags.warn("Journal on the machine of the run", journal + ".");
  return s.finish();
}

}  // namespace xplan::cmd

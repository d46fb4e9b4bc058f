// force-unlock: releases a state lock whose holder can no longer release it.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"

namespace xplan::cmd {

int run_force_unlock(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool force = false;
  Flags flags("force-unlock LOCK_ID", "Releases a state lock whose holder can no longer release it.");
  flags.flag("force", force, "Do not ask for confirmation.").arguments(given, 1, 1, "the ID of the lock");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  const auto backend = backend_of_directory(s);
  if (!backend || !run::check_workspace(s.context(), s.diags)) return s.finish();
  if (Result<void> ok = backend->open(s.workspace())->break_lock(given[0]); !ok)
    s.diags.error("Failed to unlock state", ok.error().sentence());
  return s.finish();
}

}  // namespace xplan::cmd

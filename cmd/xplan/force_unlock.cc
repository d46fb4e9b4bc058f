// force-unlock: releases a state lock whose holder can no longer release it. The lock of a local state ends
// with its process, so there is never one to release: the answer says who holds it, if anybody.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"

namespace xplan::cmd {

int run_force_unlock(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool force = false;
  Flags flags(s.program + " force-unlock LOCK_ID",
              "Releases a state lock whose holder can no longer release it.");
  flags.flag("force", force, "Do not ask for confirmation.").arguments(given, 1, 1, "the ID of the lock");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  StateFlags sf;
  sf.lock = false;
  Opened o;
  if (!open_selected_state(s, sf, "force-unlock", Missing::Allowed, o)) return s.finish();
  if (Result<void> ok = force_unlock(o.store->path(), given[0]); !ok)
    s.diags.error("Failed to unlock state", ok.error().sentence());
  return s.finish();
}

}  // namespace xplan::cmd

// force-unlock: releases a state lock whose holder can no longer release it.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/cloud/time.h"
#include "core/state/lock_holder.h"

namespace xplan::cmd {
namespace {

// What decides the answer: whether the run can still be at work.
std::string question(const std::string& place, const LockInfo* holder, const std::string& journal) {
  const std::string who = holder ? lock_holder_text(*holder, cloud::unix_now()) : std::string();
  const std::optional<bool> runs = holder ? lock_holder_runs(*holder) : std::nullopt;
  std::string out = fmt::format("Do you really want to release the lock of {}?{}{}{}", place,
                                who.empty() ? "" : "\n  ", who, who.empty() ? "" : ".");
  if (!runs.value_or(true))
    out += "\n  That run ended without releasing it.";
  else
    out += fmt::format(
        "\n  {}\n  another one can then change the state at the same time.",
        runs ? "That run is still in progress, and" : "If the run that holds it is still in progress,");
  return journal.empty() ? out : out + "\n\n" + journal + ".\n";
}

// Locks of other workspaces are not looked for.
std::string not_locked(const backend::Backend& backend, const std::string& place,
                       const std::string& workspace) {
  std::string out = fmt::format("The state \"{}\" is not locked.", place);
  if (backend.only_workspace().empty())
    out += fmt::format(
        " It is that of the workspace \"{}\". To release a lock of another one, select it first with {}, or "
        "set the environment variable TF_WORKSPACE.",
        workspace, own_command("workspace select"));
  return out;
}

}  // namespace

int run_force_unlock(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool force = false;
  Flags flags("force-unlock LOCK_ID", "Releases a state lock whose holder can no longer release it.");
  flags.flag("force", force, "Do not ask for confirmation.").arguments(given, 1, 1, "the ID of the lock");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  const auto backend = backend_of_directory(s);
  if (!backend || !run::check_workspace(s.context(), s.diags)) return s.finish();
  const auto store = backend->open(s.workspace());
  const Result<std::optional<LockInfo>> there = store->holder();
  if (there && !*there)
    return s.diags.error("Failed to unlock state", not_locked(*backend, store->path(), s.workspace())),
           s.finish();
  const LockInfo* holder = there ? &**there : nullptr;
  const std::string journal = store->journal_of(holder);
  if (!force && store->breaks_locks() &&
      !s.approved(question(store->path(), holder, journal),
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

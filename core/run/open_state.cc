// Opens the state of a workspace for a command: checks the workspace's name, takes the lock (and tells the
// front end when that takes long), reads the state; and words the errors of each step.
#include "core/run/open_state.h"

#include <fmt/format.h>

#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/duration.h"
#include "core/run/encryption.h"
#include "core/run/slow_notice.h"

namespace xplan::run {

bool check_workspace(std::string_view name, std::string_view origin, Diagnostics& diags) {
  if (backend::valid_workspace_name(name)) return true;
  diags.error(
      "Invalid workspace name",
      fmt::format(
          "The workspace name \"{}\" is not valid: it is used in paths, so it can contain only "
          "letters, digits and the characters - _ . ~ $ & + : = @, and it cannot be \".\" or \"..\".{}{}",
          name, origin.empty() ? "" : " ", origin));
  return false;
}

bool check_workspace(const Context& c, Diagnostics& diags) {
  if (c.workspace.empty())
    return diags.error(
               "Failed to read the selected workspace",
               fmt::format("The file \"{}/environment\" names the selected workspace, but it cannot be read. "
                           "Select a workspace again with {}.",
                           c.data_dir, own_command("workspace select"))),
           false;
  const backend::WorkspaceSelection selection{c.data_dir};
  return check_workspace(
      c.workspace,
      selection.overridden()
          ? std::string("It comes from the environment variable TF_WORKSPACE.")
          : fmt::format("It comes from the file \"{}/environment\", which names the selected workspace.",
                        c.data_dir),
      diags);
}

bool open_state(const Context& c, const StateRequest& request, const backend::Backend& backend,
                const std::string& operation, FrontEnd& front, OpenState& out, Diagnostics& diags) {
  if (!check_workspace(c, diags) || !states_are_plain(c, diags)) return false;
  out.store = backend.open(c.workspace, {request.state, request.state_out, request.backup,
                                         request.each_backup, request.remote_journal});
  if (!lock_state(c, *out.store, request, operation, front, diags)) return false;
  Result<State> s = out.store->read(diags);
  if (!s) {
    diags.error("Failed to load state", s.error().sentence());
    return false;
  }
  out.state = std::move(*s);
  return !diags.has_errors();
}

bool lock_state(const Context& c, StateStore& store, const LockRequest& request, const std::string& operation,
                FrontEnd& front, Diagnostics& diags) {
  int64_t timeout = 0;
  if (!parse_duration_ms(request.lock_timeout, timeout)) {
    diags.error(
        "Invalid lock timeout",
        fmt::format("\"{}\" is not a valid duration. Write 30s or 2m, for example.", request.lock_timeout));
    return false;
  }
  if (!request.lock) return true;
  SlowNotice slow([&front] { front.slow(Slow::Locking); });
  Result<void> ok = store.lock(operation, timeout, c.stop);
  slow.end();
  if (ok) return true;
  diags.error("Error acquiring the state lock", ok.error().sentence());
  return false;
}

void unlock_state(StateStore& store, FrontEnd& front, Diagnostics& diags) {
  SlowNotice slow([&front] { front.slow(Slow::Unlocking); });
  const Result<void> ok = store.unlock();
  slow.end();
  if (!ok) diags.error("Error releasing the state lock", ok.error().sentence());
}

}  // namespace xplan::run

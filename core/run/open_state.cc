// Opens the state of a workspace for a command: checks the workspace's name, takes the lock (and tells the
// front end when that takes long), reads the state; and words the errors of each step.
#include "core/run/open_state.h"

#include <fmt/format.h>

#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/duration.h"
#include "core/base/stop.h"
#include "core/config/version.h"
#include "core/run/slow_notice.h"

namespace xplan::run {

backend::Opening opening_of(const Context& c, const crypt::Encryption& e) {
  return {c.data_dir, c.stop, e.state(), c.json_of};
}

bool check_workspace(std::string_view name, std::string_view origin, Diagnostics& diags) {
  if (backend::valid_workspace_name(name)) return true;
  diags.error(
      "Invalid workspace name",
      fmt::format(
          "The workspace name \"{}\" is not valid. It is used in paths, so it can contain only letters, "
          "digits and the characters - _ . ~ $ & + : = @, and it cannot be \".\" or \"..\".{}{}",
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

namespace {

// Which programs can go on with a state that this one has written: those of the same form of states.
Result<VersionConstraints> readers_of(const Version& v) {
  if (compare(v, *parse_version("0.14.0")) < 0) return parse_version_constraints(v.text());
  if (compare(v, *parse_version("1.3.0")) < 0) return parse_version_constraints(">= 0.14.0, < 1.3.0");
  return parse_version_constraints(fmt::format("~> {}.{}.0", v.number(0), v.number(1)));
}

// Of the version that the server's runs use, or a constraint for it.
bool version_fits(const std::string& theirs, std::string& shown) {
  if (theirs.empty() || theirs == "latest" || theirs == kLanguageVersion) return true;
  const auto exact = parse_version(theirs);
  const Result<VersionConstraints> allowed = exact ? readers_of(*exact) : parse_version_constraints(theirs);
  shown = allowed ? allowed->text() : theirs;
  return allowed && allowed->matches(*parse_version(kLanguageVersion));
}

// Plans and applies that are the server's do not happen here.
bool check_runs(const backend::Runs& there, const Context& c, Diagnostics& diags) {
  if (!there.elsewhere || there.forced_here) return true;
  diags.error(
      "Runs on a server are not supported",
      fmt::format("The workspace \"{}\" has the execution mode \"{}\", so plans and applies run on the "
                  "server, and {} cannot start them. To plan and apply on this machine, with the state and "
                  "its lock on the server, set the execution mode of the workspace to \"local\" in its "
                  "settings on the server, or set the environment variable TF_FORCE_LOCAL_BACKEND to 1. "
                  "Commands that only read or edit the state still work.",
                  there.place, there.mode, c.product));
  return false;
}

// The server's program must be able to read the state.
bool check_version(const backend::Runs& there, bool any_version, Diagnostics& diags) {
  std::string allowed;
  if (!there.elsewhere || version_fits(there.version, allowed)) return true;
  const std::string what = fmt::format(
      "The runs of the workspace \"{1}\" on the server require version {2}, but states are written here as "
      "by "
      "version {0}.",
      kLanguageVersion, there.place, allowed);
  if (any_version) return diags.warn("Incompatible version of the workspace", what), true;
  diags.error("Incompatible version of the workspace",
              what +
                  " They may no longer be able to read the state. Change the version in the settings of the "
                  "workspace, or use -ignore-remote-version to write the state anyway.");
  return false;
}

std::optional<backend::Runs> runs_of(const backend::Backend& backend, const std::string& workspace,
                                     Diagnostics& diags) {
  Result<backend::Runs> there = backend.runs(workspace);
  if (there) return std::move(*there);
  diags.error("Failed to read the workspace", there.error().sentence());
  return std::nullopt;
}

}  // namespace

bool check_version(const backend::Backend& backend, const std::string& workspace, bool any_version,
                   Diagnostics& diags) {
  const std::optional<backend::Runs> there = runs_of(backend, workspace, diags);
  return there && check_version(*there, any_version, diags);
}

bool open_state(const Context& c, const StateRequest& request, const backend::Backend& backend,
                const std::string& operation, FrontEnd& front, OpenState& out, Diagnostics& diags) {
  if (!check_workspace(c, diags)) return false;
  const bool runs = operation.starts_with("OperationType");
  bool created = false;
  if (runs || request.edits) {
    const std::optional<backend::Runs> there = runs_of(backend, c.workspace, diags);
    if (!there || !(runs ? check_runs(*there, c, diags) : check_version(*there, request.any_version, diags)))
      return false;
    created = there->there;
  }
  out.store = backend.open(c.workspace, {.state = request.state,
                                         .state_out = request.state_out,
                                         .backup = request.backup,
                                         .each_backup = request.each_backup,
                                         .remote_journal = request.remote_journal,
                                         .successor = request.successor,
                                         .forced = request.forced,
                                         .goes_on = request.goes_on,
                                         .finishes = request.finishes,
                                         .rescued = request.rescued});
  std::vector<StateFiles> files = request.beside;
  files.push_back(out.store->files());
  if (Result<void> ok = check_backups(files); !ok)
    return diags.error("Invalid backup path", ok.error().sentence()), false;
  if (Result<void> ok = request.edits ? out.store->may_change() : Result<void>(); !ok)
    return diags.error("Invalid state path", ok.error().sentence() + " Nothing was changed."), false;
  created |= backend.created_without_state(c.workspace);
  if (!lock_state(c, *out.store, request, operation, front, diags)) return false;
  Result<State> s = out.store->read(diags);
  if (!s) {
    if (stopped(c.stop))
      diags.error("Reading the state was interrupted",
                  "The run was stopped before the state was read. Nothing was changed.");
    else
      diags.error("Failed to load state", s.error().sentence());
    unlock_state(*out.store, front, diags);
    return false;
  }
  out.state = std::move(*s);
  out.in_files = backend.keeps_backups();
  out.workspace_is_new = !created && !out.store->exists();
  if (!diags.has_errors()) return true;
  unlock_state(*out.store, front, diags);
  return false;
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
  if (ok) return front.locked(store.lock_that_stays()), true;
  const bool only_stopped = stopped(c.stop) && ok.error().message.ends_with(kInterrupted);
  if (only_stopped && !request.tells_of_stop) return false;
  if (stopped(c.stop) && !store.locked_elsewhere())
    diags.error("Locking the state was interrupted",
                (request.tells_of_stop
                     ? "The run was stopped before it acquired the state lock. Nothing was changed. "
                     : "") +
                    (only_stopped ? "" : ok.error().sentence()));
  else
    diags.error("Error acquiring the state lock", ok.error().sentence());
  return false;
}

void unlock_state(StateStore& store, FrontEnd& front, Diagnostics& diags) {
  SlowNotice slow([&front] { front.slow(Slow::Unlocking); });
  const Result<void> ok = store.unlock();
  slow.end();
  front.locked("");
  if (!ok) diags.error("Error releasing the state lock", ok.error().sentence());
}

}  // namespace xplan::run

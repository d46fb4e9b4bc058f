// The group "workspace": list, show, new, select and delete. Workspaces are several states of one
// configuration; the backend keeps them, and core/backend/workspace.h tells which one is selected.
#include <fmt/format.h>

#include <algorithm>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/state_access.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/state/journal.h"
#include "core/state/left_journal.h"

namespace xplan::cmd {
namespace {

// What all these commands begin with.
struct Places {
  std::unique_ptr<backend::Backend> backend;
  backend::WorkspaceSelection selection;
  std::vector<std::string> names;
  bool exists(const std::string& name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  std::string near(const std::string& name) const {
    const std::string_view found = did_you_mean(name, {names.begin(), names.end()});
    return found.empty() ? "" : fmt::format(" Did you mean \"{}\"?", found);
  }
};
// `default_is_all`: no more is needed than "default", which there is even where workspaces are not supported.
bool find(Session& s, Places& out, const std::optional<OfStates>& states = std::nullopt,
          bool default_is_all = false) {
  out.selection.data_dir = s.data_dir;
  out.backend = backend_of_directory(s, states);
  if (!out.backend) return false;
  out.names = {std::string(backend::kDefaultWorkspace)};
  if (default_is_all && !out.backend->has_workspaces()) return true;
  if (!out.backend->has_workspaces())
    return s.diags.error("Workspaces are not supported",
                         "The backend of this working directory keeps a single state and does not support "
                         "workspaces. Use another directory for each environment, or another backend."),
           false;
  Result<std::vector<std::string>> names = out.backend->workspaces();
  if (!names) return s.diags.error("Failed to list workspaces", names.error().sentence()), false;
  out.names = std::move(*names);
  return true;
}

// TF_WORKSPACE decides, so nothing else can be selected.
bool overridden(Session& s, const Places& p) {
  if (!p.selection.overridden()) return false;
  s.diags.error("Workspace is overridden",
                fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\", which "
                            "overrides any other selection. Change or unset it and run the command again.",
                            p.selection.current()));
  return true;
}

bool report(Session& s, std::string_view summary, const Result<void>& r) {
  if (!r) s.diags.error(summary, r.error().sentence());
  return r.ok();
}

void created(Session& s, const std::string& name, bool seeded) {
  std::string text;
  const std::string done = fmt::format("Created and switched to workspace \"{}\"!", name);
  render::put(text, done, render::Style::BoldGreen, s.human.color);
  s.tell(text + (seeded ? "\n\nIts state is a copy of the given state."
                        : "\n\nIts state is empty: plans in this workspace do not see the objects of "
                          "other\nworkspaces."),
         {},
         done + (seeded ? " Its state is a copy of the given state."
                        : " Its state is empty: plans in this workspace do not see the objects of other "
                          "workspaces."));
}

void tell_colored(Session& s, const std::string& line, render::Style style) {
  std::string text;
  render::put(text, line, style, s.human.color);
  s.tell(text, {}, line);
}

int list(Session& s, const Args& args) {
  Flags flags("workspace list", "Lists the workspaces; the selected one is marked with an asterisk.");
  if (std::optional<int> code = s.parse_telling(flags, args, false)) return *code;
  Places p;
  if (!find(s, p)) return s.finish();
  std::string text, current = p.selection.current();
  for (const std::string& name : p.names) text += fmt::format("{}{}\n", name == current ? "* " : "  ", name);
  s.tell(
      text,
      [&](JsonWriter& w) {
        w.member("current_workspace", current);
        w.member("type", "workspace_list");
        w.key("workspaces");
        w.begin_array();
        for (const std::string& name : p.names) w.string(name);
        w.end_array();
      },
      "list of workspaces");
  if (p.selection.overridden()) {
    const std::string note =
        fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\".", current);
    s.tell(note + "\n", {}, note);
  }
  return s.finish();
}

int show(Session& s, const Args& args) {
  std::vector<std::string> ignored;
  Flags flags("workspace show", "Prints the name of the selected workspace.");
  flags.arguments(ignored, 0, 1000, "none");
  if (std::optional<int> code = s.parse_telling(flags, args, false)) return *code;
  if (run::check_workspace(s.context(), s.diags)) s.tell(s.workspace());
  return s.finish();
}

// Copies a state file into the workspace just made.
bool seed(Session& s, const std::string& path, const StateFlags& lock) {
  State from;
  Opened o;
  if (!read_state_file(s, path, lock, from)) return false;
  StateFlags flags = lock;
  flags.backup.assign(1, '-');
  if (!open_selected_state(s, flags, "workspace-new", Missing::Allowed, o)) return false;
  from.lineage.clear();  // another workspace's state is another state
  return save_state(s, o, from);
}

// And selects it.
bool create(Session& s, const Places& p, const std::string& name) {
  constexpr std::string_view kSummary = "Failed to create workspace";
  if (p.exists(name))
    return s.diags.error(kSummary, fmt::format("Workspace \"{}\" already exists.", name)), false;
  if (const std::string only = p.backend->only_workspace(); !only.empty())
    return s.diags.error(
               "Workspaces are not supported",
               fmt::format("The configuration uses the one workspace \"{}\", so no other one can be "
                           "created. To use several, set \"tags\" instead of \"name\" in the "
                           "\"workspaces\" block.",
                           only)),
           false;
  if (!report(s, kSummary, p.backend->create(name))) return false;
  const Result<void> selected = p.selection.select(name);
  if (!selected)
    s.diags.error("Failed to select workspace",
                  fmt::format("{} The workspace \"{}\" was created. Select it with {}, or remove it with {}.",
                              selected.error().sentence(), name, own_command("workspace select " + name),
                              own_command("workspace delete " + name)));
  return selected.ok();
}

int make(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags lock;
  std::string from;
  Flags flags("workspace new NAME", "Creates a workspace and selects it.");
  lock.add_values(flags);
  lock.add_lock(flags);
  flags.text("state", from, "Copy this state file into the new workspace.", "PATH")
      .arguments(given, 1, 1, "the name of the workspace");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  Places p;
  State check;
  if (!run::check_workspace(given[0], "", s.diags) || !find(s, p, OfStates{lock, given[0]}) ||
      overridden(s, p))
    return s.finish();
  if (!from.empty() && !read_state_file(s, from, lock, check)) return s.finish();
  if (!create(s, p, given[0])) return s.finish();
  if (from.empty() || seed(s, from, lock)) created(s, given[0], !from.empty());
  return s.finish();
}

int select(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool or_create = false;
  StateFlags values;
  Flags flags("workspace select NAME", "Selects another workspace.");
  values.add_values(flags);
  flags.flag("or-create", or_create, "Create the workspace if it does not exist.")
      .arguments(given, 1, 1, "the name of the workspace");
  if (std::optional<int> code = s.parse_telling(flags, args, false)) return *code;
  Places p;
  const std::string& name = given[0];
  const std::optional<OfStates> states = or_create ? std::optional(OfStates{values, name}) : std::nullopt;
  if (!run::check_workspace(name, "", s.diags) || !find(s, p, states, name == backend::kDefaultWorkspace))
    return s.finish();
  if (overridden(s, p) || name == p.selection.current()) return s.finish();
  if (!p.exists(name)) {
    const std::string only = p.backend->only_workspace();
    if (!or_create && !only.empty())
      s.diags.error("Failed to select workspace",
                    fmt::format("Workspace \"{}\" does not exist: the configuration uses the one workspace "
                                "\"{}\".",
                                name, only));
    else if (!or_create)
      s.diags.error("Failed to select workspace",
                    fmt::format("Workspace \"{}\" does not exist. Create it with \"{} workspace new\", or "
                                "select it with -or-create.{}",
                                name, program_name(), p.near(name)));
    else if (create(s, p, name))
      created(s, name, false);
    return s.finish();
  }
  if (!report(s, "Failed to select workspace", p.selection.select(name))) return s.finish();
  tell_colored(s, fmt::format("Switched to workspace \"{}\".", name), render::Style::Green);
  return s.finish();
}

// Of a run that is at work without a lock, which would go on, and lose what it has recorded; empty: there is
// none.
std::string run_at_work(StateStore& store) {
  const Result<void> alone = store.can_start_journal();
  if (alone) return {};
  const Result<std::unique_ptr<LeftJournal>> left = store.left_journal();
  const bool ended = left && (!*left || (*left)->fit != LeftJournal::Fit::InUse);
  return ended ? std::string() : alone.error().sentence();
}

int remove(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags lock;
  bool force = false;
  Flags flags("workspace delete NAME", "Deletes a workspace and its state.");
  flags
      .flag("force", force,
            "Delete the workspace even if its state has objects, which are then no longer managed.")
      .arguments(given, 1, 1, "the name of the workspace");
  lock.add_values(flags);
  lock.add_lock(flags);
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  Places p;
  const std::string& name = given[0];
  if (!find(s, p, OfStates{lock, name})) return s.finish();
  auto refuse = [&](std::string why) {
    s.diags.error("Failed to delete workspace", std::move(why));
    return s.finish();
  };
  if (name == backend::kDefaultWorkspace && p.backend->has_default())
    return refuse("The workspace \"default\" always exists, so it cannot be deleted.");
  if (!p.exists(name))
    return refuse(
        fmt::format("Workspace \"{}\" does not exist. Run \"{} workspace list\" to see which exist.{}", name,
                    program_name(), p.near(name)));
  if (name == p.selection.current())
    return refuse(
        fmt::format("Workspace \"{}\" is currently selected. Select another one before deleting it.", name));
  run::Context there = s.context();
  there.workspace = name;
  Opened o;
  Diagnostics found;
  const bool open = run::open_state(there, lock, *p.backend, "workspace-delete", s, o, found);
  std::vector<std::string> objects;
  for (const auto& [addr, r] : o.state.resources)
    for (const auto& [key, i] : r.instances)
      if (addr.resource.mode == Mode::Managed)
        objects.push_back(AbsInstance{addr.module, addr.resource, key}.text());
  std::string some;
  for (size_t i = 0; i < objects.size() && i < 20; ++i) some += "\n  - " + objects[i];
  if (objects.size() > 20) some += fmt::format("\n  … and {} more", objects.size() - 20);
  const bool refused = !objects.empty() && !force;
  if (open && !refused)  // what the next plan of it will do is of no interest any more
    std::erase_if(found.mutable_all(), [](const Diagnostic& d) { return d.summary == kInterruptedRun; });
  s.diags.append(std::move(found));
  if (!open) return s.finish();
  if (const std::string beside = run_at_work(*o.store); !beside.empty()) {
    s.unlock(*o.store);
    return refuse(beside + " Nothing was deleted.");
  }
  if (refused) {
    s.unlock(*o.store);
    return s.diags.error(
               "Workspace is not empty",
               fmt::format(
                   "Workspace \"{}\" still manages these objects:{}\n\nWithout their state, they could only "
                   "be found and deleted manually. Destroy them first, or use -force to keep them.",
                   name, some)),
           s.finish();
  }
  const auto rest = p.backend->remove_locked(name, objects.empty());
  s.unlock(*o.store);
  if (!report(s, "Failed to delete workspace", rest ? Result<void>() : rest.error())) return s.finish();
  if (*rest) {  // which another run may have locked by now
    if (lock.lock && !report(s, "Failed to delete workspace", p.backend->unlocked(name))) return s.finish();
    if (!report(s, "Failed to delete workspace", (*rest)())) return s.finish();
  }
  tell_colored(s, fmt::format("Deleted workspace \"{}\"!", name), render::Style::Green);
  if (!objects.empty())
    s.diags.warn("Objects are no longer managed",
                 fmt::format("These objects of workspace \"{}\" still exist, but are no longer tracked:{}",
                             name, some));
  return s.finish();
}

constexpr SubCommand kCommands[] = {
    {"delete", Does::Work, remove, "Delete a workspace"},
    {"list", Does::Print, list, "List the workspaces"},
    {"new", Does::Work, make, "Create a workspace"},
    {"select", Does::Work, select, "Select a workspace"},
    {"show", Does::Print, show, "Print the name of the selected workspace"},
};

}  // namespace

int run_workspace(Session& s, const Args& args) {
  return run_group(s, "workspace", "Manages workspaces: several states of one configuration.", kCommands,
                   args);
}

}  // namespace xplan::cmd

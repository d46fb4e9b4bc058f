// workspace: list, show, new, select and delete: several states of one configuration.
#include <fmt/format.h>

#include <iterator>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"

namespace xplan::cmd {
namespace {

bool valid(Session& s, const std::string& name) {
  if (valid_workspace_name(name)) return true;
  s.diags.error(
      "Invalid workspace name",
      fmt::format("The workspace name \"{}\" is not valid: it is used in paths, so it can contain only "
                  "letters, digits and the characters - _ . ~ $ & + : = @, and it cannot be . or ..",
                  name));
  return false;
}

// TF_WORKSPACE decides, so nothing else can be selected.
bool overridden(Session& s, const Workspaces& w) {
  if (!w.overridden()) return false;
  s.diags.error("Workspace is overridden",
                fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\", which "
                            "overrides any other selection. Change or unset it and run the command again.",
                            w.current()));
  return true;
}

bool report(Session& s, std::string_view summary, const Result<void>& r) {
  if (!r) s.diags.error(summary, r.error().sentence());
  return r.ok();
}

void created(Session& s, const std::string& name, bool seeded) {
  std::string text;
  render::put(text, fmt::format("Created and switched to workspace \"{}\"!", name), render::Style::BoldGreen,
              s.human.color);
  s.io.out(text + (seeded ? "\n\nIts state is a copy of the given state.\n"
                          : "\n\nIts state is empty: plans in this workspace do not see the objects of "
                            "other\nworkspaces.\n"));
}

int list(Session& s, const Args& args) {
  Flags flags(s.program + " workspace list",
              "Lists the workspaces; the selected one is marked with an asterisk.");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  Backend backend;
  if (!folder_backend(s, backend)) return s.finish();
  const Workspaces w = backend.workspaces(s.data_dir);
  std::string text, current = w.current();
  for (const std::string& name : w.list()) text += fmt::format("{}{}\n", name == current ? "* " : "  ", name);
  s.io.out(text + "\n");
  if (w.overridden())
    s.io.out(fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\".\n\n", current));
  return s.finish();
}

int show(Session& s, const Args& args) {
  std::vector<std::string> ignored;
  Flags flags(s.program + " workspace show", "Prints the name of the selected workspace.");
  flags.arguments(ignored, 0, 1000, "none");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  std::string name = s.workspace();
  if (!valid(s, name)) return s.finish();
  s.io.out(name + "\n");
  return s.finish();
}

// Copies a state file into the workspace just made.
bool seed(Session& s, const std::string& path, const StateFlags& lock) {
  State from;
  Opened o;
  if (!read_state_file(s, path, from)) return false;
  StateFlags flags = lock;
  flags.backup.assign(1, '-');
  if (!open_selected_state(s, flags, "workspace-new", Missing::Allowed, o)) return false;
  from.lineage.clear();  // another workspace's state is another state
  return save_state(s, o, from);
}

int make(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags lock;
  std::string from;
  Flags flags(s.program + " workspace new NAME", "Creates a workspace and selects it.");
  lock.add_lock(flags);
  flags.text("state", from, "Copy this state file into the new workspace.", "PATH")
      .arguments(given, 1, 1, "the name of the workspace");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  Backend backend;
  if (!folder_backend(s, backend)) return s.finish();
  const Workspaces w = backend.workspaces(s.data_dir);
  if (!valid(s, given[0]) || overridden(s, w)) return s.finish();
  State check;
  if (!from.empty() && !read_state_file(s, from, check)) return s.finish();
  if (!report(s, "Failed to create workspace", w.create(given[0]))) return s.finish();
  if (from.empty() || seed(s, from, lock)) created(s, given[0], !from.empty());
  return s.finish();
}

int select(Session& s, const Args& args) {
  std::vector<std::string> given;
  bool or_create = false;
  Flags flags(s.program + " workspace select NAME", "Selects another workspace.");
  flags.flag("or-create", or_create, "Create the workspace if it does not exist.")
      .arguments(given, 1, 1, "the name of the workspace");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  Backend backend;
  if (!folder_backend(s, backend)) return s.finish();
  const Workspaces w = backend.workspaces(s.data_dir);
  const std::string& name = given[0];
  if (!valid(s, name) || overridden(s, w) || name == w.current()) return s.finish();
  bool make_it = !w.exists(name) && or_create;
  if (!report(s, "Failed to select workspace", make_it ? w.create(name) : w.select(name))) return s.finish();
  if (make_it) return created(s, name, false), s.finish();
  std::string text;
  render::put(text, fmt::format("Switched to workspace \"{}\".", name), render::Style::Green, s.human.color);
  s.io.out(text + "\n");
  return s.finish();
}

int remove(Session& s, const Args& args) {
  std::vector<std::string> given;
  StateFlags lock;
  bool force = false;
  Flags flags(s.program + " workspace delete NAME", "Deletes a workspace and its state.");
  flags
      .flag("force", force,
            "Delete the workspace even if its state has objects, which are then no longer managed.")
      .arguments(given, 1, 1, "the name of the workspace");
  lock.add_lock(flags);
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  Backend backend;
  if (!folder_backend(s, backend)) return s.finish();
  const Workspaces w = backend.workspaces(s.data_dir);
  const std::string& name = given[0];
  auto refuse = [&](std::string why) {
    s.diags.error("Failed to delete workspace", std::move(why));
    return s.finish();
  };
  if (!w.exists(name))
    return refuse(fmt::format("Workspace \"{}\" doesn't exist. Run \"{} workspace list\" for the list.", name,
                              s.program));
  if (name == w.current())
    return refuse(
        fmt::format("Workspace \"{}\" is currently selected. Select another one before deleting it.", name));
  if (name == "default") return refuse("The workspace \"default\" cannot be deleted.");
  StateFlags at = lock;
  at.state = backend.state_path(w, name);
  Opened o;
  if (!s.open_state(at, nullptr, "workspace-delete", o)) return s.finish();
  std::vector<std::string> objects;
  for (const auto& [addr, r] : o.state.resources)
    for (const auto& [key, i] : r.instances)
      if (addr.resource.mode == Mode::Managed)
        objects.push_back(AbsInstance{addr.module, addr.resource, key}.text());
  if (!objects.empty() && !force) {
    std::string some;
    for (size_t i = 0; i < objects.size() && i < 20; ++i) some += "\n  - " + objects[i];
    if (objects.size() > 20) some += fmt::format("\n  … and {} more", objects.size() - 20);
    return s.diags.error(
               "Workspace is not empty",
               fmt::format(
                   "Workspace \"{}\" still manages these objects:{}\n\nWithout their state, they could only "
                   "be found and deleted manually. Destroy them first, or use -force to keep them.",
                   name, some)),
           s.finish();
  }
  s.unlock(*o.store);
  if (!report(s, "Failed to delete workspace", w.remove(name))) return s.finish();
  std::string text;
  render::put(text, fmt::format("Deleted workspace \"{}\"!", name), render::Style::Green, s.human.color);
  s.io.out(text + "\n");
  if (!objects.empty())
    s.diags.warn(
        "Objects are no longer managed",
        fmt::format(
            "The state of workspace \"{}\" had {} objects. They still exist, but are no longer tracked.",
            name, objects.size()));
  return s.finish();
}

constexpr SubCommand kCommands[] = {
    {"delete", remove, "Delete a workspace"},
    {"list", list, "List the workspaces"},
    {"new", make, "Create a workspace"},
    {"select", select, "Select a workspace"},
    {"show", show, "Print the name of the selected workspace"},
};

}  // namespace

int run_workspace(Session& s, const Args& args) {
  return run_group(s, "workspace", "Manages several states of one configuration.", kCommands,
                   std::size(kCommands), args);
}

}  // namespace xplan::cmd

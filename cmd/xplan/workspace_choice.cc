// Selects, creates or asks for the workspace of a backend in which the selected one, "default" for instance,
// does not exist.
#include "cmd/xplan/workspace_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/text.h"
#include "core/state/left_journal.h"

namespace xplan::cmd {
namespace {

constexpr std::string_view kOtherwise =
    "The backend is recorded, but no workspace is selected. Run the command again and answer, or select one.";

bool problem(Session& s, const Result<void>& r) {
  if (!r) s.diags.error("Failed to select workspace", r.error().sentence());
  return r.ok();
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool refuse(Session& s, std::string detail) {
  return s.diags.error("Invalid workspace selection", std::move(detail)), false;
}

bool create_first(Session& s, const backend::Backend& b, const backend::WorkspaceSelection& selection,
                  bool asks) {
  if (!asks)
    return refuse(s, fmt::format("There are no workspaces yet. Create one with {}.",
                                 own_command("workspace new NAME")));
  const auto name =
      ask_line(s, "There are no workspaces yet. Enter a name to create the first one:", kOtherwise);
  if (!name || !run::check_workspace(*name, "", s.diags)) return false;
  return problem(s, b.create(*name)) && problem(s, selection.select(*name));
}

bool choose(Session& s, const std::vector<std::string>& names, const backend::WorkspaceSelection& selection,
            bool asks) {
  const std::string current = selection.current();
  if (!asks)
    return refuse(
        s, fmt::format("The selected workspace \"{}\" does not exist. Select another one with {}, or set "
                       "TF_WORKSPACE.",
                       current, own_command("workspace select NAME")));
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) list += fmt::format("\n  {}. {}", i + 1, names[i]);
  const auto answer =
      ask_line(s,
               fmt::format("The selected workspace \"{}\" does not exist. Enter the number of the "
                           "workspace to select:\n{}",
                           current, list),
               kOtherwise);
  if (!answer) return false;
  size_t number = 0;
  const auto [end, wrong] = std::from_chars(answer->data(), answer->data() + answer->size(), number);
  const bool counted = wrong == std::errc() && end == answer->data() + answer->size();
  if (counted && number >= 1 && number <= names.size())
    return problem(s, selection.select(names[number - 1]));
  if (has(names, *answer)) return problem(s, selection.select(*answer));
  return refuse(s, fmt::format("\"{}\" is not a number or name from the list.", *answer));
}

// Where "default" is there by itself, and another one is selected. The reference tools accept whatever
// TF_WORKSPACE selects of local states; of a run that was killed, there may be nothing but its journal.
bool check_selected(Session& s, const backend::Backend& b, const backend::WorkspaceSelection& selection,
                    bool asks) {
  const std::string current = selection.current();
  const bool needs_none = selection.overridden() && b.keeps_backups();
  if (current == backend::kDefaultWorkspace || !backend::valid_workspace_name(current) ||
      !b.has_workspaces() || needs_none)
    return true;
  const Result<std::vector<std::string>> names = b.workspaces();
  if (!names) return s.diags.error("Failed to list workspaces", names.error().sentence()), false;
  if (has(*names, current)) return true;
  if (const auto left = b.open(current)->left_journal(); left && *left) return true;
  if (!selection.overridden()) return choose(s, *names, selection, asks && !s.stream);
  return refuse(s,
                fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\", which does "
                            "not exist. Correct the variable; or unset it, create the workspace with {}, and "
                            "run the command again.",
                            current, own_command("workspace new " + shell_word(current))));
}

}  // namespace

std::optional<std::string> ask_line(Session& s, std::string_view question, std::string_view otherwise) {
  s.prose(fmt::format("\n{}\n\n  Enter a value: ", question));
  std::string line;
  const Typed typed = s.io.read_line(line);
  s.io.out("\n");
  if (typed == Typed::Line) return std::string(trimmed(line));
  s.diags.error(
      "Input interrupted",
      fmt::format("{} before the question was answered. {}",
                  typed == Typed::End ? "Standard input ended" : "The command was interrupted", otherwise));
  return std::nullopt;
}

bool choose_workspace(Session& s, const backend::Backend& b, bool asks, bool cloud) {
  const backend::WorkspaceSelection selection{s.data_dir};
  if (b.has_default()) return check_selected(s, b, selection, asks);
  const std::string current = selection.current();
  if (const std::string only = b.only_workspace(); !only.empty())
    return current == only || selection.overridden() || problem(s, selection.select(only));
  const Result<std::vector<std::string>> names = b.workspaces();
  if (!names) return s.diags.error("Failed to list workspaces", names.error().sentence()), false;
  if (has(*names, current)) return true;
  if (selection.overridden() && !cloud) return true;
  if (selection.overridden())
    return refuse(s, fmt::format("The environment variable TF_WORKSPACE selects the workspace \"{}\", which "
                                 "does not match the \"workspaces\" block of the cloud block.",
                                 current));
  asks = asks && !s.stream;
  if (names->empty()) return create_first(s, b, selection, asks && cloud);
  if (names->size() == 1) return problem(s, selection.select(names->front()));
  return choose(s, *names, selection, asks);
}

}  // namespace xplan::cmd

// Compares what a journal says of a move with the command that it names, with the state, and with the file
// that the objects were to go to.
#include "core/state/unfinished_move.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/command_line.h"
#include "core/state/edit.h"
#include "core/state/lock.h"
#include "core/state/state_head.h"
#include "core/state/store_files.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

struct MoveCommand {
  std::string state, state_out, workspace_out;
  std::optional<Target> from, to;
};

// One word as shell_word() writes it, taken from the front.
std::string take_word(std::string_view& text) {
  std::string word;
  while (!text.empty() && text.front() != ' ') {
    const bool quoted = text.front() == '\'', escaped = text.starts_with("\\'");
    if (quoted || escaped) text.remove_prefix(1);
    const size_t end = quoted ? std::min(text.find('\''), text.size()) : 1;
    word += text.substr(0, end);
    text.remove_prefix(std::min(quoted ? end + 1 : end, text.size()));
  }
  if (!text.empty()) text.remove_prefix(1);
  return word;
}

// On one line, as messages show it; a name of a workspace is one word, too.
bool is_plain(const MoveCommand& c) {
  const bool one_word = std::all_of(c.workspace_out.begin(), c.workspace_out.end(),
                                    [](char ch) { return ch > ' ' && ch < 0x7f && ch != '"' && ch != '\''; });
  return one_word && shown_foreign(c.state) == c.state && shown_foreign(c.state_out) == c.state_out;
}

// As messages name it.
std::string destination_of(const MoveCommand& c) {
  return c.state_out.empty() ? fmt::format("the state of the workspace \"{}\"", c.workspace_out)
                             : fmt::format("the state \"{}\"", c.state_out);
}

// Nothing: it is not what "state mv" writes, whose words are read and written again to compare.
std::optional<MoveCommand> read_command(std::string_view command) {
  MoveCommand c;
  std::string again = "state mv";
  std::string_view rest = command;
  if (take_word(rest) != "state" || take_word(rest) != "mv") return std::nullopt;
  auto option = [&](std::string_view start, std::string& value) {
    if (!rest.starts_with(start)) return;
    value = take_word(rest).substr(start.size());
    again += fmt::format(" {}{}", start, shell_word(value));
  };
  option("-state=", c.state);
  option("-state-out=", c.state_out);
  option("-workspace-out=", c.workspace_out);
  if (c.state_out.empty() == c.workspace_out.empty()) return std::nullopt;  // exactly one of them
  for (std::optional<Target>* end : {&c.from, &c.to}) {
    *end = parse_target(take_word(rest));
    if (!*end || (*end)->resource.has_value() != c.from->resource.has_value()) return std::nullopt;
    again += " " + shell_word((*end)->text());
  }
  return again == command && is_plain(c) ? std::optional(std::move(c)) : std::nullopt;
}

// Whether the words for messages name what the command leads to.
bool names_destination(const std::string& words, const MoveCommand& c) {
  if (c.state_out.empty()) return words == destination_of(c);
  constexpr std::string_view kStart = "the state \"";
  return words.starts_with(kStart) && words.ends_with('"') && words.size() > kStart.size() &&
         is_one_file(words.substr(kStart.size(), words.size() - kStart.size() - 1), c.state_out);
}

}  // namespace

const JournalRecord* unfinished_move_of(const std::vector<JournalRecord>& records) {
  const bool moving = !records.empty() && records.front().kind == JournalRecord::Kind::Moving;
  return moving ? &records.front() : nullptr;
}

namespace {

std::string doubt_of(const JournalRecord& moving, const std::optional<MoveCommand>& c,
                     const std::string& path, const State& here) {
  if (!c) return "the command that it gives is not that of a move";
  if (!c->state.empty() && !is_one_file(c->state, path))
    return fmt::format("its command is about another state, \"{}\"", c->state);
  if (!names_destination(moving.action, *c)) return "it names another destination than its command does";
  for (const auto& [from, to] : moving.moves) {
    if (!c->from->covers(from) || moved_address(from, *c->from, *c->to) != to)
      return fmt::format("its command would not move {} to {}", from.text(), to.text());
    if (!here.find(from)) return fmt::format("this state does not have {}", from.text());
  }
  if (moving.moves.empty()) return "it does not list any objects";
  if (moving.lineage.empty() || c->state_out.empty()) return {};
  std::error_code ec;
  if (!std::filesystem::exists(c->state_out, ec))
    return fmt::format("the state \"{}\", which was to receive them, does not exist{}", c->state_out,
                       c->state_out.starts_with('/') ? "" : " in this directory");
  const std::optional<StateHead> head = read_state_head(c->state_out);  // nothing: it is encrypted, perhaps
  if (head && head->lineage != moving.lineage)
    return fmt::format("\"{}\" is not the state that was to receive them", c->state_out);
  return {};
}

}  // namespace

std::string doubt_of_move(const JournalRecord& moving, const std::string& path, const State& here) {
  return doubt_of(moving, read_command(moving.command), path, here);
}

std::string unfinished_move_text(const JournalRecord& moving, const std::string& path, const State& here) {
  const std::optional<MoveCommand> c = read_command(moving.command);
  const std::string doubt = doubt_of(moving, c, path, here);
  if (!doubt.empty())
    return fmt::format(
        "The journal of the state \"{}\" says that an earlier command was to move objects to another state "
        "and "
        "ended before it had finished. That cannot be so: {}. The journal may have been changed, or may have "
        "come from elsewhere, so do not run the command that it names.\n\nTo see all that it says, run:\n  "
        "{} "
        "state "
        "journal\n\n",
        path, doubt, program_name());
  std::string text = fmt::format(
      "An earlier command that was to move objects from the state \"{}\" to {} ended before it had finished, "
      "so they may be in both states:",
      path, destination_of(*c));
  std::vector<std::string> objects;
  for (const auto& [from, to] : moving.moves)
    objects.push_back(from == to ? from.text() : fmt::format("{} (there: {})", from.text(), to.text()));
  put_objects(text, objects, 20);
  return text + fmt::format("\n\nTo finish the move, run:\n  {} {}\n\n", program_name(), moving.command);
}

}  // namespace xplan

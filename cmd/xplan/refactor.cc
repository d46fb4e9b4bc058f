// The group "refactor": suggest finds objects that a plan would destroy and create because they moved in the
// configuration, and writes moved blocks for them.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/help.h"
#include "cmd/xplan/operation.h"
#include "cmd/xplan/plan_key.h"
#include "core/base/command_line.h"
#include "core/run/moved_file.h"
#include "render/suggested_moves.h"

namespace xplan::cmd {
namespace {

struct SuggestFlags {
  std::vector<std::string> files;
  std::string out;
  int threshold = static_cast<int>(review::kMoveThreshold * 100);
  bool approve = false;
};

// A plan of the directory, without errors.
std::optional<run::Planned> plan_now(Session& s, OperationFlags& f) {
  s.concise = true;  // what is refreshed is not of interest
  std::optional<run::Planned> out = make_plan_for(s, f, "OperationTypePlan");
  if (!out) return out;
  s.unlock(*out->state.store);
  return out->plan.errored || s.diags.has_errors() ? std::nullopt : std::move(out);
}

// Whether the blocks are to be written. Nobody is asked who names the file, and none whose answer would be
// JSON.
bool wanted(Session& s, const SuggestFlags& how, const std::string& file, size_t blocks) {
  if (how.approve || !how.out.empty()) return true;
  if (s.json) return false;
  const bool yes =
      s.approved(fmt::format("Do you want to add {} moved block{} to {}?\n  Nothing else changes; "
                             "the next plan shows what they do.",
                             blocks, blocks == 1 ? "" : "s", file),
                 "Nothing was written.", "To write them without being asked, use -auto-approve.");
  if (!yes && !s.diags.has_errors()) s.io.out("Nothing was written.\n");
  return yes;
}

int suggest(Session& s, const Args& args) {
  OperationFlags f;
  SuggestFlags how;
  Flags flags(
      "refactor suggest [FILE]",
      "Plans (or reads the saved plan FILE), and finds objects that would be destroyed and look like "
      "those that would be created in their place, since blocks were renamed, put into a module or got "
      "count or for_each. After asking, writes moved blocks for them, so that the next plan moves them "
      "instead.");
  flags.flag("json", s.json, "Print JSON. Blocks are only written with -out or -auto-approve.")
      .text("out", how.out,
            "Add the blocks to FILE, of the root module, without asking. What it has already stays as it is. "
            "(moved.tf is the default of those who are asked.)",
            "FILE")
      .flag("auto-approve", how.approve, "Do not ask before blocks are written.")
      .number("threshold", how.threshold,
              "How many percent of two objects must be alike at least (default 60): their attributes, names, "
              "modules and instance keys.");
  f.add(flags, Command::Plan);
  add_plan_key(flags, s);
  flags.arguments(how.files, 0, 1, "at most one plan file");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (s.json) f.variables.input = false;
  if (how.threshold > 100)
    return s.diags.error("Invalid threshold", "-threshold takes a number of percent, from 0 to 100."),
           s.finish();
  const bool saved = !how.files.empty();
  auto opened = saved ? open_plan_file(s, how.files[0], f.variables.options) : std::nullopt;
  const auto made = saved ? std::nullopt : plan_now(s, f);
  if (!opened && !made) return s.finish();
  const Plan& plan = opened ? opened->plan : made->plan;
  const auto saved_config =
      opened ? planfile::load_config(*opened, s.context(), planfile::SchemasOf::Plan, s.diags) : nullptr;
  if (s.diags.has_errors()) return s.finish();
  const config::Config& config = opened ? *saved_config : *made->config;
  const review::SuggestedMoves moves = review::suggest_moves(plan, how.threshold / 100.0);
  const std::vector<review::MovedBlock> blocks = review::moved_blocks(plan, config, moves.suggested);
  const std::string file = how.out.empty() ? "moved.tf" : how.out;
  std::string text;
  for (const review::MovedBlock& b : blocks) text += (text.empty() ? "" : "\n") + b.text();
  if (!s.json) {
    s.io.out(render::suggested_moves_text(moves, s.human));
    if (!text.empty()) s.io.out("\n" + text);
  }
  const bool written = !blocks.empty() && wanted(s, how, file, blocks.size()) &&
                       run::add_moved_blocks(s.context(), file, text, s.diags);
  if (s.json) {
    JsonWriter w([&](std::string_view piece) { s.io.out(piece); }, 2);
    render::write_suggested_moves_json({moves, blocks, written ? file : ""}, w);
    w.flush();
    s.io.out("\n");
  } else if (written) {
    s.prose(fmt::format("\n{} moved block{} added to {}. Run {} to see what they do.\n", blocks.size(),
                        blocks.size() == 1 ? " was" : "s were", file, own_command("plan")));
  }
  return s.finish();
}

constexpr SubCommand kRefactorCommands[] = {
    {"suggest", Does::Work, suggest, "Suggest moved blocks for objects that would be replaced by others"},
};

}  // namespace

int run_refactor(Session& s, const Args& args) {
  return run_group(s, "refactor", "Helps with changes of the configuration that only move objects.",
                   kRefactorCommands, args);
}

}  // namespace xplan::cmd

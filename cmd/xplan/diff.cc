// diff: compares what two saved plans would do, as text or as JSON.
#include "cmd/xplan/commands.h"
#include "cmd/xplan/effects.h"
#include "cmd/xplan/plan_key.h"
#include "core/base/command_line.h"
#include "core/review/compare.h"
#include "render/comparison.h"

namespace xplan::cmd {

int run_diff(Session& s, const Args& args) {
  std::vector<std::string> files;
  Flags flags("diff OLDER NEWER",
              "Shows how the effects of a newer saved plan differ from those of an older one.");
  flags.flag("json", s.json, "Print JSON on one line, for other tools.");
  bool detailed = false;
  flags.flag("detailed-exitcode", detailed,
             "Exit with code 0 if the effects are the same, 1 for an error, 2 if they differ.");
  StateFlags values;
  values.add_values(flags);
  add_plan_key(flags, s);
  flags.arguments(files, 2, 2, "two plan files: an older and a newer one");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  // The passphrase is for the other one.
  s.plain_plans = is_plain_plan(files[0]) != is_plain_plan(files[1]);
  const auto older = open_effects(s, files[0], values.variables);
  const auto newer = older ? open_effects(s, files[1], values.variables) : nullptr;
  if (!newer) return s.finish();
  const review::EffectSources a = older->sources(s), b = newer->sources(s);
  const review::PlanComparison found = review::compare(a, b, {});
  if (s.json) {
    const auto first = effect_digest(s, a), second = effect_digest(s, b);
    if (!first || !second) return s.finish();
    JsonWriter w([&](std::string_view text) { s.io.out(text); }, 0);
    render::write_comparison_json(found, {files[0], *first}, {files[1], *second}, w);
    w.flush();
    s.io.out("\n");
  } else {
    render::render_comparison(found, {"older plan", "newer plan"}, s.human,
                              [&](std::string_view text) { s.io.out(text); });
  }
  return s.finish(detailed && !found.differences.empty() ? 2 : 0);
}

}  // namespace xplan::cmd

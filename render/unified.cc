// Unified diffs: changed lines with three lines of context around them, in hunks that do not touch.
#include "render/unified.h"

#include <fmt/format.h>

#include <vector>

#include "render/smart/lines.h"

namespace xplan::render {
namespace {

constexpr size_t kHunkContext = 3;

bool same(const LineStep& step) {
  return step.kind == LineStep::Kind::Same;
}
bool of_old(const LineStep& step) {
  return step.kind == LineStep::Kind::Removed || step.kind == LineStep::Kind::MovedAway;
}

// "12,3", or "12" for one line; an empty range is named by the line before it.
std::string range_text(size_t line, size_t count) {
  if (count == 1) return std::to_string(line + 1);
  return fmt::format("{},{}", count == 0 ? line : line + 1, count);
}

struct Ends {
  bool newline;               // at the end of both texts
  size_t olds = 0, news = 0;  // lines of each
};

// Steps [begin, end), with `line` lines of each text before them, which move on.
void put_hunk(std::string& out, const std::vector<LineStep>& steps, size_t begin, size_t end, Ends& line,
              const Ends& all) {
  const Ends first = line;
  std::string body;
  for (size_t i = begin; i < end; ++i) {
    const LineStep& step = steps[i];
    const bool in_old = same(step) || of_old(step), in_new = !of_old(step);
    body += same(step) ? ' ' : in_old ? '-' : '+';
    body.append(step.text) += '\n';
    line.olds += in_old, line.news += in_new;
    const bool last = (in_old && line.olds == all.olds) || (in_new && line.news == all.news);
    if (last && !all.newline) body += "\\ No newline at end of file\n";
  }
  out += fmt::format("@@ -{} +{} @@\n{}", range_text(first.olds, line.olds - first.olds),
                     range_text(first.news, line.news - first.news), body);
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  const std::vector<LineStep> steps = line_steps(before, after, true);
  Ends all{before.ends_with('\n') || before.empty()}, line{true};
  std::vector<size_t> changed;
  for (size_t i = 0; i < steps.size(); ++i) {
    all.olds += same(steps[i]) || of_old(steps[i]), all.news += !of_old(steps[i]);
    if (!same(steps[i])) changed.push_back(i);
  }
  if (changed.empty()) return {};
  std::string out = fmt::format("--- old/{0}\n+++ new/{0}\n", name);
  size_t at = 0;  // the first step that was not looked at
  for (size_t c = 0; c < changed.size();) {
    const size_t begin = changed[c] > at + kHunkContext ? changed[c] - kHunkContext : at;
    size_t last = changed[c];
    while (++c < changed.size() && changed[c] - last <= 2 * kHunkContext + 1) last = changed[c];
    const size_t end = std::min(last + 1 + kHunkContext, steps.size());
    line.olds += begin - at, line.news += begin - at;
    put_hunk(out, steps, begin, end, line, all);
    at = end;
  }
  return out;
}

}  // namespace xplan::render

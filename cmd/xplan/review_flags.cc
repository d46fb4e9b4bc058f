// Shows the summary of a plan: instead of its changes (-summary), or below many of them on a terminal.
// Compares plans with what -fail-on forbids.
#include "cmd/xplan/review_flags.h"

#include <fmt/format.h>

#include "cmd/xplan/operation.h"
#include "cmd/xplan/state_access.h"
#include "core/base/fs.h"
#include "render/human_plan.h"
#include "render/summary.h"

namespace xplan::cmd {
namespace {

constexpr size_t kManyChanges = 50, kMostNamed = 20;

}  // namespace

void ReviewFlags::add(Flags& f) {
  f.flag("summary", summary_, "Show counts and what is riskiest first, instead of every change.");
  f.text("data-types", data_types_file_,
         "Types of resources that hold data, one a line, in addition to those that are known.", "FILE");
  f.list("fail-on", fail_on_,
         "Fail with exit code 3, and change nothing, if the plan does one of these: " +
             review::guard_names() + ". With >N, up to N are permitted.",
         "KINDS");
  f.list("allow", allow_, "Do not count this address for -fail-on. Can be given several times.", "ADDRESS");
}

bool ReviewFlags::prepare(Session& s) {
  for (const std::string& text : fail_on_) {
    Result<std::vector<review::Guard>> guards = review::parse_guards(text);
    if (guards)
      guards_.insert(guards_.end(), guards->begin(), guards->end());
    else
      s.diags.error("Invalid option -fail-on", guards.error().sentence());
  }
  if (!allow_.empty() && fail_on_.empty())
    s.diags.error("Missing option -fail-on",
                  "The option -allow names what -fail-on is not to count, and -fail-on is not given.");
  parse_targets(s, allow_, allowed_);
  if (!data_types_file_.empty()) {
    Result<std::string> text = read_given(data_types_file_, &s.stop);
    Result<void> added = text ? data_types_.add_lines(*text) : Result<void>(text.error());
    if (!added)
      s.diags.error("Invalid list of types that hold data",
                    fmt::format("The file \"{}\" of -data-types cannot be used: {}.", data_types_file_,
                                added.error().message));
  }
  return !s.diags.has_errors();
}

bool ReviewFlags::permitted(Session& s, const Plan& plan) const {
  const std::vector<review::Violation> found = violations(plan, guards_, allowed_, data_types_);
  for (const review::Violation& v : found) {
    std::string text =
        v.guard.most ? fmt::format("The option -fail-on={} permits {}, and this plan has {}:", v.guard.text,
                                   v.guard.most, v.what.size())
                     : fmt::format("The option -fail-on={} forbids what this plan does:", v.guard.text);
    for (size_t i = 0; i < v.what.size() && i < kMostNamed; ++i) text += "\n  - " + v.what[i];
    if (v.what.size() > kMostNamed) text += fmt::format("\n  - and {} more", v.what.size() - kMostNamed);
    s.diags.error("Plan is not permitted", text +
                                               "\n\nNothing was changed. If this is intended, name the "
                                               "addresses with -allow, or leave the option out.");
  }
  return found.empty();
}

void ReviewFlags::show(Session& s, const Plan& plan) const {
  const bool whole = !summary_ || s.stream || plan.errored;
  if (whole) show_plan(s, plan);
  if (s.stream || plan.errored || s.stop) return;
  const review::Summary summary = summarize(plan, data_types_);
  const bool many = s.io.out_is_terminal && summary.counts.total() > kManyChanges;
  if (!summary_ && !many) return;
  std::string text = "\n";
  render::render_summary(summary, s.human, text);
  text += '\n';
  text += render::plan_summary(plan, s.human) + "\n";
  render::put_replacements(summary, s.human, text);
  s.io.out(text);
}

void ReviewFlags::write_json(Session& s, const Plan& plan) const {
  JsonWriter w([&](std::string_view text) { s.io.out(text); }, 0);
  render::write_summary_json(summarize(plan, data_types_), w);
  w.flush();
  s.io.out("\n");
}

}  // namespace xplan::cmd

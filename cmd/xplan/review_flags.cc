// Shows the summary of a plan: instead of its changes (-summary), or below many of them on a terminal.
// Compares plans with what -fail-on forbids.
#include "cmd/xplan/review_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "cmd/xplan/operation.h"
#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/hosts/cli_config.h"
#include "core/review/redact.h"
#include "render/human_plan.h"
#include "render/summary.h"

namespace xplan::cmd {
namespace {

// What there is where the configuration cannot be read.
const config::Config& nothing_declared() {
  static const auto config = [] {
    auto c = std::make_unique<config::Config>();
    c->modules.push_back(std::make_unique<config::Module>());
    c->root = std::make_unique<config::Node>();
    c->root->module = c->modules[0].get();
    c->nodes.push_back(c->root.get());
    c->by_path.emplace(c->root->path.id(), c->root.get());
    return c;
  }();
  return *config;
}

constexpr size_t kManyChanges = 50, kMostNamed = 20;

}  // namespace

void ReviewFlags::add(Flags& f) {
  f.flag("summary", summary_, "Show counts and the riskiest changes instead of every change.");
  f.text("data-types", data_types_file_,
         "File with additional resource types whose destruction counts as data loss, one per line.", "FILE");
  f.list("fail-on", fail_on_,
         "Fail with exit code 3, and change nothing, if the plan does one of these: " +
             review::guard_names() + ". KIND>N permits up to N.",
         "KINDS");
  f.list("allow", allow_, "Do not count this address for -fail-on. May be repeated.", "ADDRESS");
}

void ReviewFlags::add_guards(Session& s, const std::vector<std::string>& texts, const std::string& from,
                             std::string_view summary) {
  for (const std::string& text : texts) {
    Result<std::vector<review::Guard>> guards = review::parse_guards(text);
    if (!guards) {
      s.diags.error(std::string(summary),
                    fmt::format("{} has a value that is not valid. {}", from, guards.error().sentence()));
      continue;
    }
    for (review::Guard& g : *guards) {
      g.from = from;
      guards_.push_back(std::move(g));
    }
  }
}

void ReviewFlags::add_data_types(Session& s, const std::string& path, std::string_view from) {
  if (path.empty()) return;
  Result<std::string> text = read_given(path, &s.stop);
  Result<void> added = text ? data_types_.add_lines(*text) : Result<void>(text.error());
  if (!added)
    s.diags.error(
        "Invalid list of data types",
        fmt::format("The file \"{}\" given with {} cannot be used: {}.", path, from, added.error().message));
}

// Its warnings are for commands that install providers.
void ReviewFlags::add_configured(Session& s, Rules rules) {
  Diagnostics found;
  const hosts::CliConfig config = hosts::load_cli_config(s.sources, &std::getenv, environ, found);
  const bool guarding = rules == Rules::OfConfigurationToo;
  if (found.has_errors() && guarding) return s.diags.append(std::move(found));
  if (guarding) {
    add_guards(s, config.review.fail_on, "The setting fail_on of the CLI configuration file",
               "Invalid setting in the CLI configuration");
    parse_targets(s, config.review.allow, allowed_);
  }
  add_data_types(s, config.review.data_types, "the CLI configuration file");
}

bool ReviewFlags::prepare(Session& s, Rules rules) {
  if (summary_ && s.stream)
    s.diags.warn("Option has no effect",
                 "-summary has no effect with -json. To get the summary as JSON, save the plan and run " +
                     own_command("show -summary -json FILE") + ".");
  add_configured(s, rules);
  add_guards(s, fail_on_, "The option -fail-on", "Invalid option value");
  if (!allow_.empty() && guards_.empty() && !s.diags.has_errors())
    s.diags.error(
        "Missing option -fail-on",
        "The option -allow sets exceptions to -fail-on, so it can only be used together with that option.");
  parse_targets(s, allow_, allowed_);
  add_data_types(s, data_types_file_, "-data-types");
  return !s.diags.has_errors();
}

bool ReviewFlags::permitted(Session& s, const Plan& plan) const {
  const std::vector<review::Violation> found = violations(plan);
  for (const review::Violation& v : found) {
    std::string text = v.guard.most
                           ? fmt::format("{} ({}) permits at most {} {}, but this plan has {}:", v.guard.from,
                                         v.guard.text, v.guard.most, v.guard.noun, v.what.size())
                           : fmt::format("{} ({}) forbids what this plan does:", v.guard.from, v.guard.text);
    for (size_t i = 0; i < v.what.size() && i < kMostNamed; ++i) text += "\n  - " + v.what[i];
    if (v.what.size() > kMostNamed) text += fmt::format("\n  - and {} more", v.what.size() - kMostNamed);
    s.diags.error("Plan is not permitted", text +
                                               "\n\nNothing was changed. If this is intended, name the "
                                               "addresses with -allow, or change the rule.");
  }
  return found.empty();
}

const config::Config& Reviewed::declared() const {
  return config ? *config : nothing_declared();
}

Plan Reviewed::marked() const {
  return plan.review ? plan : review::Redactor().marked(plan, declared(), schemas);
}

void ReviewFlags::show(Session& s, const Reviewed& reviewed) const {
  const Plan& plan = reviewed.plan;
  const bool whole = !summary_ || s.stream;
  if (whole) show_plan(s, plan);
  if (s.stream || (plan.errored && !summary_) || s.stop) return;
  std::optional<Plan> marked;  // what stands below the plan itself has nothing to hide
  if (summary_) marked = reviewed.marked();
  const review::Summary summary = summarize(marked ? *marked : plan, data_types_);
  const bool many = s.io.out_is_terminal && summary.counts.total() > kManyChanges;
  if (!summary_ && !many) return;
  std::string text = "\n";
  render::render_summary(summary, s.human, text);
  text += '\n';
  text += render::plan_summary(plan, s.human) + "\n";
  render::put_replacements(summary, s.human, text);
  s.io.out(text);
}

void ReviewFlags::write_json(Session& s, const Reviewed& reviewed, const std::string& digest) const {
  const Plan plan = reviewed.marked();
  JsonWriter w([&](std::string_view text) { s.io.out(text); }, 0);
  review::Summary summary = summarize(plan, data_types_);
  summary.effect_digest = digest;
  render::write_summary_json(summary, w);
  w.flush();
  s.io.out("\n");
}

}  // namespace xplan::cmd

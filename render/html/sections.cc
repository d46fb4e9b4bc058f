// Writes what is about the plan as a whole.
#include "render/html/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/command_line.h"
#include "render/change_diff.h"
#include "render/html/rows.h"
#include "render/html/styled.h"
#include "render/places.h"
#include "render/summary.h"

namespace xplan::render::html {
namespace {

constexpr size_t kMostWithoutScript = 200;
constexpr size_t kMostChecks = 1000;

void put_fact(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += "<div><dt>";
  put_text(out, name);
  out += "</dt><dd>";
  put_text(out, value);
  out += "</dd></div>\n";
}

std::string_view mode_text(PlanMode m) {
  switch (m) {
    case PlanMode::Normal:
      return "";
    case PlanMode::Destroy:
      return "destroys everything";
    case PlanMode::RefreshOnly:
      return "only refreshes the state";
  }
  return "";
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& i : items) out += (out.empty() ? "" : ", ") + i;
  return out;
}

struct StatusText {
  std::string_view word, style;
};
StatusText status_text(CheckStatus s) {
  switch (s) {
    case CheckStatus::Unknown:
      return {"not known before apply", "c"};
    case CheckStatus::Pass:
      return {"passed", "g"};
    case CheckStatus::Fail:
      return {"failed", "r"};
    case CheckStatus::Error:
      return {"could not be evaluated", "r"};
  }
  return {};
}

void put_check(std::string_view address, CheckStatus status, const std::vector<std::string>& messages,
               std::string& out) {
  out += "<tr><th scope=\"row\"><code>";
  put_text(out, address);
  out += fmt::format("</code></th><td class=\"{}\">{}</td><td>", status_text(status).style,
                     status_text(status).word);
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i) out += "<br>";
    put_text(out, messages[i]);
  }
  out += "</td></tr>\n";
}

void put_problems(const PageInput& in, std::string& out) {
  if (!in.problems.has_errors()) return;
  out += "<ul class=\"alarm\">\n";
  for (const Diagnostic& d : in.problems.all()) {
    if (d.severity != Severity::Error) continue;
    const FilePlace p = file_place(in.sources, d.subject, "");
    out += "<li><strong>";
    put_text(out, d.summary);
    out += "</strong> ";
    put_text(out, p.file.empty() ? d.address : fmt::format("{}:{}", p.file, p.line));
    out += "<br>";
    put_text(out, d.detail);
    out += "</li>\n";
  }
  out += "</ul>\n";
}

}  // namespace

std::string title(const PageInput& in, const HumanOptions& options) {
  if (in.plan.errored) return "Incomplete plan: planning failed";
  const review::ActionCounts& c = in.summary.counts;
  if (c.total() + c.import + c.move > 0 || in.plan.deferred.size()) return plan_summary(in.plan, options);
  return in.summary.outputs ? "Plan: only outputs change" : "Plan: no changes";
}

void put_facts(const PageInput& in, const HumanOptions& options, std::string& out) {
  const Plan& p = in.plan;
  if (p.errored)
    out +=
        "<p class=\"alarm\" role=\"alert\">Planning failed. What is shown was planned until then; this plan "
        "cannot be applied.</p>\n";
  else if (!p.complete)
    out +=
        "<p class=\"alarm\">This plan is not complete: after applying it, another plan is required for the "
        "rest.</p>\n";
  put_problems(in, out);
  std::string replaced;
  HumanOptions unwrapped = options;
  unwrapped.color = false, unwrapped.width = 0;
  put_replacements(in.summary, unwrapped, replaced);
  if (!replaced.empty()) {
    out += "<p class=\"replaced\">";
    put_text(out, replaced.substr(0, replaced.size() - 1));
    out += "</p>\n";
  }
  out += "<dl class=\"facts\">\n";
  put_fact(out, "Mode", mode_text(p.mode));
  put_fact(out, "Workspace", p.workspace == "default" ? "" : p.workspace);
  put_fact(out, "Planned", p.timestamp);
  put_fact(out, "Only", joined(p.targets));
  put_fact(out, "Without", joined(p.excludes));
  put_fact(out, "Replacement requested", joined(p.force_replace));
  out += "</dl>\n";
}

void put_outputs(const PageInput& in, const HumanOptions& options, std::string& out) {
  std::string text;
  render_output_changes(in.plan, options, text);
  if (text.empty()) return;
  out +=
      "<section id=\"outputs\" aria-labelledby=\"outputs-title\">\n"
      "<h2 id=\"outputs-title\">Outputs</h2>\n<pre>";
  put_styled(out, text);
  out += "</pre>\n</section>\n";
}

void put_checks(const PageInput& in, const HumanOptions&, std::string& out) {
  std::vector<const CheckResult*> order;
  size_t passed = 0, shown = 0, left = 0;
  for (const CheckResult& c : in.plan.checks) order.push_back(&c);
  if (order.empty()) return;
  auto weight = [](const CheckResult* c) {
    return c->status == CheckStatus::Fail || c->status == CheckStatus::Error ? 0 : 1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const CheckResult* a, const CheckResult* b) { return weight(a) < weight(b); });
  std::string rows;
  for (const CheckResult* c : order) {
    if (c->status == CheckStatus::Pass) {
      ++passed;
      continue;
    }
    if (shown >= kMostChecks) {
      ++left;
      continue;
    }
    if (c->objects.empty()) put_check(c->config_addr, c->status, {}, rows), ++shown;
    for (const CheckObject& o : c->objects)
      if (o.status != CheckStatus::Pass)
        put_check(o.object_addr, o.status, o.failure_messages, rows), ++shown;
  }
  out += "<section id=\"checks\" aria-labelledby=\"checks-title\">\n<h2 id=\"checks-title\">Checks</h2>\n";
  if (passed) out += fmt::format("<p>{} passed.</p>\n", passed);
  if (!rows.empty())
    out +=
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Check</th>"
        "<th scope=\"col\">Result</th><th scope=\"col\">Message</th></tr></thead><tbody>\n" +
        rows + "</tbody></table></div>\n";
  if (left) out += fmt::format("<p>and {} more</p>\n", left);
  out += "</section>\n";
}

void put_without_script(const PageInput& in, const HumanOptions& options, const Sink& sink) {
  const size_t count = each_change(in, options, nullptr);
  if (!count) return;
  std::string out = "<noscript>\n<p class=\"alarm\">Filters and the graph require JavaScript, which is off.";
  if (count > kMostWithoutScript) {
    out += fmt::format(" Of {} changes, the first {} follow; ", count, kMostWithoutScript);
    put_text(out, own_command("show"));
    out += " prints all of them.";
  }
  out += "</p>\n";
  size_t n = 0;
  each_change(in, options, [&](const Row& row) {
    const KindFacts& k = facts(row.kind);
    out += fmt::format("<details><summary><span class=\"mark {}\">", k.style);
    put_text(out, k.mark);
    out += "</span> <code>";
    put_text(out, row.address);
    out += fmt::format("</code> <span class=\"outcome\">{}</span></summary><pre>", k.outcome);
    put_styled(out, row.text);
    out += "</pre></details>\n";
    sink(out);
    out.clear();
    return ++n < kMostWithoutScript;
  });
  sink(out + "</noscript>\n");
}

}  // namespace xplan::render::html

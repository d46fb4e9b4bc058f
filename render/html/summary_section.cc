// Writes the summary: what is riskiest first, then counts by type and module.
#include "render/html/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/group_text.h"
#include "render/html/styled.h"

namespace xplan::render::html {
namespace {

using review::ChangeGroup;
using review::CountsOf;

constexpr size_t kMostGroups = 20, kMostGroupsOfDanger = 100, kMostNames = 50;

void put_group(const ChangeGroup& g, std::string& out) {
  const std::string_view style = class_of(risk_text(g.risk).style);
  out += fmt::format("<li><span class=\"mark {}\" aria-hidden=\"true\">", style);
  put_text(out, group_mark(g));
  out += "</span> <code>";
  put_text(out, group_address(g));
  out += "</code>";
  if (const std::string note = group_note(g).text(); !note.empty()) {
    out += " <span class=\"note\">";
    put_text(out, note);
    out += "</span>";
  }
  out += "</li>\n";
}

// Returns where the next risk begins.
size_t put_risk(const std::vector<ChangeGroup>& groups, size_t begin, std::string& out) {
  const review::Risk risk = groups[begin].risk;
  size_t end = begin, changes = 0, shown = 0;
  for (; end < groups.size() && groups[end].risk == risk; ++end) changes += groups[end].changes.size();
  out += fmt::format("<h3 class=\"{}\">{} <span class=\"count\">({})</span></h3>\n<ul class=\"groups\">\n",
                     risk <= review::Risk::Replaces ? "danger" : "calm", risk_text(risk).title, changes);
  const size_t most = risk <= review::Risk::Destroys ? kMostGroupsOfDanger : kMostGroups;
  for (size_t i = begin; i < std::min(end, begin + most); ++i) {
    put_group(groups[i], out);
    shown += groups[i].changes.size();
  }
  if (changes > shown) out += fmt::format("<li class=\"more\">and {} more</li>\n", changes - shown);
  out += "</ul>\n";
  return end;
}

void put_counts(std::string_view title, const std::vector<CountsOf>& rows, std::string& out) {
  std::vector<const CountsOf*> order;
  for (const CountsOf& r : rows)
    if (r.counts.total() > r.counts.read) order.push_back(&r);
  if (order.size() < 2) return;
  std::stable_sort(order.begin(), order.end(), [](const CountsOf* a, const CountsOf* b) {
    return a->counts.total() > b->counts.total();
  });
  out += fmt::format("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{}</th>", title);
  for (const std::string_view name : {"destroy", "replace", "forget", "update", "create"})
    out += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", name);
  out += "</tr></thead><tbody>\n";
  for (size_t i = 0; i < std::min(order.size(), kMostNames); ++i) {
    const review::ActionCounts& c = order[i]->counts;
    out += "<tr><th scope=\"row\"><code>";
    put_text(out, order[i]->name.empty() ? "(root module)" : order[i]->name);
    out += "</code></th>";
    for (const size_t n : {c.destroy, c.replace, c.forget, c.update, c.create})
      out += n ? fmt::format("<td class=\"n\">{}</td>", n) : "<td class=\"n zero\">0</td>";
    out += "</tr>\n";
  }
  if (order.size() > kMostNames)
    out += fmt::format("<tr><td colspan=\"6\">and {} more</td></tr>\n", order.size() - kMostNames);
  out += "</tbody></table></div>\n";
}

}  // namespace

void put_summary(const PageInput& in, const HumanOptions& options, std::string& out) {
  std::string totals = totals_text(in.summary, options.product);
  out += "<p class=\"totals\">";
  put_text(out, totals);
  out += "</p>\n";
  const std::vector<ChangeGroup>& groups = in.summary.groups;
  for (size_t i = 0; i < groups.size();) i = put_risk(groups, i, out);
  put_counts("Type", in.summary.by_type, out);
  put_counts("Module", in.summary.by_module, out);
}

}  // namespace xplan::render::html

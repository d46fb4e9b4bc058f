// Prints the summary of a plan: what is riskiest first, then counts by type and module.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/terminal.h"
#include "render/group_text.h"
#include "render/summary.h"

namespace xplan::render {
namespace {

using review::ActionCounts;
using review::ChangeGroup;
using review::CountsOf;
using review::Risk;
using review::Summary;

constexpr size_t kMostRows = 20;           // groups of one risk
constexpr size_t kMostRowsOfDanger = 100;  // of those that destroy something
constexpr size_t kMostTypes = 12, kMostNames = 3;
constexpr std::pair<std::string_view, size_t ActionCounts::*> kColumns[] = {
    {"destroy", &ActionCounts::destroy}, {"replace", &ActionCounts::replace},
    {"forget", &ActionCounts::forget},   {"update", &ActionCounts::update},
    {"create", &ActionCounts::create},
};

class SummaryText {
 public:
  SummaryText(const Summary& s, const HumanOptions& o, std::string& out) : s_(s), o_(o), out_(out) {}

  void write() {
    put(out_, "Summary:", Style::Bold, o_.color);
    out_ += ' ';
    put_wrapped(out_, totals_text(s_, o_.product), o_.width);
    out_ += '\n';
    for (size_t i = 0; i < s_.groups.size();) i = of_one_risk(i);
    table("Type", s_.by_type);
    table("Module", s_.by_module);
  }

 private:
  size_t of_one_risk(size_t begin) {
    const Risk risk = s_.groups[begin].risk;
    size_t end = begin, changes = 0;
    for (; end < s_.groups.size() && s_.groups[end].risk == risk; ++end)
      changes += s_.groups[end].changes.size();
    const RiskText text = risk_text(risk);
    out_ += '\n';
    put(out_, fmt::format("{} ({})", text.title, changes), Style::Bold, o_.color);
    out_ += '\n';
    const size_t most = risk <= Risk::Destroys ? kMostRowsOfDanger : kMostRows;
    for (size_t i = begin; i < std::min(end, begin + most); ++i) row(s_.groups[i], text.style);
    if (end > begin + most) {
      size_t left = 0;
      for (size_t i = begin + most; i < end; ++i) left += s_.groups[i].changes.size();
      out_ += fmt::format("      and {} more\n", left);
    }
    return end;
  }

  void row(const ChangeGroup& g, Style style) {
    out_ += "  ";
    const std::string_view mark = group_mark(g);
    put(out_, fmt::format("{:>3}", mark), style, o_.color);
    out_ += ' ' + group_address(g);
    const std::string text = group_note(g).text();
    out_ += '\n';
    if (text.empty()) return;
    put_hanging(out_, "        ", text, "        ", o_.width);
    out_ += '\n';
  }

  void table(std::string_view title, const std::vector<CountsOf>& rows) {
    std::vector<const CountsOf*> order;
    order.reserve(rows.size());
    for (const CountsOf& r : rows)
      if (r.counts.total() > r.counts.read) order.push_back(&r);
    if (order.size() < 2) return;
    std::stable_sort(order.begin(), order.end(), [](const CountsOf* a, const CountsOf* b) {
      return a->counts.total() > b->counts.total();
    });
    size_t width = title.size();
    for (size_t i = 0; i < std::min(order.size(), kMostTypes); ++i)
      width = std::max(width, static_cast<size_t>(display_width(name_of(*order[i]))));
    width = std::min(width, static_cast<size_t>(std::max(o_.width, 60)) - 42);
    std::string head = fmt::format("{:<{}}", title, width);
    std::vector<size_t ActionCounts::*> columns;  // those that have something
    for (const auto& column : kColumns)
      if (std::any_of(order.begin(), order.end(),
                      [&](const CountsOf* r) { return r->counts.*column.second > 0; }))
        columns.push_back(column.second), head += fmt::format(" {:>7}", column.first);
    out_ += '\n';
    put(out_, head, Style::Bold, o_.color);
    out_ += '\n';
    for (size_t i = 0; i < std::min(order.size(), kMostTypes); ++i) {
      put_padded(out_, name_of(*order[i]), width);
      for (const auto member : columns) {
        const size_t n = order[i]->counts.*member;
        out_ += n ? fmt::format(" {:>7}", n) : "       -";
      }
      out_ += '\n';
    }
    if (order.size() > kMostTypes) out_ += fmt::format("and {} more\n", order.size() - kMostTypes);
  }
  static std::string name_of(const CountsOf& c) { return c.name.empty() ? "(root module)" : c.name; }

  const Summary& s_;
  const HumanOptions& o_;
  std::string& out_;
};

}  // namespace

void render_summary(const Summary& summary, const HumanOptions& options, std::string& out) {
  std::string text;
  SummaryText(summary, options, text).write();
  out += for_terminal(text);  // also in pipes: keys of maps and names of outputs are anybody's
}

void put_replacements(const Summary& summary, const HumanOptions& options, std::string& out) {
  const size_t replaced = summary.counts.replace;
  if (!replaced) return;
  std::string names;
  size_t named = 0;
  for (const ChangeGroup& g : summary.groups) {
    if (!is_replace(g.action()) || named == kMostNames) continue;
    names += (named++ ? ", " : "") + g.address();
  }
  size_t groups = 0, data = 0;
  for (const ChangeGroup& g : summary.groups) {
    if (!is_replace(g.action())) continue;
    ++groups;
    if (review::concerns_data(g.risk)) data += g.changes.size();
  }
  if (groups > named) names += fmt::format(" and {} more", groups - named);
  const std::string held = data ? fmt::format(" ({} with data)", data) : "";
  put_wrapped(out,
              fmt::format("Of these, {} replaced{}: {}.",
                          replaced == 1 ? "1 is" : fmt::format("{} are", replaced), held, names),
              options.width);
  out += '\n';
}

}  // namespace xplan::render

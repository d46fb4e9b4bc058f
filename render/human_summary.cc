// Prints the summary of a plan: what is riskiest first, then counts by type and module.
#include <fmt/format.h>

#include <algorithm>

#include "core/value/json.h"
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
constexpr size_t kMostTypes = 12, kMostNames = 3, kMostAttributes = 4, kMostKeys = 5, kLongestValue = 32;

struct RiskText {
  std::string_view title, mark;
  Style style;
};

RiskText text_of(Risk r) {
  switch (r) {
    case Risk::DestroysData:
      return {"Destroyed, with the data they hold", "-", Style::Red};
    case Risk::ReplacesData:
      return {"Replaced, with the data they hold", "-/+", Style::Red};
    case Risk::Destroys:
      return {"Destroyed", "-", Style::Red};
    case Risk::Forgets:
      return {"Forgotten, but not destroyed", ".", Style::Red};
    case Risk::Replaces:
      return {"Replaced", "-/+", Style::Yellow};
    case Risk::Updates:
      return {"Updated in place", "~", Style::Yellow};
    case Risk::Creates:
      return {"Created", "+", Style::Green};
    case Risk::Reads:
      return {"Read during apply", "<=", Style::Cyan};
    case Risk::Moves:
      return {"Moved or imported, and not changed", " ", Style::Plain};
  }
  return {};
}

std::string_view mark_of(const ChangeGroup& g) {
  return g.action() == Action::CreateThenDelete ? "+/-" : text_of(g.risk).mark;
}

std::string value_text(const Value& v) {
  if (v.is_unknown()) return "(known after apply)";
  if (v.is_null()) return "null";
  if (!v.is_wholly_known()) return "";
  if (!v.is_bool() && !v.is_number() && !v.is_string()) return "";
  std::string text = to_json(v);
  return text.size() > kLongestValue ? "" : text;
}

std::string name_of(const review::ChangedAttribute& a) {
  std::string out = a.path.empty() ? "" : path_text(a.path).substr(1);
  if (a.forces_replacement) out += " (forces replacement)";
  return out;
}

std::string deposed_text(const ChangeGroup& g) {
  return g.changes.size() == 1 && !g.first().deposed.empty() ? " (deposed object " + g.first().deposed + ")"
                                                             : "";
}

// ["a"], ["b"] and 3 more
std::string keys(const ChangeGroup& g) {
  std::string out;
  for (size_t i = 0; i < g.changes.size() && i < kMostKeys; ++i)
    out += (i ? ", " : "") + g.changes[i]->addr.key.text();
  if (g.changes.size() > kMostKeys) out += fmt::format(" and {} more", g.changes.size() - kMostKeys);
  return out;
}

// What no attribute says.
std::string_view reason_text(Reason r) {
  if (r == Reason::ReplaceBecauseTainted) return "tainted";
  if (r == Reason::ReplaceByRequest) return "requested by -replace";
  return r == Reason::ReplaceByTriggers ? "demanded by replace_triggered_by" : "";
}

// What forces a replacement comes first, then what else is known; what only follows is named if there is
// nothing else.
std::string attributes(const ChangeGroup& g) {
  std::vector<const review::ChangedAttribute*> told;
  for (const review::ChangedAttribute& a : g.attributes)
    if (!a.is_result() || a.forces_replacement) told.push_back(&a);
  if (told.empty() && reason_text(g.first().reason).empty())
    for (const review::ChangedAttribute& a : g.attributes) told.push_back(&a);
  std::stable_partition(told.begin(), told.end(),
                        [](const review::ChangedAttribute* a) { return a->forces_replacement; });
  std::string out;
  for (size_t i = 0; i < told.size() && i < kMostAttributes; ++i)
    out += (i ? ", " : "") + (g.same_values ? attribute_text(*told[i]) : name_of(*told[i]));
  if (told.size() > kMostAttributes) out += fmt::format(" and {} more", told.size() - kMostAttributes);
  return out;
}

// How many, and what changes in them.
std::string note(const ChangeGroup& g) {
  std::string out;
  if (g.changes.size() > 1) {
    out = fmt::format("{} instances", g.changes.size());
    if (g.odd) {
      out += ", with other values (" + keys(g) + ")";
    } else if (!g.attributes.empty()) {
      out += g.same_values ? ", the same change" : ", the same attributes";
    }
  }
  std::string names = attributes(g);
  auto add = [&](const std::string& text) { names += (names.empty() ? "" : ", ") + text; };
  if (g.changes.size() == 1 && g.first().moved()) add("moved from " + g.first().prev_addr.text());
  if (g.changes.size() == 1 && g.first().change.importing) add("imported");
  if (const std::string_view text = reason_text(g.first().reason); !text.empty()) add(std::string(text));
  if (!out.empty() && !names.empty()) out += ": ";
  return out + names;
}

class SummaryText {
 public:
  SummaryText(const Summary& s, const HumanOptions& o, std::string& out) : s_(s), o_(o), out_(out) {}

  void write() {
    put(out_, "Summary:", Style::Bold, o_.color);
    out_ += ' ';
    put_wrapped(out_, totals(), o_.width);
    out_ += '\n';
    for (size_t i = 0; i < s_.groups.size();) i = of_one_risk(i);
    table("Type", s_.by_type);
    table("Module", s_.by_module);
  }

 private:
  std::string totals() const {
    std::string out;
    auto add = [&](size_t n, std::string_view what) {
      if (n) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, what);
    };
    const ActionCounts& c = s_.counts;
    add(c.destroy, "destroyed"), add(c.replace, "replaced"), add(c.holding_data, "of these with data");
    add(c.forget, "forgotten"), add(c.update, "updated"), add(c.create, "created"), add(c.read, "read");
    add(c.import, "imported"), add(c.move, "moved"), add(s_.deferred, "deferred");
    add(s_.outputs, s_.outputs == 1 ? "output changed" : "outputs changed");
    add(s_.drifted, "changed outside of " + o_.product);
    add(s_.failed_checks, s_.failed_checks == 1 ? "failed check" : "failed checks");
    return (out.empty() ? "nothing changes" : out) + ".";
  }

  size_t of_one_risk(size_t begin) {
    const Risk risk = s_.groups[begin].risk;
    size_t end = begin, changes = 0;
    for (; end < s_.groups.size() && s_.groups[end].risk == risk; ++end)
      changes += s_.groups[end].changes.size();
    const RiskText text = text_of(risk);
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
    const std::string_view mark = mark_of(g);
    put(out_, fmt::format("{:>3}", mark), style, o_.color);
    out_ += ' ' + g.address() + deposed_text(g);
    const std::string text = note(g);
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
    out_ += '\n';
    put(out_,
        fmt::format("{:<{}} {:>7} {:>7} {:>7} {:>7} {:>7}", title, width, "destroy", "replace", "forget",
                    "update", "create"),
        Style::Bold, o_.color);
    out_ += '\n';
    auto cell = [](size_t n) { return n ? fmt::format(" {:>7}", n) : std::string(" ") + "      -"; };
    for (size_t i = 0; i < std::min(order.size(), kMostTypes); ++i) {
      const ActionCounts& c = order[i]->counts;
      put_padded(out_, name_of(*order[i]), width);
      out_ += cell(c.destroy) + cell(c.replace) + cell(c.forget) + cell(c.update) + cell(c.create) + '\n';
    }
    if (order.size() > kMostTypes) out_ += fmt::format("and {} more\n", order.size() - kMostTypes);
  }
  static std::string name_of(const CountsOf& c) { return c.name.empty() ? "(root module)" : c.name; }

  const Summary& s_;
  const HumanOptions& o_;
  std::string& out_;
};

}  // namespace

std::string attribute_text(const review::ChangedAttribute& a) {
  std::string out = a.path.empty() ? "" : path_text(a.path).substr(1);
  const std::string before = value_text(a.before), after = value_text(a.after);
  const bool hidden = a.before.contains_marks() || a.after.contains_marks();
  if (hidden)
    out += " (sensitive value)";
  else if (!before.empty() && !after.empty())
    out += " " + before + " -> " + after;
  if (a.forces_replacement) out += " (forces replacement)";
  return out;
}

void render_summary(const Summary& summary, const HumanOptions& options, std::string& out) {
  SummaryText(summary, options, out).write();
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

// Words for a group of changes: its risk, how many instances, which attributes change; and the totals of
// a summary.
#include "render/group_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/value/json.h"

namespace xplan::render {
namespace {

using review::ChangeGroup;
using review::Risk;

constexpr size_t kMostAttributes = 4, kMostKeys = 5, kLongestValue = 32;

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
  return r == Reason::ReplaceByTriggers ? "due to replace_triggered_by" : "";
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

}  // namespace

RiskText risk_text(Risk r) {
  switch (r) {
    case Risk::DestroysData:
      return {"Destroyed, along with their data", "-", Style::Red};
    case Risk::ReplacesData:
      return {"Replaced, along with their data", "-/+", Style::Red};
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
      return {"Moved or imported, without changes", " ", Style::Plain};
  }
  return {};
}

std::string_view group_mark(const ChangeGroup& g) {
  return g.action() == Action::CreateThenDelete ? "+/-" : risk_text(g.risk).mark;
}

std::string group_address(const ChangeGroup& g) {
  return g.address() + (g.changes.size() == 1 && !g.first().deposed.empty()
                            ? " (deposed object " + g.first().deposed + ")"
                            : "");
}

std::string attribute_text(const review::ChangedAttribute& a) {
  std::string out = a.path.empty() ? "" : path_text(a.path).substr(1);
  const std::string before = value_text(a.before), after = value_text(a.after);
  const bool hidden = a.before.contains_marks() || a.after.contains_marks();
  if (hidden)
    out += " (sensitive value)";
  else if (!before.empty() && !after.empty())
    out += " " + before + " -> " + after;
  else if (!a.after.is_wholly_known())
    out += " (known after apply)";
  if (a.forces_replacement) out += " (forces replacement)";
  return out;
}

GroupNote group_note(const ChangeGroup& g) {
  GroupNote note;
  if (g.changes.size() > 1) {
    note.count = fmt::format("{} instances", g.changes.size());
    if (g.odd)
      note.count += ", with different values", note.keys = keys(g);
    else if (!g.attributes.empty())
      note.count += g.same_values ? ", the same change" : ", the same attributes";
  }
  note.change = attributes(g);
  auto add = [&](const std::string& text) { note.change += (note.change.empty() ? "" : ", ") + text; };
  if (g.changes.size() == 1 && g.first().moved()) add("moved from " + g.first().prev_addr.text());
  if (g.changes.size() == 1 && g.first().change.importing) add("imported");
  if (const std::string_view text = reason_text(g.first().reason); !text.empty()) add(std::string(text));
  return note;
}

std::string GroupNote::text() const {
  std::string out = count;
  if (!keys.empty()) out += " (" + keys + ")";
  if (!out.empty() && !change.empty()) out += ": ";
  return out + change;
}

std::string totals_text(const review::Summary& s, std::string_view product) {
  std::string out;
  auto add = [&](size_t n, std::string_view what) {
    if (n) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, what);
  };
  const review::ActionCounts& c = s.counts;
  add(c.destroy, "destroyed"), add(c.replace, "replaced"), add(c.holding_data, "of these with data");
  add(c.forget, "forgotten"), add(c.update, "updated"), add(c.create, "created"), add(c.read, "read");
  add(c.import, "imported"), add(c.move, "moved"), add(s.deferred, "deferred");
  add(s.outputs, s.outputs == 1 ? "output changed" : "outputs changed");
  add(s.drifted, fmt::format("changed outside of {}", product));
  add(s.failed_checks, s.failed_checks == 1 ? "failed check" : "failed checks");
  if (s.failed) out = "planning failed" + (out.empty() ? "" : "; planned until then: " + out);
  if (out.empty()) out = "nothing changes";
  add(s.unverified, s.unverified == 1 ? "object not refreshed" : "objects not refreshed");
  return out + ".";
}

}  // namespace xplan::render

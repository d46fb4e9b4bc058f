// Prints what one plan does otherwise than another one.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/terminal.h"
#include "core/value/json.h"
#include "render/comparison.h"
#include "render/human_plan.h"

namespace xplan::render {
namespace {

using review::ChangedAttribute;
using review::Difference;
using review::EffectKind;
using review::OtherValue;
using What = Difference::What;

constexpr size_t kMostDifferences = 100, kMostOtherValues = 6, kLongestShown = 32;

struct PartText {
  std::string_view part, text;  // of an effect, as the specification names it
};
// What no value says.
constexpr PartText kParts[] = {
    {"after", "waits for other changes"},
    {"code", "different block"},
    {"hashes", "different packages"},
    {"import", "imports a different object"},
    {"moved_from", "moved from a different address"},
    {"object", "different object"},
    {"provider", "different provider configuration"},
    {"provisioners", "different provisioners"},
    {"recorded_after", "waits for other changes when it is destroyed"},
    {"self", "provisioners read different values of it"},
    {"state", "keeps the state in a different place"},
    {"type", "different type"},
    {"types", "different types"},
    {"value", "different value"},
    {"version", "different version"},
    {"mode", "different mode"},
    {"workspace", "different workspace"},
};

std::string_view action_mark(Action a) {
  switch (a) {
    case Action::NoOp:
      return "";
    case Action::Create:
      return "+";
    case Action::Read:
      return "<=";
    case Action::Update:
      return "~";
    case Action::DeleteThenCreate:
      return "-/+";
    case Action::CreateThenDelete:
      return "+/-";
    case Action::Delete:
      return "-";
    case Action::Forget:
      return ".";
    case Action::ForgetThenCreate:
      return "./+";
  }
  return "";
}

Style action_style(Action a) {
  if (a == Action::Create) return Style::Green;
  if (a == Action::Delete || a == Action::Forget || is_replace(a)) return Style::Red;
  return a == Action::Read ? Style::Cyan : Style::Yellow;
}

std::string action_name(Action a) {
  return a == Action::DeleteThenCreate   ? "replace (destroy before create)"
         : a == Action::CreateThenDelete ? "replace (create before destroy)"
         : a == Action::ForgetThenCreate ? "replace (keep the old object)"
         : a == Action::NoOp             ? "no change"
                                         : std::string(facts(a).word);
}

std::string shown(const Value& v) {
  if (v.contains_marks()) return "(sensitive value)";
  if (v.is_unknown()) return "(known after apply)";
  if (!v.is_wholly_known()) return "…";
  std::string text = v.is_null() ? "null" : to_json(v);
  return text.size() > kLongestShown ? "…" : text;
}

std::string shown(const std::optional<ChangedAttribute>& a, bool update) {
  if (!a) return "unchanged";
  if (a->before.contains_marks() || a->after.contains_marks()) return "(sensitive value)";
  return update ? shown(a->before) + " -> " + shown(a->after) : shown(a->after);
}

// With the first words of the names: "older 1, newer 2".
std::string two_sides(const PlanNames& names, const std::string& older, const std::string& newer) {
  return fmt::format("{} {}, {} {}", names.older.substr(0, names.older.find(' ')), older,
                     names.newer.substr(0, names.newer.find(' ')), newer);
}

// "input: older "1", newer "2""
std::string value_note(const OtherValue& v, bool update, const PlanNames& names) {
  std::string out = v.path.empty() ? "all of it" : path_text(v.path).substr(1);
  const std::string older = shown(v.older, update), newer = shown(v.newer, update);
  return older == newer ? out : out + ": " + two_sides(names, older, newer);
}

class ComparisonText {
 public:
  ComparisonText(const review::PlanComparison& c, const PlanNames& names, const HumanOptions& o,
                 const Sink& sink)
      : c_(c), names_(names), o_(o), sink_(sink) {}

  void write() {
    put(out_, "Comparison:", Style::Bold, o_.color);
    out_ += ' ';
    put_wrapped(out_, totals(), o_.width);
    out_ += '\n';
    section("Context of the changes",
            [](const Difference& d) { return d.kind != EffectKind::Change && d.kind != EffectKind::Output; });
    auto of = [](What what) {
      return [what](const Difference& d) {
        return d.what == what && (d.kind == EffectKind::Change || d.kind == EffectKind::Output);
      };
    };
    section(fmt::format("Only in the {}", names_.newer), of(What::OnlyNewer));
    section(fmt::format("Only in the {}", names_.older), of(What::OnlyOlder));
    section("Planned differently", of(What::Otherwise));
    flush();
    diffs();
    flush();
  }

 private:
  std::string totals() const {
    if (c_.differences.empty()) return "both plans have the same effects.";
    std::string text;
    auto add = [&](size_t n, const std::string& what) {
      if (n) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
    };
    add(c_.only_newer, fmt::format("only in the {}", names_.newer));
    add(c_.only_older, fmt::format("only in the {}", names_.older));
    add(c_.otherwise, "planned differently");
    return (text.empty() ? "the same changes in a different context" : text) + ".";
  }

  template <class F>
  void section(const std::string& title, F counts) {
    const auto& all = c_.differences;
    const auto n = static_cast<size_t>(std::count_if(all.begin(), all.end(), counts));
    if (!n) return;
    out_ += '\n';
    put(out_, fmt::format("{} ({})", title, n), Style::Bold, o_.color);
    out_ += '\n';
    size_t rows = 0;
    for (const Difference& d : all)
      if (counts(d) && rows++ < kMostDifferences) row(d);
    if (n > kMostDifferences) out_ += fmt::format("      and {} more\n", n - kMostDifferences);
  }

  void row(const Difference& d) {
    const ResourceChange* c = d.newer ? d.newer : d.older;
    const Action action = c                ? c->change.action
                          : d.newer_output ? d.newer_output->change.action
                          : d.older_output ? d.older_output->change.action
                                           : Action::NoOp;
    out_ += "  ";
    put(out_, fmt::format("{:>3}", action_mark(action)), action_style(action), o_.color);
    out_ += ' ' + difference_subject(d) + '\n';
    const std::string text = note(d);
    if (text.empty()) return;
    put_hanging(out_, "        ", text, "        ", o_.width);
    out_ += '\n';
  }

  std::string note(const Difference& d) const {
    std::string text;
    auto add = [&](std::string_view more) { text += fmt::format("{}{}", text.empty() ? "" : ", ", more); };
    if (d.what != What::Otherwise) {
      if (d.kind != EffectKind::Change && d.kind != EffectKind::Output)
        add(fmt::format("only in the {}", d.what == What::OnlyNewer ? names_.newer : names_.older));
      return text;
    }
    for (std::string_view part : d.parts) {
      if (part == "action" && d.older)
        add(two_sides(names_, action_name(d.older->change.action), action_name(d.newer->change.action)));
      for (const PartText& p : kParts)
        if (p.part == part) add(p.text);
    }
    if (d.older) {
      const std::vector<OtherValue> values = review::other_values(*d.older, *d.newer);
      const bool update =
          d.older->change.action == Action::Update && d.newer->change.action == Action::Update;
      for (size_t i = 0; i < values.size() && i < kMostOtherValues; ++i)
        add(value_note(values[i], update, names_));
      if (values.size() > kMostOtherValues)
        text += fmt::format(" and {} more", values.size() - kMostOtherValues);
    }
    if (d.older_output && d.newer_output)
      add(d.older_output->sensitive || d.newer_output->sensitive
              ? "(sensitive value)"
              : two_sides(names_, shown(d.older_output->change.after), shown(d.newer_output->change.after)));
    return text;
  }

  // What the provider decides in either case is no difference.
  static void drop_unknown_in_both(Value& before, Value& after) {
    std::vector<Value> x(before.elements().begin(), before.elements().end());
    std::vector<Value> y(after.elements().begin(), after.elements().end());
    for (size_t i = 0; i < x.size() && i < y.size(); ++i)
      if (x[i].is_unknown() && y[i].is_unknown()) x[i] = y[i] = Value::null(x[i].type());
    auto rebuilt = [](const Value& of, std::vector<Value> values) {
      std::vector<std::pair<Symbol, Value>> members;
      for (size_t i = 0; i < values.size(); ++i)
        members.emplace_back(of.type().attr_names()[i], std::move(values[i]));
      return Value::object(std::move(members)).with_marks(of.marks());
    };
    before = rebuilt(before, std::move(x)), after = rebuilt(after, std::move(y));
  }

  static bool same_schema(const ResourceChange& a, const ResourceChange& b) {
    return a.schema && b.schema && a.schema->block.implied_type() == b.schema->block.implied_type();
  }

  // As a change from what the older plan sets to what the newer one sets.
  void diffs() {
    bool any = false;
    for (const Difference& d : c_.differences) {
      if (d.what != What::Otherwise || !d.older) continue;
      Value before = d.older->change.after, after = d.newer->change.after;
      if (before.is_null() || after.is_null() || !same_schema(*d.older, *d.newer) ||
          review::other_values(*d.older, *d.newer).empty())
        continue;
      drop_unknown_in_both(before, after);
      ResourceChange c = *d.newer;
      c.prev_addr = c.addr, c.change = {}, c.reason = Reason::None, c.required_replace.clear();
      c.change.action = Action::Update, c.change.before = before, c.change.after = after;
      std::string text;
      if (!render_change(c, ChangeCause::Drift, o_, text)) continue;
      if (!std::exchange(any, true)) {
        out_ += '\n';
        put_wrapped(out_, fmt::format("What the {} sets, compared with the {}:", names_.newer, names_.older),
                    o_.width);
        out_ += "\n";
      }
      out_ += "\n" + text;
      if (out_.size() > 65536) flush();
    }
  }

  void flush() { sink_(for_terminal(std::exchange(out_, {}))); }

  const review::PlanComparison& c_;
  const PlanNames& names_;
  const HumanOptions& o_;
  const Sink& sink_;
  std::string out_;
};

}  // namespace

std::string difference_subject(const Difference& d) {
  switch (d.kind) {
    case EffectKind::Plan:
      return "the plan as a whole";
    case EffectKind::Change:
      return (d.newer ? d.newer : d.older)->addr.text() +
             ((d.newer ? d.newer : d.older)->deposed.empty() ? "" : " (deposed object)");
    case EffectKind::Output:
      return "output." + d.name;
    case EffectKind::Provider:
      return "provider " + d.name;
    case EffectKind::ProviderConfig:
      return "configuration of " + d.name;
    case EffectKind::Read:
      return d.name + ", which is read when the plan is applied";
  }
  return d.name;
}

void render_comparison(const review::PlanComparison& c, const PlanNames& names, const HumanOptions& options,
                       const Sink& sink) {
  ComparisonText(c, names, options, sink).write();
}

}  // namespace xplan::render

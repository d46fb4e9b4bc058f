// Writes what one plan does otherwise than another one as JSON.
#include "core/value/json.h"
#include "render/comparison.h"

namespace xplan::render {
namespace {

using review::ChangedAttribute;
using review::Difference;
using What = Difference::What;

std::string_view what_name(What w) {
  switch (w) {
    case What::OnlyNewer:
      return "only_newer";
    case What::OnlyOlder:
      return "only_older";
    case What::Otherwise:
      return "otherwise";
  }
  return "";
}

void write_planned(std::string_view name, const std::optional<ChangedAttribute>& a, bool update,
                   JsonWriter& w) {
  if (!a) return;
  auto one = [&](std::string_view key, const Value& v) {
    if (v.contains_marks()) return w.member(std::string(key) + "_sensitive", true);
    if (!v.is_wholly_known()) w.member(std::string(key) + "_unknown", true);
    if (v.is_unknown()) return;
    w.key(key);
    write_json(w, v);
  };
  w.key(name);
  w.begin_object();
  if (update) one("before", a->before);
  one("after", a->after);
  w.end_object();
}

void write_actions(std::string_view name, Action a, JsonWriter& w) {
  w.key(name);
  w.begin_array();
  for (std::string_view one : facts(a).json)
    if (!one.empty()) w.string(one);
  w.end_array();
}

void write_difference(const Difference& d, JsonWriter& w) {
  w.begin_object();
  w.member("kind", review::name_of(d.kind));
  if (d.newer || d.older) {
    const ResourceChange& c = d.newer ? *d.newer : *d.older;
    w.member("address", c.addr.text());
    if (!c.deposed.empty()) w.member("deposed", c.deposed);
  } else if (!d.name.empty()) {
    w.member("name", d.name);
  }
  w.member("difference", what_name(d.what));
  if (d.kind == review::EffectKind::Change) w.member("risk", facts(d.risk).name);
  if (d.older) write_actions("older_actions", d.older->change.action, w);
  if (d.newer) write_actions("newer_actions", d.newer->change.action, w);
  w.key("parts");
  w.begin_array();
  for (std::string_view p : d.parts) w.string(p);
  w.end_array();
  if (d.older && d.newer) {
    const bool update = d.older->change.action == Action::Update && d.newer->change.action == Action::Update;
    w.key("attributes");
    w.begin_array();
    for (const review::OtherValue& v : review::other_values(*d.older, *d.newer)) {
      w.begin_object();
      w.member("path", v.path.empty() ? "" : path_text(v.path).substr(1));
      write_planned("older", v.older, update, w);
      write_planned("newer", v.newer, update, w);
      w.end_object();
    }
    w.end_array();
  }
  w.end_object();
}

}  // namespace

void write_comparison_json(const review::PlanComparison& c, const ComparedPlan& older,
                           const ComparedPlan& newer, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  for (const auto& [name, plan] : {std::pair("older", older), std::pair("newer", newer)}) {
    w.key(name);
    w.begin_object();
    w.member("file", plan.file);
    w.member("effect_digest", plan.digest);
    w.end_object();
  }
  w.member("same_effects", c.differences.empty());
  w.key("differences");
  w.begin_array();
  for (const Difference& d : c.differences) write_difference(d, w);
  w.end_array();
  w.end_object();
}

}  // namespace xplan::render

// Writes the summary of a plan as JSON.
#include "render/summary.h"

namespace xplan::render {
namespace {

void write_counts(const review::ActionCounts& c, JsonWriter& w) {
  w.begin_object();
  auto count = [&](std::string_view name, size_t n) { w.member(name, static_cast<int64_t>(n)); };
  count("create", c.create), count("update", c.update), count("replace", c.replace),
      count("destroy", c.destroy);
  count("forget", c.forget), count("read", c.read), count("import", c.import), count("move", c.move);
  count("holding_data", c.holding_data);
  w.end_object();
}

void write_table(std::string_view title, std::string_view name, const std::vector<review::CountsOf>& rows,
                 JsonWriter& w) {
  w.key(title);
  w.begin_array();
  for (const review::CountsOf& r : rows) {
    w.begin_object();
    w.member(name, r.name);
    w.key("counts");
    write_counts(r.counts, w);
    w.end_object();
  }
  w.end_array();
}

void write_group(const review::ChangeGroup& g, JsonWriter& w) {
  w.begin_object();
  w.member("risk", review::facts(g.risk).name);
  w.key("actions");
  w.begin_array();
  for (std::string_view name : facts(g.action()).json)
    if (!name.empty()) w.string(name);
  w.end_array();
  if (g.first().reason != Reason::None) w.member("action_reason", facts(g.first().reason).name);
  w.member("resource", g.resource.text());
  w.member("type", g.resource.resource.type.sv());
  w.member("same_values", g.same_values);
  w.key("attributes");
  w.begin_array();
  for (const review::ChangedAttribute& a : g.attributes) {
    w.begin_object();
    w.member("path", a.path.empty() ? "" : path_text(a.path).substr(1));
    w.member("forces_replacement", a.forces_replacement);
    w.end_object();
  }
  w.end_array();
  w.key("instances");
  w.begin_array();
  for (const ResourceChange* c : g.changes) {
    w.begin_object();
    w.member("address", c->addr.text());
    if (!c->deposed.empty()) w.member("deposed", c->deposed);
    if (c->moved()) w.member("previous_address", c->prev_addr.text());
    if (c->change.importing) w.member("importing", true);
    w.end_object();
  }
  w.end_array();
  w.end_object();
}

}  // namespace

void write_summary_json(const review::Summary& s, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "1.0");
  if (!s.effect_digest.empty()) w.member("effect_digest", s.effect_digest);
  w.key("counts");
  write_counts(s.counts, w);
  w.member("drifted", static_cast<int64_t>(s.drifted));
  w.member("deferred", static_cast<int64_t>(s.deferred));
  if (s.unverified) w.member("unverified", static_cast<int64_t>(s.unverified));
  w.member("outputs", static_cast<int64_t>(s.outputs));
  w.member("failed_checks", static_cast<int64_t>(s.failed_checks));
  w.key("changes");
  w.begin_array();
  for (const review::ChangeGroup& g : s.groups) write_group(g, w);
  w.end_array();
  write_table("types", "type", s.by_type, w);
  write_table("modules", "module", s.by_module, w);
  w.end_object();
}

}  // namespace xplan::render

// Writes explanations as JSON, in the form that explain.md describes.
#include "core/plan/named_values.h"
#include "core/value/json.h"
#include "render/explain.h"

namespace xplan::render {
namespace {

using review::CauseFinder;
using review::CauseStep;
using review::Explained;
using review::Why;

constexpr size_t kMostDependentsListed = 1000;

void write_side(std::string_view name, const std::optional<Value>& v, JsonWriter& w) {
  if (!v) return;
  w.key(name);
  write_json(w, without_secrets(*v).unmark_deep());
}

void write_values(const std::optional<Value>& before, const std::optional<Value>& after, JsonWriter& w) {
  const bool hidden = (before && before->marks()) || (after && after->marks());
  if (!hidden) write_side("before", before, w), write_side("after", after, w);
  if (after && !after->is_wholly_known()) w.member("after_unknown", true);
  if ((before && before->contains_marks()) || (after && after->contains_marks())) w.member("sensitive", true);
}

void write_step(const CauseStep& s, JsonWriter& w) {
  w.begin_object();
  w.member("kind", review::name_of(s.kind));
  w.member("subject", std::string_view(s.subject));
  if (!s.note.empty()) w.member("note", std::string_view(s.note));
  if (!s.place.empty()) w.member("place", std::string_view(s.place));
  if (s.change) w.member("address", std::string_view(s.change->addr.text()));
  write_values(s.before, s.after, w);
  w.end_object();
}

void write_why(const Why& why, JsonWriter& w) {
  w.begin_object();
  w.member("text", std::string_view(sentence(why)));
  if (!why.attribute.empty()) w.member("attribute", std::string_view(why.attribute));
  if (!why.attribute.empty()) write_values(why.before, why.after, w);
  if (why.replaces) w.member("replaces", true);
  w.member("sure", why.sure);
  if (why.repeated) {
    w.key("repeated");
    w.begin_object();
    write_side("returned", why.repeated->returned, w);
    w.end_object();
  }
  w.key("because_of");
  w.begin_array();
  for (const ResourceChange* c : why.because) w.string(c->addr.text());
  w.end_array();
  w.key("chains");
  w.begin_array();
  for (const review::CauseChain& chain : why.chains) {
    w.begin_array();
    for (const CauseStep& s : chain) write_step(s, w);
    w.end_array();
  }
  w.end_array();
  if (why.more_chains) w.member("more_chains", static_cast<int64_t>(why.more_chains));
  w.end_object();
}

void write_reasons(std::string_view name, const std::vector<Why>& all, JsonWriter& w) {
  w.key(name);
  w.begin_array();
  for (const Why& why : all) write_why(why, w);
  w.end_array();
}

void begin_change(const ResourceChange& c, JsonWriter& w) {
  w.begin_object();
  w.member("address", std::string_view(c.addr.text()));
  if (!c.deposed.empty()) w.member("deposed", std::string_view(c.deposed));
  if (c.moved()) w.member("previous_address", std::string_view(c.prev_addr.text()));
  w.key("actions");
  w.begin_array();
  for (std::string_view name : facts(c.change.action).json)
    if (!name.empty()) w.string(name);
  w.end_array();
}

void write_change(CauseFinder& finder, const ResourceChange& c, const Explained& what, JsonWriter& w) {
  std::vector<Why> unknown;
  if (what.only_unknown || (what.thorough && c.change.action == Action::Create))
    unknown = finder.unknown(c, what.scope);
  std::vector<std::string> decided;
  if (what.only_unknown && !what.attribute) decided = finder.decided(c);
  if (what.only_unknown && unknown.empty() && decided.empty()) return;
  begin_change(c, w);
  if (what.attribute) {
    std::vector<Why> of;
    if (std::optional<Why> one = finder.attribute(c, *what.attribute, what.scope))
      of.push_back(std::move(*one));
    write_reasons("causes", of, w);
  } else if (!what.only_unknown) {
    write_reasons("causes", finder.why(c, what.scope), w);
  }
  if (!unknown.empty()) write_reasons("unknown", unknown, w);
  if (!decided.empty()) {
    w.key("decided_by_provider");
    w.begin_array();
    for (const std::string& name : decided) w.string(name);
    w.end_array();
  }
  if (what.thorough) {
    w.key("dependents");
    w.begin_array();
    for (const ResourceChange* d : finder.dependents(c, kMostDependentsListed)) w.string(d->addr.text());
    w.end_array();
  }
  w.end_object();
}

}  // namespace

void write_explanation_json(CauseFinder& finder, const Explained& what, JsonWriter& w) {
  w.begin_object();
  w.member("format_version", "2.0");
  w.key("changes");
  w.begin_array();
  for (const ResourceChange* c : what.changes) write_change(finder, *c, what, w);
  for (const DeferredChange* d : what.deferred) {
    begin_change(d->change, w);
    w.member("deferred", deferred_reason_name(d->reason));
    write_reasons("causes", finder.why(*d, what.scope), w);
    w.end_object();
  }
  w.end_array();
  w.key("outputs");
  w.begin_array();
  for (const OutputChange* c : what.outputs) {
    w.begin_object();
    w.member("name", c->name.sv());
    w.key("actions");
    w.begin_array();
    w.string(facts(c->change.action).json[0]);
    w.end_array();
    write_reasons("causes", finder.why(*c, what.scope), w);
    w.end_object();
  }
  w.end_array();
  w.end_object();
}

}  // namespace xplan::render

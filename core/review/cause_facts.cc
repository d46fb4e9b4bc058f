// Indexes a plan for explanations: changes by resource, drift, deferred changes, values of names.
#include "core/review/cause_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/review/attributes.h"
#include "core/schema/decode.h"
#include "core/value/json.h"

namespace xplan::review {
namespace {

template <class T>
void add_some(std::vector<T>& to, T item) {
  if (to.size() < kMostOfOne) to.push_back(item);
}

std::optional<Value> recorded(const State& s, const AbsInstance& a, const config::Resource* r) {
  const InstanceState* i = s.find(a);
  if (!r || !r->schema || !i || !i->current) return std::nullopt;
  const Object& o = *i->current;
  if (o.value) return schema::mark_sensitive(*o.value, r->schema->block);
  if (o.attributes_json.empty()) return std::nullopt;
  Result<Value> v = parse_json_as(o.attributes_json, r->schema->block.implied_type(), true, true);
  if (!v) return std::nullopt;
  return schema::mark_sensitive(mark_at_paths(*v, o.sensitive_paths), r->schema->block);
}

bool names(const AbsInstance& named, const AbsInstance& a) {
  return named.key.none() || named.key == a.key || a.key.is_unknown();
}

}  // namespace

bool changes_at(const ResourceChange& c, const Path& path) {
  const Change& x = c.change;
  if (x.action == Action::NoOp) return false;
  if (path.empty() || x.before.is_null() || x.after.is_null()) return true;
  const auto before = path_get(x.before, path), after = path_get(x.after, path);
  if (!before || !after) return before.has_value() != after.has_value();
  return differ(*before, *after);
}

CauseFacts::CauseFacts(const Plan& p, const config::Config& c, const SourceTable* sources)
    : plan(p), config(c), sources_(sources) {
  for (const ResourceChange& x : p.changes) {
    if (!x.deposed.empty() || x.change.action == Action::NoOp) continue;
    add_some(changes_[x.addr.abs_resource()], &x);
    add_some(all_changes_[x.addr.config()], &x);
  }
  for (const ResourceChange& x : p.drift) {
    drift_.emplace(x.addr, &x);
    add_some(drift_of_[x.addr.config()], &x);
  }
  for (const DeferredChange& x : p.deferred) add_some(deferred_[x.change.addr.config()], &x);
  for (const NamedValue& v : p.named)
    named_.emplace(std::pair(uint64_t{v.module.id()} << 8 | static_cast<uint64_t>(v.kind), v.name.id()), &v);
  for (const PlanVariable& v : p.variables) variables_.emplace(v.name, &v);
  for (const RepeatedChange& r : p.repeated) repeated_[r.addr].try_emplace(path_text(r.path), &r);
}

const ResourceChange* CauseFacts::drift_of(const AbsInstance& a) const {
  auto it = drift_.find(a);
  return it == drift_.end() ? nullptr : it->second;
}

const NamedValue* CauseFacts::named(NamedKind kind, ModuleInstance module, Symbol name) const {
  auto it = named_.find({uint64_t{module.id()} << 8 | static_cast<uint64_t>(kind), name.id()});
  return it == named_.end() ? nullptr : it->second;
}

const PlanVariable* CauseFacts::variable(Symbol name) const {
  auto it = variables_.find(name);
  return it == variables_.end() ? nullptr : it->second;
}

const RepeatedChange* CauseFacts::repeated(const AbsInstance& a, const Path& path) const {
  auto it = repeated_.find(a);
  if (it == repeated_.end()) return nullptr;
  const auto found = it->second.find(path_text(path));
  return found == it->second.end() ? nullptr : found->second;
}

std::string CauseFacts::place(Range r) const {
  ResolvedRange at;
  if (!sources_ || !sources_->resolve(r, at)) return {};
  return fmt::format("{}:{}:{}", at.file, at.start.line, at.start.column);
}

std::string CauseFacts::place_of_default(const config::Node& n, const config::Variable& v) const {
  for (const auto& f : n.module->files) {
    if (v.range.begin < f->base || v.range.begin > f->base + f->text.size()) continue;
    const Path path = {PathStep::of_attr("variable"), PathStep::of_index(Value::string(v.name.sv())),
                       PathStep::of_attr("default")};
    if (const Range r = schema::locate(f->body, path); r.valid()) return place(r);
  }
  return place(v.range);
}

std::vector<const ResourceChange*> CauseFacts::changed(const AbsInstance& named, const Path& path,
                                                       const ResourceChange* reader,
                                                       const InstanceKey& key) const {
  std::vector<const ResourceChange*> out;
  auto add = [&](const ResourceChange* c, const Path& at) {
    if (c && c != reader && changes_at(*c, at)) out.push_back(c);
  };
  if (const ResourceChange* exact = plan.find(named)) return add(exact, path), out;
  if (!named.key.none()) return out;
  if (!key.none()) {
    AbsInstance same = named;
    same.key = key;
    add(plan.find(same), {});
    if (!out.empty()) return out;
  }
  if (auto it = changes_.find(named.abs_resource()); it != changes_.end()) {
    for (const ResourceChange* c : it->second) add(c, {});
    return out;
  }
  // A module that is read as a whole is named without its key.
  if (auto it = all_changes_.find(named.config()); it != all_changes_.end() && !named.module.is_root())
    for (const ResourceChange* c : it->second) add(c, {});
  return out;
}

std::vector<const DeferredChange*> CauseFacts::deferred(const AbsInstance& named) const {
  std::vector<const DeferredChange*> out;
  if (auto it = deferred_.find(named.config()); it != deferred_.end())
    for (const DeferredChange* c : it->second)
      if (names(named, c->change.addr)) out.push_back(c);
  return out;
}

std::vector<const ResourceChange*> CauseFacts::drifted(const AbsInstance& named, const Path& path) const {
  std::vector<const ResourceChange*> out;
  auto it = drift_of_.find(named.config());
  if (it == drift_of_.end()) return out;
  for (const ResourceChange* c : it->second)
    if (names(named, c->addr) && changes_at(*c, named.key == c->addr.key ? path : Path())) out.push_back(c);
  return out;
}

const CauseFacts::Sides& CauseFacts::sides(const ResourceChange& c) {
  const auto [it, fresh] = sides_.try_emplace(&c);
  if (fresh)
    it->second = {schema::mark_sensitive(c.change.before, c.schema.get()),
                  schema::mark_sensitive(c.change.after, c.schema.get())};
  return it->second;
}

const std::optional<Value>& CauseFacts::in_state(const State& s, const AbsInstance& a) {
  const auto [it, fresh] = in_state_[&s].try_emplace(a);
  if (fresh) it->second = recorded(s, a, declared(a));
  return it->second;
}

}  // namespace xplan::review

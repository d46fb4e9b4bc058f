// Puts the effects of a plan together, part by part.
#include "core/review/effects.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/backend/backend.h"
#include "core/base/text.h"
#include "core/net/redact.h"
#include "core/review/attributes.h"
#include "core/review/summary.h"

namespace xplan::review {
namespace {

void add(std::vector<Part>& out, std::string_view name, Encoder e) {
  out.push_back({name, std::move(e.bytes), std::move(e.secret)});
}
void add_text(std::vector<Part>& out, std::string_view name, std::string_view text) {
  Encoder e;
  e.text(text);
  add(out, name, std::move(e));
}
void add_encoded(std::vector<Part>& out, std::string_view name, const std::string& encoded) {
  if (!encoded.empty()) out.push_back({name, encoded, {}});
}

std::string action_text(Action a) {
  const auto& names = facts(a).json;
  return std::string(names[0]) + (names[1].empty() ? "" : "," + std::string(names[1]));
}

std::string_view mode_text(PlanMode m) {
  switch (m) {
    case PlanMode::Normal:
      return "normal";
    case PlanMode::Destroy:
      return "destroy";
    case PlanMode::RefreshOnly:
      return "refresh-only";
  }
  return "";
}

bool takes_object(Action a) {
  return a == Action::Update || a == Action::Delete || a == Action::Forget || is_replace(a);
}

// Which object is meant: its identity, or the attribute "id" where the provider gives it none; all that is
// known of an object that has neither.
void put_object(const Change& c, const Value& before, Encoder& out) {
  if (!c.before_identity.is_null()) {
    out.value(c.before_identity);
    return;
  }
  const Value* id = before.kind() == Kind::Obj ? before.find_attr("id") : nullptr;
  const bool tells = id && ((id->is_string() && !id->as_string().empty()) || id->is_number());
  out.value(tells ? id->with_marks(before.marks()) : before);
}

// Whether the encoding of a value leaves open which type it has.
bool has_open_type(const Value& v) {
  if (v.is_unknown()) return false;
  if (v.is_null()) return !v.type().is_dynamic();
  return !v.is_string() && !v.is_number() && v.kind() != Kind::Bool;
}

void put_type(const Value& v, Encoder& out) {
  v.contains_marks() ? out.hidden(v.type().json()) : out.text(v.type().json());
}

// Of the attributes that can have any type: those that the change sets.
void put_types(const ResourceChange& c, const Value& after, std::vector<Part>& out) {
  if (!c.schema || after.kind() != Kind::Obj || !c.schema->block.implied_type().has_dynamic()) return;
  const Type declared = c.schema->block.implied_type();
  const Value& before = c.change.before;
  Encoder e;
  e.begin_map();
  bool any = false;
  for (size_t i = 0; i < declared.attr_names().size(); ++i) {
    const std::string_view name = declared.attr_names()[i].sv();
    const Value* v = declared.elements()[i].has_dynamic() ? after.find_attr(name) : nullptr;
    if (!v || !has_open_type(*v)) continue;
    const Value* old = c.change.action == Action::Update ? before.find_attr(name) : nullptr;
    if (old && old->unmark_deep().raw_equal(v->unmark_deep())) continue;
    e.text(name), put_type(*v, e), any = true;
  }
  if (any) add(out, "types", std::move(e.end()));
}

// Settings of a backend but for what differs from machine to machine: secrets.
void put_setting(std::string_view name, const Value& v, Encoder& out) {
  if (v.is_string()) {
    const std::string text(v.as_string());
    const bool secret = net::without_credentials(text) != text || text.find("password") != text.npos;
    out.text(name);
    secret ? out.hidden(text) : out.text(text);
    return;
  }
  out.text(name);
  if (v.kind() != Kind::Obj) {
    out.value(v);
    return;
  }
  out.begin_map();
  for (size_t i = 0; i < v.elements().size(); ++i)
    if (const Value& e = v.elements()[i]; !e.is_null() && !e.marks())
      put_setting(v.type().attr_names()[i].sv(), e, out);
  out.end();
}

// Where the state is kept. A local file with its usual name needs no word.
void put_place(const Plan& plan, std::vector<Part>& out) {
  const Result<backend::Settings> s = backend::parse_settings(plan.backend_type, plan.backend_config_json);
  const backend::Kind* kind = backend::find_kind(plan.backend_type);
  Value values = s && kind && s->values.kind() == Kind::Obj
                     ? schema::mark_sensitive(s->values, kind->schema())
                     : Value();
  Encoder e;
  e.begin_list().text(plan.backend_type);
  const size_t kind_only = e.bytes.size() + 2;
  if (values.is_null())
    plan.backend_config_json.empty() ? e.begin_map().end() : e.hidden(plan.backend_config_json);
  else {
    e.begin_map();
    for (size_t i = 0; i < values.elements().size(); ++i)
      if (const Value& v = values.elements()[i]; !v.is_null() && !v.marks())
        put_setting(values.type().attr_names()[i].sv(), v, e);
    e.end();
  }
  if (plan.backend_type == "local" && e.bytes.size() == kind_only) return;
  add(out, "state", std::move(e.end()));
}

Effect whole(const Plan& plan) {
  Effect e{EffectKind::Plan, "", {}};
  add_text(e.parts, "mode", mode_text(plan.mode));
  put_place(plan, e.parts);
  add_text(e.parts, "workspace", plan.workspace);
  return e;
}

std::string name_of(const eval::FileRead& f) {
  switch (f.kind) {
    case eval::FileRead::Kind::Content:
      return "file " + in_quotes(f.path);
    case eval::FileRead::Kind::Exists:
      return "fileexists " + in_quotes(f.path);
    case eval::FileRead::Kind::Names:
      return "fileset " + in_quotes(f.pattern);
  }
  return {};
}

}  // namespace

std::string_view name_of(EffectKind k) {
  switch (k) {
    case EffectKind::Plan:
      return "plan";
    case EffectKind::Change:
      return "change";
    case EffectKind::Output:
      return "output";
    case EffectKind::Provider:
      return "provider";
    case EffectKind::ProviderConfig:
      return "provider_config";
    case EffectKind::Read:
      return "read";
  }
  return "";
}

std::string Effect::bytes() const {
  Encoder out;
  out.begin_list().text(name_of(kind)).text(name).begin_map();
  for (const Part& p : parts) out.text(p.name).raw(p.bytes);
  return std::move(out.end().end().bytes);
}

std::string Effect::secret() const {
  std::string out;
  for (const Part& p : parts) out += p.secret;
  return out;
}

bool has_effect(const Plan& plan, const ResourceChange& c) {
  return plan.mode == PlanMode::RefreshOnly ? c.change.action != Action::NoOp || c.moved() : acts(c);
}

const std::vector<ResourceChange>& changes_of(const Plan& plan) {
  return plan.mode == PlanMode::RefreshOnly ? plan.drift : plan.changes;
}

Effects::Effects(const EffectSources& from)
    : from_(from), order_(from.plan, from.config), code_(from.plan, from.config, from.sources) {}

// Of an update what it changes, of what comes into being all of it.
void Effects::put_values(const ResourceChange& c, std::vector<Part>& out) const {
  auto of = [&](const Value& v) { return schema::mark_sensitive(v, c.schema.get()); };
  const Action a = c.change.action;
  if (a == Action::Update) {
    Encoder e;
    e.begin_list();
    for (const ChangedAttribute& changed : changed_attributes(c)) {
      e.begin_list().path(changed.path);
      // What becomes unknown becomes that whatever it was.
      changed.after.is_unknown() ? e.null() : e.value(changed.before);
      e.value(changed.after).end();
    }
    add(out, "changed", std::move(e.end()));
  }
  if (takes_object(a)) {
    Encoder e;
    put_object(c.change, of(c.change.before), e);
    add(out, "object", std::move(e));
  }
  if (a == Action::Create || a == Action::Read || is_replace(a)) {
    Encoder e;
    add(out, "planned", std::move(e.value(of(c.change.after))));
  }
  if (a != Action::NoOp) put_types(c, of(c.change.after), out);
}

Effect Effects::of(const ResourceChange& c) {
  const Change& change = c.change;
  Effect out{EffectKind::Change, c.addr.text() + (c.deposed.empty() ? "" : " " + c.deposed), {}};
  add_text(out.parts, "action", action_text(change.action));
  if (facts(change.action).has_after && change.action != Action::NoOp)
    add_encoded(out.parts, "after", order_.before_making(c.addr.config()));
  put_values(c, out.parts);
  if (change.importing) {
    Encoder e;
    change.import_identity.is_null() ? e.text(change.import_id) : e.value(change.import_identity);
    add(out.parts, "import", std::move(e));
  }
  if (c.moved()) add_text(out.parts, "moved_from", c.prev_addr.text());
  add_text(out.parts, "provider", c.provider.text());
  add_encoded(out.parts, "provisioners", code_.provisioners(c));
  if (Encoder self; code_.self(c, self)) add(out.parts, "self", std::move(self));
  code_.arguments(c);
  if (change.action == Action::Delete || is_replace(change.action))
    if (const InstanceState* s = from_.plan.prior_state.find(c.addr)) {
      const auto deposed = s->deposed.find(c.deposed);
      const ObjectPtr& o = deposed == s->deposed.end() ? s->current : deposed->second;
      if (o) add_encoded(out.parts, "recorded_after", order_.recorded(o->dependencies));
    }
  std::sort(out.parts.begin(), out.parts.end(), [](const Part& a, const Part& b) { return a.name < b.name; });
  return out;
}

Effect Effects::of(const OutputChange& o) {
  Effect out{EffectKind::Output, std::string(o.name.sv()), {}};
  add_text(out.parts, "action", action_text(o.change.action));
  if (facts(o.change.action).has_after) {
    const Value after = o.sensitive ? o.change.after.with_marks(kSensitive) : o.change.after;
    Encoder e, type;
    add(out.parts, "planned", std::move(e.value(after)));
    if (has_open_type(after)) put_type(after, type), add(out.parts, "type", std::move(type));
    code_.unknown_output(o);
  }
  return out;
}

// One configuration of a provider may read what another one provides, so they are followed until there are
// no more.
std::vector<Effect> Effects::provider_configs(std::map<std::string, ProviderConfigAddr>& used) {
  std::vector<Effect> out;
  std::set<std::string> done;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, addr] : used) {
      if (!done.insert(name).second) continue;
      more = true;
      Encoder code;
      if (!code_.provider(addr, code)) continue;
      out.push_back({EffectKind::ProviderConfig, name, {}});
      add(out.back().parts, "code", std::move(code));
    }
    code_.follow_all();
    for (const auto& [name, addr] : code_.providers()) more |= used.emplace(name, addr).second;
  }
  std::sort(out.begin(), out.end(), [](const Effect& a, const Effect& b) { return a.name < b.name; });
  return out;
}

Effect Effects::provider(const std::string& name) const {
  Effect e{EffectKind::Provider, name, {}};
  const auto locked = from_.versions.find(name);
  Encoder hashes;
  hashes.begin_list();
  if (locked != from_.versions.end()) {
    const std::set<std::string> sorted(locked->second.hashes.begin(), locked->second.hashes.end());
    for (const std::string& h : sorted) hashes.text(h);
  }
  add(e.parts, "hashes", std::move(hashes.end()));
  add_text(e.parts, "version", locked == from_.versions.end() ? "" : locked->second.version);
  return e;
}

std::vector<Effect> Effects::others() {
  std::map<std::string, ProviderConfigAddr> used;
  for (const ResourceChange& c : changes_of(from_.plan))
    if (has_effect(from_.plan, c)) used.emplace(c.provider.text(), c.provider);
  if (from_.plan.mode == PlanMode::Normal) code_.ephemeral_resources();
  code_.encryption();
  std::vector<Effect> configs = provider_configs(used);
  std::set<std::string> providers;
  for (const auto& [name, addr] : used) providers.insert(addr.provider.text());
  if (code_.calls_providers())  // functions of any of them
    for (const auto& [name, version] : from_.versions) providers.insert(name);

  std::vector<Effect> out{whole(from_.plan)};
  for (const std::string& name : providers) out.push_back(provider(name));
  std::move(configs.begin(), configs.end(), std::back_inserter(out));
  std::map<std::string, Encoder> reads = code_.reads();
  for (const eval::FileRead& f : code_.files()) reads[name_of(f)].hidden(f.digest);
  for (auto& [name, encoded] : reads) {
    Effect e{EffectKind::Read, name, {}};
    add(e.parts, "value", std::move(encoded));
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace xplan::review

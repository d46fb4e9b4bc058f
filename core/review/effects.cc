// Puts the effects of a plan together, part by part.
#include "core/review/effects.h"

#include <algorithm>
#include <set>

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

// Which object is meant: its identity, or the attribute "id" where the provider gives it none.
void put_object(const Change& c, const Value& before, Encoder& out) {
  if (!c.before_identity.is_null()) {
    out.value(c.before_identity);
    return;
  }
  const Value* id = before.kind() == Kind::Obj ? before.find_attr("id") : nullptr;
  id && id->is_string() ? out.value(id->with_marks(before.marks())) : out.null();
}

// The hashes that every machine has of a package: of all platforms' archives, where the registry gave them.
std::vector<std::string> shared_hashes(const std::vector<std::string>& all) {
  std::vector<std::string> archives, others;
  for (const std::string& h : all) (h.starts_with("zh:") ? archives : others).push_back(h);
  std::vector<std::string>& out = archives.empty() ? others : archives;
  std::sort(out.begin(), out.end());
  return out;
}

Effect whole(const Plan& plan) {
  Effect e{EffectKind::Plan, "", {}};
  add_text(e.parts, "mode", mode_text(plan.mode));
  add_text(e.parts, "workspace", plan.workspace);
  return e;
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
  code_.unknown_arguments(c);
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
    Encoder e;
    add(out.parts, "planned",
        std::move(e.value(o.sensitive ? o.change.after.with_marks(kSensitive) : o.change.after)));
    code_.unknown_output(o);
  }
  return out;
}

std::vector<Effect> Effects::others() {
  std::vector<Effect> out{whole(from_.plan)};
  std::map<std::string, ProviderConfigAddr> configs;
  std::set<std::string> providers;
  for (const ResourceChange& c : changes_of(from_.plan)) {
    if (!has_effect(from_.plan, c)) continue;
    configs.emplace(c.provider.text(), c.provider);
    providers.insert(c.provider.provider.text());
  }
  for (const std::string& name : providers) {
    Effect e{EffectKind::Provider, name, {}};
    const auto locked = from_.versions.find(name);
    Encoder hashes;
    hashes.begin_list();
    if (locked != from_.versions.end())
      for (const std::string& h : shared_hashes(locked->second.hashes)) hashes.text(h);
    add(e.parts, "hashes", std::move(hashes.end()));
    add_text(e.parts, "version", locked == from_.versions.end() ? "" : locked->second.version);
    out.push_back(std::move(e));
  }
  for (const auto& [name, addr] : configs) {
    const std::string text = code_.provider(addr);
    if (text.empty()) continue;
    Effect e{EffectKind::ProviderConfig, name, {}};
    add_text(e.parts, "code", text);
    out.push_back(std::move(e));
  }
  for (auto& [name, encoded] : code_.reads()) {
    Effect e{EffectKind::Read, name, {}};
    add(e.parts, "value", std::move(encoded));
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace xplan::review

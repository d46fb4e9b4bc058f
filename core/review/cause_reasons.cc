// Tells why a change is made as far as the plan says it itself; what is behind that is followed by the graph.
#include "core/review/cause_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/review/attributes.h"
#include "core/schema/decode.h"

namespace xplan::review {
namespace {

ChangeReason say(std::string text) {
  ChangeReason r;
  r.why.text = std::move(text);
  return r;
}

ChangeReason say(std::string text, CauseStep step) {
  ChangeReason r = say(std::move(text));
  r.root.step = std::move(step);
  return r;
}

std::string name_of_path(const Path& path) {
  std::string text = path_text(path);
  return text.starts_with('.') ? text.substr(1) : text;
}

std::string key_text(const InstanceKey& k) {
  return k.kind == InstanceKey::Kind::String ? InstanceKey::quoted(k.string.sv())
                                             : fmt::format("{}", k.number);
}

// The one part that differs inside of what is compared as a whole; longer than `path` only if there is one.
Path narrowed(Path path, const Value* before, const Value* after) {
  for (;;) {
    const bool lists = before->kind() == Kind::Seq && after->kind() == Kind::Seq;
    const bool objects = before->kind() == Kind::Obj && after->kind() == Kind::Obj;
    const auto old = lists || objects ? before->elements() : std::span<const Value>();
    const auto now = lists || objects ? after->elements() : std::span<const Value>();
    if (old.empty() || old.size() != now.size() || before->marks() || after->marks()) return path;
    if (objects && !(before->type() == after->type())) return path;
    size_t found = old.size();
    for (size_t i = 0; i < old.size(); ++i) {
      if (!differ(old[i], now[i])) continue;
      if (found != old.size()) return path;
      found = i;
    }
    if (found == old.size()) return path;
    path.push_back(lists ? PathStep::of_index(Value::number(static_cast<int64_t>(found)))
                         : PathStep::of_attr(before->type().attr_names()[found]));
    before = &old[found], after = &now[found];
  }
}

Range lifecycle_place(const config::Resource& r, std::string_view argument) {
  if (!r.block) return r.range;
  const Range at =
      schema::locate(r.block->body, {PathStep::of_attr("lifecycle"), PathStep::of_attr(argument)});
  return at.valid() ? at : r.range;
}

}  // namespace

CauseStep Reasons::step(StepKind kind, std::string subject, std::string note, Range place,
                        const ResourceChange* c) const {
  return {kind, std::move(subject), std::move(note), facts_.place(place), {}, {}, c};
}

TracedPlace Reasons::place_of(const ResourceChange& c, const config::Resource& r) const {
  return {facts_.config.find(c.addr.module.module()), c.addr.module, r.count, r.for_each};
}

bool Reasons::is_set(const config::Resource& r, const Path& path) const {
  return r.schema && facts_.parts.at(r.content, r.schema->block, path).place.valid();
}

std::vector<ChangeReason> Reasons::reasons(const ResourceChange& c) {
  std::vector<ChangeReason> out;
  const config::Resource* r = facts_.declared(c.addr);
  if (c.moved() && c.reason != xplan::Reason::DeleteBecauseNoMoveTarget) moved(c, out);
  if (c.change.importing) imported(c, out);
  switch (c.change.action) {
    case Action::NoOp:
      break;
    case Action::Create:
      created(c, r, out);
      break;
    case Action::Read:
      read_later(c, r, out);
      break;
    case Action::Update:
      updated(c, r, out);
      break;
    case Action::Delete:
      out.push_back(deleted(c, r));
      break;
    case Action::Forget:
      out.push_back(forgotten(c));
      break;
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
    case Action::ForgetThenCreate:
      replaced(c, r, out);
      break;
  }
  return out;
}

// --- blocks that concern an object as a whole --------------------------------------------------------------

void Reasons::moved(const ResourceChange& c, std::vector<ChangeReason>& out) {
  ChangeReason r = say(fmt::format("it was moved from {}", c.prev_addr.text()));
  for (const MoveStep& m : blocks_.moves(c.prev_addr, c.addr))
    r.why.chains.resize(1),
        r.why.chains[0].push_back(step(StepKind::Block, "moved", "to " + m.to.text(), m.block->range, &c));
  r.root.step = r.why.chains.empty() ? step(StepKind::Block, c.addr.text(),
                                            "moved because count or for_each was added or removed", {}, &c)
                                     : r.why.chains[0].back();
  if (r.why.chains.empty())
    if (const config::Resource* declared = facts_.declared(c.addr))
      r.root.step.place = facts_.place(declared->count      ? declared->count->range
                                       : declared->for_each ? declared->for_each->range
                                                            : declared->range);
  out.push_back(std::move(r));
}

void Reasons::imported(const ResourceChange& c, std::vector<ChangeReason>& out) {
  const config::Import* block = blocks_.import(c.addr);
  CauseStep s = step(StepKind::Block, "import", "", block ? block->range : Range(), &c);
  if (!c.change.import_id.empty()) s.after = Value::string(c.change.import_id);
  ChangeReason r = say("an import block imports it", std::move(s));
  if (block)
    for (const syntax::Expr* e : {block->id, block->identity, block->for_each})
      if (e && !facts_.config.nodes.empty())
        r.root.reads.push_back({{facts_.config.root.get(), {}, nullptr, block->for_each}, &c, {e}, {}});
  out.push_back(std::move(r));
}

// --- creations ---------------------------------------------------------------------------------------------

CauseRoot Reasons::repetition(const ResourceChange& c, const config::Resource& r, std::string note) const {
  CauseRoot out;
  const syntax::Expr* e = r.count ? r.count : r.for_each ? r.for_each : r.enabled;
  out.step = step(StepKind::Repetition,
                  r.count     ? "count"
                  : r.enabled ? "enabled"
                              : "for_each",
                  std::move(note), e ? e->range : r.range, &c);
  if (e) out.reads.push_back({{facts_.config.find(c.addr.module.module()), c.addr.module}, nullptr, {e}, {}});
  return out;
}

CauseRoot Reasons::repetition_of_call(const config::Node& n, ModuleInstance instance,
                                      std::string note) const {
  CauseRoot out;
  const config::ModuleCall& call = *n.call;
  const syntax::Expr* e = call.count ? call.count : call.for_each ? call.for_each : call.enabled;
  const std::string_view name = call.count ? "count" : call.enabled ? "enabled" : "for_each";
  out.step = step(StepKind::Repetition, fmt::format("{} of {}", name, n.path.text()), std::move(note),
                  e ? e->range : n.call->range, nullptr);
  if (e) out.reads.push_back({{n.parent, instance.parent()}, nullptr, {e}, {}});
  return out;
}

// Module instances that the state has objects of, and those that the plan has something of that stays.
void Reasons::find_modules() {
  if (std::exchange(modules_known_, true)) return;
  auto add = [](ModuleInstance m, std::unordered_set<ModuleInstance>& to) {
    for (; !m.is_root() && to.insert(m).second; m = m.parent()) {
    }
  };
  for (const auto& [addr, resource] : facts_.plan.prev_run_state.resources)
    add(addr.module, modules_in_state_);
  for (const NamedValue& v : facts_.plan.named) add(v.module, modules_in_plan_);
  for (const ResourceChange& c : facts_.plan.changes)
    if (c.change.action != Action::Delete && c.change.action != Action::Forget)
      add(c.addr.module, modules_in_plan_);
}

// Which count or for_each asks for the instance: that of a module call, where the module instance is new.
std::optional<CauseRoot> Reasons::new_repetition(const ResourceChange& c, const config::Resource& r) {
  find_modules();
  for (ModuleInstance m : c.addr.module.chain()) {
    if (m.key().none() || modules_in_state_.contains(m)) continue;
    const config::Node* n = facts_.config.find(m.module());
    if (n && n->call)
      return repetition_of_call(*n, m,
                                m.key().kind == InstanceKey::Kind::String
                                    ? fmt::format("has the key {}", key_text(m.key()))
                                    : fmt::format("refers to instance {}", key_text(m.key())));
  }
  if (c.addr.key.none()) return std::nullopt;
  return repetition(c, r,
                    r.for_each ? fmt::format("has the key {}", key_text(c.addr.key))
                               : fmt::format("refers to instance {}", key_text(c.addr.key)));
}

void Reasons::created(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out) {
  const ResourceChange* d = facts_.drift_of(c.addr);
  if (d && d->change.action == Action::Delete) {
    out.push_back(say("its object was deleted outside of this configuration",
                      step(StepKind::Object, c.addr.text(), "deleted outside of this configuration",
                           r ? r->range : Range(), &c)));
    return;
  }
  ChangeReason reason = say("the configuration declares it, but the state contains no object for it");
  reason.root.step =
      step(StepKind::Change, c.addr.text(), "declared, and not in the state", r ? r->range : Range(), &c);
  if (r)
    if (std::optional<CauseRoot> n = new_repetition(c, *r)) reason.root.behind.push_back(std::move(*n));
  out.push_back(std::move(reason));
}

void Reasons::read_later(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out) {
  const bool check = c.reason == xplan::Reason::None || c.reason == xplan::Reason::ReadBecauseCheckNested;
  ChangeReason reason = say(std::string(facts(check ? xplan::Reason::ReadBecauseCheckNested : c.reason).why));
  reason.root.step = step(StepKind::Change, c.addr.text(), "read during apply", r ? r->range : Range(), &c);
  if (r && !check) {
    Reads reads{place_of(c, *r), &c, {}, r->references, c.addr.key};
    reads.references.insert(reads.references.end(), r->depends_on.begin(), r->depends_on.end());
    // What a module waits for, its data sources wait for, too.
    reason.root.reads.push_back(std::move(reads));
    for (const config::Node* n = facts_.config.find(c.addr.module.module()); n && n->parent; n = n->parent)
      reason.root.reads.push_back(
          {{n->parent, c.addr.module.ancestor(n->parent->path.depth())}, nullptr, {}, n->call->depends_on});
    reason.root.only_unknown = c.reason == xplan::Reason::ReadBecauseConfigUnknown;
  }
  out.push_back(std::move(reason));
}

// --- updates and replacements ------------------------------------------------------------------------------

ChangeReason Reasons::attribute(const ResourceChange& c, const Path& path, bool replaces) const {
  ChangeReason out;
  out.why.attribute = name_of_path(path);
  out.why.replaces = replaces;
  out.why.repeated = facts_.repeated(c.addr, path);
  out.root.attribute = path;
  const config::Resource* r = facts_.declared(c.addr);
  const bool set = r && is_set(*r, path);
  if (!r || set) {
    out.why.text = "changed in the configuration";
  } else {
    const std::optional<Value> after =
        c.change.after.is_null() ? std::nullopt : path_get(c.change.after, path);
    const bool unset = after && after->is_null();
    out.why.text = unset ? "is no longer set in the configuration"
                         : "is not set in the configuration, so the provider sets it";
  }
  const ResourceChange* d = facts_.drift_of(c.addr);
  if (!d || d->change.before.is_null() || d->change.after.is_null()) return out;
  const std::optional<Value> was = path_get(facts_.sides(*d).before, path),
                             is = path_get(facts_.sides(*d).after, path);
  if (!was || !is || !differ(*was, *is)) return out;
  out.why.text = "was changed outside of this configuration, which sets a different value";
  CauseRoot drift;
  drift.step =
      step(StepKind::Drift, with_path(c.addr.text(), path), "changed outside of this configuration", {}, &c);
  drift.step.before = *was, drift.step.after = *is;
  out.root.behind.push_back(std::move(drift));
  const std::optional<Value> wanted =
      c.change.after.is_null() ? std::nullopt : path_get(c.change.after, path);
  out.root.explained = wanted && !differ(*was, *wanted);
  return out;
}

void Reasons::updated(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out) {
  const size_t before = out.size();
  if (c.schema)
    for (const ChangedAttribute& a : changed_attributes(c)) {
      if (a.path.empty() || !a.path[0].is_attr) continue;
      const schema::Attribute* s = c.schema->block.find_attribute(a.path[0].attr.sv());
      if (s && !s->required && !s->optional) continue;
      // A computed attribute that nobody sets follows from the others.
      if (!a.after.is_wholly_known() && r && !is_set(*r, a.path)) continue;
      out.push_back(attribute(c, narrowed(a.path, &a.before, &a.after), false));
      out.back().why.repeated = facts_.repeated(c.addr, a.path);
    }
  if (out.size() == before)
    out.push_back(
        say("only sensitive or provider-computed values change",
            step(StepKind::Change, c.addr.text(), "decided by the provider", r ? r->range : Range(), &c)));
}

void Reasons::replaced(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out) {
  const std::string why(facts(c.reason).why);
  switch (c.reason) {
    case xplan::Reason::ReplaceBecauseTainted:
      out.push_back(say(why, step(StepKind::Object, c.addr.text(), "tainted", {}, &c)));
      break;
    case xplan::Reason::ReplaceByRequest:
      out.push_back(say(why, step(StepKind::Option, "-replace=" + c.addr.text(), "requested", {}, &c)));
      break;
    case xplan::Reason::ReplaceByTriggers: {
      ChangeReason t = say("replace_triggered_by refers to something that changes");
      t.why.replaces = true;
      if (r && !r->replace_triggered_by.empty()) {
        t.root.step = step(StepKind::Block, with_path(c.addr.text(), {}) + ".lifecycle.replace_triggered_by",
                           "", r->replace_triggered_by[0]->range, &c);
        Reads reads{place_of(c, *r), &c, {}, {}, c.addr.key};
        for (const syntax::Expr* e : r->replace_triggered_by)
          syntax::collect_traversals(*e, reads.references);
        t.root.reads.push_back(std::move(reads));
      }
      out.push_back(std::move(t));
      break;
    }
    default:
      if (!why.empty()) out.push_back(say(why));
  }
  const size_t before = out.size();
  for (const ChangedAttribute& a : changed_attributes(c))
    if (a.forces_replacement && !a.path.empty())
      out.push_back(attribute(c, narrowed(a.path, &a.before, &a.after), true));
  if (out.size() == before)
    for (const Path& p : c.required_replace)
      if (!p.empty()) out.push_back(attribute(c, p, true));
  order(c, r, out);
}

// Why the new object comes before the old one is destroyed.
void Reasons::order(const ResourceChange& c, const config::Resource* r, std::vector<ChangeReason>& out) {
  if (c.change.action != Action::CreateThenDelete || !r || r->create_before_destroy) return;
  const std::vector<ConfigResource> from = blocks_.forced_by(c.addr.config());
  if (from.empty()) return;
  ChangeReason reason = say(fmt::format(
      "the new object is created before the old one is destroyed, because {} depends on it and has "
      "create_before_destroy",
      from[0].text()));
  reason.aside = true;
  CauseChain& chain = reason.why.chains.emplace_back();
  for (size_t i = 0; i < from.size(); ++i) {
    const config::Resource* d = facts_.config.find(from[i]);
    const std::string next = i + 1 < from.size() ? from[i + 1].text() : c.addr.text();
    if (i == 0)
      chain.push_back(step(StepKind::Block, from[0].text(), "has create_before_destroy = true",
                           lifecycle_place(*d, "create_before_destroy"), nullptr));
    else
      chain.push_back(step(StepKind::Block, from[i].text(),
                           "inherits it, because " + from[i - 1].text() + " depends on it", d->range,
                           nullptr));
    if (i + 1 == from.size())
      chain.push_back(step(StepKind::Change, next,
                           "inherits it, because " + from[i].text() + " depends on it", r->range, &c));
  }
  out.push_back(std::move(reason));
}

// --- deletions ---------------------------------------------------------------------------------------------

ChangeReason Reasons::forgotten(const ResourceChange& c) {
  if (c.reason == xplan::Reason::ForgotBecauseLifecycleDestroyInState ||
      c.reason == xplan::Reason::ForgotBecauseLifecycleDestroyInConfig) {
    const config::Resource* r = facts_.config.find(c.addr.config());
    return say(std::string(facts(c.reason).why),
               step(StepKind::Block, "lifecycle", "with destroy = false", r ? r->range : Range(), &c));
  }
  const config::Removed* block = blocks_.removed(c.addr.config());
  return say("a removed block removes it from the state without destroying it",
             step(StepKind::Block, "removed", "with destroy = false", block ? block->range : Range(), &c));
}

ChangeReason Reasons::gone_from_modules(const ResourceChange& c) {
  find_modules();
  const std::string text = fmt::format(fmt::runtime(facts(xplan::Reason::DeleteBecauseNoModule).why),
                                       fmt::arg("module", c.addr.module.text()));
  for (ModuleInstance m : c.addr.module.chain()) {
    const config::Node* n = facts_.config.find(m.module());
    if (!n || !n->call) break;
    const bool keyed = n->call->count || n->call->for_each;
    if (!keyed && m.key().none() && !n->call->enabled) continue;
    if (modules_in_plan_.contains(m)) continue;  // it is a call further on that has not got the key
    ChangeReason r = say(text);
    r.root = repetition_of_call(*n, m,
                                n->call->enabled && m.key().none() ? "is false"
                                : m.key().none()                   ? "was added to the module call"
                                : keyed ? fmt::format("no longer has {}", m.key().text())
                                        : "was removed from the module call");
    r.root.step.change = &c;
    return r;
  }
  return say(text, step(StepKind::Change, c.addr.module.text(), "not in the configuration", {}, &c));
}

ChangeReason Reasons::deleted(const ResourceChange& c, const config::Resource* r) {
  using R = xplan::Reason;
  if (!c.deposed.empty())
    return say("it is left over from an incomplete replacement",
               step(StepKind::Object, c.addr.text(), "deposed object " + c.deposed, {}, &c));
  const std::string why =
      fmt::format(fmt::runtime(facts(c.reason).why), fmt::arg("module", c.addr.module.text()));
  switch (c.reason) {
    case R::DeleteBecauseNoResourceConfig:
      if (const config::Removed* block = blocks_.removed(c.addr.config()))
        return say("a removed block removes it", step(StepKind::Block, "removed", "", block->range, &c));
      if (!facts_.config.find(c.addr.module.module())) return gone_from_modules(c);
      return say(why, step(StepKind::Change, c.addr.text(), "not in the configuration", {}, &c));
    case R::DeleteBecauseNoModule:
      return gone_from_modules(c);
    case R::DeleteBecauseEnabledFalse: {
      ChangeReason out = say(why);
      if (r) out.root = repetition(c, *r, "is false");
      return out;
    }
    case R::DeleteBecauseWrongRepetition:
    case R::DeleteBecauseCountIndex:
    case R::DeleteBecauseEachKey: {
      if (!r) return say(why);
      ChangeReason out = say(why);
      const bool wrong = c.reason == R::DeleteBecauseWrongRepetition;
      out.root = repetition(c, *r,
                            wrong && !r->count && !r->for_each ? "no longer set"
                            : wrong ? "set, so the instance keys are of a different kind"
                                    : fmt::format("no longer has {}", c.addr.key.text()));
      if (wrong && !r->count && !r->for_each) out.root.step.subject = "count and for_each";
      return out;
    }
    case R::DeleteBecauseNoMoveTarget: {
      ChangeReason out = say(why);
      CauseChain chain;
      for (const MoveStep& m : blocks_.moves(c.prev_addr, c.addr))
        chain.push_back(step(StepKind::Block, "moved", "to " + m.to.text(), m.block->range, &c));
      out.root.step =
          chain.empty() ? step(StepKind::Block, "moved", "to " + c.addr.text(), {}, &c) : chain.back();
      if (!chain.empty()) out.why.chains.push_back(std::move(chain));
      return out;
    }
    default:
      break;
  }
  if (facts_.plan.mode == PlanMode::Destroy)
    return say("everything will be destroyed",
               step(StepKind::Option, "-destroy", "everything is destroyed", {}, &c));
  return say(why.empty() ? "it is not in the configuration" : why,
             step(StepKind::Change, c.addr.text(), "not in the configuration", {}, &c));
}

// --- deferred changes and outputs --------------------------------------------------------------------------

std::vector<ChangeReason> Reasons::reasons(const DeferredChange& d) {
  const ResourceChange& c = d.change;
  const config::Resource* r = facts_.declared(c.addr);
  ChangeReason out;
  out.root.step =
      step(StepKind::Deferral, c.addr.text(), "deferred to a later plan", r ? r->range : Range(), &c);
  out.root.only_unknown = true;
  if (r) {
    out.root.reads.push_back({place_of(c, *r), &c, {}, r->references});
    std::vector<const syntax::Traversal*>& refs = out.root.reads.back().references;
    refs.insert(refs.end(), r->depends_on.begin(), r->depends_on.end());
  }
  switch (d.reason) {
    case DeferredReason::InstanceCountUnknown: {
      out.why.text = "the number of instances is not known yet";
      if (!r) break;
      out.root.reads.clear();
      CauseRoot unknown;
      if (c.addr.key.is_unknown()) {
        unknown = repetition(c, *r, "known only after apply");
      } else {
        for (ModuleInstance m : c.addr.module.chain())
          if (const config::Node* n = facts_.config.find(m.module()); n && n->call && m.key().is_unknown()) {
            unknown = repetition_of_call(*n, m, "known only after apply");
            break;
          }
      }
      unknown.only_unknown = true;
      if (!unknown.step.subject.empty()) out.root.behind.push_back(std::move(unknown));
      break;
    }
    case DeferredReason::ResourceConfigUnknown:
      out.why.text = "something that it depends on is known only after apply";
      break;
    case DeferredReason::ProviderConfigUnknown: {
      out.why.text = "the configuration of its provider is known only after apply";
      out.root.reads.clear();
      for (const config::Node* n = facts_.config.find(c.addr.module.module()); n; n = n->parent)
        for (const config::ProviderConfig& p : n->module->providers) {
          if (!(p.provider == c.provider.provider) || p.alias != c.provider.alias) continue;
          CauseRoot config;
          config.step = step(StepKind::Block, fmt::format("provider \"{}\"", p.local_name.sv()),
                             "known only after apply", p.range, nullptr);
          config.reads.push_back({{n, ModuleInstance()}, nullptr, {}, p.references});
          config.only_unknown = true;
          out.root.behind.push_back(std::move(config));
        }
      break;
    }
    case DeferredReason::AbsentPrereq:
      out.why.text = "according to the provider, something that it depends on does not exist yet";
      break;
    case DeferredReason::DeferredPrereq:
      out.why.text = "it depends on something that is deferred";
      break;
  }
  std::vector<ChangeReason> all;
  all.push_back(std::move(out));
  return all;
}

ChangeReason Reasons::reason(const OutputChange& c) const {
  const config::Module& root = *facts_.config.root->module;
  const int index = root.find_output(c.name);
  ChangeReason out;
  const config::Output* o = index < 0 ? nullptr : &root.outputs[static_cast<size_t>(index)];
  out.why.text = !o ? "it is no longer declared"
                 : c.change.action == Action::Create
                     ? "the configuration declares it, but the state does not contain it"
                     : "its value changed in the configuration";
  auto side = [&](const Value& v, bool sensitive) { return sensitive ? v.with_marks(kSensitive) : v; };
  out.root.step = step(StepKind::Output, "output." + std::string(c.name.sv()), "",
                       o && o->expr ? o->expr->range : Range(), nullptr);
  if (c.change.action != Action::Create)
    out.root.step.before = side(c.change.before, c.was_sensitive || c.sensitive);
  if (c.change.action != Action::Delete)
    out.root.step.after = side(c.change.after, c.sensitive || c.was_sensitive);
  out.why.before = out.root.step.before, out.why.after = out.root.step.after;
  if (o && o->expr) out.root.reads.push_back({{facts_.config.root.get(), {}}, nullptr, {o->expr}, {}});
  out.root.only_unknown = c.change.after.is_unknown();
  return out;
}

}  // namespace xplan::review

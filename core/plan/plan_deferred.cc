// What is deferred to a later plan: instances whose number is not known yet, objects whose provider cannot be
// configured yet or asks to wait, and whatever depends on those.
#include <fmt/format.h>

#include "core/plan/planner_impl.h"

namespace xplan::planning {
namespace {

DeferredReason reason_of(Deferral d) {
  switch (d) {
    case Deferral::ProviderConfigUnknown:
      return DeferredReason::ProviderConfigUnknown;
    case Deferral::AbsentPrereq:
      return DeferredReason::AbsentPrereq;
    case Deferral::ResourceConfigUnknown:
    case Deferral::None:
      break;
  }
  return DeferredReason::ResourceConfigUnknown;
}

}  // namespace

void Planner::visit_provider(uint32_t node) {
  uint32_t index = cg.nodes[node].index;
  NodeResult& out = results[node];
  bool wait = out.incomplete;
  providers[index] = start_provider(world, cg.providers[index], factory, out.diags, &wait);
  if (wait)
    provider_waits[index] =
        out.incomplete ? DeferredReason::DeferredPrereq : DeferredReason::ProviderConfigUnknown;
}

void Planner::note_uncounted_calls(uint32_t node) {
  const config::Node* n = cg.nodes[node].node;
  if (!world.deferral_allowed || !n->parent) return;
  auto index = static_cast<size_t>(n->call - n->parent->module->calls.data());
  for (const ModuleInst* parent : world.of(n->parent))
    results[node].incomplete |= parent->calls[index].expanded.kind == Expansion::Unknown;
}

bool Planner::unplannable(const InstanceJob& j) const {
  if (!world.deferral_allowed) return false;
  if (j.addr.module.partial() || waiting(j.provider_addr)) return true;
  if (j.addr.resource.mode != Mode::Managed || (j.state && j.state->current)) return false;
  return j.import ? j.import->unknown_id : results[j.node].imports_unknown;
}

std::optional<DeferredReason> Planner::waiting(const ProviderConfigAddr& a) const {
  auto it = cg.provider_by_addr.find(a);
  return it == cg.provider_by_addr.end() ? std::nullopt : provider_waits[it->second];
}

bool Planner::defer(Deferral d, const InstanceJob& j, Diagnostics& out) const {
  if (d == Deferral::None) return false;
  j.deferred = reason_of(d);
  if (!world.deferral_allowed)
    out.error("Provider deferred changes",
              fmt::format("Provider \"{}\" deferred {} to a later plan ({}), which is not allowed in this "
                          "run. Use -allow-deferral to plan the rest without it, or use -target to first "
                          "apply what it depends on.",
                          j.provider_addr.provider.text(), j.addr.text(), deferred_reason_name(*j.deferred)),
              j.resource ? j.resource->range : Range())
        .address = j.addr.text();
  return true;
}

// Without asking the provider for more than validation: the configuration as far as it is known, and unknown
// for whatever the provider may decide.
Value Planner::plan_by_schema(const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  const schema::Schema& schema = *r.schema;
  const schema::Block& block = schema.block;
  Value unknown = Value::unknown(block.implied_type());
  bool partial = j.addr.partial();
  if (!j.deferred) {
    std::optional<DeferredReason> provider = waiting(j.provider_addr);
    j.deferred = partial    ? DeferredReason::InstanceCountUnknown
                 : provider ? *provider
                            : DeferredReason::ResourceConfigUnknown;
  }
  if (r.addr.mode == Mode::Ephemeral) return unknown.with_marks(kEphemeral);
  Value prior = Value::null(block.implied_type());
  if (j.state && j.state->current && r.addr.mode == Mode::Managed) {
    auto v = object_value(*j.state->current, j.addr, schema, *j.provider, out.diags);
    if (!v) return unknown;
    prior = *v;
  }
  if (options.mode == PlanMode::RefreshOnly) return prior.is_null() ? unknown : prior;
  if (partial) {
    out.uncounted = true;
  } else if (!conditions(r.preconditions, RuleKind::Precondition, j, nullptr, out)) {
    return unknown;
  } else if (!r.postconditions.empty()) {  // about an object that is not planned yet
    if (out.checks.empty()) out.checks.emplace_back().object_addr = j.addr.text();
    CheckStatus& status = out.checks.back().status;
    status = combine(status, CheckStatus::Unknown);
  }
  std::optional<InstanceConfig> own = evaluate_config(j, out.diags);
  if (!own) return unknown;

  ResourceChange c;
  c.addr = c.prev_addr = j.addr;
  c.provider = j.provider_addr;
  c.schema = r.schema;
  c.change.before = prior;
  c.create_before_destroy = j.forced_cbd;
  Value planned;
  if (prior.is_null()) {
    planned = schema::planned_unknown(block, schema::strip_write_only(own->value, block));
    c.change.action = r.addr.mode == Mode::Data ? Action::Read : Action::Create;
    if (r.addr.mode == Mode::Data) c.reason = Reason::ReadBecauseConfigUnknown;
  } else {
    if (auto from = moves.previous.find(j.addr); from != moves.previous.end()) c.prev_addr = from->second;
    if (r.ignore != config::IgnoreKind::None) {
      own->marks.clear();
      own->value = unmark_with_paths(apply_ignore_changes(r, prior, own->marked), own->marks);
    }
    Value bare = prior.unmark_deep();
    planned = schema::proposed_new(block, bare, schema::strip_write_only(own->value, block));
    c.change.action = planned.raw_equal(bare) ? Action::NoOp : Action::Update;
  }
  if (j.import)
    c.change.importing = true, c.change.import_id = j.import->id,
    c.change.import_identity = j.import->identity;
  std::vector<PathMarks> kept;
  for (PathMarks& m : own->marks)
    if (m.marks & kSensitive) kept.push_back({std::move(m.path), kSensitive});
  c.change.after = c.change.action == Action::NoOp ? prior : apply_marks(planned, kept, block);
  Value result = c.change.after;
  out.changes.push_back(std::move(c));
  return result;
}

// Instances whose number is not known yet are one change, whose address has an unknown key. What the state
// has of them stays as it is.
void Planner::plan_uncounted(const InstanceJob& j, InstanceResult& out) {
  if (selection.excludes.covers(j.addr) || options.mode == PlanMode::RefreshOnly) {
    out.incomplete = j.addr.resource.mode != Mode::Ephemeral;
    return;
  }
  plan_by_schema(j, out);
  move_deferred(j, out);
}

// Moves the changes of an instance to the deferred ones, if it is deferred.
void Planner::move_deferred(const InstanceJob& j, InstanceResult& out) {
  bool own = j.deferred.has_value();
  if (!own && !j.deferred_upstream) return;
  bool ephemeral = j.addr.resource.mode == Mode::Ephemeral;
  if (own && !(ephemeral && j.addr.key.is_unknown())) out.incomplete = true;
  std::vector<ResourceChange> stay;
  bool moved_any = false;
  for (ResourceChange& c : out.changes) {
    // Deposed objects of a declared instance are not what others wait for.
    if ((!c.deposed.empty() && j.resource) || (!own && c.change.action == Action::NoOp)) {
      stay.push_back(std::move(c));
      continue;
    }
    moved_any = true;
    out.deferred.push_back({std::move(c), own ? *j.deferred : DeferredReason::DeferredPrereq});
  }
  out.changes = std::move(stay);
  if (!moved_any) return;
  out.incomplete = true;
  out.objects.clear();
}

bool Planner::uncounted(const AbsInstance& a) const {
  if (!world.deferral_allowed || options.mode == PlanMode::Destroy) return false;
  const ModuleInst* m = world.root();
  for (ModuleInstance step : a.module.chain()) {
    const config::Node* n = config.find(step.module());
    if (!n) return false;
    if (m->calls[static_cast<size_t>(n->call - n->parent->module->calls.data())].expanded.kind ==
        Expansion::Unknown)
      return true;
    m = world.find(step);
    if (!m) return false;
  }
  int index = m->node->module->find_resource(a.resource);
  return index >= 0 && m->resources[static_cast<size_t>(index)].declared.kind == Expansion::Unknown;
}

// An object that something deferred may depend on is not destroyed yet. What depends on what is what the
// state recorded.
void Planner::defer_needed_deletes(size_t first_delete) {
  if (!world.deferral_allowed) return;
  std::unordered_set<ConfigResource> needed;
  std::vector<ConfigResource> todo;
  std::unordered_set<const void*> seen;  // dependency lists are shared
  auto needs = [&](const AbsInstance& a, const InstanceState& s) {
    if (!s.current || !s.current->dependencies || !seen.insert(s.current->dependencies.get()).second) return;
    for (const ConfigResource& d : *s.current->dependencies)
      if (!(d == a.config()) && needed.insert(d).second) todo.push_back(d);
  };
  auto needs_of = [&](const DeferredChange& d) {
    const InstanceState* s = working.find(d.change.addr);
    if (s && d.change.deposed.empty()) needs(d.change.addr, *s);
  };
  for (const auto& [abs, r] : working.resources)
    for (const auto& [key, instance] : r.instances) {
      AbsInstance a{abs.module, abs.resource, key};
      if (uncounted(a)) needs(a, instance);
    }
  std::unordered_map<ConfigResource, std::vector<uint32_t>> deletes;
  for (uint32_t n = 0; n < results.size(); ++n) {
    for (const DeferredChange& d : results[n].deferred) needs_of(d);
    if (n < first_delete) continue;
    for (const ResourceChange& c : results[n].changes)
      if (c.change.action == Action::Delete) {
        deletes[c.addr.config()].push_back(n);
        break;
      }
  }
  while (!todo.empty()) {
    auto it = deletes.find(todo.back());
    todo.pop_back();
    if (it == deletes.end()) continue;
    for (uint32_t n : it->second) {
      NodeResult& r = results[n];
      std::vector<ResourceChange> stay;
      for (ResourceChange& c : r.changes) {
        if (c.change.action != Action::Delete) {
          stay.push_back(std::move(c));
          continue;
        }
        r.deferred.push_back({std::move(c), DeferredReason::DeferredPrereq});
        needs_of(r.deferred.back());
      }
      r.changes = std::move(stay);
    }
    deletes.erase(it);
  }
}

void Planner::collect_deferred(Plan& plan) {
  plan.deferral_allowed = world.deferral_allowed;
  for (NodeResult& r : results) {
    if (r.incomplete || !r.deferred.empty()) plan.complete = false;
    std::move(r.deferred.begin(), r.deferred.end(), std::back_inserter(plan.deferred));
  }
  if (options.mode == PlanMode::RefreshOnly) plan.deferred.clear();
  std::sort(plan.deferred.begin(), plan.deferred.end(), [](const DeferredChange& a, const DeferredChange& b) {
    if (!(a.change.addr == b.change.addr)) return less(a.change.addr, b.change.addr);
    return a.change.deposed < b.change.deposed;
  });
}

}  // namespace xplan::planning

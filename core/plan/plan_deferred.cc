// What is put off to a later plan: instances that nobody can count yet, objects whose provider cannot be
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

void Planner::inherit_deferral(uint32_t node) {
  NodeResult& out = results[node];
  bool is_resource = cg.nodes[node].kind == NodeKind::Resource;
  for (uint32_t d : cg.graph.dependencies(node)) {
    // What a provider waits for is settled by the provider: it is no dependency of its resources.
    if (cg.nodes[d].kind == NodeKind::Provider) continue;
    out.held |= results[d].held || results[d].unsettled;
    out.unsettled |= !is_resource && results[d].unsettled;
  }
}

void Planner::visit_provider(uint32_t node) {
  uint32_t index = cg.nodes[node].index;
  NodeResult& out = results[node];
  bool wait = out.unsettled;
  providers[index] = start_provider(world, cg.providers[index], factory, out.diags, &wait);
  if (wait)
    provider_waits[index] =
        out.unsettled ? DeferredReason::DeferredPrereq : DeferredReason::ProviderConfigUnknown;
}

void Planner::note_uncounted_calls(uint32_t node) {
  const config::Node* n = cg.nodes[node].node;
  if (!world.deferral_allowed || !n->parent) return;
  auto index = static_cast<size_t>(n->call - n->parent->module->calls.data());
  for (const ModuleInst* parent : world.of(n->parent))
    results[node].unsettled |= parent->calls[index].expanded.kind == Expansion::Unknown;
}

bool Planner::unplannable(const InstanceJob& j, const NodeResult& out) const {
  if (!world.deferral_allowed) return false;
  if (j.addr.module.partial() || waiting(j.provider_addr)) return true;
  if (j.addr.resource.mode != Mode::Managed || (j.state && j.state->current)) return false;
  auto import = out.imports.find(j.addr);
  return import == out.imports.end() ? out.imports_unknown : import->second.unknown_id;
}

std::optional<DeferredReason> Planner::waiting(const ProviderConfigAddr& a) const {
  auto it = cg.provider_by_addr.find(a);
  return it == cg.provider_by_addr.end() ? std::nullopt : provider_waits[it->second];
}

bool Planner::put_off(Deferral d, const InstanceJob& j, Diagnostics& out) const {
  if (d == Deferral::None) return false;
  j.put_off = reason_of(d);
  if (!world.deferral_allowed)
    out.error(
           "Provider deferred changes",
           fmt::format("Provider \"{}\" wants to put {} off to a later plan ({}), which was not allowed in "
                       "this run. Use -allow-deferral to plan the rest without it, or use -target to first "
                       "apply what it waits for.",
                       j.provider_addr.provider.text(), j.addr.text(), deferred_reason_name(*j.put_off)),
           j.resource ? j.resource->range : Range())
        .address = j.addr.text();
  return true;
}

// Without asking the provider for more than validation: the configuration as far as it is known, and unknown
// for whatever the provider may decide.
Value Planner::plan_by_schema(const InstanceJob& j, NodeResult& out) {
  const config::Resource& r = *j.resource;
  const schema::Schema& schema = *r.schema;
  const schema::Block& block = schema.block;
  Value unknown = Value::unknown(block.implied_type());
  bool partial = j.addr.partial();
  if (!j.put_off) {
    std::optional<DeferredReason> provider = waiting(j.provider_addr);
    j.put_off = partial    ? DeferredReason::InstanceCountUnknown
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
    out.check.expanded = false;
  } else if (!conditions(r.preconditions, RuleKind::Precondition, j, nullptr, out)) {
    return unknown;
  } else if (!r.postconditions.empty()) {  // about an object that is not planned yet
    if (out.check.objects.empty() || out.check.objects.back().object_addr != j.addr.text())
      out.check.objects.emplace_back().object_addr = j.addr.text();
    CheckStatus& status = out.check.objects.back().status;
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
  if (auto it = out.imports.find(j.addr); it != out.imports.end())
    c.change.importing = true, c.change.import_id = it->second.id,
    c.change.import_identity = it->second.identity;
  std::vector<PathMarks> kept;
  for (PathMarks& m : own->marks)
    if (m.marks & kSensitive) kept.push_back({std::move(m.path), kSensitive});
  c.change.after = c.change.action == Action::NoOp ? prior : apply_marks(planned, kept, block);
  Value result = c.change.after;
  out.changes.push_back(std::move(c));
  return result;
}

// Instances nobody can count yet are one change, whose address has an unknown key. What the state has of them
// stays as it is.
void Planner::plan_uncounted(uint32_t node, ModuleInst& m, const config::Resource& r, Provider* provider,
                             NodeResult& out) {
  if (!provider || out.diags.has_errors()) return;
  Repetition any{InstanceKey::unknown(), Value::unknown()};
  AbsInstance addr{m.addr, r.addr, any.key};
  if (!selected(addr) || options.mode == PlanMode::RefreshOnly) {
    out.unsettled = out.unsettled || r.addr.mode != Mode::Ephemeral;
    return;
  }
  InstanceJob job{node,
                  &m,
                  &r,
                  addr,
                  &any,
                  nullptr,
                  provider,
                  m.node->resource_providers[cg.nodes[node].index],
                  static_cast<bool>(cbd[node]),
                  {}};
  size_t changes = out.changes.size(), objects = out.objects.size();
  plan_by_schema(job, out);
  set_aside(job, changes, objects, out);
}

// Takes what planning an instance added out of the plan's changes, if it is put off.
void Planner::set_aside(const InstanceJob& j, size_t first_change, size_t first_object, NodeResult& out) {
  bool own = j.put_off.has_value();
  if (!own && !out.held) return;
  bool ephemeral = j.addr.resource.mode == Mode::Ephemeral;
  if (own && !(ephemeral && j.addr.key.is_unknown())) out.unsettled = true;
  size_t kept = first_change;
  bool moved_any = false;
  for (size_t i = first_change; i < out.changes.size(); ++i) {
    ResourceChange& c = out.changes[i];
    // Deposed objects of a declared instance are not what others wait for.
    bool stays = (!c.deposed.empty() && j.resource) || (!own && c.change.action == Action::NoOp);
    if (stays) {
      if (kept != i) out.changes[kept] = std::move(c);
      ++kept;
      continue;
    }
    moved_any = true;
    out.deferred.push_back({std::move(c), own ? *j.put_off : DeferredReason::DeferredPrereq});
  }
  out.changes.erase(out.changes.begin() + static_cast<ptrdiff_t>(kept), out.changes.end());
  if (!moved_any) return;
  out.unsettled = true;
  out.objects.erase(out.objects.begin() + static_cast<ptrdiff_t>(first_object), out.objects.end());
}

bool Planner::left_alone(const AbsInstance& a) const {
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

// An object that something put off may still need is not destroyed before that is settled. What needs what is
// what the state recorded.
void Planner::hold_needed(size_t first_delete) {
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
      if (left_alone(a)) needs(a, instance);
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
    if (r.unsettled || !r.deferred.empty()) plan.complete = false;
    std::move(r.deferred.begin(), r.deferred.end(), std::back_inserter(plan.deferred));
  }
  if (options.mode == PlanMode::RefreshOnly) plan.deferred.clear();
  std::sort(plan.deferred.begin(), plan.deferred.end(), [](const DeferredChange& a, const DeferredChange& b) {
    if (!(a.change.addr == b.change.addr)) return less(a.change.addr, b.change.addr);
    return a.change.deposed < b.change.deposed;
  });
}

}  // namespace xplan::planning

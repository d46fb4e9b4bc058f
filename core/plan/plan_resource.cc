// A resource's node: its instances are the node's parts, planned at once and merged in instance order.
#include <fmt/format.h>
#include <algorithm>

#include "core/plan/planner_impl.h"

namespace xplan::planning {

void merge(InstanceResult&& from, NodeResult& to) {
  move_all(std::move(from.changes), to.changes);
  move_all(std::move(from.drift), to.drift);
  move_all(std::move(from.objects), to.objects);
  move_all(std::move(from.deferred), to.deferred);
  move_all(std::move(from.checks), to.check.objects);
  if (from.uncounted) to.check.expanded = false;
  to.incomplete |= from.incomplete;
  to.diags.append(std::move(from.diags));
}

bool Planner::managed_pending(uint32_t node) const {
  return cg.nodes[node].kind == NodeKind::Resource && results[node].pending &&
         resource_of(node).addr.mode == Mode::Managed;
}

void Planner::begin_resource(uint32_t node) {
  const config::Resource& r = resource_of(node);
  NodeResult& out = results[node];
  out.has_check = describe_check(cg.nodes[node], out.check);
  const bool destroy = options.mode == PlanMode::Destroy;
  if (!destroy) resolve_imports(node, out);
  if (!r.schema) return;  // reported while loading
  if (!destroy) find_fired(node);
  out.reads_pending = !destroy && r.addr.mode != Mode::Managed && reads_pending(node);
  for (ModuleInst* m : world.of(cg.nodes[node].node))
    destroy ? begin_from_state(node, *m) : begin_module(node, *m);
}

void Planner::begin_module(uint32_t node, ModuleInst& m) {
  const config::Resource& r = resource_of(node);
  NodeResult& out = results[node];
  Expanded& declared = m.resources[cg.nodes[node].index].declared;
  declared = m.addr.partial() && (r.count || r.for_each)
                 ? Expanded{Expansion::Unknown, {}}
                 : expand(world, ModuleScope(world, m), r.count, r.for_each, out.diags);
  if (declared.kind == Expansion::Unknown) {
    out.check.expanded = false;
    if (!out.diags.has_errors()) out.pieces.push_back({Piece::Kind::Uncounted, &m, InstanceKey::unknown()});
    return;
  }
  auto found = working.resources.find(AbsResource{m.addr, r.addr});
  const bool in_state = found != working.resources.end();
  auto state_of = [&](const InstanceKey& key) -> InstanceState* {
    if (!in_state) return nullptr;
    auto it = found->second.instances.find(key);
    return it == found->second.instances.end() ? nullptr : &it->second;
  };
  auto takes = [&](const InstanceKey& key) { return selection.takes(node, {m.addr, r.addr, key}); };
  const Value unknown = Value::unknown(r.schema->block.implied_type());
  Filling& f = out.fillings.emplace_back(Filling{&m, {}});
  if (selection.targeting)
    f.actual = present_instances(declared, [&](const InstanceKey& key) {
      const InstanceState* s = state_of(key);
      return takes(key) || (s && s->current);
    });
  // The state records who works on it from here on.
  if (in_state &&
      std::any_of(found->second.instances.begin(), found->second.instances.end(), [&](const auto& i) {
        const AbsInstance a{m.addr, r.addr, i.first};
        return is_declared(a) ? takes(i.first) : orphan_selected(a);
      }))
    found->second.provider = provider_of(config, found->first, found->second);
  const std::vector<Repetition>& instances = f.actual ? f.actual->instances : declared.instances;
  f.values.assign(instances.size(), unknown);
  if (out.pieces.empty()) out.pieces.reserve(instances.size());
  for (size_t i = 0; i < instances.size(); ++i) {
    const InstanceKey& key = instances[i].key;
    InstanceState* state = state_of(key);
    if (takes(key))
      out.pieces.push_back({Piece::Kind::Declared, &m, key, &f.values[i], &instances[i], state});
    else if (state && state->current)
      out.pieces.push_back({Piece::Kind::Known, &m, key, &f.values[i], nullptr, state});
  }
  if (!in_state || options.mode != PlanMode::RefreshOnly || r.addr.mode != Mode::Managed ||
      (!r.count && !r.for_each))
    return;
  for (auto& [key, state] : found->second.instances) {
    AbsInstance a{m.addr, r.addr, key};
    if (is_declared(a) || uncounted(a)) continue;
    Piece::Kind kind = orphan_selected(a) ? Piece::Kind::Undeclared : Piece::Kind::Known;
    if (kind == Piece::Kind::Undeclared || state.current)
      out.pieces.push_back({kind, &m, key, &out.undeclared.emplace_back(unknown), nullptr, &state});
  }
}

InstanceJob Planner::job_of(uint32_t node, const Piece& p) const {
  static const Repetition any{InstanceKey::unknown(), Value::unknown()};
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = resource_of(node);
  const ProviderConfigAddr& provider = g.node->resource_providers[g.index];
  const NodeResult& of = results[node];
  InstanceJob j{node,    p.module, &r, {p.module->addr, r.addr, p.key}, &any, p.state, provider_for(provider),
                provider};
  if (p.repetition) j.repetition = p.repetition;
  j.forced_cbd = cbd[node];
  j.deferred_upstream = of.deferred_upstream;
  if (auto it = of.imports.find(j.addr); it != of.imports.end()) j.import = &it->second;
  return j;
}

Value Planner::plan_instance(const InstanceJob& j, InstanceResult& out) {
  Value unknown = Value::unknown(j.resource->schema->block.implied_type());
  if (!j.provider) return unknown;
  Value v = unplannable(j)                            ? plan_by_schema(j, out)
            : j.addr.resource.mode == Mode::Data      ? plan_data(j, out)
            : j.addr.resource.mode == Mode::Ephemeral ? plan_ephemeral(j, out)
                                                      : plan_managed(j, out);
  if (world.deferral_allowed) move_deferred(j, out);
  return v;
}

void Planner::plan_piece(uint32_t node, Piece& p) {
  const config::Resource& r = resource_of(node);
  switch (p.kind) {
    case Piece::Kind::Declared:
      *p.value = plan_instance(job_of(node, p), p.out);
      break;
    case Piece::Kind::Uncounted:
      if (InstanceJob j = job_of(node, p); j.provider) plan_uncounted(j, p.out);
      break;
    case Piece::Kind::Undeclared: {
      AbsInstance a{p.module->addr, r.addr, p.key};
      const GraphNode& g = cg.nodes[node];
      plan_delete(a, *p.state, g.node->resource_providers[g.index], Reason::None, nullptr, p.out);
      if (!p.state->current || !provider_at(node)) break;
      if (auto v = object_value(*p.state->current, a, *r.schema, *provider_at(node), p.out.diags))
        *p.value = *v;
      break;
    }
    case Piece::Kind::Known: {
      AbsInstance a{p.module->addr, r.addr, p.key};
      Provider* provider = provider_at(node);
      if (!provider) break;
      if (auto v = object_value(*p.state->current, a, *r.schema, *provider, p.out.diags)) *p.value = *v;
      break;
    }
  }
}

void Planner::end_resource(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = resource_of(node);
  NodeResult& out = results[node];
  out.changes.reserve(out.pieces.size());
  for (Piece& p : out.pieces) {
    // Something before them kept its conditions from being evaluated.
    if (out.has_check && p.kind == Piece::Kind::Declared && p.out.checks.empty() && p.out.diags.has_errors())
      p.out.checks.push_back({AbsInstance{p.module->addr, r.addr, p.key}.text(), CheckStatus::Unknown, {}});
    InstanceResult one = std::move(p.out);  // and its memory goes with it
    merge(std::move(one), out);
  }
  const bool from_state =
      options.mode == PlanMode::RefreshOnly && r.addr.mode == Mode::Managed && (r.count || r.for_each);
  ReadValues read;
  if (from_state)
    for (const Piece& p : out.pieces)
      if (p.state && p.value) read.emplace(p.state, p.value);
  for (Filling& f : out.fillings) from_state ? fill_from_state(node, *f.module, read) : f.finish(g.index);
  std::vector<Piece>().swap(out.pieces);
  out.fillings.clear();
  out.undeclared.clear();
  out.all_refreshed = from_state;
  if (!r.schema || options.mode == PlanMode::Destroy) return;
  if (trigger_target[node]) {
    for (uint32_t i = 0; i < out.changes.size(); ++i)
      if (out.changes[i].deposed.empty()) out.index.emplace(out.changes[i].addr, i);
    for (uint32_t i = 0; i < out.deferred.size(); ++i)
      out.deferred_index.emplace(out.deferred[i].change.addr, i);
  }
  for (const ResourceChange& c : out.changes) out.pending |= c.change.action != Action::NoOp;
  refuse_undeclared_imports(node);
}

}  // namespace xplan::planning

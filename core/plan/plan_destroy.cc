// Destroy mode: plans the deletion of every selected object in the state, after a refresh unless that is
// turned off. Also how resources get their values from the state in destroy and refresh-only plans.
#include "core/plan/objects.h"
#include "core/plan/planner_impl.h"

namespace xplan::planning {

// In destroy mode resources have the values of the state, whatever the configuration says; only what the
// configurations of providers and prevent_destroy need is evaluated. Their providers are asked for objects of
// older schemas.
void begin_from_state(PlanRun& run, uint32_t node, ModuleInst& m) {
  const config::Resource& r = run.resource_of(node);
  auto it = run.working.resources.find(AbsResource{m.addr, r.addr});
  ResourceState* state = it != run.working.resources.end() && run.provider_at(node) ? &it->second : nullptr;
  StateInstances found = state_instances(expansion_of(r), state);
  NodeResult& out = run.results[node];
  Filling& f = out.fillings.emplace_back(Filling{&m, {}, std::move(found.instances)});
  f.values.assign(found.states.size(), Value::unknown(r.schema->block.implied_type()));
  for (size_t i = 0; i < f.values.size(); ++i) {
    if (!found.states[i]) continue;
    const InstanceKey& key = f.actual->instances[i].key;
    out.pieces.push_back({Piece::Kind::Known, &m, key, &f.values[i], nullptr, &state->instances.at(key)});
  }
}

// A refresh-only plan creates and destroys nothing: a resource has the instances of the state before and
// after. What has just been read need not be asked for again.
void fill_from_state(PlanRun& run, uint32_t node, ModuleInst& m, const ReadValues& read) {
  const config::Resource& r = run.resource_of(node);
  auto it = run.working.resources.find(AbsResource{m.addr, r.addr});
  Provider* provider = it == run.working.resources.end() ? nullptr : run.provider_at(node);
  StateInstances found = state_instances(expansion_of(r), provider ? &it->second : nullptr);
  std::vector<Value> values(found.states.size(), Value::unknown(r.schema->block.implied_type()));
  for (size_t i = 0; i < values.size(); ++i) {
    const InstanceState* s = found.states[i];
    if (!s) continue;
    const AbsInstance a{m.addr, r.addr, found.instances.instances[i].key};
    if (auto at = read.find(s); at != read.end())
      values[i] = *at->second;
    else if (auto v = object_value(*s->current, a, *r.schema, *provider, run.results[node].diags))
      values[i] = *v;
  }
  m.resources[run.cg.nodes[node].index].fill(std::move(found.instances), std::move(values));
}

namespace {

// Each edge once, however many instances have it: they are followed for each instance of a module.
using Edges = std::unordered_map<ConfigResource, std::unordered_set<ConfigResource>>;

struct Reached {
  std::unordered_map<ConfigResource, Reach> in;
  bool insert(const ConfigResource& r, ModuleInstance m) { return in[r].insert(m); }
  bool contains(const AbsInstance& a) const {
    auto found = in.find(a.config());
    return found != in.end() && found->second.contains(a.module);
  }
};

// What can be reached along the edges, the start itself only if it lies on a way back.
Reached reach(const Reached& from, const Edges& along) {
  std::vector<std::pair<ConfigResource, ModuleInstance>> todo;
  for (const auto& [r, modules] : from.in)
    for (ModuleInstance m : modules) todo.emplace_back(r, m);
  Reached reached;
  while (!todo.empty()) {
    const auto [c, m] = todo.back();
    todo.pop_back();
    auto it = along.find(c);
    if (it == along.end()) continue;
    for (const ConfigResource& d : it->second) {
      const ModuleInstance there = shared_instance(m, c.module, d.module);
      if (reached.insert(d, there)) todo.emplace_back(d, there);
    }
  }
  return reached;
}

// What of the state goes: targets and what depends on them; without excluded objects and what those need.
Wanted destroy_selection(const PlanRun& run) {
  Edges dependents, needs;
  auto connect = [&](const ConfigResource& a, const ConfigResource& needed) {
    dependents[needed].insert(a), needs[a].insert(needed);
  };
  Reached targeted, excluded;
  for (const auto& [abs, r] : run.working.resources)
    for (const auto& [key, instance] : r.instances) {
      const AbsInstance a{abs.module, abs.resource, key};
      if (run.selection.targets.covers(a)) targeted.insert(abs.config(), a.module);
      if (run.selection.excludes.covers(a)) excluded.insert(abs.config(), a.module);
      if (!instance.current || !instance.current->dependencies) continue;
      for (const ConfigResource& d : *instance.current->dependencies) connect(abs.config(), d);
    }
  for (const auto& [node, deps] : run.dependencies)
    for (const ConfigResource& d : *deps)
      connect({run.cg.nodes[node].node->path, run.resource_of(node).addr}, d);
  return [&run, also = reach(targeted, dependents), kept = reach(excluded, needs)](const AbsInstance& a) {
    if (run.selection.excludes.covers(a)) return false;
    if (kept.contains(a)) return false;
    if (run.options.targets.empty()) return true;
    if (a.resource.mode == Mode::Managed && also.contains(a)) return true;
    return run.selection.targets.covers(a);
  };
}

}  // namespace

void select_for_destroy(PlanRun& run) {
  std::vector<bool>& nodes = run.selection.nodes;
  nodes.assign(run.cg.nodes.size(), false);
  for (uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = run.cg.nodes[n].kind == NodeKind::Provider;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (run.cg.nodes[n].kind != NodeKind::Resource || !run.resource_of(n).prevent_destroy_expr) continue;
    std::vector<const syntax::Traversal*> read;
    std::vector<uint32_t> needed{run.cg.node_of(NodeKind::Expand, run.cg.nodes[n].node, 0)};
    syntax::collect_traversals(*run.resource_of(n).prevent_destroy_expr, read);
    for (const syntax::Traversal* t : read) run.cg.targets_of(run.cg.nodes[n].node, *t, needed);
    for (uint32_t d : needed) nodes[d] = true;
  }
  run.cg.graph.mark_dependencies(nodes);
}

void plan_destroy_all(PlanRun& run) {
  plan_deletes(run, destroy_selection(run), [](const AbsInstance&) { return Reason::None; });
}

// First what a plan would find now: objects refreshed or gone, data sources read again, outputs. Then
// everything of that is destroyed; providers are configured from it as well.
Plan plan_destroy_refreshed(const config::Config& config, const State& prev, const PlanOptions& options,
                            ProviderFactory& providers, Diagnostics& diags) {
  PlanOptions first = options, second = options;
  first.mode = PlanMode::Normal;
  second.refresh = false;
  Diagnostics found;  // warnings are about a plan that nobody is going to see
  Plan survey = Planner(config, prev, first, providers, found, Purpose::Survey).plan();
  if (found.has_errors()) {
    diags.append(std::move(found));
    Plan failed;
    failed.mode = PlanMode::Destroy;
    failed.errored = failed.abandoned = true, failed.complete = false;
    return failed;
  }
  Plan plan = Planner(config, survey.prior_state, second, providers, diags).plan();
  plan.prev_run_state = prev;
  return plan;
}

}  // namespace xplan::planning

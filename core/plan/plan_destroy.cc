// Destroy mode: plans the deletion of every selected object in the state, after a refresh unless that is
// turned off. Also how resources get their values from the state in destroy and refresh-only plans.
#include "core/plan/planner_impl.h"

namespace xplan::planning {

// In destroy mode resources have the values of the state, whatever the configuration says; only what the
// configurations of providers need is evaluated. Their providers are asked for objects of older schemas.
void Planner::begin_from_state(uint32_t node, ModuleInst& m) {
  const config::Resource& r = resource_of(node);
  auto it = working.resources.find(AbsResource{m.addr, r.addr});
  ResourceState* state = it != working.resources.end() && provider_at(node) ? &it->second : nullptr;
  const Value unknown = Value::unknown(r.schema->block.implied_type());
  StateInstances found =
      state_instances(expansion_of(r), state, [&](const InstanceKey&, const Object*) { return unknown; });
  NodeResult& out = results[node];
  out.fillings.push_back({&m, std::move(found.values), std::move(found.instances)});
  Filling& f = out.fillings.back();
  for (size_t i = 0; i < f.values.size(); ++i) {
    const InstanceKey& key = f.actual->instances[i].key;
    if (auto at = state->instances.find(key); at != state->instances.end() && at->second.current)
      out.pieces.push_back({Piece::Kind::Known, &m, key, &f.values[i], nullptr, &at->second});
  }
}

// A refresh-only plan creates and destroys nothing: a resource has the instances of the state before and
// after. What has just been read need not be asked for again.
void Planner::fill_from_state(uint32_t node, ModuleInst& m, const ReadValues& read) {
  const config::Resource& r = resource_of(node);
  auto it = working.resources.find(AbsResource{m.addr, r.addr});
  Provider* provider = it == working.resources.end() ? nullptr : provider_at(node);
  StateInstances found = state_instances(
      expansion_of(r), provider ? &it->second : nullptr, [&](const InstanceKey& key, const Object* object) {
        std::optional<Value> v;
        if (auto at = object ? read.find(&it->second.instances.at(key)) : read.end(); at != read.end())
          v = *at->second;
        else if (object)
          v = object_value(*object, {m.addr, r.addr, key}, *r.schema, *provider, results[node].diags);
        return v ? *v : Value::unknown(r.schema->block.implied_type());
      });
  m.resources[cg.nodes[node].index].fill(std::move(found.instances), std::move(found.values));
}

// What of the state goes: targets and what depends on them; without excluded objects and what those need.
std::function<bool(const AbsInstance&)> Planner::destroy_selection() const {
  std::unordered_map<ConfigResource, std::vector<ConfigResource>> dependents, needs;
  for (const auto& [abs, r] : working.resources)
    for (const auto& [key, instance] : r.instances)
      if (instance.current && instance.current->dependencies)
        for (const ConfigResource& d : *instance.current->dependencies)
          dependents[d].push_back(abs.config()), needs[abs.config()].push_back(d);
  for (const auto& [node, deps] : dependencies) {
    const GraphNode& g = cg.nodes[node];
    ConfigResource me{g.node->path, g.node->module->resources[g.index].addr};
    for (const ConfigResource& d : *deps) dependents[d].push_back(me), needs[me].push_back(d);
  }
  auto spread = [](std::unordered_set<ConfigResource>& set, const auto& along) {
    std::vector<ConfigResource> todo(set.begin(), set.end());
    std::unordered_set<ConfigResource> reached;
    while (!todo.empty()) {
      ConfigResource c = todo.back();
      todo.pop_back();
      auto it = along.find(c);
      if (it == along.end()) continue;
      for (const ConfigResource& d : it->second)
        if (reached.insert(d).second) todo.push_back(d);
    }
    set = std::move(reached);
  };
  std::unordered_set<ConfigResource> also, kept;
  for (const auto& [abs, r] : working.resources)
    for (const auto& [key, instance] : r.instances) {
      AbsInstance a{abs.module, abs.resource, key};
      if (selection.targets.covers(a)) also.insert(abs.config());
      if (selection.excludes.covers(a)) kept.insert(abs.config());
    }
  spread(also, dependents);
  spread(kept, needs);
  return [this, also = std::move(also), kept = std::move(kept)](const AbsInstance& a) {
    if (selection.excludes.covers(a)) return false;
    if (kept.contains(a.config())) return false;
    if (options.targets.empty()) return true;
    if (a.resource.mode == Mode::Managed && also.contains(a.config())) return true;
    return selection.targets.covers(a);
  };
}

void Planner::plan_destroy_all() {
  selection.nodes.assign(cg.nodes.size(), false);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) selection.nodes[n] = cg.nodes[n].kind == NodeKind::Provider;
  cg.graph.mark_dependencies(selection.nodes);
  report(walk(cg.graph, walk_options(), *this));
  plan_deletes(destroy_selection(), [](const AbsInstance&) { return Reason::None; });
}

// First what a plan would find now: objects refreshed or gone, data read anew, outputs. Then everything of
// that is destroyed; providers are configured from it as well.
Plan plan_destroy_refreshed(const config::Config& config, const State& prev, const PlanOptions& options,
                            ProviderFactory& providers, Diagnostics& diags) {
  PlanOptions first = options, second = options;
  first.mode = PlanMode::Normal;
  second.refresh = false;
  Diagnostics found;  // warnings are about a plan that nobody is going to see
  Plan survey = Planner(config, prev, first, providers, found, Purpose::Survey).run();
  if (found.has_errors()) {
    diags.append(std::move(found));
    Plan failed;
    failed.mode = PlanMode::Destroy;
    failed.errored = failed.abandoned = true, failed.complete = false;
    return failed;
  }
  Plan plan = Planner(config, survey.prior_state, second, providers, diags).run();
  plan.prev_run_state = prev;
  return plan;
}

}  // namespace xplan::planning

// Selection: which graph nodes and which instances -target and -exclude leave. Targets bring everything they
// depend on, by instance where references name a key; what is excluded takes along everything that depends on
// it.
#include "core/plan/selection.h"

#include <algorithm>
#include <iterator>

namespace xplan {
namespace {

// Whether targets name a node: resources only. What else a module has is there for whoever reads it.
bool covers(const TargetIndex& targets, const GraphNode& g) {
  return g.kind == NodeKind::Resource &&
         targets.covers(ConfigResource{g.node->path, g.node->module->resources[g.index].addr});
}

// Those that leave nothing of a resource: an excluded instance, of a resource or of a module around it,
// leaves the others.
std::vector<Target> of_whole_resources(std::span<const Target> all, const ConfigGraph& cg) {
  std::unordered_set<uint32_t> repeated;  // modules
  for (const GraphNode& g : cg.nodes)
    if (g.kind == NodeKind::Expand && g.node->call && (g.node->call->count || g.node->call->for_each))
      repeated.insert(g.node->path.id());
  std::vector<Target> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const Target& t) {
    if (t.has_key) return false;
    for (ModuleInstance m = t.module; !m.is_root(); m = m.parent()) {
      const bool last = m == t.module && !t.resource;  // of a module without a key, all instances
      if (!m.key().none() || (!last && repeated.contains(m.module().id()))) return false;
    }
    return true;
  });
  return out;
}

void mark_state_providers(const ConfigGraph& cg, const State& state, const TargetIndex& targets,
                          std::vector<bool>& wanted) {
  for (const auto& [addr, r] : state.resources) {
    bool covered = false;
    for (const auto& [key, instance] : r.instances)
      covered = covered || targets.covers(AbsInstance{addr.module, addr.resource, key});
    if (!covered) continue;
    for (uint32_t p : cg.provider_instances(r.provider)) wanted[cg.provider_node_at(p)] = true;
  }
}

}  // namespace

Selection::Selection(std::span<const Target> t, std::span<const Target> e)
    : targeting(!t.empty()), targets(t), excludes(e) {}

// Which instances the nodes that are wanted read. All of a module that is waited for as a whole are needed.
void Selection::find_needed(const ConfigGraph& cg) {
  whole_.assign(cg.nodes.size(), false);
  for (const ConfigGraph::Use& u : cg.uses) {
    if (!nodes[u.from]) continue;
    if (u.key.none())
      whole_[u.to] = true;
    else
      keys_[u.to].push_back(u.key);
  }
  for (auto& [node, keys] : keys_) {
    std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return less(a, b); });
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  for (uint32_t n = 0; n < cg.nodes.size(); ++n)
    if (nodes[n] && cg.nodes[n].kind == NodeKind::ModuleDone)
      for (uint32_t d : cg.graph.dependencies(n)) whole_[d] = true;
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    if (!nodes[n] || direct_[n] || cg.nodes[n].kind != NodeKind::Resource) continue;
    const config::Resource& r = cg.nodes[n].node->module->resources[cg.nodes[n].index];
    if (!r.count && !r.for_each) whole_[n] = true;
  }
}

// From readers to what they read: both are in the same instance of the modules that they have in common.
void Selection::find_reach(const ConfigGraph& cg) {
  reach_.assign(cg.nodes.size(), {});
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    if (!direct_[n]) continue;
    const GraphNode& g = cg.nodes[n];
    const ConfigResource r{g.node->path, g.node->module->resources[g.index].addr};
    for (uint32_t i : targets.covering(r)) {
      const Target& t = targets.all()[i];
      reach_[n].insert(t.resource || !t.module.key().none() ? t.module : t.module.parent());
    }
  }
  const std::vector<uint32_t> order = cg.graph.topological_order();
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    if (!nodes[*n]) continue;
    if (reach_[*n].empty()) reach_[*n].insert({});  // of an object that is in the state only
    for (uint32_t d : cg.graph.dependencies(*n)) {
      if (reach_[d].everywhere()) continue;
      const GraphNode &from = cg.nodes[*n], &to = cg.nodes[d];
      const Module from_path = from.node ? from.node->path : Module(),
                   to_path = to.node ? to.node->path : Module();
      for (ModuleInstance m : reach_[*n]) reach_[d].insert(shared_instance(m, from_path, to_path));
    }
  }
}

void Selection::choose_targeted(const ConfigGraph& cg, const State& state) {
  std::vector<bool>& wanted = nodes;
  wanted.assign(cg.nodes.size(), false);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) wanted[n] = covers(targets, cg.nodes[n]);
  direct_ = wanted;
  mark_state_providers(cg, state, targets, wanted);
  cg.graph.mark_dependencies(wanted);
  find_needed(cg);
  find_reach(cg);
  // Outputs of the root module whose every resource is selected are brought up to date too.
  std::vector<bool> any(cg.nodes.size()), all(cg.nodes.size(), true), also(cg.nodes.size());
  for (const ConfigGraph::Use& u : cg.uses)
    all[u.from] = all[u.from] && (direct_[u.to] || needs(u.to, u.key));
  for (uint32_t n : cg.graph.topological_order()) {
    if (cg.nodes[n].kind == NodeKind::Resource) any[n] = true, all[n] = wanted[n];
    for (uint32_t d : cg.graph.dependencies(n)) any[n] = any[n] || any[d], all[n] = all[n] && all[d];
    if (cg.nodes[n].kind == NodeKind::Output && !cg.nodes[n].node->parent) also[n] = any[n] && all[n];
  }
  cg.graph.mark_dependencies(also);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) wanted[n] = wanted[n] || also[n];
}

void Selection::choose(const ConfigGraph& cg, const State& state) {
  if (targeting) return choose_targeted(cg, state);
  std::vector<bool> out(cg.nodes.size());
  const std::vector<Target> whole = of_whole_resources(excludes.all(), cg);
  const TargetIndex excluded(whole);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) out[n] = covers(excluded, cg.nodes[n]);
  cg.graph.mark_dependents(out);
  nodes.assign(cg.nodes.size(), true);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n)
    nodes[n] = !out[n] || cg.nodes[n].kind == NodeKind::ModuleDone;
}

bool Selection::needs(uint32_t node, const InstanceKey& key) const {
  if (whole_[node]) return true;
  auto keys = keys_.find(node);
  return keys != keys_.end() &&
         std::binary_search(keys->second.begin(), keys->second.end(), key,
                            [](const InstanceKey& x, const InstanceKey& y) { return less(x, y); });
}

bool Selection::takes(uint32_t node, const AbsInstance& a) const {
  if (excludes.covers(a)) return false;
  if (!targeting) return true;
  return targets.covers(a) || (needs(node, a.key) && reach_[node].contains(a.module));
}

bool Selection::takes_undeclared(uint32_t node, const AbsInstance& a) const {
  if (excludes.covers(a)) return false;
  // What was not looked at is not known to be undeclared.
  if (!targeting) return node == UINT32_MAX || nodes.empty() || nodes[node];
  if (targets.covers(a)) return true;
  // They go along with a resource that is needed as a whole.
  return node != UINT32_MAX && nodes[node] && whole_[node] && reach_[node].contains(a.module);
}

bool Selection::takes_deposed(const AbsInstance& a) const {
  return !excludes.covers(a) && (!targeting || targets.covers(a));
}

}  // namespace xplan

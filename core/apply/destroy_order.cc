// Adds nodes for destructions to the graph of an apply, and the edges that say in which order objects go:
// dependents first, and after or before their successors are created, depending on create_before_destroy.
#include "core/apply/destroy_order.h"

#include <algorithm>
#include <unordered_set>

namespace xplan::applying {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

uint32_t resource_node(const ConfigGraph& cg, const config::Config& config, const ConfigResource& r) {
  const config::Node* n = config.find(r.module);
  const int index = n ? n->module->find_resource(r.resource) : -1;
  return index < 0 ? kNone : cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index));
}

}  // namespace

Destroy& DestroyOrder::of(const ConfigResource& r, bool create_first) {
  std::vector<uint32_t>& all = by_resource_[r];
  for (uint32_t i : all)
    if (destroys_[i].create_first == create_first) return destroys_[i];
  all.push_back(static_cast<uint32_t>(destroys_.size()));
  destroys_.push_back({.resource = r, .create_first = create_first});
  return destroys_.back();
}

// A deposed object goes last: its successor exists, or is still to be made, and nothing waits for its end.
void DestroyOrder::collect(const Plan& plan) {
  for (const ResourceChange& c : plan.changes) {
    const Action a = c.change.action;
    if (a != Action::Delete && a != Action::Forget && !is_replace(a)) continue;
    if (c.addr.resource.mode != Mode::Managed) continue;  // nothing real goes
    const bool last = !c.deposed.empty() || a == Action::CreateThenDelete ||
                      (a == Action::Delete && c.create_before_destroy);
    Destroy& d = of(c.addr.config(), last);
    d.changes.push_back(&c);
    d.replaces |= is_replace(a);
  }
}

// Dependents of a destroyed resource are destroyed before it, and see its successor.
void DestroyOrder::follow_dependents(ConfigGraph& cg, const AbsResource& dependent, const ResourceState& r,
                                     uint32_t dependent_node) const {
  const ConfigResource me = dependent.config();
  static const std::vector<uint32_t> kNobody;
  auto mine_at = by_resource_.find(me);
  const std::vector<uint32_t>& mine = mine_at == by_resource_.end() ? kNobody : mine_at->second;
  auto connect_with = [&](const Destroy& destroyed) {
    for (uint32_t m : mine) cg.graph.add_edge(destroyed.node, destroys_[m].node);
    if (dependent_node == kNone) return;
    if (destroyed.create_first)
      cg.graph.add_edge(destroyed.node, dependent_node);
    else
      cg.graph.add_edge(dependent_node, destroyed.node);
  };
  auto each = [&](const ObjectPtr& o) {
    if (!o || !o->dependencies) return;
    for (const ConfigResource& d : *o->dependencies)
      if (auto it = by_resource_.find(d); it != by_resource_.end() && !(d == me))
        for (uint32_t i : it->second) connect_with(destroys_[i]);
  };
  for (const auto& [key, instance] : r.instances) {
    each(instance.current);
    for (const auto& [k, o] : instance.deposed) each(o);
  }
}

// What is destroyed first is gone before anything changes that it depends on.
void DestroyOrder::follow_destroyed(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                                    const State& state, const std::vector<std::vector<uint32_t>>& without) {
  std::unordered_map<uint32_t, size_t> component;  // of a node
  for (size_t i = 0; i < without.size(); ++i)
    for (uint32_t n : without[i]) component.emplace(n, i);
  std::unordered_map<ConfigResource, uint32_t> changed;
  for (const ResourceChange& c : plan.changes) {
    const Action a = c.change.action;
    if (a != Action::Create && a != Action::Update && !is_replace(a)) continue;
    if (auto [it, added] = changed.try_emplace(c.addr.config(), kNone); added)
      it->second = resource_node(cg, config, it->first);
  }
  auto same = [&](uint32_t a, uint32_t b) {
    auto x = component.find(a), y = component.find(b);
    return x != component.end() && y != component.end() && x->second == y->second;
  };
  for (const Destroy& d : destroys_) {
    if (d.create_first) continue;
    std::unordered_set<uint32_t> connected;
    for (const ResourceChange* c : d.changes) {
      const InstanceState* i = state.find(c->addr);
      if (!i || !i->current || !i->current->dependencies) continue;
      for (const ConfigResource& dependency : *i->current->dependencies) {
        auto it = changed.find(dependency);
        if (it == changed.end() || it->second == kNone || dependency == d.resource ||
            !connected.insert(it->second).second || same(it->second, d.node))
          continue;
        cg.graph.add_edge(it->second, d.node);
        wishes_ = true;
      }
    }
  }
}

void DestroyOrder::connect(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                           const State& state, const std::vector<std::vector<uint32_t>>& without) {
  const bool destroy_all = plan.mode == PlanMode::Destroy;  // then nothing is created
  collect(plan);
  for (uint32_t i = 0; i < destroys_.size(); ++i) destroys_[i].node = cg.add_extra(i);
  for (const auto& [addr, r] : state.resources)
    follow_dependents(cg, addr, r, destroy_all ? kNone : resource_node(cg, config, addr.config()));
  if (!destroy_all) follow_destroyed(cg, config, plan, state, without);
  for (const Destroy& d : destroys_) {
    for (const ResourceChange* c : d.changes)
      if (uint32_t p = cg.provider_node(c->provider); p != kNone) cg.graph.add_edge(d.node, p);
    const uint32_t create = destroy_all ? kNone : resource_node(cg, config, d.resource);
    if (create == kNone || (!d.replaces && !d.create_first)) continue;
    if (d.create_first)
      cg.graph.add_edge(d.node, create);
    else
      cg.graph.add_edge(create, d.node);
  }
}

bool DestroyOrder::check(const ConfigGraph& cg, Diagnostics& diags) const {
  if (cg.graph.topological_order().size() == cg.nodes.size()) return true;
  for (const std::vector<uint32_t>& cycle : cg.graph.cycles()) {
    std::string names;
    constexpr size_t kShown = 10;
    for (size_t i = 0; i < cycle.size() && i < kShown; ++i) {
      const GraphNode& g = cg.nodes[cycle[i]];
      names += i ? ", " : "";
      names += g.kind == NodeKind::Extra ? at(g.index).resource.text() + " (destroy)" : cg.describe(cycle[i]);
    }
    if (cycle.size() > kShown) names += " and " + std::to_string(cycle.size() - kShown) + " more";
    diags.error("Cycle",
                "The planned changes cannot be ordered, because each of these would have to come after "
                "another one of them: " +
                    names +
                    ". The order of destroying objects is determined by their dependencies when they were "
                    "last applied. Make the change in two steps, or change create_before_destroy of the "
                    "replaced resources.");
  }
  return false;
}

}  // namespace xplan::applying

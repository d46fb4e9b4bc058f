// Adds nodes for destructions to the graph of an apply, and the edges that say in which order objects go:
// dependents first, and after or before their successors are created, depending on create_before_destroy.
// What checks read comes last.
#include "core/apply/destroy_order.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace xplan::applying {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

uint32_t resource_node(const ConfigGraph& cg, const config::Config& config, const ConfigResource& r) {
  const config::Node* n = config.find(r.module);
  const int index = n ? n->module->find_resource(r.resource) : -1;
  return index < 0 ? kNone : cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index));
}

// Whether two nodes are in one component.
class Together {
 public:
  explicit Together(const Cycles& cycles) {
    for (size_t i = 0; i < cycles.size(); ++i)
      for (uint32_t n : cycles[i]) component_.emplace(n, i);
  }
  bool operator()(uint32_t a, uint32_t b) const {
    auto x = component_.find(a), y = component_.find(b);
    return x != component_.end() && y != component_.end() && x->second == y->second;
  }

 private:
  std::unordered_map<uint32_t, size_t> component_;
};

// The nodes of what is created, updated or replaced; `also`: and read.
std::unordered_map<ConfigResource, uint32_t> changed_nodes(const ConfigGraph& cg,
                                                           const config::Config& config, const Plan& plan,
                                                           Action also) {
  std::unordered_map<ConfigResource, uint32_t> out;
  for (const ResourceChange& c : plan.changes) {
    const Action a = c.change.action;
    if (a != Action::Create && a != Action::Update && !is_replace(a) && a != also) continue;
    if (auto [it, added] = out.try_emplace(c.addr.config(), kNone); added)
      it->second = resource_node(cg, config, it->first);
  }
  return out;
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

uint32_t DestroyOrder::add_gate(ConfigGraph& cg) {
  const uint32_t node = cg.add_extra(static_cast<uint32_t>(destroys_.size()));
  destroys_.push_back({.node = node});
  return node;
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
                                    const State& state, const Cycles& refused) {
  const auto changed = changed_nodes(cg, config, plan, Action::Update);
  const Together same(refused);
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

// What is not there any more when a resource's dependents change, or still is: nodes of these, by what the
// configuration says.
void DestroyOrder::order_dependents(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                                    const Cycles& refused) {
  // Where instances are replaced, their dependents wait for the successors; and for a deposed object nobody.
  auto matters = [](const Destroy& d) {
    return d.create_first
               ? std::any_of(d.changes.begin(), d.changes.end(), [](auto* c) { return c->deposed.empty(); })
               : !d.replaces;
  };
  if (std::none_of(destroys_.begin(), destroys_.end(), matters)) return;
  Graph configured = cg.graph;
  configured.freeze();
  std::vector<bool> changed(configured.size()), made(configured.size());
  for (const auto& [resource, node] : changed_nodes(cg, config, plan, Action::Read))
    if (node != kNone) changed[node] = true;
  for (const ResourceChange& c : plan.changes)  // the state remembers who depends on what; of these it cannot
    if (c.change.action == Action::Create)
      if (const uint32_t n = resource_node(cg, config, c.addr.config()); n != kNone) made[n] = true;
  const bool any_made = std::find(made.begin(), made.end(), true) != made.end();
  const Together same(refused);
  std::vector<uint32_t> seen(configured.size()), next;  // seen: for which destroy, from 1
  for (const Destroy& d : destroys_) {
    const uint32_t resource = matters(d) ? resource_node(cg, config, d.resource) : kNone;
    if (resource == kNone || (d.create_first && !any_made)) continue;
    const std::vector<bool>& waits = d.create_first ? made : changed;
    const uint32_t mark = static_cast<uint32_t>(&d - destroys_.data()) + 1;
    next.assign(1, resource);
    seen[resource] = mark;
    while (!next.empty()) {
      const uint32_t n = next.back();
      next.pop_back();
      for (uint32_t dependent : configured.dependents(n)) {
        if (std::exchange(seen[dependent], mark) == mark) continue;
        // What lies behind a dependent that waits, waits, too.
        if (d.create_first || !waits[dependent]) next.push_back(dependent);
        if (!waits[dependent] || same(dependent, d.node)) continue;
        d.create_first ? cg.graph.add_edge(d.node, dependent) : cg.graph.add_edge(dependent, d.node);
        wishes_ = true;
      }
    }
  }
}

// What a check reads for itself is read when all changes are done.
void DestroyOrder::order_checks(ConfigGraph& cg, const config::Config& config, const Plan& plan) {
  std::vector<uint32_t> reads, changes;
  for (const auto& [resource, node] : changed_nodes(cg, config, plan, Action::Read)) {
    if (node == kNone) continue;
    const GraphNode& g = cg.nodes[node];
    (g.node->module->resources[g.index].check_scope.empty() ? changes : reads).push_back(node);
  }
  for (const Destroy& d : destroys_) changes.push_back(d.node);
  if (reads.empty() || changes.empty()) return;
  const uint32_t gate = add_gate(cg);
  for (const uint32_t read : reads) cg.graph.add_edge(read, gate);
  for (const uint32_t change : changes) cg.graph.add_edge(gate, change);
}

void DestroyOrder::connect(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                           const State& state, const Refused& refused) {
  const bool destroy_all = plan.mode == PlanMode::Destroy;  // then nothing is created
  collect(plan);
  for (uint32_t i = 0; i < destroys_.size(); ++i) destroys_[i].node = cg.add_extra(i);
  if (!destroy_all) order_dependents(cg, config, plan, refused.dependents);
  for (const auto& [addr, r] : state.resources)
    follow_dependents(cg, addr, r, destroy_all ? kNone : resource_node(cg, config, addr.config()));
  if (!destroy_all) follow_destroyed(cg, config, plan, state, refused.after_destroyed);
  order_checks(cg, config, plan);
  const Together same(refused.only_destroyed);
  for (const Destroy& d : destroys_) {
    for (const ResourceChange* c : d.changes)
      if (uint32_t p = cg.provider_node(c->provider); p != kNone) cg.graph.add_edge(d.node, p);
    const uint32_t create = destroy_all ? kNone : resource_node(cg, config, d.resource);
    if (create == kNone || (!d.replaces && !d.create_first)) continue;
    if (!d.replaces) {
      if (same(create, d.node)) continue;
      wishes_ = true;
    }
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
    size_t named = 0;
    constexpr size_t kShown = 10;
    for (const uint32_t n : cycle) {
      const GraphNode& g = cg.nodes[n];
      if ((g.kind == NodeKind::Extra && at(g.index).is_gate()) || named++ >= kShown) continue;
      names += named > 1 ? ", " : "";
      names += g.kind == NodeKind::Extra ? at(g.index).resource.text() + " (destroy)" : cg.describe(n);
    }
    if (named > kShown) names += " and " + std::to_string(named - kShown) + " more";
    diags.error(
        "Cycle",
        "The planned changes cannot be ordered, because each of these depends on another one of them: " +
            names +
            ". The order of destroying objects is determined by their dependencies when they were "
            "last applied. Make the change in two steps, or change create_before_destroy of the "
            "replaced resources.");
  }
  return false;
}

}  // namespace xplan::applying

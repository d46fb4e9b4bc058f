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

// Whether two nodes are in one component.
class DestroyOrder::Together {
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

uint32_t DestroyOrder::add_gate(ConfigGraph& cg, bool lenient) {
  const uint32_t node = cg.add_extra(static_cast<uint32_t>(destroys_.size()));
  destroys_.push_back({.node = node, .lenient = lenient});
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

// One node that comes after all of these: one of them, or a gate.
uint32_t DestroyOrder::after_all(ConfigGraph& cg, std::vector<uint32_t>& nodes, Behind& behind) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.size() < 2) return nodes.empty() ? kNone : nodes[0];
  const uint32_t gate = add_gate(cg, false);
  for (const uint32_t n : nodes) cg.graph.add_edge(gate, n);
  behind.emplace(gate, nodes);
  return gate;
}

// A wish: `to` is what after_all() gave. Where both are in one cycle, it is granted for what is not in it.
void DestroyOrder::wish(ConfigGraph& cg, uint32_t from, uint32_t to, const Behind& behind,
                        const Together& same) {
  std::vector<uint32_t> next{to};
  std::unordered_set<uint32_t> seen;
  while (!next.empty()) {
    const uint32_t n = next.back();
    next.pop_back();
    if (!seen.insert(n).second) continue;
    const auto gate = same(from, n) ? behind.find(n) : behind.end();
    if (gate != behind.end()) {
      next.insert(next.end(), gate->second.begin(), gate->second.end());
    } else if (!same(from, n)) {
      cg.graph.add_edge(from, n);
      wishes_ = true;
    }
  }
}

// What is not there any more when a resource's dependents change, or still is: nodes of these, by what the
// configuration says. What goes on its way through nodes without changes is put together at each of them, so
// that nobody looks at what is behind a node twice.
void DestroyOrder::order_dependents(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                                    const Cycles& refused) {
  // Where instances are replaced, their dependents wait for the successors; and for a deposed object nobody.
  std::vector<uint32_t> lost(cg.graph.size(), kNone);  // where that is so: the node of what goes first
  std::vector<std::pair<uint32_t, uint32_t>> last;     // resources, and the nodes of what goes after them
  bool any = false;
  for (const Destroy& d : destroys_) {
    const bool matters = d.create_first ? std::any_of(d.changes.begin(), d.changes.end(),
                                                      [](auto* c) { return c->deposed.empty(); })
                                        : !d.replaces;
    const uint32_t resource = matters ? resource_node(cg, config, d.resource) : kNone;
    if (resource == kNone) continue;
    any = true;
    if (d.create_first)
      last.emplace_back(resource, d.node);
    else
      lost[resource] = d.node;
  }
  if (!any) return;
  Graph configured = cg.graph;
  configured.freeze();
  std::vector<bool> changed(configured.size()), made(configured.size());
  for (const auto& [resource, node] : changed_nodes(cg, config, plan, Action::Read))
    if (node != kNone) changed[node] = true;
  for (const ResourceChange& c : plan.changes)  // the state remembers who depends on what; of these it cannot
    if (c.change.action == Action::Create)
      if (const uint32_t n = resource_node(cg, config, c.addr.config()); n != kNone) made[n] = true;
  const std::vector<uint32_t> order = configured.topological_order();
  const Together same(refused);
  after_lost(cg, configured, order, changed, lost, same);
  before_last(cg, configured, order, made, last, same);
}

// A dependent that changes waits for what was lost; what lies behind it waits, too.
void DestroyOrder::after_lost(ConfigGraph& cg, const Graph& configured, const std::vector<uint32_t>& order,
                              const std::vector<bool>& changed, const std::vector<uint32_t>& lost,
                              const Together& same) {
  std::vector<bool> awaited = changed;  // by something
  configured.mark_dependencies(awaited);
  std::vector<uint32_t> through(configured.size(), kNone), found;  // what dependents of a node wait for
  Behind behind;
  for (const uint32_t n : order) {
    if (!awaited[n]) continue;
    found.clear();
    for (const uint32_t d : configured.dependencies(n))
      if (through[d] != kNone) found.push_back(through[d]);
    if (changed[n]) {
      for (const uint32_t to : found) wish(cg, n, to, behind, same);
      found.clear();
    }
    if (lost[n] != kNone) found.push_back(lost[n]);
    through[n] = after_all(cg, found, behind);
  }
}

// What goes last waits for all that is made behind it.
void DestroyOrder::before_last(ConfigGraph& cg, const Graph& configured, const std::vector<uint32_t>& order,
                               const std::vector<bool>& made,
                               const std::vector<std::pair<uint32_t, uint32_t>>& last, const Together& same) {
  if (last.empty() || std::find(made.begin(), made.end(), true) == made.end()) return;
  std::vector<bool> behind_some(configured.size());
  for (const auto& [resource, node] : last) behind_some[resource] = true;
  configured.mark_dependents(behind_some);
  std::vector<uint32_t> through(configured.size(), kNone), found;  // what is made behind a node
  Behind behind;
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    if (!behind_some[*n]) continue;
    found.clear();
    for (const uint32_t d : configured.dependents(*n)) {
      if (made[d]) found.push_back(d);
      if (through[d] != kNone) found.push_back(through[d]);
    }
    through[*n] = after_all(cg, found, behind);
  }
  for (const auto& [resource, node] : last)
    if (through[resource] != kNone) wish(cg, node, through[resource], behind, same);
}

// What a check reads for itself is read when all changes are done.
void DestroyOrder::order_checks(ConfigGraph& cg, const config::Config& config, const Plan& plan) {
  std::vector<uint32_t> reads, changes;
  for (const auto& [resource, node] : changed_nodes(cg, config, plan, Action::Read)) {
    if (node == kNone) continue;
    const GraphNode& g = cg.nodes[node];
    (g.node->module->resources[g.index].check_scope.empty() ? changes : reads).push_back(node);
  }
  for (const Destroy& d : destroys_)
    if (!d.is_gate()) changes.push_back(d.node);
  if (reads.empty() || changes.empty()) return;
  const uint32_t gate = add_gate(cg, true);
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
    if (d.is_gate()) continue;
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

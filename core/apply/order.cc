// What takes part, and in which order objects are destroyed, relative to each other and to what is created.
#include <algorithm>

#include "core/apply/applier.h"
#include "core/plan/selection.h"

namespace xplan::applying {

// What -target or -exclude kept from being planned is not evaluated either: it may need what was not made.
// When everything is destroyed, nobody reads values but the configurations of providers; after a refresh,
// nobody reads an object that nothing refers to.
void Applier::leave_out_unplanned() {
  const bool destroy = plan.mode == PlanMode::Destroy, refresh = plan.mode == PlanMode::RefreshOnly;
  const bool selected = !plan.targets.empty() || !plan.excludes.empty();
  if (!selected && !destroy && !refresh) return;
  ConfigGraph planned;  // without the order of destroying
  planned.build(config, &state);
  planned.graph.freeze();
  if (destroy) {
    for (const GraphNode& g : planned.nodes) included.push_back(g.kind == NodeKind::Provider);
    planned.graph.mark_dependencies(included);
    return;
  }
  auto parsed = [](const std::vector<std::string>& texts) {
    std::vector<Target> out;
    for (const std::string& text : texts)
      if (auto t = parse_target(text)) out.push_back(*t);
    return out;
  };
  if (selected) included = selected_nodes(planned, state, parsed(plan.targets), parsed(plan.excludes));
  if (!refresh) return;
  std::vector<bool> read;
  for (const GraphNode& g : planned.nodes)
    read.push_back(g.kind != NodeKind::Resource && g.kind != NodeKind::Provider &&
                   g.kind != NodeKind::Barrier && g.kind != NodeKind::ModuleDone);
  planned.graph.mark_dependencies(read);
  for (size_t n = 0; n < read.size() && selected; ++n) read[n] = read[n] && included[n];
  included = std::move(read);
}

void Applier::connect_destroys() {
  auto destroy = [&](const ConfigResource& r, bool create_first) -> Destroy& {
    std::vector<uint32_t>& all = destroy_of[r];
    for (uint32_t i : all)
      if (destroys[i].create_first == create_first) return destroys[i];
    all.push_back(static_cast<uint32_t>(destroys.size()));
    destroys.push_back({.resource = r, .create_first = create_first});
    return destroys.back();
  };
  for (bool deposed : {false, true})
    for (const ResourceChange& c : plan.changes) {
      Action a = c.change.action;
      if (a != Action::Delete && a != Action::Forget && !is_replace(a)) continue;
      if (c.addr.resource.mode != Mode::Managed) continue;  // nothing real goes: see collect()
      if (c.deposed.empty() == deposed) continue;
      // Deposed objects go with those that go last.
      auto it = deposed ? destroy_of.find(c.addr.config()) : destroy_of.end();
      bool last = it != destroy_of.end() &&
                  std::ranges::any_of(it->second, [&](uint32_t i) { return destroys[i].create_first; });
      last |= a == Action::CreateThenDelete || (a == Action::Delete && c.create_before_destroy && !deposed);
      Destroy& d = destroy(c.addr.config(), last);
      d.changes.push_back(&c);
      d.replaces |= is_replace(a);
    }
  for (uint32_t i = 0; i < destroys.size(); ++i) destroys[i].node = cg.add_extra(i);

  auto resource_node = [&](const ConfigResource& r) {
    const config::Node* n = config.find(r.module);
    int index = n ? n->module->find_resource(r.resource) : -1;
    return index < 0 ? UINT32_MAX : cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index));
  };
  // Who needs an object, as the state remembers it: dependents of a destroyed resource are destroyed before
  // it.
  for (const auto& [abs, r] : state.resources) {
    ConfigResource me = abs.config();
    static const std::vector<uint32_t> kNone;
    auto mine_at = destroy_of.find(me);
    const std::vector<uint32_t>& my_destroys = mine_at == destroy_of.end() ? kNone : mine_at->second;
    uint32_t my_node = plan.mode == PlanMode::Destroy ? UINT32_MAX : resource_node(me);
    for (const auto& [key, instance] : r.instances) {
      auto each = [&](const ObjectPtr& o) {
        if (!o || !o->dependencies) return;
        for (const ConfigResource& d : *o->dependencies) {
          auto it = destroy_of.find(d);
          if (it == destroy_of.end() || d == me) continue;
          for (uint32_t i : it->second) {
            const Destroy& destroyed = destroys[i];
            for (uint32_t m : my_destroys) {
              const Destroy& mine = destroys[m];
              cg.graph.add_edge(destroyed.node, mine.node);
              // A dependent that goes first anyway goes before its dependency is made anew.
              uint32_t anew = destroyed.create_first && !mine.create_first ? resource_node(d) : UINT32_MAX;
              if (anew != UINT32_MAX) cg.graph.add_edge(anew, mine.node);
            }
            if (my_node == UINT32_MAX) continue;
            if (destroyed.create_first)
              cg.graph.add_edge(destroyed.node, my_node);
            else
              cg.graph.add_edge(my_node, destroyed.node);
          }
        }
      };
      each(instance.current);
      for (const auto& [k, o] : instance.deposed) each(o);
    }
  }
  for (const Destroy& d : destroys)
    for (const ResourceChange* c : d.changes)
      if (uint32_t p = cg.provider_node(c->provider); p != UINT32_MAX) cg.graph.add_edge(d.node, p);
  for (const Destroy& d : destroys) {
    uint32_t create = resource_node(d.resource);
    if (create == UINT32_MAX || plan.mode == PlanMode::Destroy) continue;
    if (!d.replaces && !d.create_first) continue;
    if (d.create_first)
      cg.graph.add_edge(d.node, create);
    else
      cg.graph.add_edge(create, d.node);
  }
}

bool Applier::find_order() {
  cg.build(config, &state);
  if (plan.mode != PlanMode::RefreshOnly) connect_destroys();
  cg.graph.freeze();
  if (cg.graph.topological_order().size() == cg.nodes.size()) return true;
  for (const std::vector<uint32_t>& cycle : cg.graph.cycles()) {
    std::string names;
    for (uint32_t n : cycle) {
      const GraphNode& g = cg.nodes[n];
      names += names.empty() ? "" : ", ";
      names += g.kind == NodeKind::Extra ? destroys[g.index].resource.text() + " (destroy)" : cg.describe(n);
    }
    diags.error(
        "Cycle",
        "The planned changes cannot be put in an order, because each of these would have to come after "
        "another of them: " +
            names +
            ". What an object depended on when it was made last counts for when it is destroyed. Make "
            "the change in two steps, or change create_before_destroy of what is replaced.");
  }
  return false;
}

}  // namespace xplan::applying

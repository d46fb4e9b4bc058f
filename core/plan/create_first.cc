// What configuration and state say of the order of replacements: by node of the graph, and in a plan that
// does not say it itself.
#include "core/plan/create_first.h"

namespace xplan {

std::vector<bool> create_first(const ConfigGraph& cg) {
  std::vector<bool> out(cg.nodes.size());
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Resource) out[n] = g.node->module->resources[g.index].create_before_destroy;
  }
  cg.graph.mark_dependencies(out);
  return out;
}

namespace {

ObjectPtr object_of(const State& state, const ResourceChange& c) {
  const InstanceState* i = state.find(c.addr);
  if (!i) return nullptr;
  if (c.deposed.empty()) return i->current;
  const auto it = i->deposed.find(c.deposed);
  return it == i->deposed.end() ? nullptr : it->second;
}

}  // namespace

void derive_create_first(Plan& plan, const config::Config& config) {
  ConfigGraph cg;
  cg.build(config, nullptr);
  for (const config::Import& i : config.root->module->imports)
    if (i.to_static.resource) cg.connect_import(config, i);
  cg.graph.freeze();
  const std::vector<bool> demanded = create_first(cg);
  for (ResourceChange& c : plan.changes) {
    if (c.addr.resource.mode != Mode::Managed) continue;
    if (c.change.action == Action::Delete || c.change.action == Action::Forget) {
      const ObjectPtr object = object_of(plan.prior_state, c);
      c.create_before_destroy = object && object->create_before_destroy;
      continue;
    }
    const config::Node* n = config.find(c.addr.module.module());
    const int index = n ? n->module->find_resource(c.addr.resource) : -1;
    if (index >= 0)
      c.create_before_destroy = demanded[cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index))];
  }
}

}  // namespace xplan

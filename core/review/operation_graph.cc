// Graphs of operations that nobody has planned yet, and of resources alone.
#include "core/review/operation_graph.h"

#include <algorithm>
#include <map>

#include "core/review/operation_names.h"

namespace xplan::review {
namespace {

using Shape = OperationGraph::Shape;

// What is left over from replacements.
std::vector<uint32_t> add_deposed(const config::Config& config, const AbsResource& addr,
                                  const ResourceState& r, OperationBuilder& b) {
  std::vector<uint32_t> out;
  for (const auto& [key, instance] : r.instances)
    for (const auto& [deposed, object] : instance.deposed) {
      const AbsInstance a{addr.module, addr.resource, key};
      out.push_back(b.node(a.text() + " (deposed " + deposed + ")", addr.config().text(), Shape::Resource));
      b.use_provider(provider_of(config, addr, r), out.back());
    }
  return out;
}

// What the state has and the configuration does not declare any more.
void add_orphans(const config::Config& config, const State& state, OperationBuilder& b) {
  for (const auto& [addr, r] : state.resources) {
    add_deposed(config, addr, r, b);
    if (config.find(addr.config())) continue;
    for (const auto& [key, instance] : r.instances) {
      if (!instance.current) continue;
      const AbsInstance a{addr.module, addr.resource, key};
      const uint32_t n = b.node(a.text() + " (orphan)", addr.config().text(), Shape::Resource);
      if (addr.resource.mode == Mode::Managed) b.use_provider(provider_of(config, addr, r), n);
    }
  }
}

// Every object goes, those first that depend on others; returns the nodes.
std::vector<uint32_t> add_destroys(const config::Config& config, const State& state, OperationBuilder& b) {
  std::map<ConfigResource, uint32_t, AddrLess> of;
  std::vector<uint32_t> all;
  for (const auto& [addr, r] : state.resources) {
    const std::vector<uint32_t> deposed = add_deposed(config, addr, r, b);
    all.insert(all.end(), deposed.begin(), deposed.end());
    const std::string name = addr.config().text();
    for (const auto& [key, instance] : r.instances) {
      if (!instance.current) continue;
      const uint32_t n = b.repeated(name + " (destroy)", name, Shape::Resource);
      if (of.emplace(addr.config(), n).second) all.push_back(n);
      b.use_provider(provider_of(config, addr, r), n);
    }
  }
  for (const auto& [addr, r] : state.resources) {
    auto own = of.find(addr.config());
    if (own == of.end()) continue;
    for (const auto& [key, instance] : r.instances) {
      if (!instance.current || !instance.current->dependencies) continue;
      for (const ConfigResource& d : *instance.current->dependencies)
        if (auto it = of.find(d); it != of.end()) b.edge(it->second, own->second);
    }
  }
  return all;
}

}  // namespace

OperationGraph operation_graph(const config::Config& config, const State& state, OperationKind kind) {
  OperationBuilder b(config, kind);
  switch (kind) {
    case OperationKind::Plan:
    case OperationKind::RefreshOnly:
      b.add_config(nullptr);
      add_orphans(config, state, b);
      b.add_lost_modules(state);
      break;
    case OperationKind::Apply:
      b.add_config(nullptr);
      b.add_lost_modules(state);
      break;
    case OperationKind::Destroy:
      b.add_config(nullptr);
      b.keep_only(add_destroys(config, state, b), OperationBuilder::Outputs::Kept);
      break;
  }
  b.add_lost_outputs(state);
  return b.finish();
}

ResourceGraph resource_graph(const config::Config& config, const State& state) {
  ConfigGraph g;
  g.build(config, nullptr);
  g.graph.freeze();
  std::map<ConfigResource, uint32_t, AddrLess> declared;
  std::vector<bool> kept(g.nodes.size());
  for (uint32_t n = 0; n < g.nodes.size(); ++n) {
    if (g.nodes[n].kind != NodeKind::Resource) continue;
    kept[n] = true;
    const GraphNode& x = g.nodes[n];
    declared.emplace(ConfigResource{x.node->path, x.node->module->resources[x.index].addr}, n);
  }
  ResourceGraph out;
  for (const auto& [resource, n] : declared) out.nodes.push_back(resource);
  for (const auto& [addr, r] : state.resources)
    if (!config.find(addr.config())) out.nodes.push_back(addr.config());
  // By path, each module before those in it.
  std::sort(out.nodes.begin(), out.nodes.end(), [](const ConfigResource& a, const ConfigResource& b) {
    if (a.module == b.module) return less(a.resource, b.resource);
    const std::vector<Symbol> x = a.module.steps(), y = b.module.steps();
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(),
                                        [](Symbol i, Symbol j) { return i.sv() < j.sv(); });
  });
  out.nodes.erase(std::unique(out.nodes.begin(), out.nodes.end()), out.nodes.end());
  std::vector<uint32_t> place(g.nodes.size());
  for (uint32_t i = 0; i < out.nodes.size(); ++i)
    if (auto it = declared.find(out.nodes[i]); it != declared.end()) place[it->second] = i;
  out.edges = *reduced_edges(g.graph, kept);
  for (auto& [from, to] : out.edges) from = place[from], to = place[to];
  std::sort(out.edges.begin(), out.edges.end());
  return out;
}

}  // namespace xplan::review

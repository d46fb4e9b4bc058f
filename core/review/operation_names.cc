// Names what a configuration declares as the reference tools know it, and connects it.
#include "core/review/operation_names.h"

#include <unordered_set>

namespace xplan::review {

namespace {

std::string prefix_of(const config::Node* n) {
  return n->path.is_root() ? "" : n->path.text() + ".";
}
std::string expanded(std::string name) {
  return std::move(name) + " (expand)";
}

}  // namespace

uint32_t OperationBuilder::node(const std::string& name, const std::string& label, Shape shape) {
  auto [it, fresh] = by_name_.try_emplace(name, static_cast<uint32_t>(out_.nodes.size()));
  if (fresh) out_.nodes.push_back({name, label, shape});
  return it->second;
}

uint32_t OperationBuilder::repeated(const std::string& name, const std::string& label, Shape shape) {
  const size_t before = out_.nodes.size();
  const uint32_t n = node(name, label, shape);
  if (n < before) ++out_.nodes[n].times;
  return n;
}

void OperationBuilder::edge(uint32_t from, uint32_t to) {
  if (from != kNone && to != kNone && from != to) edges_.emplace_back(from, to);
}

uint32_t OperationBuilder::resource(const ConfigResource& r) const {
  auto it = by_name_.find(expanded(r.text()));
  return it == by_name_.end() ? kNone : it->second;
}

uint32_t OperationBuilder::use_provider(const ProviderConfigAddr& a, uint32_t user) {
  const std::string name = a.text();
  const uint32_t provider = node(name, name, Shape::Provider), close = node(name + " (close)");
  edge(close, provider);
  edge(close, user);
  edge(user, provider);
  return provider;
}

// The node that stands for one of the configuration's graph; none for what has no name of its own.
uint32_t OperationBuilder::node_of(const ConfigGraph& g, uint32_t n) {
  const GraphNode& x = g.nodes[n];
  const bool root = x.node && x.node->path.is_root();
  switch (x.kind) {
    case NodeKind::Expand:
    case NodeKind::Barrier:
      return root ? kNone : node(expanded(x.node->path.text()));
    case NodeKind::ModuleDone:
      return root ? node("root") : node(x.node->path.text() + " (close)");
    case NodeKind::VariableCheck:
      if (!x.node->module->variables[x.index].validations.empty())
        return node(g.describe(n) + " (validation)");
      [[fallthrough]];
    case NodeKind::Variable:
      return root ? node(g.describe(n), g.describe(n), Shape::Variable) : node(expanded(g.describe(n)));
    case NodeKind::Local:
    case NodeKind::Output:
    case NodeKind::Check:
      return node(expanded(g.describe(n)));
    case NodeKind::Resource:
      return node(expanded(g.describe(n)), g.describe(n), Shape::Resource);
    case NodeKind::Provider:
      return node(g.describe(n), g.describe(n), Shape::Provider);
    case NodeKind::Extra:
      break;
  }
  return kNone;
}

void OperationBuilder::add_config(const State* state) {
  ConfigGraph g;
  g.build(config_, state);
  if (kind_ == OperationKind::Plan)
    for (const config::Import& i : config_.root->module->imports) g.connect_import(config_, i);
  const std::vector<ConfigGraph::Use> uses = g.uses;
  g.graph.freeze();
  std::vector<uint32_t> nodes(g.nodes.size());
  for (uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = node_of(g, n);
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const bool root = g.nodes[n].kind == NodeKind::ModuleDone && g.nodes[n].node->path.is_root();
    if (root) continue;  // it waits for what nobody else waits for: see finish()
    for (const uint32_t d : g.graph.dependencies(n)) edge(nodes[n], nodes[d]);
  }
  auto address_of = [&](uint32_t n) {
    const GraphNode& x = g.nodes[n];
    return ConfigResource{x.node->path, x.node->module->resources[x.index].addr};
  };
  std::unordered_set<uint64_t> by_key;
  for (const ConfigGraph::Use& u : uses) {
    readers_[address_of(u.to)].push_back({nodes[u.from], u.key.none(), u.key});
    by_key.insert(uint64_t{u.from} << 32 | u.to);
  }
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (g.nodes[n].kind == NodeKind::Resource)
      for (const uint32_t d : g.graph.dependents(n))
        if (!by_key.contains(uint64_t{d} << 32 | n)) readers_[address_of(n)].push_back({nodes[d], true, {}});
  for (const config::Node* module : config_.nodes)
    for (size_t i = 0; i < module->resource_providers.size(); ++i)
      for (const uint32_t p : g.provider_instances(module->resource_providers[i]))
        use_provider(g.providers[p].addr, resource({module->path, module->module->resources[i].addr}));
  if (kind_ == OperationKind::Plan || kind_ == OperationKind::RefreshOnly) connect_checks();
  close_ephemerals(g, nodes);
  close_modules(g, nodes);
}

// An ephemeral object is closed when nobody reads it any more.
void OperationBuilder::close_ephemerals(const ConfigGraph& g, const std::vector<uint32_t>& nodes) {
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const GraphNode& x = g.nodes[n];
    if (x.kind != NodeKind::Resource || x.node->module->resources[x.index].addr.mode != Mode::Ephemeral)
      continue;
    const uint32_t close = node(g.describe(n) + " (close)");
    edge(close, nodes[n]);
    for (const uint32_t reader : g.graph.dependents(n))
      if (g.nodes[reader].kind != NodeKind::ModuleDone) edge(close, nodes[reader]);
    if (x.index < x.node->resource_providers.size())
      for (const uint32_t p : g.provider_instances(x.node->resource_providers[x.index]))
        use_provider(g.providers[p].addr, close);
  }
}

// What checks find is reported once their part of the plan is made.
void OperationBuilder::connect_checks() {
  for (const config::Node* module : config_.nodes) {
    const uint32_t around = module->path.is_root() ? kNone : node(expanded(module->path.text()));
    for (const config::Check& c : module->module->checks) {
      const std::string name = prefix_of(module) + "check." + std::string(c.name.sv());
      const uint32_t report = node(name + " (report)");
      edge(node(expanded(name)), report);
      edge(report, around);
      if (c.data) edge(resource({module->path, module->module->resources[*c.data].addr}), report);
    }
  }
}

// A module is done when everything in it is.
void OperationBuilder::close_modules(const ConfigGraph& g, const std::vector<uint32_t>& nodes) {
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const GraphNode& x = g.nodes[n];
    if (!x.node || x.kind == NodeKind::Provider || x.kind == NodeKind::ModuleDone) continue;
    const uint32_t done = x.node->path.is_root() ? kNone : node(x.node->path.text() + " (close)");
    edge(done, nodes[n]);
  }
}

const std::vector<OperationBuilder::Reader>& OperationBuilder::readers(const ConfigResource& r) const {
  static const std::vector<Reader> none;
  auto it = readers_.find(r);
  return it == readers_.end() ? none : it->second;
}

void OperationBuilder::add_lost_modules(const State& state) {
  for (const auto& [addr, r] : state.resources)
    if (const Module m = addr.module.module(); !config_.find(m)) node(m.text() + " (close)"), node("root");
}

void OperationBuilder::add_lost_outputs(const State& state) {
  for (const auto& [name, output] : state.outputs) {
    if (config_.root->module->find_output(name) >= 0) continue;
    const std::string text = "output." + std::string(name.sv()) + " (destroy)";
    node(text, text, Shape::Variable);
    node("root");
  }
}

void OperationBuilder::keep_only(const std::vector<uint32_t>& wanted, Outputs outputs) {
  Graph g(static_cast<uint32_t>(out_.nodes.size()));
  for (const auto& [from, to] : edges_) g.add_edge(from, to);
  g.freeze();
  std::vector<bool> kept(g.size());
  for (const uint32_t n : wanted) kept[n] = true;
  g.mark_dependencies(kept);
  auto keep = [&](const std::string& name) {
    if (auto it = by_name_.find(name); it != by_name_.end()) kept[it->second] = true;
  };
  for (uint32_t n = 0; n < g.size(); ++n)
    if (kept[n] && out_.nodes[n].shape == Shape::Provider) keep(out_.nodes[n].name + " (close)");
  if (outputs == Outputs::Kept)
    for (const config::Output& o : config_.root->module->outputs)
      keep("output." + std::string(o.name.sv()) + " (expand)");
  keep("root");
  std::vector<uint32_t> number(g.size(), kNone);
  std::vector<OperationGraph::Node> nodes;
  by_name_.clear();
  for (uint32_t n = 0; n < g.size(); ++n) {
    if (!kept[n]) continue;
    number[n] = static_cast<uint32_t>(nodes.size());
    by_name_.emplace(out_.nodes[n].name, number[n]);
    nodes.push_back(std::move(out_.nodes[n]));
  }
  out_.nodes = std::move(nodes);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::swap(edges, edges_);
  for (const auto& [from, to] : edges) edge(number[from], number[to]);
}

OperationGraph OperationBuilder::finish() {
  Graph g(static_cast<uint32_t>(out_.nodes.size()));
  for (const auto& [from, to] : edges_) g.add_edge(from, to);
  std::vector<bool> waited_for(g.size());
  for (const auto& [from, to] : edges_) waited_for[to] = true;
  const auto root = by_name_.find("root");
  if (root != by_name_.end())
    for (uint32_t n = 0; n < g.size(); ++n)
      if (n != root->second && !waited_for[n]) g.add_edge(root->second, n);
  g.freeze();
  out_.cycles = g.cycles();
  out_.edges = *reduced_edges(g, std::vector<bool>(g.size(), true));
  return std::move(out_);
}

}  // namespace xplan::review

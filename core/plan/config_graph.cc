// Builds the graph: nodes for every declared thing per module path, edges from bound references, depends_on
// and provider use; and the dependencies that states record.
#include "core/plan/config_graph.h"
#include "core/schema/decode.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace xplan {

using config::RefKind;

uint32_t ConfigGraph::node_of(NodeKind k, const config::Node* n, uint32_t index) const {
  const Base& b = base_.at(n);
  switch (k) {
    case NodeKind::Expand:
      return b.expand;
    case NodeKind::Barrier:
      return b.barrier;
    case NodeKind::Variable:
      return b.variables + index;
    case NodeKind::VariableCheck:
      return b.variable_checks + index;
    case NodeKind::Local:
      return b.locals + index;
    case NodeKind::Output:
      return b.outputs + index;
    case NodeKind::Resource:
      return b.resources + index;
    case NodeKind::Check:
      return b.checks + index;
    case NodeKind::ModuleDone:
      return b.done;
    case NodeKind::Provider:
    case NodeKind::Extra:
      break;
  }
  return UINT32_MAX;
}

uint32_t ConfigGraph::add_extra(uint32_t index) {
  nodes.push_back({NodeKind::Extra, nullptr, index});
  return graph.add_node();
}

void ConfigGraph::add_module(const config::Node* n) {
  auto add = [&](NodeKind k, size_t count) {
    uint32_t first = graph.size();
    for (size_t i = 0; i < count; ++i) nodes.push_back({k, n, static_cast<uint32_t>(i)}), graph.add_node();
    return first;
  };
  const config::Module& m = *n->module;
  Base b;
  b.expand = add(NodeKind::Expand, 1);
  b.barrier = add(NodeKind::Barrier, 1);
  b.variables = add(NodeKind::Variable, m.variables.size());
  b.variable_checks = add(NodeKind::VariableCheck, m.variables.size());
  b.locals = add(NodeKind::Local, m.locals.size());
  b.outputs = add(NodeKind::Output, m.outputs.size());
  b.resources = add(NodeKind::Resource, m.resources.size());
  b.checks = add(NodeKind::Check, m.checks.size());
  b.done = add(NodeKind::ModuleDone, 1);
  base_.emplace(n, b);
}

void ConfigGraph::targets_of(const config::Node* n, const syntax::Traversal& t,
                             std::vector<uint32_t>& out) const {
  if (t.bound == 0) return;
  const config::Reference& ref = n->module->reference(t);
  const Base& b = base_.at(n);
  switch (ref.kind) {
    case RefKind::Variable:  // nobody uses a value that its validation refuses
      out.push_back(b.variable_checks + ref.index);
      break;
    case RefKind::Local:
      out.push_back(b.locals + ref.index);
      break;
    case RefKind::Resource:
      out.push_back(b.resources + ref.index);
      break;
    case RefKind::ModuleCall: {
      const config::Node* child = n->children[ref.index].get();
      const Base& cb = base_.at(child);
      out.push_back(cb.expand);
      int named = ref.output.empty() ? -1 : child->module->find_output(ref.output);
      if (named >= 0)
        out.push_back(cb.outputs + static_cast<uint32_t>(named));
      else
        out.push_back(cb.done);
      break;
    }
    case RefKind::CountIndex:
    case RefKind::EachKey:
    case RefKind::EachValue:
    case RefKind::Self:
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Workspace:
    case RefKind::Applying:
    case RefKind::Given:
    case RefKind::Invalid:
      break;
  }
}

void ConfigGraph::connect(uint32_t from, const config::Node* n,
                          const std::vector<const syntax::Traversal*>& ts, bool depends_on) {
  std::vector<uint32_t> to;
  for (const syntax::Traversal* t : ts) {
    const config::Reference* ref = t->bound ? &n->module->reference(*t) : nullptr;
    if (depends_on && ref && ref->kind == RefKind::ModuleCall)
      to.push_back(base_.at(n->children[ref->index].get()).done);
    else
      targets_of(n, *t, to);
    if (!ref || ref->kind != RefKind::Resource) continue;
    const config::Resource& r = n->module->resources[ref->index];
    if (r.count || r.for_each) uses.push_back({from, to.back(), ref->has_key ? ref->key : InstanceKey()});
  }
  for (uint32_t target : to)  // a validation is the one thing that reads itself: its variable
    if (target != from || nodes[from].kind != NodeKind::VariableCheck) graph.add_edge(from, target);
}

void ConfigGraph::connect(uint32_t from, const config::Node* n, const syntax::Expr* e) {
  if (!e) return;
  std::vector<const syntax::Traversal*> ts;
  syntax::collect_traversals(*e, ts);
  connect(from, n, ts, false);
}

uint32_t ConfigGraph::connect_import(const config::Config& c, const config::Import& i) {
  const config::Node* home = i.to_static.resource ? c.find(i.to_static.module()) : nullptr;
  const int index = home ? home->module->find_resource(*i.to_static.resource) : -1;
  if (index < 0) return UINT32_MAX;
  const uint32_t target = node_of(NodeKind::Resource, home, static_cast<uint32_t>(index));
  std::vector<const syntax::Expr*> used{i.id, i.identity, i.for_each, i.to_key};
  used.insert(used.end(), i.module_keys.begin(), i.module_keys.end());
  for (const syntax::Expr* e : used) connect(target, c.root.get(), e);
  return target;
}

void ConfigGraph::connect_module(const config::Node* n) {
  const config::Module& m = *n->module;
  const Base& b = base_.at(n);
  auto rules = [&](uint32_t from, const std::vector<config::CheckRule>& list) {
    for (const auto& r : list) connect(from, n, r.condition), connect(from, n, r.error_message);
  };
  graph.add_edge(b.barrier, b.expand);
  if (n->parent) {
    const Base& pb = base_.at(n->parent);
    graph.add_edge(b.expand, pb.expand);
    graph.add_edge(b.barrier, pb.barrier);
    connect(b.expand, n->parent, n->call->count);
    connect(b.expand, n->parent, n->call->for_each);
    connect(b.expand, n->parent, n->call->enabled);
    connect(b.barrier, n->parent, n->call->depends_on, true);
    graph.add_edge(pb.done, b.done);
    std::unordered_map<Symbol, const syntax::Expr*> given;
    for (const auto& a : n->call->arguments) given.emplace(a.name, a.expr);
    for (uint32_t i = 0; i < m.variables.size(); ++i)
      if (auto it = given.find(m.variables[i].name); it != given.end())
        connect(b.variables + i, n->parent, it->second);
  }
  for (uint32_t i = 0; i < m.variables.size(); ++i) {
    graph.add_edge(b.variables + i, b.expand);
    graph.add_edge(b.variable_checks + i, b.variables + i);
    rules(b.variable_checks + i, m.variables[i].validations);
  }
  for (uint32_t i = 0; i < m.locals.size(); ++i) {
    graph.add_edge(b.locals + i, b.expand);
    connect(b.locals + i, n, m.locals[i].expr);
  }
  for (uint32_t i = 0; i < m.outputs.size(); ++i) {
    graph.add_edge(b.outputs + i, b.expand);
    connect(b.outputs + i, n, m.outputs[i].expr);
    connect(b.outputs + i, n, m.outputs[i].depends_on, true);
    rules(b.outputs + i, m.outputs[i].preconditions);
    graph.add_edge(b.done, b.outputs + i);
  }
  for (uint32_t i = 0; i < m.resources.size(); ++i) {
    const config::Resource& r = m.resources[i];
    uint32_t node = b.resources + i;
    graph.add_edge(node, b.barrier);
    connect(node, n, r.references, false);
    connect(node, n, r.depends_on, true);
    for (const syntax::Expr* e : r.replace_triggered_by) connect(node, n, e);
    connect_provider(node, n, i);
    if (r.check_scope.empty()) graph.add_edge(b.done, node);  // else nothing but its check waits for it
  }
  for (uint32_t i = 0; i < m.checks.size(); ++i) {
    graph.add_edge(b.checks + i, b.expand);
    rules(b.checks + i, m.checks[i].asserts);
    if (m.checks[i].data) graph.add_edge(b.checks + i, b.resources + *m.checks[i].data);
  }
}

uint32_t ConfigGraph::provider_node(const ProviderConfigAddr& a) const {
  auto it = provider_by_addr.find(a);
  return it == provider_by_addr.end() ? UINT32_MAX : provider_first_ + it->second;
}

std::span<const uint32_t> ConfigGraph::provider_instances(const ProviderConfigAddr& block) const {
  auto it = instances_of_.find(block);
  return it == instances_of_.end() ? std::span<const uint32_t>() : std::span(it->second);
}

// Which instance of its provider a resource uses may depend on values.
void ConfigGraph::connect_provider(uint32_t node, const config::Node* n, uint32_t resource) {
  if (resource >= n->resource_providers.size()) return;
  for (uint32_t p : provider_instances(n->resource_providers[resource]))
    graph.add_edge(node, provider_first_ + p);
  const config::ProviderRef* ref = n->chosen_by(resource);
  if (!ref) return;
  if (const config::Node* called = n->provider_choices[resource].at) connect(node, called->parent, ref->key);
}

ProviderConfigAddr provider_of(const config::Config& c, const AbsResource& addr, const ResourceState& r) {
  const config::Node* n = c.find(addr.module.module());
  const int index = n ? n->module->find_resource(addr.resource) : -1;
  const bool declared = index >= 0 && static_cast<size_t>(index) < n->resource_providers.size();
  return declared ? n->resource_providers[static_cast<size_t>(index)] : r.provider;
}

ProviderConfigAddr provider_of(const config::Config& c, const AbsResource& addr, const ResourceState& r,
                               const InstanceState& i) {
  const config::Node* n = c.find(addr.module.module());
  const int index = n ? n->module->find_resource(addr.resource) : -1;
  ProviderConfigAddr out = provider_of(c, addr, r);
  if (index < 0 || n->chosen_by(static_cast<size_t>(index))) out.key = i.provider_key;
  return out;
}

void ConfigGraph::add_provider_node(ProviderNode p) {
  const auto index = static_cast<uint32_t>(providers.size());
  if (!provider_by_addr.emplace(p.addr, index).second) return;
  instances_of_[p.addr.block()].push_back(index);
  providers.push_back(std::move(p));
}

namespace {

// Its index in the module's; -1: it has no block.
int block_of(const config::Node* n, const ProviderConfigAddr& block) {
  if (!n) return -1;
  const std::vector<config::ProviderConfig>& all = n->module->providers;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].provider == block.provider && all[i].alias == block.alias) return static_cast<int>(i);
  return -1;
}

}  // namespace

void ConfigGraph::add_provider(const ProviderConfigAddr& block, const config::Config& c,
                               std::optional<AbsResource> used_by) {
  if (!instances_of_.try_emplace(block).second) return;
  ProviderNode p{block, c.find(block.module), nullptr, used_by};
  const int declared = block_of(p.node, block);
  if (declared >= 0) p.config = &p.node->module->providers[static_cast<size_t>(declared)];
  if (!p.config || !p.config->for_each) return add_provider_node(std::move(p));
  for (const auto& [key, value] : p.node->provider_instances[static_cast<size_t>(declared)]) {
    p.addr.key = key, p.each_value = value;
    add_provider_node(p);
  }
}

void ConfigGraph::add_state_providers(const config::Config& c, const AbsResource& addr,
                                      const ResourceState& r) {
  const ProviderConfigAddr block = provider_of(c, addr, r);
  const config::Node* n = c.find(block.module);
  if (block_of(n, block) >= 0 || c.find(addr.config())) return add_provider(block, c, addr);
  for (const auto& [key, i] : r.instances)  // made with a block that is gone, maybe with instances of it
    add_provider_node({r.provider_of(i), n, nullptr, addr});
}

void ConfigGraph::build(const config::Config& c, const State* state, bool destroying) {
  for (const config::Node* n : c.nodes) add_module(n);
  for (const config::Node* n : c.nodes) {
    for (const auto& a : n->resource_providers) add_provider(a, c);
  }
  if (state) {
    for (const auto& [addr, r] : state->resources)
      if (destroying || addr.resource.mode == Mode::Managed) add_state_providers(c, addr, r);
  }
  provider_first_ = graph.size();
  for (uint32_t i = 0; i < providers.size(); ++i)
    nodes.push_back({NodeKind::Provider, providers[i].node, i}), graph.add_node();
  for (uint32_t i = 0; i < providers.size(); ++i) {
    if (!providers[i].config) continue;
    connect(provider_first_ + i, providers[i].node, providers[i].config->references, false);
    graph.add_edge(provider_first_ + i, base_.at(providers[i].node).expand);
  }
  for (const config::Node* n : c.nodes) connect_module(n);
}

std::string ConfigGraph::describe(uint32_t i) const {
  const GraphNode& g = nodes[i];
  if (g.kind == NodeKind::Provider) return providers[g.index].addr.text();
  if (!g.node) return "(internal)";
  const config::Module& m = *g.node->module;
  std::string prefix = g.node->path.is_root() ? "" : g.node->path.text() + ".";
  switch (g.kind) {
    case NodeKind::Expand:
    case NodeKind::Barrier:
    case NodeKind::ModuleDone:
      return g.node->path.is_root() ? "root module" : g.node->path.text();
    case NodeKind::Variable:
    case NodeKind::VariableCheck:
      return fmt::format("{}var.{}", prefix, m.variables[g.index].name.sv());
    case NodeKind::Local:
      return fmt::format("{}local.{}", prefix, m.locals[g.index].name.sv());
    case NodeKind::Output:
      return fmt::format("{}output.{}", prefix, m.outputs[g.index].name.sv());
    case NodeKind::Resource:
      return prefix + m.resources[g.index].addr.text();
    case NodeKind::Check:
      return fmt::format("{}check.{}", prefix, m.checks[g.index].name.sv());
    case NodeKind::Provider:
    case NodeKind::Extra:
      break;
  }
  return "";
}

namespace {

using Ranks = std::vector<uint32_t>;
using RankSet = std::shared_ptr<const Ranks>;

// Sorted, each once. `seen`: a bit for each rank, all of them 0 before and after.
RankSet merged(Ranks all, const std::vector<RankSet>& parts, std::vector<uint64_t>& seen) {
  for (const RankSet& p : parts) all.insert(all.end(), p->begin(), p->end());
  auto [low, high] = std::minmax_element(all.begin(), all.end());
  const uint32_t first = *low >> 6, last = *high >> 6;
  if (last - first < all.size()) {  // dense: through a bit map, linear, and the result comes out sorted
    for (uint32_t r : all) seen[r >> 6] |= uint64_t{1} << (r & 63);
    all.clear();
    for (uint32_t w = first; w <= last; ++w)
      for (uint64_t bits = std::exchange(seen[w], 0); bits; bits &= bits - 1)
        all.push_back(w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits)));
  } else {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  all.shrink_to_fit();
  return std::make_shared<const Ranks>(std::move(all));
}

}  // namespace

std::unordered_map<uint32_t, Dependencies> ConfigGraph::resource_dependencies() const {
  // Resources are numbered by the order of their addresses once, so that sets of numbers need no sorting of
  // their own.
  std::vector<uint32_t> by_rank, rank(nodes.size());
  std::vector<ConfigResource> address;
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].kind == NodeKind::Resource) by_rank.push_back(n);
  auto address_of = [&](uint32_t n) {
    return ConfigResource{nodes[n].node->path, nodes[n].node->module->resources[nodes[n].index].addr};
  };
  std::sort(by_rank.begin(), by_rank.end(),
            [&](uint32_t a, uint32_t b) { return less(address_of(a), address_of(b)); });
  for (uint32_t r = 0; r < by_rank.size(); ++r)
    rank[by_rank[r]] = r, address.push_back(address_of(by_rank[r]));

  // Sets of ranks, merged upwards in dependency order. A node with one source of dependencies shares its set.
  static const RankSet none = std::make_shared<const Ranks>();
  std::vector<RankSet> below(nodes.size(), none);
  std::vector<uint32_t> waiting(nodes.size());
  for (uint32_t n = 0; n < nodes.size(); ++n) waiting[n] = static_cast<uint32_t>(graph.dependents(n).size());
  std::unordered_map<uint32_t, Dependencies> out;
  std::unordered_map<const Ranks*, Dependencies> shared;
  std::vector<RankSet> keep;  // so that addresses used as keys stay distinct
  std::vector<uint64_t> seen((address.size() + 63) / 64);
  for (uint32_t n : graph.topological_order()) {
    std::vector<RankSet> parts;
    Ranks direct;
    for (uint32_t d : graph.dependencies(n)) {
      if (nodes[d].kind == NodeKind::Resource) direct.push_back(rank[d]);
      if (!below[d]->empty() && std::find(parts.begin(), parts.end(), below[d]) == parts.end())
        parts.push_back(below[d]);
    }
    if (direct.empty() && parts.size() <= 1)
      below[n] = parts.empty() ? none : parts[0];
    else
      below[n] = merged(std::move(direct), parts, seen);
    if (nodes[n].kind == NodeKind::Resource) {
      Dependencies& d = shared[below[n].get()];
      if (!d) {
        keep.push_back(below[n]);
        std::vector<ConfigResource> addrs;
        addrs.reserve(below[n]->size());
        for (uint32_t r : *below[n]) addrs.push_back(address[r]);
        d = std::make_shared<const std::vector<ConfigResource>>(std::move(addrs));
      }
      out.emplace(n, d);
    }
    for (uint32_t d : graph.dependencies(n))
      if (--waiting[d] == 0) below[d] = none;
  }
  return out;
}

}  // namespace xplan

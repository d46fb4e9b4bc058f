// Indexes moved, removed and import blocks, and looks at the graph of the configuration for dependents.
#include "core/review/cause_blocks.h"

#include <algorithm>
#include <unordered_set>

namespace xplan::review {
namespace {

constexpr size_t kMostMoves = 50;  // in a row

bool keys_match(const config::EndPoint& e, ModuleInstance below, size_t depth) {
  for (size_t i = 0; i < e.module_steps.size(); ++i)
    if (e.module_step_has_key[i] &&
        !(below.ancestor(static_cast<uint32_t>(depth + i + 1)).key() == e.module_steps[i].second))
      return false;
  return true;
}

InstanceKey key_of(const config::EndPoint& e) {
  return e.has_key ? e.key : InstanceKey();
}

bool names_many(const config::Import& i) {
  return i.to_key || i.for_each;
}

// The module instance that `to` names where `at` is one that `from` names: keys that neither of them says
// stay.
ModuleInstance moved_module(const config::Moved& m, ModuleInstance at, uint32_t depth) {
  ModuleInstance out = at.ancestor(depth);
  for (size_t i = 0; i < m.to.module_steps.size(); ++i) {
    InstanceKey key = m.to.module_steps[i].second;
    const bool same_step = i < m.from.module_steps.size() && !m.from.module_step_has_key[i];
    if (!m.to.module_step_has_key[i] && same_step)
      key = at.ancestor(depth + static_cast<uint32_t>(i) + 1).key();
    out = out.child(m.to.module_steps[i].first, key);
  }
  return out;
}

// Where a move brings an object; nothing: the block does not mean it.
std::optional<AbsInstance> moved(const config::Node& n, const config::Moved& m, const AbsInstance& a) {
  const uint32_t depth = n.path.depth();
  if (!keys_match(m.from, a.module, depth)) return std::nullopt;
  AbsInstance out = a;
  if (m.from.resource) {
    if (m.from.has_key && !(m.from.key == a.key)) return std::nullopt;
    if (!m.to.resource) return std::nullopt;
    out.module = moved_module(m, a.module, depth);
    out.resource = *m.to.resource;
    if (m.to.has_key || m.from.has_key) out.key = m.to.has_key ? m.to.key : InstanceKey();
    return out;
  }
  const uint32_t end = depth + static_cast<uint32_t>(m.from.module_steps.size());
  out.module = moved_module(m, a.module, depth);
  for (uint32_t d = end + 1; d <= a.module.depth(); ++d) {
    const ModuleInstance step = a.module.ancestor(d);
    out.module = out.module.child(step.call(), step.key());
  }
  return out;
}

}  // namespace

void CauseBlocks::index_blocks() {
  if (indexed_) return;
  indexed_ = true;
  for (const config::Node* n : facts_.config.nodes) {
    for (const config::Moved& m : n->module->moved) {
      const Module at = m.from.module(n->path);
      if (m.from.resource)
        moved_resources_[{at, *m.from.resource}][key_of(m.from)].push_back({n, &m});
      else
        moved_modules_[at.id()].push_back({n, &m});
    }
    for (const config::Removed& r : n->module->removed) {
      const Module at = r.from.module(n->path);
      if (r.from.resource)
        removed_[{at, *r.from.resource}] = &r;
      else
        removed_modules_[at.id()] = &r;
    }
    for (const config::Import& i : n->module->imports)
      if (i.to_static.resource)
        imports_[{i.to_static.module(n->path), *i.to_static.resource}]
                [names_many(i) ? InstanceKey::unknown() : i.to_static.key]
                    .push_back({n, &i});
  }
}

std::vector<MoveStep> CauseBlocks::moves(const AbsInstance& from, const AbsInstance& to) {
  index_blocks();
  std::vector<MoveStep> out;
  AbsInstance at = from;
  auto step = [&](const std::vector<Placed<config::Moved>>& blocks) {
    for (const auto& [node, block] : blocks) {
      const std::optional<AbsInstance> next = moved(*node, *block, at);
      if (!next || *next == at) continue;
      at = *next;
      out.push_back({block, at});
      return true;
    }
    return false;
  };
  auto any_step = [&] {
    if (auto it = moved_resources_.find(at.config()); it != moved_resources_.end())
      for (const InstanceKey& key : {at.key, InstanceKey()})
        if (auto blocks = it->second.find(key); blocks != it->second.end() && step(blocks->second))
          return true;
    for (Module m = at.module.module(); !m.is_root(); m = m.parent())
      if (auto it = moved_modules_.find(m.id()); it != moved_modules_.end() && step(it->second)) return true;
    return false;
  };
  while (!(at == to) && out.size() < kMostMoves && any_step()) {
  }
  return at == to ? out : std::vector<MoveStep>();
}

const config::Removed* CauseBlocks::removed(const ConfigResource& r) {
  index_blocks();
  if (auto it = removed_.find(r); it != removed_.end()) return it->second;
  for (Module m = r.module; !m.is_root(); m = m.parent())
    if (auto it = removed_modules_.find(m.id()); it != removed_modules_.end()) return it->second;
  return nullptr;
}

const config::Import* CauseBlocks::import(const AbsInstance& a) {
  index_blocks();
  auto it = imports_.find(a.config());
  if (it == imports_.end()) return nullptr;
  for (const InstanceKey& key : {a.key, InstanceKey::unknown()})
    if (auto blocks = it->second.find(key); blocks != it->second.end()) return blocks->second[0].block;
  return nullptr;
}

void CauseBlocks::build_graph() {
  if (graph_) return;
  graph_ = std::make_unique<ConfigGraph>();
  graph_->build(facts_.config, nullptr);
  graph_->graph.freeze();
  const size_t n = graph_->nodes.size();
  for (uint32_t i = 0; i < n; ++i)
    if (resource_at(i)) node_of_[address_of(i)] = i;
  cbd_next_.assign(n, UINT32_MAX);
  const std::vector<uint32_t> order = graph_->graph.topological_order();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {  // dependents first
    const config::Resource* own = resource_at(*it);
    if (!(own && own->create_before_destroy) && cbd_next_[*it] == UINT32_MAX) continue;
    for (uint32_t d : graph_->graph.dependencies(*it))
      if (cbd_next_[d] == UINT32_MAX) cbd_next_[d] = *it;
  }
}

const config::Resource* CauseBlocks::resource_at(uint32_t node) const {
  const GraphNode& g = graph_->nodes[node];
  return g.kind == NodeKind::Resource ? &g.node->module->resources[g.index] : nullptr;
}

ConfigResource CauseBlocks::address_of(uint32_t node) const {
  return {graph_->nodes[node].node->path, resource_at(node)->addr};
}

std::vector<ConfigResource> CauseBlocks::forced_by(const ConfigResource& r) {
  build_graph();
  std::vector<ConfigResource> out;
  const auto it = node_of_.find(r);
  if (it == node_of_.end() || resource_at(it->second)->create_before_destroy) return out;
  for (uint32_t n = cbd_next_[it->second]; n != UINT32_MAX; n = cbd_next_[n]) {
    const config::Resource* own = resource_at(n);
    if (!own) continue;
    out.push_back(address_of(n));
    if (own->create_before_destroy) break;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<ConfigResource> CauseBlocks::readers(const ConfigResource& r) {
  build_graph();
  std::vector<ConfigResource> out;
  const auto it = node_of_.find(r);
  if (it == node_of_.end()) return out;
  std::vector<uint32_t> todo{it->second};
  std::unordered_set<uint32_t> seen{it->second};
  for (size_t i = 0; i < todo.size(); ++i)
    for (uint32_t d : graph_->graph.dependents(todo[i])) {
      if (!seen.insert(d).second) continue;
      if (resource_at(d))
        out.push_back(address_of(d));
      else
        todo.push_back(d);
    }
  return out;
}

}  // namespace xplan::review

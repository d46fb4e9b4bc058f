// Puts together what changes, why, and after what.
#include "core/review/change_graph.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/graph/reduce.h"
#include "core/plan/config_graph.h"

namespace xplan::review {
namespace {

constexpr size_t kMostDependencies = 200000;
constexpr size_t kMostAttributes = 8;
constexpr size_t kMostAsked = 1000;  // changes of one node: more of them have the same reasons

class Builder {
 public:
  Builder(const Plan& plan, const config::Config& config, const DataTypes& types)
      : plan_(plan), config_(config), types_(types) {}

  ChangeGraph take(CauseFinder& causes) {
    add_nodes();
    add_reasons(causes);
    add_dependencies();
    for (auto& [ends, edge] : edges_) out_.edges.push_back(std::move(edge));
    return std::move(out_);
  }

 private:
  void add_nodes() {
    for (const ResourceChange& c : plan_.changes) {
      if (!acts(c)) continue;
      std::vector<uint32_t>& of_resource = by_resource_[c.addr.config()];
      auto it = std::find_if(of_resource.begin(), of_resource.end(),
                             [&](uint32_t n) { return out_.nodes[n].action() == c.change.action; });
      if (it == of_resource.end()) {
        of_resource.push_back(static_cast<uint32_t>(out_.nodes.size()));
        out_.nodes.push_back({c.addr.config(), risk_of(c, types_), {}});
        it = of_resource.end() - 1;
      }
      ChangeGraph::Node& node = out_.nodes[*it];
      node.changes.push_back(&c);
      node.risk = std::min(node.risk, risk_of(c, types_));
      node_of_.emplace(&c, *it);
    }
  }

  ChangeGraph::Edge& edge(uint32_t from, uint32_t to) {
    auto [it, fresh] = edges_.try_emplace({from, to});
    if (fresh) it->second.from = from, it->second.to = to;
    return it->second;
  }

  void add_reasons(CauseFinder& causes) {
    for (uint32_t n = 0; n < out_.nodes.size(); ++n) {
      const std::vector<const ResourceChange*>& changes = out_.nodes[n].changes;
      for (size_t i = 0; i < changes.size() && i < kMostAsked; ++i) {
        for (const Why& why : causes.why(*changes[i])) {
          for (const ResourceChange* cause : why.because) {
            auto it = node_of_.find(cause);
            if (it == node_of_.end() || it->second == n) continue;
            ChangeGraph::Edge& e = edge(n, it->second);
            e.why = true;
            if (!why.attribute.empty() && e.attributes.size() < kMostAttributes &&
                std::find(e.attributes.begin(), e.attributes.end(), why.attribute) == e.attributes.end())
              e.attributes.push_back(why.attribute);
          }
        }
      }
    }
  }

  // What the configuration declares stands in its graph; the rest is added to it, with what the state knows
  // of it.
  void add_dependencies() {
    ConfigGraph g;
    g.build(config_, nullptr);
    std::unordered_map<uint32_t, ConfigResource> resource_of;
    std::unordered_map<ConfigResource, uint32_t> graph_node;
    std::vector<ConfigResource> undeclared;
    for (const auto& [resource, nodes] : by_resource_) {
      const config::Node* module = config_.find(resource.module);
      const int index = module ? module->module->find_resource(resource.resource) : -1;
      const uint32_t n =
          index < 0 ? g.add_extra(0) : g.node_of(NodeKind::Resource, module, static_cast<uint32_t>(index));
      graph_node.emplace(resource, n);
      resource_of.emplace(n, resource);
      if (index < 0) undeclared.push_back(resource);
    }
    for (const ConfigResource& r : undeclared)
      for (const ConfigResource& d : recorded_dependencies(r))
        if (auto it = graph_node.find(d); it != graph_node.end())
          g.graph.add_edge(graph_node.at(r), it->second);
    g.graph.freeze();
    std::vector<bool> kept(g.graph.size());
    for (const auto& [n, resource] : resource_of) kept[n] = true;
    const std::optional<EdgeList> reduced = reduced_edges(g.graph, kept, kMostDependencies);
    out_.dependencies = reduced.has_value();
    if (!reduced) return;
    for (const auto& [a, b] : *reduced)
      for (const uint32_t from : by_resource_.at(resource_of.at(a)))
        for (const uint32_t to : by_resource_.at(resource_of.at(b))) edge(from, to);
  }

  // The objects of a resource have them in common, most of the time; the first that has any will do.
  std::vector<ConfigResource> recorded_dependencies(const ConfigResource& r) const {
    for (const uint32_t n : by_resource_.at(r))
      for (const ResourceChange* c : out_.nodes[n].changes)
        if (const InstanceState* i = plan_.prior_state.find(c->addr);
            i && i->current && i->current->dependencies)
          return *i->current->dependencies;
    return {};
  }

  const Plan& plan_;
  const config::Config& config_;
  const DataTypes& types_;
  ChangeGraph out_;
  std::unordered_map<ConfigResource, std::vector<uint32_t>> by_resource_;
  std::unordered_map<const ResourceChange*, uint32_t> node_of_;
  std::map<std::pair<uint32_t, uint32_t>, ChangeGraph::Edge> edges_;
};

}  // namespace

ChangeGraph change_graph(const Plan& plan, const config::Config& config, CauseFinder& causes,
                         const DataTypes& types) {
  return Builder(plan, config, types).take(causes);
}

}  // namespace xplan::review

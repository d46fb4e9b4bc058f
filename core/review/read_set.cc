// Walks the configuration's graph from what a plan does to what that reads.
#include "core/review/read_set.h"

#include <algorithm>
#include <functional>

#include "core/plan/config_graph.h"
#include "core/review/summary.h"

namespace xplan::review {
namespace {

// From the changes of a plan along what is evaluated when it is applied.
class ReadWalk {
 public:
  ReadWalk(const Plan& plan, const config::Config& config) : plan_(plan), config_(config) {
    graph_.build(config, &plan.prior_state, plan.mode == PlanMode::Destroy);
    for (const config::Import& i : config.root->module->imports) (void)graph_.connect_import(config, i);
    graph_.graph.freeze();
    seen_.resize(graph_.nodes.size());
  }

  std::unordered_set<ConfigResource> run() {
    for (const ResourceChange& c : plan_.changes) {
      if (!acts(c)) continue;
      acting_.insert(c.addr.config());
      if (const uint32_t p = graph_.provider_node(c.provider); p != UINT32_MAX) visit(p);
    }
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].kind == NodeKind::Resource && acting_.contains(address(n))) visit(n);
    for (const OutputChange& o : plan_.outputs)
      if (const int i = config_.root->module->find_output(o.name); i >= 0 && o.change.action != Action::NoOp)
        visit(graph_.node_of(NodeKind::Output, config_.root.get(), static_cast<uint32_t>(i)));
    while (!todo_.empty()) {
      const uint32_t n = todo_.back();
      todo_.pop_back();
      const bool all = is_evaluated(n);
      for (uint32_t d : graph_.graph.dependencies(n)) {
        const NodeKind kind = graph_.nodes[d].kind;
        if (!all && kind != NodeKind::Expand) continue;
        if (kind == NodeKind::Resource) reached_.insert(address(d));
        visit(d);
      }
    }
    return std::move(reached_);
  }

 private:
  ConfigResource address(uint32_t n) const { return {graph_.nodes[n].node->path, resource(n).addr}; }
  const config::Resource& resource(uint32_t n) const {
    return graph_.nodes[n].node->module->resources[graph_.nodes[n].index];
  }
  void visit(uint32_t n) {
    if (seen_[n]) return;
    seen_[n] = true;
    todo_.push_back(n);
  }
  // Of an object that stays as it is, only in which instances there are. Data are read anew by every plan.
  bool is_evaluated(uint32_t n) const {
    if (graph_.nodes[n].kind != NodeKind::Resource) return true;
    const config::Resource& r = resource(n);
    return r.count || r.for_each || r.addr.mode != Mode::Managed || acting_.contains(address(n));
  }

  const Plan& plan_;
  const config::Config& config_;
  ConfigGraph graph_;
  std::unordered_set<ConfigResource> acting_, reached_;
  std::vector<bool> seen_;
  std::vector<uint32_t> todo_;
};

bool has_data(const config::Node& n) {
  return std::any_of(n.module->resources.begin(), n.module->resources.end(),
                     [](const config::Resource& r) { return r.addr.mode == Mode::Data; }) ||
         std::any_of(n.children.begin(), n.children.end(),
                     [](const auto& child) { return has_data(*child); });
}

// Traversals that only say what waits for what. What data wait for may be what they read.
std::unordered_set<const syntax::Traversal*> only_order(const config::Node& n) {
  const config::Module& m = *n.module;
  std::unordered_set<const syntax::Traversal*> out;
  for (const config::Resource& r : m.resources)
    if (r.addr.mode != Mode::Data) out.insert(r.depends_on.begin(), r.depends_on.end());
  for (const config::Output& o : m.outputs) out.insert(o.depends_on.begin(), o.depends_on.end());
  for (size_t i = 0; i < m.calls.size(); ++i)
    if (!has_data(*n.children[i])) out.insert(m.calls[i].depends_on.begin(), m.calls[i].depends_on.end());
  return out;
}

// The nodes of a module and of those that it calls.
void each_below(const config::Node& n, const std::function<void(const config::Node&)>& f) {
  f(n);
  for (const auto& child : n.children) each_below(*child, f);
}

}  // namespace

ReadSet::ReadSet(const Plan& plan, const config::Config& config) : reached_(ReadWalk(plan, config).run()) {
  if (!reached_.empty()) collect(config);
}

void ReadSet::collect(const config::Config& config) {
  for (const config::Node* n : config.nodes) {
    const config::Module& m = *n->module;
    const auto order = only_order(*n);
    for (const config::Reference& ref : m.references) {
      // A module as a whole, in depends_on.
      if (ref.kind == config::RefKind::ModuleCall && ref.output.empty() && !order.contains(ref.traversal))
        each_below(*n->children[ref.index], [&](const config::Node& below) {
          for (const config::Resource& r : below.module->resources)
            if (const ConfigResource name{below.path, r.addr}; reached_.contains(name))
              readings_[name].push_back({});
        });
      if (ref.kind != config::RefKind::Resource || order.contains(ref.traversal)) continue;
      const ConfigResource name{n->path, m.resources[ref.index].addr};
      if (!reached_.contains(name)) continue;
      Reading r{ref.key, ref.has_key, {}};
      const auto& steps = ref.traversal->steps;
      for (size_t i = ref.consumed + (ref.has_key ? 1 : 0); i < steps.size(); ++i)
        r.path.push_back(steps[i].is_attr ? PathStep::of_attr(steps[i].attr)
                                          : PathStep::of_index(steps[i].index));
      readings_[name].push_back(std::move(r));
    }
  }
}

const std::vector<Reading>* ReadSet::find(const ConfigResource& r) const {
  const auto it = readings_.find(r);
  return it == readings_.end() ? nullptr : &it->second;
}

}  // namespace xplan::review

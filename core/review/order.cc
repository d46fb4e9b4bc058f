// Finds what changes wait for, in the graph of the configuration and in what the state has recorded.
#include "core/review/order.h"

#include <algorithm>
#include <memory>

#include "core/base/digest.h"
#include "core/plan/config_graph.h"
#include "core/review/encoding.h"
#include "core/review/summary.h"

namespace xplan::review {
namespace {

const std::string kNothing;

std::string encode_addresses(std::vector<std::string> addresses) {
  if (addresses.empty()) return {};
  std::sort(addresses.begin(), addresses.end());
  Encoder list, out;
  list.begin_list();
  for (const std::string& a : addresses) list.text(a);
  list.end();
  out.text(sha256_hex(list.bytes));
  return out.bytes;
}

using Set = std::shared_ptr<const std::vector<uint32_t>>;  // numbers of nodes, ascending

// Of one node, from those that it depends on. Sets are shared where there is nothing to join.
Set joined(std::vector<uint32_t> direct, const std::vector<Set>& parts) {
  if (direct.empty() && parts.size() <= 1) return parts.empty() ? nullptr : parts[0];
  for (const Set& p : parts) direct.insert(direct.end(), p->begin(), p->end());
  std::sort(direct.begin(), direct.end());
  direct.erase(std::unique(direct.begin(), direct.end()), direct.end());
  return std::make_shared<const std::vector<uint32_t>>(std::move(direct));
}

}  // namespace

ActingOrder::ActingOrder(const Plan& plan, const config::Config& config) {
  for (const ResourceChange& c : plan.changes)
    if (acts(c)) acting_.insert(c.addr.config());
  if (!acting_.empty()) find(plan, config);
}

void ActingOrder::find(const Plan& plan, const config::Config& config) {
  ConfigGraph cg;
  cg.build(config, &plan.prior_state, plan.mode == PlanMode::Destroy);
  cg.graph.freeze();
  auto address = [&](uint32_t n) {
    const GraphNode& g = cg.nodes[n];
    return ConfigResource{g.node->path, g.node->module->resources[g.index].addr};
  };
  std::vector<bool> acts_here(cg.nodes.size());
  for (uint32_t n = 0; n < cg.nodes.size(); ++n)
    acts_here[n] = cg.nodes[n].kind == NodeKind::Resource && acting_.contains(address(n));
  std::vector<Set> nearest(cg.nodes.size());
  std::unordered_map<const void*, std::string> encoded;
  for (uint32_t n : cg.graph.topological_order()) {
    std::vector<uint32_t> direct;
    std::vector<Set> parts;
    for (uint32_t d : cg.graph.dependencies(n)) {
      if (acts_here[d])
        direct.push_back(d);
      else if (nearest[d])
        parts.push_back(nearest[d]);
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    nearest[n] = joined(std::move(direct), parts);
    if (!acts_here[n] || !nearest[n]) continue;
    std::string& text = encoded[nearest[n].get()];
    if (text.empty()) {
      std::vector<std::string> addresses;
      for (uint32_t d : *nearest[n]) addresses.push_back(address(d).text());
      text = encode_addresses(std::move(addresses));
    }
    declared_[address(n)] = text;
  }
}

const std::string& ActingOrder::before_making(const ConfigResource& r) const {
  const auto it = declared_.find(r);
  return it == declared_.end() ? kNothing : it->second;
}

const std::string& ActingOrder::recorded(const Dependencies& d) {
  if (!d) return kNothing;
  const auto [it, added] = recorded_.try_emplace(d.get());
  if (!added) return it->second;
  std::vector<std::string> addresses;
  for (const ConfigResource& r : *d)
    if (acting_.contains(r)) addresses.push_back(r.text());
  return it->second = encode_addresses(std::move(addresses));
}

}  // namespace xplan::review

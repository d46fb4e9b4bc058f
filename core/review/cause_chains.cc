// Chains of a followed graph: from its leaves, the first causes, to what is explained.
#include <algorithm>
#include <unordered_set>

#include "core/review/cause_graph.h"

namespace xplan::review {

CauseChain CauseGraph::shortest(uint32_t leaf) const {
  CauseChain out;
  for (uint32_t id = leaf;;) {
    out.push_back(nodes_[id].step);
    if (nodes_[id].effects.empty()) return out;
    id = nodes_[id].effects[0];
  }
}

// All ways from a leaf to the root, as long as there is room for them.
void CauseGraph::add_chains(uint32_t leaf, Why& out) const {
  struct Frame {
    uint32_t node;
    size_t next = 0;
  };
  std::vector<Frame> way{{leaf}};
  std::vector<bool> on_way(nodes_.size());
  on_way[leaf] = true;
  while (!way.empty() && out.chains.size() < CauseScope::kMostChains) {
    Frame& f = way.back();
    const std::vector<uint32_t>& effects = nodes_[f.node].effects;
    if (effects.empty()) {
      CauseChain& chain = out.chains.emplace_back();
      for (const Frame& x : way) chain.push_back(nodes_[x.node].step);
    } else if (f.next < effects.size()) {
      const uint32_t next = effects[f.next++];
      if (!on_way[next]) way.push_back({next}), on_way[next] = true;
      continue;
    }
    on_way[way.back().node] = false;
    way.pop_back();
  }
}

void CauseGraph::collect(Why& out) const {
  std::vector<uint32_t> leaves;
  for (const Proof wanted : {Proof::Sure, Proof::Maybe}) {
    if (wanted == Proof::Maybe && !leaves.empty() && !scope_.all) break;
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].causes == 0 && nodes_[i].proof == wanted) leaves.push_back(i);
    out.sure |= wanted == Proof::Sure && !leaves.empty();
  }
  note_names(out);
  if (leaves.empty()) return;
  if (scope_.all) {
    for (uint32_t leaf : leaves) add_chains(leaf, out);
    std::stable_sort(out.chains.begin(), out.chains.end(),
                     [](const CauseChain& a, const CauseChain& b) { return a.size() < b.size(); });
  } else {
    out.chains.push_back(shortest(leaves[0]));
    out.more_chains = leaves.size() - 1;
  }
}

// The other changes that come first on the way back, and the variables that no change stands behind.
void CauseGraph::note_names(Why& out) const {
  std::unordered_set<const ResourceChange*> seen;
  std::vector<bool> behind(nodes_.size());  // another change; effects come before their causes
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    auto is_other = [&](const Node& x) {
      return (x.kind == Kind::Part || x.kind == Kind::Change) && x.change != owner_;
    };
    if (!n.effects.empty()) behind[i] = behind[n.effects[0]] || is_other(nodes_[n.effects[0]]);
    if (is_other(n) && !behind[i] && out.because.size() < kMostOfOne && seen.insert(n.change).second)
      out.because.push_back(n.change);
    if (n.causes == 0 && n.step.kind == StepKind::Variable && n.kind == Kind::Fixed && !behind[i])
      out.from.push_back(n.step.subject);
  }
}

}  // namespace xplan::review

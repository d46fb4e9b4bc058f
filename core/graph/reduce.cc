// Contracts a graph to some of its nodes, then leaves out edges that follow from others (transitive
// reduction).
#include "core/graph/reduce.h"

#include <algorithm>
#include <set>

namespace xplan {
namespace {

// Stamps instead of cleared sets: a node is marked in this round if its stamp is the round's number.
class Marks {
 public:
  explicit Marks(uint32_t nodes) : stamp_(nodes) {}
  void begin() { ++round_; }
  bool mark(uint32_t n) { return stamp_[n] != round_ && (stamp_[n] = round_, true); }
  bool has(uint32_t n) const { return stamp_[n] == round_; }

 private:
  std::vector<uint32_t> stamp_;
  uint32_t round_ = 0;
};

// From each kept node to the kept ones that are reached without passing another.
std::optional<Graph> contracted(const Graph& g, const std::vector<bool>& kept, size_t most) {
  Graph out(g.size());
  Marks marks(g.size());
  std::vector<uint32_t> todo;
  size_t edges = 0;
  for (uint32_t n = 0; n < g.size(); ++n) {
    if (!kept[n]) continue;
    marks.begin();
    todo.assign(1, n);
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      for (const uint32_t d : g.dependencies(at)) {
        if (!marks.mark(d)) continue;
        if (!kept[d]) {
          todo.push_back(d);
          continue;
        }
        if (++edges > most) return std::nullopt;
        out.add_edge(n, d);
      }
    }
  }
  out.freeze();
  return out;
}

// Numbers in the order in which a depth-first walk leaves the nodes. All that a node reaches has numbers from
// `lowest` to its own; those from `first` on are all reached, for they are below it in the tree of the walk.
class Reach {
 public:
  // The later in topological order, the sooner a dependency is walked: trees become deep.
  Reach(const Graph& g, const std::vector<uint32_t>& order) : spans_(g.size()) {
    std::vector<uint32_t> place(g.size());
    for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    nearest_.resize(g.size());
    for (uint32_t n = 0; n < g.size(); ++n) {
      const auto all = g.dependencies(n);
      nearest_[n].assign(all.begin(), all.end());
      std::sort(nearest_[n].begin(), nearest_[n].end(),
                [&](uint32_t a, uint32_t b) { return place[a] > place[b]; });
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it)
      if (!spans_[*it].number) walk(*it);
  }

  // Without the edges to what others of its dependencies reach.
  void reduce(uint32_t n, Marks& seen, EdgeList& out) {
    const std::vector<uint32_t>& all = nearest_[n];
    std::set<uint32_t> open;  // numbers of dependencies that are not known to be reached by another
    for (const uint32_t d : all) open.insert(spans_[d].number);
    seen.begin();
    for (const uint32_t d : all) {
      if (!open.erase(spans_[d].number)) continue;
      out.emplace_back(n, d);
      strike(d, seen, open);
    }
  }

 private:
  struct Span {
    uint32_t number = 0, first = 0, lowest = 0;
  };

  void walk(uint32_t root) {
    struct Frame {
      uint32_t node;
      size_t next = 0;
    };
    std::vector<Frame> way{{root}};
    spans_[root].first = last_ + 1;
    while (!way.empty()) {
      Frame& f = way.back();
      const std::vector<uint32_t>& below = nearest_[f.node];
      if (f.next < below.size()) {
        const uint32_t d = below[f.next++];
        if (spans_[d].first) continue;
        spans_[d].first = last_ + 1;
        way.push_back({d});
        continue;
      }
      Span& s = spans_[f.node];
      s.number = ++last_;
      s.lowest = s.first;
      for (const uint32_t d : below) s.lowest = std::min(s.lowest, spans_[d].lowest);
      way.pop_back();
    }
  }

  // Takes out of `open` what d reaches.
  void strike(uint32_t d, Marks& seen, std::set<uint32_t>& open) {
    std::vector<uint32_t> todo{d};
    while (!todo.empty() && !open.empty()) {
      const Span& s = spans_[todo.back()];
      const uint32_t at = todo.back();
      todo.pop_back();
      open.erase(open.lower_bound(s.first), open.upper_bound(s.number));
      const auto perhaps = open.lower_bound(s.lowest);
      if (perhaps == open.end() || *perhaps > s.number) continue;
      for (auto it = nearest_[at].rbegin(); it != nearest_[at].rend(); ++it)
        if (seen.mark(*it)) todo.push_back(*it);
    }
  }

  std::vector<Span> spans_;
  std::vector<std::vector<uint32_t>> nearest_;
  uint32_t last_ = 0;
};

}  // namespace

std::optional<EdgeList> reduced_edges(const Graph& g, const std::vector<bool>& kept, size_t most) {
  const std::optional<Graph> edges = contracted(g, kept, most);
  if (!edges) return std::nullopt;
  const Graph& c = *edges;
  EdgeList out;
  const std::vector<uint32_t> order = c.topological_order();
  if (order.size() < c.size()) {
    for (uint32_t n = 0; n < c.size(); ++n)
      for (const uint32_t d : c.dependencies(n)) out.emplace_back(n, d);
    return out;
  }
  Reach reach(c, order);
  Marks seen(c.size());
  for (uint32_t n = 0; n < c.size(); ++n) {
    const size_t first = out.size();
    reach.reduce(n, seen, out);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
  }
  return out;
}

}  // namespace xplan

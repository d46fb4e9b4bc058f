// What changes and why, as a graph: a node for the changes of one resource with the same action, an edge from
// it to what it follows from and to what it comes after.
//
// Who makes it: cmd, of a plan just made or read from a file.  Who reads it: render (DOT, HTML).
// Invariant: nodes stand in the plan's order; an edge leads from what depends to what comes first; between
// two nodes there is one edge, which says why if it can. Dependencies are those of the configuration (of what
// it no longer declares, those in the state), past whatever does not change, without those that follow from
// others. Cost: the causes of each change once, of at most a thousand of one node; the graph of the
// configuration once.  Thread-safety: plain data; points into the plan, which must outlive it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/review/causes.h"
#include "core/review/summary.h"

namespace xplan::review {

struct ChangeGraph {
  struct Node {
    ConfigResource resource;
    Risk risk = Risk::Updates;  // the worst of its changes
    std::vector<const ResourceChange*> changes;
    const ResourceChange& first() const { return *changes.front(); }
    Action action() const { return first().change.action; }
    std::string address() const { return common_address(changes); }
  };
  struct Edge {
    uint32_t from = 0, to = 0;  // into nodes
    bool why = false;           // the change of `from` follows from that of `to`; otherwise it comes after it
    std::vector<std::string> attributes;  // in which it does, the first few
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;   // by from, then to
  bool dependencies = true;  // false: they are left out, because there are too many to be of use
};

ChangeGraph change_graph(const Plan& plan, const config::Config& config, CauseFinder& causes,
                         const DataTypes& types);

}  // namespace xplan::review

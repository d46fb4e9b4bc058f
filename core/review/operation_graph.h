// The graph of an operation as the reference tools know it: which names it has, and what waits for what.
//
// Who calls it: cmd (graph).  Who reads it: render/dot.h.
// Invariant: names and edges are those of the reference for the same configuration and state, edges that
// follow from others left out; it is a picture for people and tools, and nothing is carried out by it. Cost:
// linear in declared things, references and objects in the state, but for the reduction (graph/reduce.h).
// Thread-safety: plain data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/graph/reduce.h"
#include "core/plan/plan.h"

namespace xplan::review {

enum class OperationKind : uint8_t { Plan, RefreshOnly, Destroy, Apply };

struct OperationGraph {
  enum class Shape : uint8_t { None, Resource, Provider, Variable };  // None: only edges name it
  struct Node {
    std::string name, label;
    Shape shape = Shape::None;
    size_t times = 1;  // instances that have this name in common are as many nodes, with the edges of one
  };
  std::vector<Node> nodes;
  EdgeList edges;                             // from what waits to what it waits for
  std::vector<std::vector<uint32_t>> cycles;  // then no edge is left out
};

OperationGraph operation_graph(const config::Config& config, const State& state, OperationKind kind);
// Of the changes that a plan makes.
OperationGraph operation_graph(const config::Config& config, const Plan& plan);

// Only the resources, declared and in the state, by address; and what depends on what, past everything else.
struct ResourceGraph {
  std::vector<ConfigResource> nodes;
  EdgeList edges;
};
ResourceGraph resource_graph(const config::Config& config, const State& state);

}  // namespace xplan::review

// Failures: what failed in each node of an apply, and what reads it: a failed instance keeps back only what
// reads that instance, directly or through named values.
//
// Who calls it: the applier: mark() and reach() from a node's own visit, the rest from any node that depends
// on it.
// Rule: what is read follows from references alone, all those of a block, whatever its expressions come to. A
// literal key, and one that can be evaluated (each.key), reads one instance; every other reference to a
// resource or a module call reads all its instances in this module instance. depends_on reads, too.
// Cost: nothing while nothing has failed; then the dependencies of each node, and the references of each
// instance that a failure may reach. Thread-safety: each node marks its own; the walk orders it and readers.
#pragma once
#include <atomic>
#include <unordered_set>
#include <vector>

#include "core/plan/config_graph.h"
#include "core/plan/world.h"

namespace xplan::applying {

class Failures {
 public:
  Failures(const World& world, const ConfigGraph& graph) : world_(world), graph_(graph) {}
  void prepare() { nodes_.resize(graph_.nodes.size()); }

  // An instance of a resource failed, or was kept back.
  void mark(uint32_t node, const AbsInstance& a, const ModuleInst& m);
  // All of a node in a module instance.
  void mark(uint32_t node, const ModuleInst& m);
  bool any(uint32_t node) const { return nodes_[node].any; }
  bool all_in(uint32_t node, const ModuleInst& m) const { return nodes_[node].whole.contains(&m); }

  // Before a node is visited: marks what it keeps back, but for the instances of resources. True: it is not
  // to be visited at all.
  bool reach(uint32_t node);
  // Whether this instance of a resource is to be kept back.
  bool keeps_back(uint32_t node, const ModuleInst& m, const Repetition& r) const;

 private:
  struct Read {
    const syntax::Traversal* what;
    const syntax::Expr* key = nullptr;  // null: as the reference has it
    bool waits = false;                 // depends_on
  };
  using Reads = std::vector<Read>;
  struct Node {
    bool any = false;
    std::unordered_set<const ModuleInst*> whole, partly;  // partly: some instances
    std::unordered_set<AbsInstance> instances;
    Reads reads;  // of each instance of a resource that failures may reach
  };
  static void add(Reads& out, const syntax::Expr* e);
  static void add(Reads& out, const std::vector<config::CheckRule>& rules);
  static void add(Reads& out, const std::vector<const syntax::Traversal*>& ts, bool waits);
  static Reads reads_of(const config::Resource& r);
  static Reads reads_of(const config::RepetitionArguments& r);
  bool has_failed_dependency(uint32_t node) const;
  bool reach_named(uint32_t node, const Reads& reads);
  bool reach_resource(uint32_t node);
  bool reach_call(const GraphNode& g) const;
  bool reads_any(const Reads& reads, const ModuleInst& m, const Repetition* r = nullptr) const;
  bool reads(const Read& read, const ModuleInst& m, const Repetition* r) const;
  bool reads_resource(const config::Reference& ref, const Read& read, const ModuleInst& m,
                      const Repetition* r) const;
  bool reads_call(const config::Reference& ref, const Read& read, const ModuleInst& m,
                  const Repetition* r) const;
  bool reads_outputs(const config::Reference& ref, const config::Node& child, const ModuleInst* m) const;
  std::optional<InstanceKey> key_of(const config::Reference& ref, const Read& read, bool counted,
                                    const ModuleInst& m, const Repetition* r) const;

  const World& world_;
  const ConfigGraph& graph_;
  std::vector<Node> nodes_;
  std::atomic<bool> any_ = false;
};

}  // namespace xplan::applying

// What failed in each node, and what of a node that is about to be visited it keeps back.
#include "core/apply/failures.h"

#include <algorithm>

namespace xplan::applying {

using config::RefKind;

void Failures::mark(uint32_t node, const AbsInstance& a, const ModuleInst& m) {
  Node& n = nodes_[node];
  n.any = any_ = true;
  n.instances.insert(a);
  n.partly.insert(&m);
}

void Failures::mark(uint32_t node, const ModuleInst& m) {
  Node& n = nodes_[node];
  n.any = any_ = true;
  n.whole.insert(&m);
}

bool Failures::has_failed_dependency(uint32_t node) const {
  return any_ && std::ranges::any_of(graph_.graph.dependencies(node), [&](uint32_t d) { return any(d); });
}

bool Failures::reads_any(const Reads& list, const ModuleInst& m, const Repetition* r) const {
  return std::ranges::any_of(list, [&](const Read& x) { return reads(x, m, r); });
}

bool Failures::keeps_back(uint32_t node, const ModuleInst& m, const Repetition& r) const {
  return reads_any(nodes_[node].reads, m, &r);
}

// The calling module's expressions, whichever of its instances they fail in: what is inside waits for all.
bool Failures::reach_call(const GraphNode& g) const {
  if (!g.node->call) return false;
  Reads reads;
  if (g.kind == NodeKind::Barrier)
    add(reads, g.node->call->depends_on, true);
  else
    reads = reads_of(g.node->call->repetition());
  return std::ranges::any_of(world_.of(g.node->parent),
                             [&](const ModuleInst* m) { return reads_any(reads, *m); });
}

bool Failures::reach_resource(uint32_t node) {
  const GraphNode& g = graph_.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  Reads of_all = reads_of(r.repetition());
  add(of_all, r.depends_on, true);
  reach_named(node, of_all);
  if (r.schema) nodes_[node].reads = reads_of(r);
  return false;
}

bool Failures::reach_named(uint32_t node, const Reads& reads) {
  for (const ModuleInst* m : world_.of(graph_.nodes[node].node))
    if (reads_any(reads, *m)) mark(node, *m);
  return false;
}

bool Failures::reach(uint32_t node) {
  if (!has_failed_dependency(node)) return false;
  const GraphNode& g = graph_.nodes[node];
  const config::Module* module = g.node ? g.node->module : nullptr;
  Reads reads;
  switch (g.kind) {
    case NodeKind::Expand:
    case NodeKind::Barrier:
      return reach_call(g);
    case NodeKind::Variable: {
      if (!g.node->call) return false;
      for (const syntax::Attribute& a : g.node->call->arguments)
        if (a.name == module->variables[g.index].name) add(reads, a.expr);
      for (const ModuleInst* m : world_.of(g.node))
        if (reads_any(reads, *m->parent, &m->repetition)) mark(node, *m);
      return false;
    }
    case NodeKind::VariableCheck:
      for (const ModuleInst* m : world_.of(g.node))
        if (all_in(graph_.node_of(NodeKind::Variable, g.node, g.index), *m)) mark(node, *m);
      add(reads, module->variables[g.index].validations);
      std::erase_if(reads, [&](const Read& x) {  // its own variable
        const config::Reference* ref = x.what->bound ? &module->reference(*x.what) : nullptr;
        return ref && ref->kind == RefKind::Variable && ref->index == g.index;
      });
      return reach_named(node, reads);
    case NodeKind::Local:
      add(reads, module->locals[g.index].expr);
      return reach_named(node, reads);
    case NodeKind::Output:
      add(reads, module->outputs[g.index].expr);
      add(reads, module->outputs[g.index].depends_on, true);
      add(reads, module->outputs[g.index].preconditions);
      return reach_named(node, reads);
    case NodeKind::Resource:
      return reach_resource(node);
    case NodeKind::Check: {
      const config::Check& check = module->checks[g.index];
      add(reads, check.asserts);
      return (check.data && any(graph_.node_of(NodeKind::Resource, g.node, *check.data))) ||
             std::ranges::any_of(world_.of(g.node),
                                 [&](const ModuleInst* m) { return reads_any(reads, *m); });
    }
    case NodeKind::Provider: {  // where it is configured there is one module instance
      const ProviderNode& p = graph_.providers[g.index];
      if (!p.config || world_.of(p.node).empty()) return false;
      add(reads, p.config->references, false);
      return reads_any(reads, *world_.of(p.node).front());
    }
    case NodeKind::ModuleDone:
      nodes_[node].any = true;
      return false;
    case NodeKind::Extra:
      break;
  }
  return false;
}

}  // namespace xplan::applying

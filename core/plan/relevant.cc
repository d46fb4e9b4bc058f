#include "core/plan/relevant.h"

#include <algorithm>
#include <fmt/format.h>

namespace xplan {

using config::RefKind;

void RelevantFinder::follow(const ModuleInst& m, const syntax::Expr* e) {
  if (!e) return;
  std::vector<const syntax::Traversal*> ts;
  syntax::collect_traversals(*e, ts);
  for (const auto* t : ts) follow(m, *t);
}

void RelevantFinder::follow_outputs(const ModuleInst& parent, uint32_t call, Symbol only) {
  for (const ModuleInst* child : parent.calls[call].instances) {
    const auto& outputs = child->node->module->outputs;
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      if (!only.empty() && outputs[i].name != only) continue;
      if (followed_.insert(fmt::format("{}|o|{}", child->addr.id(), i)).second) follow(*child, outputs[i].expr);
    }
  }
}

void RelevantFinder::follow(const ModuleInst& m, const syntax::Traversal& t) {
  if (!t.bound) return;
  const config::Reference& ref = m.node->module->reference(t);
  switch (ref.kind) {
    case RefKind::Variable: {
      if (!m.parent || !followed_.insert(fmt::format("{}|v|{}", m.addr.id(), ref.index)).second) return;
      Symbol name = m.node->module->variables[ref.index].name;
      for (const auto& a : m.node->call->arguments)
        if (a.name == name) follow(*m.parent, a.expr);
      return;
    }
    case RefKind::Local:
      if (followed_.insert(fmt::format("{}|l|{}", m.addr.id(), ref.index)).second) follow(m, m.node->module->locals[ref.index].expr);
      return;
    case RefKind::ModuleCall: return follow_outputs(m, ref.index, ref.output);
    case RefKind::Resource: {
      RelevantAttribute r;
      r.addr = {m.addr, m.node->module->resources[ref.index].addr, {}};
      size_t step = ref.consumed;
      if (ref.has_key) r.addr.key = ref.key, ++step;
      for (; step < t.steps.size(); ++step)
        r.path.push_back(t.steps[step].is_attr ? PathStep::of_attr(t.steps[step].attr) : PathStep::of_index(t.steps[step].index));
      if (seen_.insert(r.addr.text() + "|" + path_text(r.path)).second) found_.push_back(std::move(r));
      return;
    }
    case RefKind::CountIndex: case RefKind::EachKey: case RefKind::EachValue: case RefKind::Self:
    case RefKind::PathModule: case RefKind::PathRoot: case RefKind::PathCwd: case RefKind::Workspace:
    case RefKind::Applying: case RefKind::Invalid: return;
  }
}

void RelevantFinder::add_resource(const AbsInstance& a) {
  const ModuleInst* m = world_.find(a.module);
  if (!m) return;
  int index = m->node->module->find_resource(a.resource);
  // All instances of a resource have the same expressions.
  if (index < 0 || !resources_done_.insert(fmt::format("{}|{}", a.module.id(), index)).second) return;
  const config::Resource& r = m->node->module->resources[static_cast<size_t>(index)];
  for (const syntax::Traversal* t : r.references) follow(*m, *t);
}

void RelevantFinder::add_root_output(Symbol name) {
  const ModuleInst& root = *world_.root();
  int index = root.node->module->find_output(name);
  if (index >= 0) follow(root, root.node->module->outputs[static_cast<size_t>(index)].expr);
}

std::vector<RelevantAttribute> RelevantFinder::take() {
  std::sort(found_.begin(), found_.end(), [](const RelevantAttribute& a, const RelevantAttribute& b) {
    return a.addr == b.addr ? path_less(a.path, b.path) : less(a.addr, b.addr);
  });
  return std::move(found_);
}

}  // namespace xplan

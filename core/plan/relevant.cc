#include "core/plan/relevant.h"

#include <algorithm>

namespace xplan {

using config::RefKind;

void RelevantFinder::follow(const Place& p, const syntax::Expr* e) {
  if (!e) return;
  std::vector<const syntax::Traversal*> ts;
  syntax::collect_traversals(*e, ts);
  for (const auto* t : ts) follow(p, *t);
}

void RelevantFinder::follow_call(const Place& p, const config::Reference& ref) {
  const config::Node* child = p.node->children[ref.index].get();
  Place inside{child, p.addr.child(child->call->name, ref.has_key ? ref.key : InstanceKey())};
  const auto& outputs = child->module->outputs;
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    if (!ref.output.empty() && outputs[i].name != ref.output) continue;
    if (first_visit(inside.addr, What::Output, i)) follow(inside, outputs[i].expr);
  }
}

void RelevantFinder::follow(const Place& p, const syntax::Traversal& t) {
  if (!t.bound) return;
  const config::Module& m = *p.node->module;
  const config::Reference& ref = m.reference(t);
  switch (ref.kind) {
    case RefKind::Variable: {
      if (!p.node->parent || !first_visit(p.addr, What::Variable, ref.index)) return;
      for (const auto& a : p.node->call->arguments)
        if (a.name == m.variables[ref.index].name)
          follow(Place{p.node->parent, p.addr.parent(), p.node->call->count, p.node->call->for_each}, a.expr);
      return;
    }
    case RefKind::Local:
      if (first_visit(p.addr, What::Local, ref.index)) follow({p.node, p.addr}, m.locals[ref.index].expr);
      return;
    case RefKind::ModuleCall:
      return follow_call(p, ref);
    case RefKind::Resource: {
      RelevantAttribute r;
      r.addr = {p.addr, m.resources[ref.index].addr, {}};
      size_t step = ref.consumed;
      if (ref.has_key) r.addr.key = ref.key, ++step;
      for (; step < t.steps.size(); ++step)
        r.path.push_back(t.steps[step].is_attr ? PathStep::of_attr(t.steps[step].attr)
                                               : PathStep::of_index(t.steps[step].index));
      found_.push_back(std::move(r));
      return;
    }
    case RefKind::CountIndex:
      return follow({p.node, p.addr}, p.count);
    case RefKind::EachKey:
    case RefKind::EachValue:
      return follow({p.node, p.addr}, p.for_each);
    case RefKind::Self:
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Workspace:
    case RefKind::Applying:
    case RefKind::Invalid:
      return;
  }
}

void RelevantFinder::add_resource(const AbsInstance& a) {
  const config::Node* n = config_.find(a.module.module());
  int index = n ? n->module->find_resource(a.resource) : -1;
  // All instances of a resource have the same expressions.
  if (index < 0 || !first_visit(a.module, What::Resource, static_cast<uint32_t>(index))) return;
  const config::Resource& r = n->module->resources[static_cast<size_t>(index)];
  for (uint32_t i = r.arguments_begin; i < r.arguments_end; ++i)  // count and for_each where these use them
    follow(Place{n, a.module, r.count, r.for_each}, *r.references[i]);
}

void RelevantFinder::add_root_output(Symbol name) {
  const config::Node* root = config_.root.get();
  int index = root->module->find_output(name);
  if (index >= 0) follow(Place{root, {}}, root->module->outputs[static_cast<size_t>(index)].expr);
}

void RelevantFinder::add_outputs(const config::Node* n, ModuleInstance addr) {
  const auto& outputs = n->module->outputs;
  for (uint32_t i = 0; i < outputs.size(); ++i)
    if (first_visit(addr, What::Output, i)) follow(Place{n, addr}, outputs[i].expr);
}

std::vector<RelevantAttribute> RelevantFinder::take() {
  std::sort(found_.begin(), found_.end(), [](const RelevantAttribute& a, const RelevantAttribute& b) {
    return a.addr == b.addr ? path_less(a.path, b.path) : less(a.addr, b.addr);
  });
  auto same = [](const RelevantAttribute& a, const RelevantAttribute& b) {
    return a.addr == b.addr && a.path == b.path;
  };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  return std::move(found_);
}

}  // namespace xplan

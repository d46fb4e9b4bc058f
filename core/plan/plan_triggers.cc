// replace_triggered_by: whether an instance is to be replaced because what it refers to is updated or
// replaced, or, with a path, differs there. References to all instances of a resource are decided once for
// each node (find_fired), those with a key for each instance (triggered). What does not exist triggers
// nothing.
#include <algorithm>

#include "core/plan/plan_run.h"

namespace xplan::planning {
namespace {

struct Trigger {
  const config::Reference* resource = nullptr;  // null: nothing that could fire
  InstanceKey key;                              // as written in the reference
  bool has_key = false;
  const syntax::Expr* key_expr = nullptr;  // … or to be evaluated
  Path path;
};

Trigger trigger_of(const syntax::Expr& e, const config::Module& m) {
  Trigger out;
  const syntax::Expr* base = &e;
  std::vector<syntax::TraversalStep> tail;
  while (base->kind == syntax::ExprKind::RelTraversal || base->kind == syntax::ExprKind::Parens) {
    if (base->kind == syntax::ExprKind::RelTraversal)
      tail.insert(tail.begin(), base->traversal->steps.begin(), base->traversal->steps.end());
    base = base->a;
  }
  if (base->kind == syntax::ExprKind::Index) {
    out.key_expr = base->b, out.has_key = true;
    base = base->a;
  }
  if (base->kind != syntax::ExprKind::Traversal || base->traversal->bound == 0) return out;
  const config::Reference& ref = m.reference(*base->traversal);
  if (ref.kind != config::RefKind::Resource) return out;
  out.resource = &ref;
  std::vector<syntax::TraversalStep> steps(base->traversal->steps.begin() + ref.consumed,
                                           base->traversal->steps.end());
  if (ref.has_key && !steps.empty()) out.key = ref.key, out.has_key = true, steps.erase(steps.begin());
  steps.insert(steps.end(), tail.begin(), tail.end());
  for (const auto& s : steps)
    out.path.push_back(s.is_attr ? PathStep::of_attr(s.attr) : PathStep::of_index(s.index));
  return out;
}

// Whether a value of this type can have something at the path.
bool possible(Type t, const Path& path) {
  for (const PathStep& s : path) {
    if (t.is_dynamic()) return true;
    if (t.is_object()) {
      const auto names = t.attr_names();
      const auto at = std::find(names.begin(), names.end(), s.is_attr ? s.attr : Symbol());
      if (at == names.end()) return !s.is_attr;
      t = t.elements()[static_cast<size_t>(at - names.begin())];
    } else if (t.is_map() || t.is_list() || t.is_set()) {
      t = t.element();
    } else {
      return t.is_tuple();
    }
  }
  return true;
}

bool fires(const ResourceChange& c, const Path& path) {
  const Action a = c.change.action;
  if (!c.deposed.empty() || (a != Action::Update && !is_replace(a))) return false;
  if (path.empty()) return true;
  if (!possible(c.schema->block.implied_type(), path)) return false;
  auto before = path_get(c.change.before, path), after = path_get(c.change.after, path);
  if (!before || !after) return before.has_value() != after.has_value();
  return !after->is_wholly_known() || !before->unmark_deep().raw_equal(after->unmark_deep());
}

}  // namespace

// What names all instances of a resource is looked for once, not by each instance that it would replace.
void find_fired(PlanRun& run, uint32_t node) {
  const config::Node* n = run.cg.nodes[node].node;
  for (const syntax::Expr* e : run.resource_of(node).replace_triggered_by) {
    auto& fired = run.results[node].fired.emplace_back();
    const Trigger t = trigger_of(*e, *n->module);
    if (!t.resource || t.has_key) continue;
    const NodeResult& changes = run.results[run.cg.node_of(NodeKind::Resource, n, t.resource->index)];
    for (const ResourceChange& c : changes.changes)
      if (fires(c, t.path)) fired.insert(c.addr.module);
    for (const DeferredChange& d : changes.deferred)
      if (fires(d.change, t.path)) fired.insert(d.change.addr.module);
  }
}

Reason triggered(const PlanRun& run, const InstanceJob& j, Diagnostics& out) {
  const config::Node* n = j.module->node;
  for (size_t i = 0; i < j.resource->replace_triggered_by.size(); ++i) {
    if (run.results[j.node].fired[i].contains(j.module->addr)) return Reason::ReplaceByTriggers;
    Trigger t = trigger_of(*j.resource->replace_triggered_by[i], *n->module);
    if (!t.resource || !t.has_key) continue;
    if (t.key_expr) {
      Value k = eval::evaluate(*t.key_expr, scope_of(run, j), out).unmark_deep();
      if (!k.is_known() || k.is_null()) continue;
      if (k.is_number() && k.as_number().exact_int64())
        t.key = InstanceKey::of(*k.as_number().exact_int64());
      else if (k.is_string())
        t.key = InstanceKey::of(Symbol(k.as_string()));
    }
    const NodeResult& changes = run.results[run.cg.node_of(NodeKind::Resource, n, t.resource->index)];
    const AbsInstance named{j.module->addr, n->module->resources[t.resource->index].addr, t.key};
    auto it = changes.index.find(named);
    if (it != changes.index.end() && fires(changes.changes[it->second], t.path))
      return Reason::ReplaceByTriggers;
    it = changes.deferred_index.find(named);
    if (it != changes.deferred_index.end() && fires(changes.deferred[it->second].change, t.path))
      return Reason::ReplaceByTriggers;
  }
  return Reason::None;
}

}  // namespace xplan::planning

// Which references of a block, or of one instance of a resource, lead to something that failed.
#include <algorithm>
#include <unordered_map>

#include "core/apply/failures.h"
#include "core/schema/decode.h"

namespace xplan::applying {

using config::RefKind;

void Failures::add(Reads& out, const syntax::Expr* e) {
  if (!e) return;
  std::vector<const syntax::Traversal*> all;
  syntax::collect_traversals(*e, all);
  if (all.empty()) return;
  std::unordered_map<const syntax::Traversal*, const syntax::Expr*> keys;
  syntax::walk(*e, [&](const syntax::Expr& x) {
    if (x.kind == syntax::ExprKind::Index && x.a->kind == syntax::ExprKind::Traversal)
      keys.emplace(x.a->traversal, x.b);
  });
  for (const syntax::Traversal* t : all) {
    const auto key = keys.find(t);
    out.push_back({t, key == keys.end() ? nullptr : key->second});
  }
}

void Failures::add(Reads& out, const std::vector<config::CheckRule>& rules) {
  for (const config::CheckRule& r : rules) add(out, r.condition), add(out, r.error_message);
}

void Failures::add(Reads& out, const std::vector<const syntax::Traversal*>& ts, bool waits) {
  for (const syntax::Traversal* t : ts) out.push_back({t, nullptr, waits});
}

Failures::Reads Failures::reads_of(const config::RepetitionArguments& r) {
  Reads out;
  for (const syntax::Expr* e : {r.count, r.for_each, r.enabled}) add(out, e);
  return out;
}

// Everything that is evaluated for an instance; the references of which no key is known are in no expression
// that is looked into here.
Failures::Reads Failures::reads_of(const config::Resource& r) {
  Reads out;
  schema::visit_expressions(r.content, r.schema->block, [&](const syntax::Expr& e) { add(out, &e); });
  add(out, r.preconditions);
  add(out, r.postconditions);
  for (const syntax::Expr* e : r.replace_triggered_by) add(out, e);
  Reads of_all = reads_of(r.repetition());  // how many there are is no matter of one instance
  std::unordered_set<const syntax::Traversal*> known;
  for (const Reads* list : {&out, &of_all})
    for (const Read& x : *list) known.insert(x.what);
  for (const syntax::Traversal* t : r.references)
    if (!known.contains(t)) out.push_back({t});
  return out;
}

// A key whose kind is not that of the instances is looked up by conversion: that reads any of them.
std::optional<InstanceKey> Failures::key_of(const config::Reference& ref, const Read& read, bool counted,
                                            const ModuleInst& m, const Repetition* r) const {
  const auto wanted = counted ? InstanceKey::Kind::Int : InstanceKey::Kind::String;
  if (ref.has_key) return ref.key.kind == wanted ? std::optional(ref.key) : std::nullopt;
  if (!read.key || ref.consumed != read.what->steps.size()) return std::nullopt;
  Diagnostics ignored;
  const Value v = eval::evaluate(*read.key, ModuleScope(world_, m, r), ignored).without_own_marks();
  if (ignored.has_errors() || v.is_unknown() || v.is_null()) return std::nullopt;
  if (!counted && v.is_string()) return InstanceKey::of(Symbol(v.as_string()));
  if (counted && v.is_number())
    if (const auto n = v.as_number().exact_int64()) return InstanceKey::of(*n);
  return std::nullopt;
}

bool Failures::reads_resource(const config::Reference& ref, const Read& read, const ModuleInst& m,
                              const Repetition* r) const {
  const Node& n = nodes_[graph_.node_of(NodeKind::Resource, m.node, ref.index)];
  if (!n.any) return false;
  if (n.whole.contains(&m)) return true;
  if (!n.partly.contains(&m)) return false;
  const config::Resource& resource = m.node->module->resources[ref.index];
  if (!resource.count && !resource.for_each) return true;
  const auto key = key_of(ref, read, resource.count != nullptr, m, r);
  return !key || n.instances.contains(AbsInstance{m.addr, resource.addr, *key});
}

bool Failures::reads_outputs(const config::Reference& ref, const config::Node& child,
                             const ModuleInst* m) const {
  if (!m) return false;  // what a test gives instead of it
  const int named = ref.output.empty() ? -1 : child.module->find_output(ref.output);
  for (uint32_t i = 0; i < child.module->outputs.size(); ++i)
    if ((named < 0 || static_cast<int>(i) == named) &&
        all_in(graph_.node_of(NodeKind::Output, &child, i), *m))
      return true;
  return false;
}

bool Failures::reads_call(const config::Reference& ref, const Read& read, const ModuleInst& m,
                          const Repetition* r) const {
  const config::Node& child = *m.node->children[ref.index];
  if (read.waits) return any(graph_.node_of(NodeKind::ModuleDone, &child, 0));
  const CallSlot& slot = m.calls[ref.index];
  if (child.call->count || child.call->for_each)
    if (const auto key = key_of(ref, read, child.call->count != nullptr, m, r))
      return reads_outputs(ref, child, world_.find(m.addr.child(child.call->name, *key)));
  return std::ranges::any_of(slot.instances,
                             [&](const ModuleInst* i) { return reads_outputs(ref, child, i); });
}

bool Failures::reads(const Read& read, const ModuleInst& m, const Repetition* r) const {
  if (read.what->bound == 0) return false;
  const config::Reference& ref = m.node->module->reference(*read.what);
  switch (ref.kind) {
    case RefKind::Variable:
      return all_in(graph_.node_of(NodeKind::VariableCheck, m.node, ref.index), m);
    case RefKind::Local:
      return all_in(graph_.node_of(NodeKind::Local, m.node, ref.index), m);
    case RefKind::Resource:
      return reads_resource(ref, read, m, r);
    case RefKind::ModuleCall:
      return reads_call(ref, read, m, r);
    case RefKind::CountIndex:
    case RefKind::EachKey:
    case RefKind::EachValue:
    case RefKind::Self:
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Workspace:
    case RefKind::Applying:
    case RefKind::Given:
    case RefKind::Invalid:
      break;
  }
  return false;
}

}  // namespace xplan::applying

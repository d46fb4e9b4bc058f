// Traces references back to resource attributes through locals, variables, module outputs, count and
// for_each, each named value once. An explicit work list replaces recursion.
#include "core/plan/sources.h"
#include "core/schema/decode.h"

#include <optional>

namespace xplan {

using config::RefKind;

namespace {

// A call without repetition has no instance with a key, but try() may ask for one: it counts as it is
// written.
void read_missing_instance(const syntax::Traversal& t, size_t step, InstanceKey& key, Symbol& output) {
  if (step >= t.steps.size() || t.steps[step].is_attr) return;
  const Value& index = t.steps[step].index;
  if (index.is_string())
    key = InstanceKey::of(Symbol(index.as_string()));
  else if (const auto n = index.is_number() ? index.as_number().exact_int64() : std::nullopt)
    key = InstanceKey::of(*n);
  if (step + 1 < t.steps.size() && t.steps[step + 1].is_attr) output = t.steps[step + 1].attr;
}

}  // namespace

void SourceTracer::trace(const TracedPlace& start, std::span<const syntax::Traversal* const> from) {
  for (const syntax::Traversal* t : from) todo_.push_back({start, t});
  drain();
}

void SourceTracer::trace_output(const config::Node* n, ModuleInstance addr, uint32_t index) {
  output_later(n, addr, index);
  drain();
}

void SourceTracer::drain() {
  for (; !todo_.empty(); todo_.pop_front()) {
    const Item i = todo_.front();
    follow(i.place, *i.traversal);
  }
}

void SourceTracer::later(const TracedPlace& p, const syntax::Expr* e) {
  if (!e) return;
  std::vector<const syntax::Traversal*> ts;
  syntax::collect_traversals(*e, ts);
  for (const syntax::Traversal* t : ts) todo_.push_back({p, t});
}

void SourceTracer::output_later(const config::Node* n, ModuleInstance addr, uint32_t index) {
  const config::Output& o = n->module->outputs[index];
  if (first(addr, &o)) later({n, addr}, o.expr);
}

void SourceTracer::repetition(const TracedPlace& p, const syntax::Expr* e) {
  if (e && first(p.addr, e)) later({p.node, p.addr}, e);
}

void SourceTracer::follow(const TracedPlace& p, const syntax::Traversal& t) {
  if (!t.bound) return;
  const config::Module& m = *p.node->module;
  const config::Reference& ref = m.reference(t);
  switch (ref.kind) {
    case RefKind::Variable: {
      const config::Variable& v = m.variables[ref.index];
      if (!p.node->parent || !first(p.addr, &v)) return;
      const TracedPlace outside{p.node->parent, p.addr.parent()};
      for (const syntax::Attribute& a : p.node->call->arguments)
        if (a.name == v.name) later(outside, a.expr);
      return;
    }
    case RefKind::Local: {
      const config::Local& l = m.locals[ref.index];
      if (first(p.addr, &l)) later({p.node, p.addr}, l.expr);
      return;
    }
    case RefKind::ModuleCall: {
      const config::Node* child = p.node->children[ref.index].get();
      InstanceKey key = ref.has_key ? ref.key : InstanceKey();
      Symbol output = ref.output;
      if (key.none() && output.empty()) read_missing_instance(t, ref.consumed, key, output);
      const ModuleInstance inside = p.addr.child(child->call->name, key);
      for (uint32_t i = 0; i < child->module->outputs.size(); ++i)
        if (output.empty() || child->module->outputs[i].name == output) output_later(child, inside, i);
      return;
    }
    case RefKind::Resource: {
      ValueSource s;
      s.addr = {p.addr, m.resources[ref.index].addr, {}};
      size_t step = ref.consumed;
      if (ref.has_key) s.addr.key = ref.key, ++step;
      for (; step < t.steps.size(); ++step)
        s.path.push_back(t.steps[step].is_attr ? PathStep::of_attr(t.steps[step].attr)
                                               : PathStep::of_index(t.steps[step].index));
      found_.push_back(std::move(s));
      return;
    }
    case RefKind::CountIndex:
      return repetition(p, p.count);
    case RefKind::EachKey:
    case RefKind::EachValue:
      return repetition(p, p.for_each);
    case RefKind::Workspace:
    case RefKind::Self:
    case RefKind::PathModule:
    case RefKind::PathRoot:
    case RefKind::PathCwd:
    case RefKind::Applying:
    case RefKind::Given:
    case RefKind::Invalid:
      return;
  }
}

}  // namespace xplan

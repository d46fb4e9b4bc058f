// Walks over expression trees with an explicit stack: visiting every node, and collecting references while
// leaving out names that for-expressions bind.
#include "core/syntax/ast.h"

namespace xplan::syntax {
namespace {

// Calls f for the children of e in source order.
template <class F>
void each_child(const Expr& e, F f) {
  if (e.a) f(*e.a);
  if (e.b) f(*e.b);
  if (e.c) f(*e.c);
  if (e.d) f(*e.d);
  for (const Expr* item : e.items) f(*item);
}

// What collect_traversals has still to do: visit a node, or bring names into scope or out of it.
struct Step {
  enum Kind : uint8_t { Visit, Enter, Leave } kind;
  const Expr* e;
};

}  // namespace

void walk(const Expr& e, const std::function<void(const Expr&)>& f) {
  std::vector<const Expr*> todo{&e}, children;
  while (!todo.empty()) {
    const Expr* next = todo.back();
    todo.pop_back();
    f(*next);
    children.clear();
    each_child(*next, [&](const Expr& c) { children.push_back(&c); });
    todo.insert(todo.end(), children.rbegin(), children.rend());
  }
}

bool takes_type(const Expr& call) {
  static const Symbol kConvert("convert"), kCoreConvert("core::convert");
  return call.kind == ExprKind::Call && (call.name == kConvert || call.name == kCoreConvert);
}

void collect_traversals(const Expr& e, std::vector<const Traversal*>& out) {
  std::vector<Symbol> local;
  std::vector<Step> todo{{Step::Visit, &e}}, next;
  while (!todo.empty()) {
    Step s = todo.back();
    todo.pop_back();
    if (s.kind == Step::Enter) {
      local.push_back(s.e->name), local.push_back(s.e->key_name);
      continue;
    }
    if (s.kind == Step::Leave) {
      local.resize(local.size() - 2);
      continue;
    }
    if (s.e->kind == ExprKind::Traversal) {
      Symbol root = s.e->traversal->root;
      bool is_local = false;
      for (Symbol l : local) is_local |= l == root && !l.empty();
      if (!is_local) out.push_back(s.e->traversal);
      continue;
    }
    next.clear();
    bool loop = s.e->kind == ExprKind::For || s.e->kind == ExprKind::TemplateFor;
    bool entered = false;
    const Expr* type = takes_type(*s.e) && s.e->items.size() > 1 ? s.e->items[1] : nullptr;
    each_child(*s.e, [&](const Expr& c) {
      if (&c == type) return;
      if (loop && &c != s.e->a && !entered) next.push_back({Step::Enter, s.e}), entered = true;
      next.push_back({Step::Visit, &c});
    });
    if (entered) next.push_back({Step::Leave, s.e});
    todo.insert(todo.end(), next.rbegin(), next.rend());
  }
}

}  // namespace xplan::syntax

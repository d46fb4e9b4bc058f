// File: ownership of everything parsed from one source text, in an arena (expressions, blocks, traversals,
// lists).
#include "core/syntax/arena.h"

namespace xplan::syntax {

File::File(std::string n) : name(std::move(n)), arena(std::make_unique<Arena>()) {
  body.file = this;
}
File::~File() = default;

Expr* File::new_expr() {
  return arena->exprs.next();
}
Block* File::new_block() {
  return arena->blocks.next();
}
Traversal* File::new_traversal() {
  return arena->traversals.next();
}

namespace {
template <class T>
std::span<const T> put(std::deque<std::vector<T>>& lists, std::vector<T>& v) {
  if (v.empty()) return {};
  v.shrink_to_fit();
  lists.push_back(std::move(v));
  return lists.back();
}
}  // namespace

template <>
std::span<const Attribute> File::keep(std::vector<Attribute> v) {
  return put(arena->attribute_lists, v);
}
template <>
std::span<const Block* const> File::keep(std::vector<const Block*> v) {
  return put(arena->block_lists, v);
}
template <>
std::span<const Expr* const> File::keep(std::vector<const Expr*> v) {
  return put(arena->expr_lists, v);
}
template <>
std::span<const TraversalStep> File::keep(std::vector<TraversalStep> v) {
  return put(arena->step_lists, v);
}

}  // namespace xplan::syntax

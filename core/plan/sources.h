// SourceTracer: where values come from in the end.
//
// Who calls it: RelevantFinder; explanations follow references on their own, see review/cause_graph.h.
// Contract: references are followed back through locals, variables and module outputs until they reach an
// attribute of a resource; what has no source of its own is left out, and so is what count and for_each of
// module calls give: tools know relevant attributes from the reference, which does so. Addresses are made
// from the references as written, so a module call that is read as a whole has no key. In the life of a
// tracer each named value of each module instance is followed once, so its sources are found with the first
// that asks for it. Cost: linear in the references followed; a list of work, not a recursion, because chains
// of locals are as long as somebody wrote them.  Thread-safety: one thread.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/config/config.h"

namespace xplan {

struct ValueSource {
  AbsInstance addr;  // of a resource; without a key when the reference has none, or one made of an expression
  Path path;
};

// A module path together with the keys under which it was reached.
struct TracedPlace {
  const config::Node* node;
  ModuleInstance addr;
  // Of the block: what count.index and each.* come from.
  const syntax::Expr *count = nullptr, *for_each = nullptr;
};

class SourceTracer {
 public:
  void trace(const TracedPlace& start, std::span<const syntax::Traversal* const> from);
  void trace_output(const config::Node* n, ModuleInstance addr, uint32_t index);
  std::vector<ValueSource> take() { return std::move(found_); }

 private:
  struct Item {
    TracedPlace place;
    const syntax::Traversal* traversal;
  };
  void drain();
  void follow(const TracedPlace& p, const syntax::Traversal& t);
  void later(const TracedPlace& p, const syntax::Expr* e);
  void output_later(const config::Node* n, ModuleInstance addr, uint32_t index);
  void repetition(const TracedPlace& p, const syntax::Expr* e);
  bool first(ModuleInstance m, const void* declared) { return seen_.insert({m.id(), declared}).second; }

  using Seen = std::pair<uint32_t, const void*>;  // a module instance; a declaration or an expression
  struct Hash {
    size_t operator()(const Seen& s) const { return std::hash<const void*>()(s.second) * 31 + s.first; }
  };
  std::deque<Item> todo_;
  std::vector<ValueSource> found_;
  std::unordered_set<Seen, Hash> seen_;
};

}  // namespace xplan

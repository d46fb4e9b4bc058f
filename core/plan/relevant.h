// RelevantFinder: which attributes of which resource instances feed the proposed changes.
//
// Who calls it: the planner, once, at the end.
// Meaning: references of every changed resource's configuration and of every changed output are followed back
// through variables, locals and module outputs until they reach a resource's attribute. Addresses are made
// from the references as written, so a module call that is read as a whole has no key. Cost: linear in the
// references followed; each named value of each module instance is followed once. Thread-safety: none needed.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan {

class RelevantFinder {
 public:
  explicit RelevantFinder(const config::Config& c) : config_(c) {}
  void add_resource(const AbsInstance& a);
  void add_root_output(Symbol name);
  void add_outputs(const config::Node* n,
                   ModuleInstance addr);  // of a module that is called: they have no prior value
  std::vector<RelevantAttribute> take();  // sorted, unique

 private:
  // A module path together with the keys under which it was reached.
  struct Place {
    const config::Node* node;
    ModuleInstance addr;
    const syntax::Expr *count = nullptr,
                       *for_each = nullptr;  // of the block: what count.index and each.* come from
  };
  void follow(const Place& p, const syntax::Traversal& t);
  void follow(const Place& p, const syntax::Expr* e);
  void follow_call(const Place& p, const config::Reference& ref);
  const config::Config& config_;
  enum class What : uint8_t { Output, Variable, Local, Resource };
  bool first_visit(ModuleInstance m, What what, uint32_t index) {
    return visited_[static_cast<size_t>(what)].insert(uint64_t{m.id()} << 32 | index).second;
  }
  std::vector<RelevantAttribute> found_;
  std::unordered_set<uint64_t> visited_[4];  // by What: module instance and index of the declaration
};

}  // namespace xplan

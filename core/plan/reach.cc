// Finding a module instance in a Reach, which also contains it when it has one of the instances around it;
// and following a reference between modules: from module.a[1].module.b, one to a sibling in module.a means
// that of the same module.a[1].
#include "core/plan/reach.h"

#include <algorithm>

namespace xplan {
namespace {

// How many modules, from the root on, two paths have in common.
uint32_t common_depth(Module a, Module b) {
  while (a.depth() > b.depth()) a = a.parent();
  while (b.depth() > a.depth()) b = b.parent();
  while (a != b) a = a.parent(), b = b.parent();
  return a.depth();
}

}  // namespace

bool Reach::contains(ModuleInstance m) const {
  for (;; m = m.parent()) {
    if (modules_.contains(m)) return true;
    if (m.is_root()) return false;
  }
}

ModuleInstance shared_instance(ModuleInstance m, Module from, Module to) {
  return m.ancestor(std::min(m.depth(), common_depth(from, to)));
}

}  // namespace xplan

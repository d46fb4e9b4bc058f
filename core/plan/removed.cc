// Reads the removed blocks of all modules into tables by resource and module, which tell for an object that
// is no longer declared whether it is destroyed or only forgotten, and which block has its provisioners.
#include "core/plan/removed.h"

namespace xplan {

RemovedBlocks::RemovedBlocks(const config::Config& c) {
  for (const config::Node* n : c.nodes)
    for (const config::Removed& r : n->module->removed) {
      const Module m = r.from.module(n->path);
      if (!r.from.resource) {
        (r.destroy ? destroyed_modules_ : forgotten_modules_).insert(m.id());
        continue;
      }
      ConfigResource named{m, *r.from.resource};
      resources_[named] = {n, &r};
      if (!r.destroy) forgotten_.insert(named);
    }
}

const RemovedBlocks::Place* RemovedBlocks::find(const ConfigResource& r) const {
  auto it = resources_.find(r);
  return it == resources_.end() ? nullptr : &it->second;
}

std::optional<bool> RemovedBlocks::destroys(const ConfigResource& r) const {
  if (forgotten_.contains(r)) return false;
  std::optional<bool> out;
  if (find(r)) out = true;
  if (forgotten_modules_.empty() && destroyed_modules_.empty()) return out;
  for (Module m = r.module; !m.is_root(); m = m.parent()) {
    if (forgotten_modules_.contains(m.id())) return false;
    if (destroyed_modules_.contains(m.id())) out = true;
  }
  return out;
}

}  // namespace xplan

// Target: whether one address given to -target, -exclude or a state command covers a module, resource or
// instance. For many targets together see target_index.cc.
#include "core/addr/addr.h"

namespace xplan {

std::string Target::text() const {
  if (!resource) return module.text();
  return AbsInstance{module, *resource, has_key ? key : InstanceKey()}.text();
}

bool Target::covers(ModuleInstance m) const {
  if (resource || m.depth() < module.depth()) return false;
  m = m.ancestor(module.depth());
  if (m == module) return true;
  return !module.is_root() && module.key().none() && m.call() == module.call() &&
         m.parent() == module.parent();
}

bool Target::covers(const AbsInstance& a) const {
  if (!resource) return covers(a.module);
  return a.module == module && a.resource == *resource && (!has_key || a.key == key);
}

bool Target::covers(Module m) const {
  return !resource && module.module().contains(m);
}

bool Target::covers(const ConfigResource& r) const {
  if (!resource) return covers(r.module);
  return r.module == module.module() && r.resource == *resource;
}

}  // namespace xplan

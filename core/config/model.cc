// Look-ups in the configuration model of config.h: declared things of a module by name, nodes by module
// path, resources by address.
#include "core/config/config.h"

namespace xplan::config {
namespace {

template <class Map, class Key>
int find_in(const Map& map, const Key& key) {
  auto it = map.find(key);
  return it == map.end() ? -1 : static_cast<int>(it->second);
}

}  // namespace

int Module::find_variable(Symbol name) const {
  return find_in(index.variables, name);
}
int Module::find_local(Symbol name) const {
  return find_in(index.locals, name);
}
int Module::find_output(Symbol name) const {
  return find_in(index.outputs, name);
}
int Module::find_resource(const xplan::Resource& r) const {
  return find_in(index.resources, r);
}
int Module::find_call(Symbol name) const {
  return find_in(index.calls, name);
}

const Node* Config::find(xplan::Module path) const {
  auto it = by_path.find(path.id());
  return it == by_path.end() ? nullptr : it->second;
}

const Resource* Config::find(const ConfigResource& r) const {
  const Node* node = find(r.module);
  if (!node) return nullptr;
  const int i = node->module->find_resource(r.resource);
  return i < 0 ? nullptr : &node->module->resources[static_cast<size_t>(i)];
}

}  // namespace xplan::config

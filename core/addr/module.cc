// Module and ModuleInstance: parents, children, ancestors and containment over the interned tables of
// module_table.h; and the sort order (compare, less) of all addresses.
#include <algorithm>

#include "core/addr/addr.h"
#include "core/addr/module_table.h"

namespace xplan {
namespace addr_detail {

ModuleTable& modules() {
  static ModuleTable* const it =
      new ModuleTable(ModuleNode());  // never destroyed: addresses outlive everything
  return *it;
}
InstanceTable& module_instances() {
  static InstanceTable* const it = new InstanceTable(InstanceNode());
  return *it;
}

}  // namespace addr_detail

using addr_detail::InstanceNode;
using addr_detail::module_instances;
using addr_detail::ModuleNode;
using addr_detail::modules;

Module Module::child(Symbol call) const {
  return from_id(modules().intern({id_, call}, [&] {
    return ModuleNode{id_, modules().at(id_).depth + 1, call};
  }));
}
Module Module::parent() const {
  return from_id(modules().at(id_).parent);
}
Symbol Module::call() const {
  return modules().at(id_).call;
}
uint32_t Module::depth() const {
  return modules().at(id_).depth;
}

bool Module::contains(Module other) const {
  uint32_t depth = modules().at(id_).depth, id = other.id_;
  for (uint32_t d = modules().at(id).depth; d > depth; --d) id = modules().at(id).parent;
  return id == id_;
}

std::vector<Symbol> Module::steps() const {
  std::vector<Symbol> out(depth());
  uint32_t id = id_;
  for (size_t i = out.size(); i-- > 0; id = modules().at(id).parent) out[i] = modules().at(id).call;
  return out;
}

std::string Module::text() const {
  std::string out;
  for (Symbol s : steps()) {
    if (!out.empty()) out += '.';
    out += "module.";
    out += s.sv();
  }
  return out;
}

ModuleInstance ModuleInstance::child(Symbol call, InstanceKey key) const {
  return from_id(module_instances().intern({id_, call, key}, [&] {
    const InstanceNode& up = module_instances().at(id_);
    return InstanceNode{id_,
                        up.depth + 1,
                        call,
                        key,
                        Module::from_id(up.module).child(call).id(),
                        up.partial || key.is_unknown()};
  }));
}
ModuleInstance ModuleInstance::parent() const {
  return from_id(module_instances().at(id_).parent);
}
Symbol ModuleInstance::call() const {
  return module_instances().at(id_).call;
}
const InstanceKey& ModuleInstance::key() const {
  return module_instances().at(id_).key;
}
Module ModuleInstance::module() const {
  return Module::from_id(module_instances().at(id_).module);
}
bool ModuleInstance::partial() const {
  return module_instances().at(id_).partial;
}
uint32_t ModuleInstance::depth() const {
  return module_instances().at(id_).depth;
}

bool ModuleInstance::contains(ModuleInstance other) const {
  return other.depth() >= depth() && other.ancestor(depth()) == *this;
}

ModuleInstance ModuleInstance::ancestor(uint32_t depth) const {
  uint32_t id = id_;
  for (uint32_t d = this->depth(); d > depth; --d) id = module_instances().at(id).parent;
  return from_id(id);
}

std::vector<ModuleInstance> ModuleInstance::chain() const {
  std::vector<ModuleInstance> out(depth());
  uint32_t id = id_;
  for (size_t i = out.size(); i-- > 0; id = module_instances().at(id).parent) out[i] = from_id(id);
  return out;
}

std::string ModuleInstance::text() const {
  std::string out;
  for (ModuleInstance m : chain()) {
    if (!out.empty()) out += '.';
    out += "module.";
    out += m.call().sv();
    out += m.key().text();
  }
  return out;
}

bool less(const InstanceKey& a, const InstanceKey& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == InstanceKey::Kind::Int) return a.number < b.number;
  return SymbolTextLess()(a.string, b.string);
}

namespace {

// -1, 0 or 1 for two paths of the same depth. Climbs both at once and stops where they meet, so neighbours in
// a sorted list cost one step whatever their depth; the outermost difference decides.
template <class Path, class StepLess>
int compare_paths(Path a, Path b, StepLess step_less) {
  int result = 0;
  while (!(a == b)) {
    if (step_less(a, b))
      result = -1;
    else if (step_less(b, a))
      result = 1;
    a = a.parent(), b = b.parent();
  }
  return result;
}

int compare(Module a, Module b) {
  if (a == b) return 0;
  if (a.depth() != b.depth()) return a.depth() < b.depth() ? -1 : 1;
  return compare_paths(a, b, [](Module x, Module y) { return SymbolTextLess()(x.call(), y.call()); });
}

int compare(ModuleInstance a, ModuleInstance b) {
  if (a == b) return 0;
  if (a.depth() != b.depth()) return a.depth() < b.depth() ? -1 : 1;
  return compare_paths(a, b, [](ModuleInstance x, ModuleInstance y) {
    if (x.call() != y.call()) return SymbolTextLess()(x.call(), y.call());
    return less(x.key(), y.key());
  });
}

int compare(const Resource& a, const Resource& b) {
  if (a.mode != b.mode) return a.mode < b.mode ? -1 : 1;
  if (a.type != b.type) return SymbolTextLess()(a.type, b.type) ? -1 : 1;
  if (a.name != b.name) return SymbolTextLess()(a.name, b.name) ? -1 : 1;
  return 0;
}

}  // namespace

bool less(Module a, Module b) {
  return compare(a, b) < 0;
}
bool less(ModuleInstance a, ModuleInstance b) {
  return compare(a, b) < 0;
}
bool less(const Resource& a, const Resource& b) {
  return compare(a, b) < 0;
}
bool less(const ConfigResource& a, const ConfigResource& b) {
  int c = compare(a.module, b.module);
  return c ? c < 0 : less(a.resource, b.resource);
}
bool less(const AbsResource& a, const AbsResource& b) {
  int c = compare(a.module, b.module);
  return c ? c < 0 : less(a.resource, b.resource);
}
bool less(const AbsInstance& a, const AbsInstance& b) {
  int c = compare(a.module, b.module);
  if (!c) c = compare(a.resource, b.resource);
  return c ? c < 0 : less(a.key, b.key);
}

}  // namespace xplan

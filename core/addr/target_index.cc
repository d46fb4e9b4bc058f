// Hash indexes over many targets, so that a question costs one look-up per enclosing module rather than one
// comparison per target.
#include "core/addr/target_index.h"

namespace xplan {
namespace {

uint64_t call_of(ModuleInstance m) {
  return uint64_t{m.parent().id()} << 32 | m.call().id();
}

}  // namespace

TargetIndex::TargetIndex(std::span<const Target> targets) : all_(targets.begin(), targets.end()) {
  for (uint32_t i = 0; i < targets.size(); ++i) {
    const Target& t = targets[i];
    if (t.resource) {
      if (t.has_key)
        instances_[{t.module, *t.resource, t.key}].push_back(i);
      else
        resources_[{t.module, *t.resource}].push_back(i);
      config_resources_[{t.module.module(), *t.resource}].push_back(i);
    } else {
      if (t.module.is_root() || !t.module.key().none())
        modules_[t.module.id()].push_back(i);
      else
        calls_[call_of(t.module)].push_back(i);
      config_modules_[t.module.module().id()].push_back(i);
    }
  }
}

template <class F>
bool TargetIndex::any(const AbsInstance& a, F found) const {
  auto look = [&](const auto& map, const auto& key) {
    if (map.empty()) return false;
    auto it = map.find(key);
    return it != map.end() && found(it->second);
  };
  if (look(instances_, a) || look(resources_, a.abs_resource())) return true;
  if (modules_.empty() && calls_.empty()) return false;
  for (ModuleInstance m = a.module; !m.is_root(); m = m.parent())
    if (look(modules_, m.id()) || look(calls_, call_of(m))) return true;
  return look(modules_, ModuleInstance().id());
}

bool TargetIndex::covers(const AbsInstance& a) const {
  return any(a, [](const Positions&) { return true; });
}

std::vector<uint32_t> TargetIndex::covering(const AbsInstance& a) const {
  std::vector<uint32_t> out;
  any(a, [&](const Positions& p) { return out.insert(out.end(), p.begin(), p.end()), false; });
  return out;
}

bool TargetIndex::covers(const ConfigResource& r) const {
  return config_resources_.contains(r) || covers(r.module);
}

std::vector<uint32_t> TargetIndex::covering(const ConfigResource& r) const {
  std::vector<uint32_t> out;
  auto add = [&out](const auto& map, const auto& key) {
    if (auto it = map.find(key); it != map.end()) out.insert(out.end(), it->second.begin(), it->second.end());
  };
  add(config_resources_, r);
  for (Module m = r.module; !m.is_root(); m = m.parent()) add(config_modules_, m.id());
  add(config_modules_, Module().id());
  return out;
}

bool TargetIndex::covers(Module m) const {
  if (config_modules_.empty()) return false;
  for (; !m.is_root(); m = m.parent())
    if (config_modules_.contains(m.id())) return true;
  return config_modules_.contains(Module().id());
}

}  // namespace xplan

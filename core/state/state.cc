// Look-up, creation and removal of resource instances in a State.
#include "core/state/state.h"

namespace xplan {

bool same_dependencies(const Object& a, const Object& b) {
  auto list = [](const Object& o) {
    return o.dependencies ? *o.dependencies : std::vector<ConfigResource>();
  };
  return a.dependencies == b.dependencies || list(a) == list(b);
}

const InstanceState* State::find(const AbsInstance& a) const {
  auto r = resources.find(a.abs_resource());
  if (r == resources.end()) return nullptr;
  auto i = r->second.instances.find(a.key);
  return i == r->second.instances.end() ? nullptr : &i->second;
}

InstanceState* State::find(const AbsInstance& a) {
  return const_cast<InstanceState*>(static_cast<const State*>(this)->find(a));
}

InstanceState& State::ensure(const AbsInstance& a, const ProviderConfigAddr& provider) {
  ResourceState& r = resources[a.abs_resource()];
  InstanceState& i = r.instances[a.key];
  if (!provider.provider.empty()) r.provider = provider.block(), i.provider_key = provider.key;
  return i;
}

void State::erase_if_empty(const AbsInstance& a) {
  auto r = resources.find(a.abs_resource());
  if (r == resources.end()) return;
  auto i = r->second.instances.find(a.key);
  if (i != r->second.instances.end() && i->second.empty()) r->second.instances.erase(i);
  if (r->second.instances.empty()) resources.erase(r);
}

void State::remove(const AbsInstance& a) {
  auto r = resources.find(a.abs_resource());
  if (r == resources.end()) return;
  r->second.instances.erase(a.key);
  if (r->second.instances.empty()) resources.erase(r);
}

}  // namespace xplan

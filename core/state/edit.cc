// State edits: mv (resources, instances, modules), rm, list, taint, untaint, replace-provider. Each checks
// everything first, so that a refused edit changes nothing.
#include "core/state/edit.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "core/addr/target_index.h"
#include "core/base/command_line.h"
#include "core/diag/nearest.h"
#include "core/state/json_scan.h"

namespace xplan {
namespace {

using Resources = std::map<AbsResource, ResourceState, AddrLess>;

void cannot_move(Diagnostics& diags, const Target& from, const Target& to, std::string_view why) {
  diags.error("Objects cannot be moved",
              "Moving " + from.text() + " to " + to.text() + " is not possible: " + std::string(why));
}

void nothing_at(const State& s, const Target& t, Diagnostics& diags) {
  diags.error("No such object in the state",
              "The state has no objects at the address " + t.text() + "." + what_there_is(s, t.text()));
}

// Modules that have resources of their own, by instance.
std::set<ModuleInstance, AddrLess> modules_of(const State& s) {
  std::set<ModuleInstance, AddrLess> out;
  for (const auto& [addr, r] : s.resources) out.insert(out.end(), addr.module);
  return out;
}

// `inside` with its ancestor `from` replaced by `to`.
ModuleInstance rebased(ModuleInstance inside, ModuleInstance from, ModuleInstance to) {
  auto chain = inside.chain();
  for (size_t i = from.depth(); i < chain.size(); ++i) to = to.child(chain[i].call(), chain[i].key());
  return to;
}

std::vector<MovedObject> move_module(State& source, State& target, const Target& from, const Target& to,
                                     Diagnostics& diags) {
  if (to.resource) {
    cannot_move(diags, from, to, "the source is a module, so the destination must be a module too.");
    return {};
  }
  if (from.module.is_root() || to.module.is_root() || (&source == &target && from.module == to.module)) {
    cannot_move(diags, from, to, "the source and the destination must be two different modules.");
    return {};
  }
  std::vector<ModuleInstance> moving;
  for (ModuleInstance m : modules_of(source))
    if (from.module.contains(m)) moving.push_back(m);
  if (moving.empty()) {
    nothing_at(source, from, diags);
    return {};
  }
  std::set<ModuleInstance, AddrLess> stay = modules_of(target);
  if (&source == &target)
    for (ModuleInstance m : moving) stay.erase(m);
  std::vector<MovedObject> out;
  for (ModuleInstance m : moving) {
    ModuleInstance there = rebased(m, from.module, to.module);
    if (stay.count(there)) {
      cannot_move(diags, from, to,
                  "there are already objects in " + there.text() + ". Move or remove them first.");
      return {};
    }
    out.push_back({m.text(), there.text()});
  }
  std::vector<std::pair<AbsResource, ResourceState>> taken;
  for (auto it = source.resources.begin(); it != source.resources.end();) {
    if (!from.module.contains(it->first.module)) {
      ++it;
      continue;
    }
    AbsResource there{rebased(it->first.module, from.module, to.module), it->first.resource};
    taken.emplace_back(there, std::move(it->second));
    it = source.resources.erase(it);
  }
  for (auto& [addr, r] : taken) target.resources[addr] = std::move(r);
  return out;
}

// Why what is at one address of a resource could not stand at the other, whatever the states have; "" if it
// can.
std::string_view misfit_of(const Target& from, const Target& to) {
  if (!to.resource)
    return "the source is a resource, so the destination must be a resource too, not a module.";
  if (from.resource->mode != to.resource->mode)
    return from.resource->mode == Mode::Data
               ? "a data source can only be moved to another data source."
               : "a managed resource can only be moved to another managed resource.";
  if (from.resource->type != to.resource->type)
    return "the two resources have different types, so their recorded attributes differ as well.";
  return "";
}

// With all of its instances.
std::vector<MovedObject> move_whole(State& source, State& target, const Target& from, const Target& to,
                                    Diagnostics& diags) {
  const AbsResource here{from.module, *from.resource}, there{to.module, *to.resource};
  std::string_view problem;
  if (to.has_key)
    problem =
        "the source is a whole resource with its instances, so the destination cannot be a single instance. "
        "Move the instances one by one, using their keys.";
  else if (&source == &target && here == there)
    problem = "the source and the destination are the same.";
  else if (target.resources.count(there))
    problem = "there is already a resource at the destination. Move or remove it first.";
  if (!problem.empty()) return cannot_move(diags, from, to, problem), std::vector<MovedObject>();
  const auto it = source.resources.find(here);
  ResourceState r = std::move(it->second);
  source.resources.erase(it);
  target.resources[there] = std::move(r);
  return {{from.text(), to.text()}};
}

// Whether an object of `a` can stand beside those of a resource, which have one provider configuration in
// common. Where that has no instances, the object takes it over; a key means nothing to another
// configuration.
bool share_provider(const ProviderConfigAddr& a, const ResourceState& r) {
  auto keyed = [](const auto& i) { return !i.second.provider_key.none(); };
  return a.block() == r.provider ||
         (a.key.none() && std::none_of(r.instances.begin(), r.instances.end(), keyed));
}

std::string other_provider(const ProviderConfigAddr& a, const ResourceState& r) {
  return "the object belongs to " + a.text() +
         ", but the objects of the resource at the destination belong to " +
         r.provider_of(r.instances.begin()->second).text() +
         ". Apply a configuration in which both resources have the same provider configuration first.";
}

std::vector<MovedObject> move_resource(State& source, State& target, const Target& from, const Target& to,
                                       Diagnostics& diags) {
  if (const std::string_view misfit = misfit_of(from, to); !misfit.empty())
    return cannot_move(diags, from, to, misfit), std::vector<MovedObject>();
  const AbsResource here{from.module, *from.resource}, there{to.module, *to.resource};
  auto it = source.resources.find(here);
  if (it == source.resources.end()) {
    nothing_at(source, from, diags);
    return {};
  }
  auto& instances = it->second.instances;
  const bool single = instances.size() == 1 && instances.begin()->first.none();
  if (!from.has_key && !single) return move_whole(source, target, from, to, diags);
  auto instance = instances.find(from.has_key ? from.key : InstanceKey());
  if (instance == instances.end()) {
    nothing_at(source, from, diags);
    return {};
  }
  AbsInstance at{to.module, *to.resource, to.has_key ? to.key : InstanceKey()};
  if (&source == &target && at == AbsInstance{from.module, *from.resource, instance->first}) {
    cannot_move(diags, from, to, "the source and the destination are the same.");
    return {};
  }
  if (target.find(at)) {
    cannot_move(diags, from, to, "there is already an object at the destination. Move or remove it first.");
    return {};
  }
  const auto beside = target.resources.find(there);
  const bool known = beside != target.resources.end() && !beside->second.instances.empty();
  if (known && !share_provider(it->second.provider_of(instance->second), beside->second)) {
    cannot_move(diags, from, to, other_provider(it->second.provider_of(instance->second), beside->second));
    return {};
  }
  InstanceState moved = std::move(instance->second);
  ProviderConfigAddr provider = it->second.provider;
  source.remove(AbsInstance{from.module, *from.resource, instance->first});
  const bool stays = known && target.resources.contains(there);  // it may have been the only one of `there`
  target.ensure(at, stays ? ProviderConfigAddr() : provider) = std::move(moved);
  return {{from.text(), to.text()}};
}

// Other instances of the module have their objects where they were; as in the reference, what depends on them
// keeps its order, also where this was the last one.
bool is_module_with_key(const Target& t) {
  if (t.resource) return false;
  for (ModuleInstance m = t.module; !m.is_root(); m = m.parent())
    if (!m.key().none()) return true;
  return false;
}

// Recorded dependencies on what has moved mean nothing any more; the next apply records them again.
void forget_dependencies(State& s, const std::unordered_set<ConfigResource>& moved) {
  auto forget = [&](ObjectPtr& o) {
    if (!o || !o->dependencies) return;
    if (std::none_of(o->dependencies->begin(), o->dependencies->end(),
                     [&](const ConfigResource& d) { return moved.count(d) > 0; }))
      return;
    auto copy = std::make_shared<Object>(*o);
    copy->dependencies = nullptr;
    o = std::move(copy);
  };
  for (auto& [addr, r] : s.resources)
    for (auto& [key, i] : r.instances) {
      forget(i.current);
      for (auto& [deposed, o] : i.deposed) forget(o);
    }
}

void missing(const State& s, const AbsInstance& a, bool allow, Diagnostics& diags) {
  std::string detail = "The state has no object at the address " + a.text() + ".";
  if (allow) {
    diags.warn("No such object in the state",
               detail + " This is not an error, because -allow-missing is set.");
    return;
  }
  diags.error("No such object in the state",
              detail + " If it is new in the configuration, apply it first." + what_there_is(s, a.text()));
}

}  // namespace

std::string what_there_is(const State& s, const std::string& address) {
  constexpr size_t kShown = 10;
  std::vector<std::string> all, of_this;
  std::string module;
  for (const auto& [addr, r] : s.resources) {
    if (std::string its = addr.module.text(); its != module) all.push_back(module = std::move(its));
    const bool this_one = addr.text() == address;
    for (const auto& [key, i] : r.instances) {
      all.push_back(AbsInstance{addr.module, addr.resource, key}.text());
      if (this_one) of_this.push_back(all.back());
    }
  }
  if (!of_this.empty()) {
    std::string list = " Use the address of one of its instances:";
    for (size_t i = 0; i < of_this.size() && i < kShown; ++i) list += "\n  - " + of_this[i];
    if (of_this.size() > kShown) list += "\n  - … and " + std::to_string(of_this.size() - kShown) + " more";
    return list;
  }
  const std::string near(NearestText(std::move(all)).find(address));
  const std::string list = " Run " + own_command("state list") + " to see what it contains.";
  return near.empty() ? list : list + " Did you mean " + near + "?";
}

std::vector<MovedObject> move_objects(State& source, State& target, const Target& from, const Target& to,
                                      Diagnostics& diags) {
  std::unordered_set<ConfigResource> sources;
  if (from.resource)
    sources.insert({from.module.module(), *from.resource});
  else
    for (const auto& [addr, r] : source.resources)
      if (from.module.contains(addr.module)) sources.insert(addr.config());
  auto moved = from.resource ? move_resource(source, target, from, to, diags)
                             : move_module(source, target, from, to, diags);
  if (moved.empty() || is_module_with_key(from)) return moved;
  forget_dependencies(source, sources);
  if (&target != &source) forget_dependencies(target, sources);
  return moved;
}

AbsInstance moved_address(const AbsInstance& a, const Target& from, const Target& to) {
  if (!from.resource) return {rebased(a.module, from.module, to.module), a.resource, a.key};
  const bool one = from.has_key || a.key.none();
  return {to.module, *to.resource, !one ? a.key : to.has_key ? to.key : InstanceKey()};
}

namespace {
// Per target the instances that it covers, in the order of the state.
std::vector<std::vector<ListedInstance>> covered_instances(const State& s,
                                                           const std::vector<Target>& targets) {
  const TargetIndex index(targets);
  std::vector<std::vector<ListedInstance>> out(targets.size());
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, i] : r.instances) {
      const AbsInstance a{addr.module, addr.resource, key};
      for (uint32_t t : index.covering(a)) out[t].push_back({a, &i});
    }
  return out;
}
}  // namespace

std::vector<ListedInstance> list_instances(const State& s, const std::vector<Target>& targets,
                                           std::string_view id, Diagnostics& diags) {
  std::vector<ListedInstance> out;
  auto wanted = [&](const InstanceState& i) {
    return id.empty() || (i.current && object_id(*i.current) == id);
  };
  if (targets.empty()) {
    for (const auto& [addr, r] : s.resources)
      for (const auto& [key, i] : r.instances)
        if (wanted(i)) out.push_back({{addr.module, addr.resource, key}, &i});
    return out;
  }
  const auto covered = covered_instances(s, targets);
  bool failed = false;
  for (size_t t = 0; t < targets.size(); ++t) {
    if (covered[t].empty()) nothing_at(s, targets[t], diags), failed = true;
    for (const ListedInstance& i : covered[t])
      if (wanted(*i.instance)) out.push_back(i);
  }
  if (failed) out.clear();
  return out;
}

std::vector<AbsInstance> remove_objects(State& s, const std::vector<Target>& targets, Diagnostics& diags) {
  std::vector<AbsInstance> out;
  for (const auto& covered : covered_instances(s, targets))
    for (const ListedInstance& i : covered) out.push_back(i.addr);
  for (const AbsInstance& a : out) s.remove(a);
  if (out.empty())
    for (const Target& t : targets) nothing_at(s, t, diags);
  return out;
}

bool taint_instance(State& s, const AbsInstance& a, bool allow_missing, Diagnostics& diags) {
  if (a.resource.mode != Mode::Managed) {
    diags.error("Only managed objects can be tainted",
                a.text() + " is not a managed resource, so there is nothing to replace.");
    return false;
  }
  InstanceState* i = s.find(a);
  if (!i) return missing(s, a, allow_missing, diags), false;
  if (!i->current) {
    diags.error("No current object",
                a.text() + " has only objects that are to be destroyed, so there is nothing to replace.");
    return false;
  }
  auto o = std::make_shared<Object>(*i->current);
  o->status = ObjectStatus::Tainted;
  i->current = std::move(o);
  return true;
}

bool untaint_instance(State& s, const AbsInstance& a, bool allow_missing, Diagnostics& diags) {
  InstanceState* i = s.find(a);
  if (!i) return missing(s, a, allow_missing, diags), false;
  if (!i->current || i->current->status != ObjectStatus::Tainted) {
    diags.error("The object is not tainted", a.text() + " is not tainted, so there is no taint to remove.");
    return false;
  }
  auto o = std::make_shared<Object>(*i->current);
  o->status = ObjectStatus::Ready;
  i->current = std::move(o);
  return true;
}

std::vector<AbsResource> replace_provider(State& s, const ProviderAddr& from, const ProviderAddr& to) {
  std::vector<AbsResource> out;
  for (auto& [addr, r] : s.resources) {
    if (!(r.provider.provider == from)) continue;
    r.provider.provider = to;
    out.push_back(addr);
  }
  return out;
}

std::string object_id(const Object& o) {
  if (o.value) {
    Value v = o.value->unmark_deep();
    const Value* id = v.kind() == Kind::Obj ? v.find_attr("id") : nullptr;
    return id && id->is_string() ? std::string(id->as_string()) : std::string();
  }
  for (const auto& [k, v] : o.attributes_flat)
    if (k == "id") return v;
  JsonScan scan(o.attributes_json);
  std::string_view member;
  std::string id;
  if (scan.begin_object())
    while (scan.member(member)) {
      if (member == "id" && scan.peek() == JsonScan::Kind::String)
        id = scan.string();
      else
        scan.raw();
    }
  return id;
}

}  // namespace xplan

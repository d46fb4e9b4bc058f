// Warns of addresses given with -target, -exclude or -replace that name nothing, so that a slip does not pass
// for a plan without changes: says where a moved block took the object, which instance key is missing, or
// which address is nearest.
#include "core/plan/unmatched.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/command_line.h"
#include "core/diag/nearest.h"

namespace xplan {
namespace {

bool keyed(ModuleInstance m) {
  for (; m.depth() > 0; m = m.parent())
    if (!m.key().none()) return true;
  return false;
}

// Every address there is, in the state and in the plan.
class Addresses {
 public:
  Addresses(const World& world, const State& state, const Plan& plan) : world_(world), config_(world.config) {
    for (const config::Node* n : config_.nodes)
      for (const ModuleInst* m : world.of(n))
        for (uint32_t i = 0; i < m->resources.size(); ++i) {
          const AbsResource r{m->addr, n->module->resources[i].addr};
          if (!m->resources[i].declared.instances.empty()) expanded_.insert(r);
          for (const Repetition& one : m->resources[i].declared.instances)
            add({r.module, r.resource, one.key});
        }
    for (const auto& [r, resource] : state.resources)
      for (const auto& [key, instance] : resource.instances) add({r.module, r.resource, key});
    for (const auto* changes : {&plan.changes, &plan.drift})
      for (const ResourceChange& c : *changes) add(c.addr);
    for (const DeferredChange& d : plan.deferred) uncounted_.insert(d.change.addr.config());
  }

  bool has(const AbsInstance& a) const { return instances_.contains(a); }
  bool has(const AbsResource& r) const { return resources_.contains(r); }
  bool uncounted(const ConfigResource& r) const {
    return r.resource.mode == Mode::Ephemeral || uncounted_.contains(r);
  }

  bool has(const Target& t, bool excluded) const {
    // What is excluded may not have been expanded, so nobody knows its keys.
    const bool module_unknown = excluded && !lacks_instance(t.module);
    if (!t.resource) {
      const config::Node* node = config_.find(t.module.module());
      return modules_.contains(t.module.id()) ||
             (node && (module_unknown || !keyed(t.module) || node->module->resources.empty()));
    }
    const ConfigResource r{t.module.module(), *t.resource};
    if (!t.has_key)
      return resources_.contains({t.module, *t.resource}) ||
             (config_.find(r) && (module_unknown || !keyed(t.module) || uncounted(r)));
    const bool keys_unknown = module_unknown && !expanded_.contains({t.module, *t.resource});
    return has(AbsInstance{t.module, *t.resource, t.key}) ||
           (config_.find(r) && (keys_unknown || uncounted(r)));
  }

  // In order.
  const std::vector<InstanceKey>& keys_of(const AbsResource& r) {
    Keys& keys = resources_[r];
    if (!std::exchange(keys.sorted, true))
      std::sort(keys.keys.begin(), keys.keys.end(),
                [](const InstanceKey& a, const InstanceKey& b) { return less(a, b); });
    return keys.keys;
  }

  // Instances that an address without any key may be meant for, in order.
  std::vector<AbsInstance> meant_by(const AbsInstance& a) {
    std::vector<AbsInstance> out;
    if (!a.key.none()) return out;
    if (has(a.abs_resource())) {
      for (const InstanceKey& k : keys_of(a.abs_resource())) out.push_back({a.module, a.resource, k});
    } else if (!keyed(a.module)) {
      for (const AbsInstance& i : instances_)
        if (i.config() == a.config()) out.push_back(i);
      std::sort(out.begin(), out.end(),
                [](const AbsInstance& x, const AbsInstance& y) { return less(x, y); });
    }
    return out;
  }

  // " Did you mean …?", or nothing.
  std::string nearest(const std::string& given) {
    if (!nearest_) nearest_.emplace(texts());
    const std::string_view near = nearest_->find(given);
    return near.empty() || near == given ? "" : fmt::format(" Did you mean {}?", near);
  }

 private:
  struct Keys {
    std::vector<InstanceKey> keys;
    bool sorted = false;
  };
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const AbsInstance& a : instances_) out.push_back(a.text());
    for (const auto& [r, keys] : resources_) out.push_back(r.text());
    for (uint32_t id : modules_) out.push_back(ModuleInstance::from_id(id).text());
    for (const config::Node* n : config_.nodes) {
      out.push_back(n->path.text());
      for (const config::Resource& r : n->module->resources)
        out.push_back(ConfigResource{n->path, r.addr}.text());
    }
    return out;
  }
  void add(const AbsInstance& a) {
    if (a.partial() || !instances_.insert(a).second) return;
    resources_[a.abs_resource()].keys.push_back(a.key);
    for (ModuleInstance m = a.module; m.depth() > 0 && modules_.insert(m.id()).second;) m = m.parent();
  }

  // Of a call on its path it is known that there is no such instance.
  bool lacks_instance(ModuleInstance m) const {
    for (; m.depth() > 0; m = m.parent()) {
      const ModuleInst* caller = modules_.contains(m.id()) ? nullptr : world_.find(m.parent());
      if (!caller) continue;
      const auto& calls = caller->node->module->calls;
      for (size_t i = 0; i < calls.size(); ++i)
        if (calls[i].name == m.call() && !caller->calls[i].instances.empty()) return !world_.find(m);
    }
    return false;
  }

  const World& world_;
  const config::Config& config_;
  std::unordered_set<AbsInstance> instances_;
  std::unordered_map<AbsResource, Keys> resources_;  // with instances
  std::unordered_set<AbsResource> expanded_;         // all their instances are known
  std::unordered_set<uint32_t> modules_;
  std::unordered_set<ConfigResource> uncounted_;
  std::optional<NearestText> nearest_;
};

// Where moved blocks put what had this address; empty: none names it.
std::string moved_to(const config::Config& config, std::string address) {
  auto absolute = [](const config::Node& n, const config::EndPoint& e) {
    const std::string path = n.path.text();
    return path.empty() ? e.text() : path + "." + e.text();
  };
  std::unordered_map<std::string, std::string> moves;
  for (const config::Node* n : config.nodes)
    for (const config::Moved& m : n->module->moved) moves.emplace(absolute(*n, m.from), absolute(*n, m.to));
  std::string now;
  // As a whole, or as part of what was moved; one move may follow another.
  for (size_t steps = 0; steps <= moves.size(); ++steps) {
    auto found = moves.end();
    for (size_t end = address.size(); end != std::string::npos && found == moves.end();
         end = end ? address.find_last_of(".[", end - 1) : std::string::npos) {
      found = moves.find(address.substr(0, end));
      if (found != moves.end()) address = now = found->second + address.substr(end);
    }
    if (found == moves.end()) break;
  }
  return now;
}

// A resource with several instances, named without a key.
void warn_of_missing_key(const AbsInstance& a, const std::vector<AbsInstance>& meant, Diagnostics& diags) {
  constexpr size_t kShown = 10;
  std::string list;
  for (size_t i = 0; i < meant.size() && i < kShown; ++i)
    list += fmt::format("\n  -replace={}", shell_word(meant[i].text()));
  if (meant.size() > kShown) list += fmt::format("\n  … and {} more", meant.size() - kShown);
  diags.warn(
      "Instance to replace is ambiguous",
      fmt::format("-replace={} refers to a resource whose instances have keys, so it does not match any "
                  "of them. Use the address of each instance to replace:{}",
                  a.text(), list));
}

// One that is not planned.
void warn_of_unselected(const AbsInstance& a, const PlanOptions& options, Diagnostics& diags) {
  diags.warn(
      "Instance to replace not selected",
      fmt::format("-replace={0} has no effect, because the plan does not include {0}: {1}.", a.text(),
                  options.excludes.empty() ? "the address is not selected by -target"
                                           : "-exclude excludes the address or something it depends on"));
}

}  // namespace

void warn_unmatched(const World& world, const State& state, const Plan& plan, const PlanOptions& options,
                    Diagnostics& diags) {
  if (options.targets.empty() && options.excludes.empty() && options.force_replace.empty()) return;
  const config::Config& config = world.config;
  Addresses all(world, state, plan);
  auto warn = [&](std::string_view summary, std::string_view option, const std::string& text) {
    if (const std::string now = moved_to(config, text); !now.empty())
      diags.warn(summary, fmt::format("-{0}={1} has no effect, because {1} was moved to {2}. Use -{0}={3}.",
                                      option, text, now, shell_word(now)));
    else
      diags.warn(
          summary,
          fmt::format(
              "-{0}={1} has no effect, because {1} is neither in the configuration nor in the state.{2}",
              option, text, all.nearest(text)));
  };
  for (const Target& t : options.targets)
    if (!all.has(t, false)) warn("Target not found", "target", t.text());
  for (const Target& t : options.excludes)
    if (!all.has(t, true)) warn("Exclusion not found", "exclude", t.text());
  const bool partly = !options.targets.empty() || !options.excludes.empty();
  std::unordered_set<AbsInstance> planned;
  std::unordered_set<ConfigResource> planned_in_part;
  auto note = [&](const AbsInstance& a) { planned.insert(a), planned_in_part.insert(a.config()); };
  if (partly && !options.force_replace.empty()) {
    for (const ResourceChange& c : plan.changes) note(c.addr);
    for (const DeferredChange& d : plan.deferred) note(d.change.addr);
  }
  for (const AbsInstance& a : options.force_replace) {
    const bool exists = all.has(a);
    if (partly && (exists ? !planned.contains(a) && !all.uncounted(a.config())
                          : config.find(a.config()) && !planned_in_part.contains(a.config()))) {
      warn_of_unselected(a, options, diags);
      continue;
    }
    if (exists || (config.find(a.config()) && (partly || all.uncounted(a.config())))) continue;
    if (const std::vector<AbsInstance> meant = all.meant_by(a); !meant.empty())
      warn_of_missing_key(a, meant, diags);
    else
      warn("Instance to replace not found", "replace", a.text());
  }
}

}  // namespace xplan

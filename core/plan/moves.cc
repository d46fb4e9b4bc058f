#include "core/plan/moves.h"

#include <fmt/format.h>
#include <algorithm>
#include <unordered_set>

#include "core/graph/graph.h"

namespace xplan {
namespace {

// One moved block: endpoints relative to every instance of the module it is written in.
struct Statement {
  const config::Node* node;
  const config::Moved* moved;
  bool whole_resource = false;  // resources on both sides, no keys: every instance
  bool whole_call = false;      // modules on both sides, no key on the last step: every instance of the call
  bool is_module = false;
};

Module config_module(const config::Node* n, const config::EndPoint& e) {
  Module m = n->path;
  for (const auto& [name, key] : e.module_steps) m = m.child(name);
  return m;
}

bool keys_meet(const InstanceKey& a, bool a_whole, const InstanceKey& b, bool b_whole) {
  return a_whole || b_whole || a == b;
}

class Mover {
 public:
  Mover(const config::Config& c, State& s, Diagnostics& d) : config_(c), state_(s), diags_(d) {}

  Moves run() {
    collect();
    for (const auto& [abs, r] : state_.resources) by_config_[abs.config()].push_back(abs);
    for (uint32_t i : order()) carry_out(statements_[i]);
    implied();
    for (auto& [from, to] : out_.blocked) {
      std::string list = fmt::format("{} could not be moved to {}", from.text(), to.text());
      diags_.warn("Unresolved resource instance address changes",
                  list +
                      ", because there is an object at that address already. The object stays where it is, "
                      "and is planned for what "
                      "the configuration says of its present address. Move the object that is in the way "
                      "first, or remove the moved block.");
    }
    return std::move(out_);
  }

 private:
  void collect() {
    for (const config::Node* n : config_.nodes)
      for (const config::Moved& m : n->module->moved) {
        Statement s{n, &m};
        s.is_module = !m.from.resource;
        if (s.is_module)
          s.whole_call = last_keyless(m.from) && last_keyless(m.to);
        else
          s.whole_resource = !m.from.has_key && !m.to.has_key;
        statements_.push_back(s);
      }
  }
  static bool last_keyless(const config::EndPoint& e) {
    return !e.module_step_has_key.empty() && !e.module_step_has_key.back();
  }

  // Statement a must come before b: what a puts somewhere, b may take from there.
  bool feeds(const Statement& a, const Statement& b) const {
    Module to = config_module(a.node, a.moved->to), from = config_module(b.node, b.moved->from);
    if (!a.is_module && !b.is_module)
      return to == from && *a.moved->to.resource == *b.moved->from.resource &&
             keys_meet(a.moved->to.key, a.whole_resource, b.moved->from.key, b.whole_resource) &&
             steps_meet(a, b);
    if (a.is_module && b.is_module) {
      if (to == from && a.node == b.node)
        return keys_meet(a.moved->to.module_steps.back().second, a.whole_call,
                         b.moved->from.module_steps.back().second, b.whole_call);
      return from.contains(to) || to.contains(from);
    }
    // A move written inside a module speaks of the module's instances where they are in the end.
    return a.is_module ? to.contains(from) : from.contains(to) && !from.contains(a.node->path);
  }
  static bool steps_meet(const Statement& a, const Statement& b) {
    if (a.node != b.node) return true;
    const auto &x = a.moved->to.module_steps, &y = b.moved->from.module_steps;
    for (size_t i = 0; i < x.size() && i < y.size(); ++i)
      if (!(x[i].second == y[i].second)) return false;
    return true;
  }

  std::vector<uint32_t> order() const {
    Graph g(static_cast<uint32_t>(statements_.size()));
    std::unordered_map<ConfigResource, std::vector<uint32_t>> from_resource;
    std::vector<uint32_t> modules;
    auto size = static_cast<uint32_t>(statements_.size());
    for (uint32_t i = 0; i < size; ++i) {
      const Statement& s = statements_[i];
      if (s.is_module)
        modules.push_back(i);
      else
        from_resource[{config_module(s.node, s.moved->from), *s.moved->from.resource}].push_back(i);
    }
    auto link = [&](uint32_t first, uint32_t second) {
      if (first != second && feeds(statements_[first], statements_[second])) g.add_edge(second, first);
    };
    for (uint32_t i = 0; i < size; ++i) {
      const Statement& s = statements_[i];
      if (s.is_module) {
        for (uint32_t k = 0; k < size; ++k) link(i, k);
      } else {
        auto it = from_resource.find({config_module(s.node, s.moved->to), *s.moved->to.resource});
        if (it != from_resource.end())
          for (uint32_t k : it->second) link(i, k);
        for (uint32_t k : modules) link(i, k);
      }
    }
    g.freeze();
    auto sorted = g.topological_order();
    std::vector<bool> done(size);
    for (uint32_t n : sorted) done[n] = true;
    for (uint32_t n = 0; n < size; ++n)
      if (!done[n]) sorted.push_back(n);  // a cycle, reported elsewhere
    return sorted;
  }

  // The part of `path` below an instance of the statement's module; false when it is not inside one.
  static bool relative(const config::Node* n, ModuleInstance path, ModuleInstance& base,
                       std::vector<ModuleInstance>& below) {
    std::vector<ModuleInstance> chain = path.chain();
    size_t depth = n->path.steps().size();
    if (chain.size() < depth) return false;
    base = depth == 0 ? ModuleInstance() : chain[depth - 1];
    if (!(base.module() == n->path)) return false;
    below.assign(chain.begin() + static_cast<long>(depth), chain.end());
    return true;
  }

  static bool steps_match(const config::EndPoint& e, const std::vector<ModuleInstance>& below,
                          bool last_any) {
    for (size_t i = 0; i < e.module_steps.size(); ++i) {
      if (below[i].call() != e.module_steps[i].first) return false;
      bool any = last_any && i + 1 == e.module_steps.size();
      if (!any && !(below[i].key() == e.module_steps[i].second)) return false;
    }
    return true;
  }

  void carry_out(const Statement& s) {
    explicit_.insert(
        {config_module(s.node, s.moved->from), s.is_module ? Resource() : *s.moved->from.resource});
    explicit_.insert({config_module(s.node, s.moved->to), s.is_module ? Resource() : *s.moved->to.resource});
    if (s.is_module) return carry_out_module(s);
    auto it = by_config_.find({config_module(s.node, s.moved->from), *s.moved->from.resource});
    if (it == by_config_.end()) return;
    for (const AbsResource& abs : std::vector<AbsResource>(it->second)) {
      ModuleInstance base;
      std::vector<ModuleInstance> below;
      if (!relative(s.node, abs.module, base, below) || !steps_match(s.moved->from, below, false)) continue;
      AbsResource to{base, *s.moved->to.resource};
      for (const auto& [name, key] : s.moved->to.module_steps) to.module = to.module.child(name, key);
      auto source = state_.resources.find(abs);
      if (source == state_.resources.end()) continue;
      std::vector<InstanceKey> keys;
      for (const auto& [key, instance] : source->second.instances)
        if (s.whole_resource || key == s.moved->from.key) keys.push_back(key);
      for (const InstanceKey& key : keys)
        move({abs.module, abs.resource, key},
             {to.module, to.resource, s.whole_resource ? key : s.moved->to.key});
    }
  }

  void carry_out_module(const Statement& s) {
    std::vector<std::pair<AbsResource, ModuleInstance>> found;
    Module from = config_module(s.node, s.moved->from);
    for (const auto& [abs, r] : state_.resources) {
      if (!from.contains(abs.module.module())) continue;
      ModuleInstance base;
      std::vector<ModuleInstance> below;
      if (!relative(s.node, abs.module, base, below) || !steps_match(s.moved->from, below, s.whole_call))
        continue;
      size_t taken = s.moved->from.module_steps.size();
      ModuleInstance to = base;
      for (size_t i = 0; i < s.moved->to.module_steps.size(); ++i) {
        const auto& [name, key] = s.moved->to.module_steps[i];
        bool last = i + 1 == s.moved->to.module_steps.size();
        to = to.child(name, last && s.whole_call ? below[taken - 1].key() : key);
      }
      for (size_t i = taken; i < below.size(); ++i) to = to.child(below[i].call(), below[i].key());
      found.emplace_back(abs, to);
    }
    for (const auto& [abs, to] : found) {
      auto source = state_.resources.find(abs);
      if (source == state_.resources.end()) continue;
      std::vector<InstanceKey> keys;
      for (const auto& [key, instance] : source->second.instances) keys.push_back(key);
      for (const InstanceKey& key : keys) move({abs.module, abs.resource, key}, {to, abs.resource, key});
    }
  }

  void move(const AbsInstance& from, const AbsInstance& to) {
    if (from == to) return;
    InstanceState* target = state_.find(to);
    if (target && !target->empty()) {
      out_.blocked.emplace_back(from, to);
      return;
    }
    auto r = state_.resources.find(from.abs_resource());
    InstanceState moved = std::move(r->second.instances.at(from.key));
    ProviderConfigAddr provider = r->second.provider;
    if (!state_.resources.contains(to.abs_resource())) {
      auto [known, fresh] = by_config_.try_emplace(to.config());
      if (fresh) brought_.insert(to.config());
      known->second.push_back(to.abs_resource());
    }
    InstanceState& there = state_.ensure(to, provider);
    there = std::move(moved);
    if (from.resource.type != to.resource.type) note_origin(there, {provider.provider, from.resource.type});
    r = state_.resources.find(from.abs_resource());
    r->second.instances.erase(from.key);
    if (r->second.instances.empty()) state_.resources.erase(r);
    AbsInstance original = from;
    if (auto it = out_.previous.find(from); it != out_.previous.end()) {
      original = it->second;
      out_.previous.erase(it);
    }
    if (!(original == to)) out_.previous.emplace(to, original);
  }

  // The objects say what they were, so that the provider of their new type can convert them.
  static void note_origin(InstanceState& instance, const MovedFrom& origin) {
    auto shared = std::make_shared<const MovedFrom>(origin);
    auto note = [&shared](ObjectPtr& object) {
      if (!object || object->moved_from) return;
      auto copy = std::make_shared<Object>(*object);
      copy->moved_from = shared;
      object = std::move(copy);
    };
    note(instance.current);
    for (auto& [key, object] : instance.deposed) note(object);
  }

  void implied() {
    for (const config::Node* n : config_.nodes)
      for (const config::Resource& r : n->module->resources) {
        if (r.addr.mode != Mode::Managed || r.for_each) continue;
        ConfigResource address{n->path, r.addr};
        auto it = by_config_.find(address);
        if (it == by_config_.end() || explicit_.contains(address) || brought_.contains(address)) continue;
        InstanceKey from = r.count ? InstanceKey() : InstanceKey::of(0),
                    to = r.count ? InstanceKey::of(0) : InstanceKey();
        for (const AbsResource& abs : std::vector<AbsResource>(it->second)) {
          auto s = state_.resources.find(abs);
          if (s == state_.resources.end() || !s->second.instances.contains(from) ||
              s->second.instances.contains(to))
            continue;
          move({abs.module, abs.resource, from}, {abs.module, abs.resource, to});
        }
      }
  }

  const config::Config& config_;
  State& state_;
  Diagnostics& diags_;
  std::vector<Statement> statements_;
  std::unordered_map<ConfigResource, std::vector<AbsResource>> by_config_;
  std::unordered_set<ConfigResource> explicit_, brought_;  // named by moves; only there because of moves
  Moves out_;
};

}  // namespace

Moves apply_moves(const config::Config& config, State& state, Diagnostics& diags) {
  return Mover(config, state, diags).run();
}

}  // namespace xplan

// Carries out moved blocks and implied moves on a copy of the state: which statements may affect which
// addresses, their order, chains, cycles, addresses that two statements claim, and moves blocked by an
// existing object.
#include "core/plan/moves.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "core/config/dialect.h"
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

bool keys_meet(const InstanceKey& a, bool a_whole, const InstanceKey& b, bool b_whole) {
  return a_whole || b_whole || a == b;
}

class Mover {
 public:
  Mover(const config::Config& c, State& s, Diagnostics& d) : config_(c), state_(s), diags_(d) {}

  Moves run() {
    collect();
    for (const auto& [abs, r] : state_.resources) enter(abs);
    implied();
    for (uint32_t i : order()) carry_out(statements_[i]);
    implied_of_calls();
    warn_of_blocked();
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
    std::stable_sort(statements_.begin(), statements_.end(),
                     [](const Statement& a, const Statement& b) { return breadth(a) < breadth(b); });
  }
  // Smaller: moves more, and goes first.
  static std::pair<uint32_t, bool> breadth(const Statement& s) {
    if (!s.is_module) return {UINT32_MAX, !s.whole_resource};
    return {s.moved->to.module(s.node->path).depth(), !s.whole_call};
  }
  static bool last_keyless(const config::EndPoint& e) {
    return !e.module_step_has_key.empty() && !e.module_step_has_key.back();
  }

  // Statement a must come before b: what a puts somewhere, b may take from there.
  bool feeds(const Statement& a, const Statement& b) const {
    if (!steps_meet(a, b)) return false;
    Module to = a.moved->to.module(a.node->path), from = b.moved->from.module(b.node->path);
    if (!a.is_module && !b.is_module)
      return to == from && *a.moved->to.resource == *b.moved->from.resource &&
             keys_meet(a.moved->to.key, a.whole_resource, b.moved->from.key, b.whole_resource);
    if (a.is_module && b.is_module) {
      if (to == from)
        return keys_meet(a.moved->to.module_steps.back().second, a.whole_call,
                         b.moved->from.module_steps.back().second, b.whole_call);
      // What only gets other keys comes before what is written inside it.
      const bool rekeyed = b.moved->to.module(b.node->path) == from && from.contains(a.node->path);
      return to.contains(from) || (from.contains(to) && !rekeyed);
    }
    // A move written inside a module speaks of the module's instances where they are in the end.
    return a.is_module ? to.contains(from) : from.contains(to) && !from.contains(a.node->path);
  }
  // Whether they may speak of the same module instances, by the keys on the way.
  static bool steps_meet(const Statement& a, const Statement& b) {
    const auto &x = a.moved->to.module_steps, &y = b.moved->from.module_steps;
    const size_t above_x = a.node->path.depth(), above_y = b.node->path.depth();  // there, every instance
    const size_t end_x = above_x + x.size(), end_y = above_y + y.size();
    for (size_t i = std::max(above_x, above_y); i < end_x && i < end_y; ++i)
      if (!keys_meet(x[i - above_x].second, a.whole_call && i + 1 == end_x, y[i - above_y].second,
                     b.whole_call && i + 1 == end_y))
        return false;
    return true;
  }

  // Which statements may take from where another puts something: a few for each, found by address.
  class Takers {
   public:
    explicit Takers(const std::vector<Statement>& all) {
      for (uint32_t i = 0; i < all.size(); ++i) {
        const Statement& s = all[i];
        const Module from = s.moved->from.module(s.node->path);
        if (!s.is_module)
          add(of_resource_[{from, *s.moved->from.resource}], s.whole_resource, s.moved->from.key, i);
        else
          add(of_module_[from.id()], s.whole_call, s.moved->from.module_steps.back().second, i);
        // A resource's move takes from its module, a module's from around itself.
        for (Module m = s.is_module ? from.parent() : from; !m.is_root(); m = m.parent())
          below_[m.id()].push_back(i);
      }
    }
    template <class F>
    void each(const Statement& s, F&& found) const {
      const Module to = s.moved->to.module(s.node->path);
      if (!s.is_module) {
        visit(of_resource_, ConfigResource{to, *s.moved->to.resource}, s.whole_resource, s.moved->to.key,
              found);
        for (Module m = to; !m.contains(s.node->path); m = m.parent())
          visit(of_module_, m.id(), true, {}, found);
        return;
      }
      if (auto it = below_.find(to.id()); it != below_.end())
        for (uint32_t i : it->second) found(i);
      visit(of_module_, to.id(), s.whole_call, s.moved->to.module_steps.back().second, found);
      for (Module m = to; !m.is_root();) {
        m = m.parent();
        visit(of_module_, m.id(), true, {}, found);
      }
    }

   private:
    struct ByKey {  // statements about one address without keys
      std::vector<uint32_t> whole, all;
      std::unordered_map<InstanceKey, std::vector<uint32_t>> keyed;
    };
    static void add(ByKey& b, bool whole, const InstanceKey& key, uint32_t i) {
      (whole ? b.whole : b.keyed[key]).push_back(i);
      b.all.push_back(i);
    }
    template <class Map, class F>
    static void visit(const Map& map, const typename Map::key_type& where, bool whole, const InstanceKey& key,
                      F&& found) {
      auto it = map.find(where);
      if (it == map.end()) return;
      for (uint32_t i : whole ? it->second.all : it->second.whole) found(i);
      if (whole) return;
      if (auto k = it->second.keyed.find(key); k != it->second.keyed.end())
        for (uint32_t i : k->second) found(i);
    }
    std::unordered_map<ConfigResource, ByKey> of_resource_;
    std::unordered_map<uint32_t, ByKey> of_module_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> below_;  // by module: what takes from inside it
  };

  std::vector<uint32_t> order() {
    const auto size = static_cast<uint32_t>(statements_.size());
    Graph g(size);
    const Takers takers(statements_);
    for (uint32_t i = 0; i < size; ++i)
      takers.each(statements_[i], [&](uint32_t k) {
        if (k != i && feeds(statements_[i], statements_[k])) g.add_edge(k, i);
      });
    g.freeze();
    for (const std::vector<uint32_t>& group : g.cycles()) refuse_cycle(group);
    return diags_.has_errors() ? std::vector<uint32_t>() : g.topological_order();
  }

  static std::string text(const Statement& s, const config::EndPoint& e) {
    return s.node->path.is_root() ? e.text() : s.node->path.text() + "." + e.text();
  }
  void refuse_cycle(const std::vector<uint32_t>& group) {
    constexpr size_t kShown = 10;
    std::string list;
    for (size_t i = 0; i < group.size() && i < kShown; ++i) {
      const Statement& s = statements_[group[i]];
      list += fmt::format("\n  - {} to {}", text(s, s.moved->from), text(s, s.moved->to));
    }
    if (group.size() > kShown) list += fmt::format("\n  … and {} more", group.size() - kShown);
    diags_.error("Cycle of moves",
                 fmt::format("What one of these blocks moves, another one moves back, so there is no final "
                             "address for it:{}\nRemove one of them.",
                             list),
                 statements_[group.front()].moved->range);
  }

  // Holds an address of one module instance for a statement: one object comes from or goes to it.
  struct Claim {
    const Statement* by;
    AbsInstance other;
  };
  using Claims = std::unordered_map<AbsInstance, Claim>;
  // Modules are written as an instance without a resource.
  void claim(const Statement& s, bool whole, const AbsInstance& from, const AbsInstance& to) {
    if (from == to) return;
    auto refuse = [&](const Statement& first, std::string detail) {
      if (refused_.insert({&first, &s}).second)
        diags_.error("Ambiguous moves", std::move(detail), s.moved->range);
    };
    const auto named = [](const AbsInstance& a) {
      return a.resource == Resource() ? a.module.text() : a.text();
    };
    const auto [gone, leaves] = claimed_[whole].first.try_emplace(from, Claim{&s, to});
    if (!leaves && !(gone->second.other == to))
      refuse(
          *gone->second.by,
          fmt::format("This block moves {} to {}, but another one moves it to {}. An object can be moved to "
                      "only one address, so remove one of the blocks.",
                      named(from), named(to), named(gone->second.other)));
    const auto [taken, arrives] = claimed_[whole].second.try_emplace(to, Claim{&s, from});
    if (!arrives && !(taken->second.other == from))
      refuse(*taken->second.by,
             fmt::format("This block moves {} to {}, and another one moves {} there as well. Only one object "
                         "can be moved to an address, so remove one of the blocks.",
                         named(from), named(to), named(taken->second.other)));
  }

  // Makes it known that the state has something at this address.
  void enter(const AbsResource& r) {
    if (!entered_.insert(r).second) return;
    for (ModuleInstance m = r.module; !m.is_root(); m = m.parent()) {
      std::vector<AbsResource>& inside = inside_[m.id()];
      if (inside.empty()) {
        instances_[m.module().id()].push_back(m);
        of_call_[call_of(m.parent(), m.module())].push_back(m);
      }
      inside.push_back(r);
    }
  }
  static uint64_t call_of(ModuleInstance parent, Module called) {
    return uint64_t{parent.id()} << 32 | called.id();
  }

  // The instances of the module that a statement is written in.
  std::vector<ModuleInstance> bases(const Statement& s) const {
    if (s.node->path.is_root()) return {ModuleInstance()};
    auto it = instances_.find(s.node->path.id());
    return it == instances_.end() ? std::vector<ModuleInstance>() : it->second;
  }
  static ModuleInstance at(ModuleInstance base, const config::EndPoint& e, size_t steps) {
    for (size_t i = 0; i < steps; ++i) base = base.child(e.module_steps[i].first, e.module_steps[i].second);
    return base;
  }

  void carry_out(const Statement& s) {
    const config::EndPoint &from = s.moved->from, &to = s.moved->to;
    if (s.is_module) return carry_out_module(s);
    for (ModuleInstance base : bases(s)) {
      const AbsResource old{at(base, from, from.module_steps.size()), *from.resource};
      const AbsResource now{at(base, to, to.module_steps.size()), *to.resource};
      claim(s, s.whole_resource, {old.module, old.resource, from.key}, {now.module, now.resource, to.key});
      auto source = state_.resources.find(old);
      if (source == state_.resources.end()) continue;
      if (s.whole_resource && occupied(now)) {
        blocked_.emplace_back(old.text(), now.text());
        continue;
      }
      std::vector<InstanceKey> keys;
      if (!s.whole_resource) {
        if (source->second.instances.contains(from.key)) keys.push_back(from.key);
      } else {
        for (const auto& [key, instance] : source->second.instances) keys.push_back(key);
      }
      for (const InstanceKey& key : keys)
        move({old.module, old.resource, key}, {now.module, now.resource, s.whole_resource ? key : to.key},
             s.moved->range);
    }
  }

  bool occupied(const AbsResource& r) const {
    auto it = state_.resources.find(r);
    return it != state_.resources.end() &&
           std::any_of(it->second.instances.begin(), it->second.instances.end(),
                       [](const auto& i) { return !i.second.empty(); });
  }
  // Whether anything stands in this module instance itself, not only in modules inside it.
  bool occupied(ModuleInstance m) const {
    auto inside = inside_.find(m.id());
    return inside != inside_.end() &&
           std::any_of(inside->second.begin(), inside->second.end(),
                       [&](const AbsResource& r) { return r.module == m && occupied(r); });
  }

  void carry_out_module(const Statement& s) {
    const config::EndPoint &from = s.moved->from, &to = s.moved->to;
    for (const config::EndPoint* e : {&from, &to}) named_calls_.insert(e->module(s.node->path).id());
    const size_t last = from.module_steps.size() - 1, last_to = to.module_steps.size() - 1;
    for (ModuleInstance base : bases(s))
      claim(s, s.whole_call, {at(base, from, last + 1), {}, {}}, {at(base, to, last_to + 1), {}, {}});
    std::vector<std::pair<ModuleInstance, ModuleInstance>> calls;  // instances that move, and where to
    if (!s.whole_call) {
      for (ModuleInstance base : bases(s))
        calls.emplace_back(at(base, from, last + 1), at(base, to, last_to + 1));
    } else {
      for (ModuleInstance base : bases(s)) {
        auto it = of_call_.find(call_of(at(base, from, last), from.module(s.node->path)));
        if (it == of_call_.end()) continue;
        for (ModuleInstance m : it->second)
          calls.emplace_back(m, at(base, to, last_to).child(to.module_steps[last_to].first, m.key()));
      }
    }
    for (const auto& [old, now] : calls) move_module(old, now, s.moved->range);
  }

  void move_module(ModuleInstance old, ModuleInstance now, const Range& where) {
    auto inside = inside_.find(old.id());
    if (inside == inside_.end()) return;
    std::unordered_map<uint32_t, std::optional<ModuleInstance>> targets;  // by module instance; none: blocked
    for (const AbsResource& abs : std::vector<AbsResource>(inside->second)) {
      auto source = state_.resources.find(abs);
      if (source == state_.resources.end()) continue;  // it went elsewhere before
      auto [known, first] = targets.try_emplace(abs.module.id());
      if (first) known->second = destination(abs.module, old, now);
      if (!known->second) continue;
      const ModuleInstance target = *known->second;
      std::vector<InstanceKey> keys;
      for (const auto& [key, instance] : source->second.instances) keys.push_back(key);
      for (const InstanceKey& key : keys)
        move({abs.module, abs.resource, key}, {target, abs.resource, key}, where);
    }
  }

  // Where a module instance comes to be when `old`, which it is or is inside of, becomes `now`.
  std::optional<ModuleInstance> destination(ModuleInstance m, ModuleInstance old, ModuleInstance now) {
    ModuleInstance target = now;
    for (const ModuleInstance& step : m.chain())
      if (step.depth() > old.depth()) target = target.child(step.call(), step.key());
    if (!occupied(target)) return target;
    blocked_.emplace_back(m.text(), target.text());
    return std::nullopt;
  }

  void move(const AbsInstance& from, const AbsInstance& to, const Range& where = {}) {
    if (from == to) return;
    InstanceState* target = state_.find(to);
    if (target && !target->empty()) {
      blocked_.emplace_back(from.text(), to.text());
      return;
    }
    auto r = state_.resources.find(from.abs_resource());
    InstanceState moved = std::move(r->second.instances.at(from.key));
    ProviderConfigAddr provider = r->second.provider;
    const auto known = state_.resources.find(to.abs_resource());
    if (known == state_.resources.end()) {
      enter(to.abs_resource());
    } else if (known->second.provider != provider) {
      moved.provider_key = key_beside(known->second);
    }
    InstanceState& there =
        state_.ensure(to, known == state_.resources.end() ? provider : ProviderConfigAddr());
    there = std::move(moved);
    if (auto it = out_.converted.find(from); it != out_.converted.end()) {
      out_.converted.emplace(to, it->second);
      out_.converted.erase(from);
    }
    if (from.resource.type != to.resource.type) {
      note_origin(there, {provider.provider, from.resource.type});
      out_.converted.insert_or_assign(to, where);
    }
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

  // What moves beside objects of another provider configuration gets that one, and cannot keep its own key.
  static InstanceKey key_beside(const ResourceState& r) {
    return r.instances.empty() ? InstanceKey() : r.instances.begin()->second.provider_key;
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

  void warn_of_blocked() {
    if (blocked_.empty()) return;
    constexpr size_t kShown = 50;
    std::string list;
    for (size_t i = 0; i < blocked_.size() && i < kShown; ++i)
      list += fmt::format("\n  - {} to {}", blocked_[i].first, blocked_[i].second);
    if (blocked_.size() > kShown) list += fmt::format("\n  … and {} more", blocked_.size() - kShown);
    diags_.warn("Unresolved resource instance address changes",
                fmt::format("These moves could not be carried out, because there are already objects at "
                            "their destinations:{}\n\nThe objects that should have moved keep their "
                            "addresses and are planned with the configuration at those addresses. Move the "
                            "objects at the destinations first, or remove the moved blocks.",
                            list));
  }

  // OpenTofu's: a module that gets a count, or loses it, keeps its first instance, unless a statement speaks
  // of the module. To the reference they are different modules.
  void implied_of_calls() {
    if (config::dialect() != config::Dialect::OpenTofu) return;
    for (const config::Node* n : config_.nodes) {
      if (!n->call || n->call->for_each || named_calls_.contains(n->path.id())) continue;
      const auto known = instances_.find(n->path.id());
      if (known == instances_.end()) continue;
      const InstanceKey from = n->call->count ? InstanceKey() : InstanceKey::of(0),
                        to = n->call->count ? InstanceKey::of(0) : InstanceKey();
      for (const ModuleInstance& m : std::vector<ModuleInstance>(known->second))
        if (m.key() == from) move_module(m, m.parent().child(n->call->name, to), n->call->range);
    }
  }

  // The resources that statements name, in each module instance that they speak of.
  std::unordered_set<AbsResource> named() const {
    std::unordered_set<AbsResource> out;
    for (const Statement& s : statements_) {
      if (s.is_module) continue;
      for (ModuleInstance base : bases(s))
        for (const config::EndPoint* e : {&s.moved->from, &s.moved->to})
          out.insert({at(base, *e, e->module_steps.size()), *e->resource});
    }
    return out;
  }

  void implied() {
    const std::unordered_set<AbsResource> explicit_ones = named();
    std::vector<std::pair<AbsInstance, AbsInstance>> found;
    for (const auto& [abs, r] : state_.resources) {
      if (abs.resource.mode != Mode::Managed || explicit_ones.contains(abs)) continue;
      const config::Node* n = config_.find(abs.module.module());
      const int index = n ? n->module->find_resource(abs.resource) : -1;
      if (index < 0) continue;
      const config::Resource& declared = n->module->resources[static_cast<size_t>(index)];
      if (declared.for_each) continue;
      const InstanceKey from = declared.count ? InstanceKey() : InstanceKey::of(0),
                        to = declared.count ? InstanceKey::of(0) : InstanceKey();
      if (r.instances.contains(from) && !r.instances.contains(to))
        found.emplace_back(AbsInstance{abs.module, abs.resource, from},
                           AbsInstance{abs.module, abs.resource, to});
    }
    for (const auto& [from, to] : found) move(from, to);
  }

  const config::Config& config_;
  State& state_;
  Diagnostics& diags_;
  std::vector<Statement> statements_;
  // What the state has or had: by module instance, the resources inside it; by module, its instances; by
  // call, those of one parent.
  std::unordered_set<AbsResource> entered_;
  std::unordered_map<uint32_t, std::vector<AbsResource>> inside_;
  std::unordered_map<uint32_t, std::vector<ModuleInstance>> instances_;
  std::unordered_map<uint64_t, std::vector<ModuleInstance>> of_call_;
  std::unordered_set<uint32_t> named_calls_;                  // modules that statements move
  std::vector<std::pair<std::string, std::string>> blocked_;  // what could not move, and where to
  std::pair<Claims, Claims> claimed_[2];                      // by source and by destination; of whole things
  std::set<std::pair<const Statement*, const Statement*>> refused_;  // with one error for each pair
  Moves out_;
};

}  // namespace

Moves apply_moves(const config::Config& config, State& state, Diagnostics& diags) {
  return Mover(config, state, diags).run();
}

}  // namespace xplan

// Writes suggested moves as moved blocks, as few as say the same.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/review/suggested_moves.h"

namespace xplan::review {
namespace {

using Moves = std::vector<const Resemblance*>;
using Place = std::pair<std::string, std::string>;  // from, to

// What is left of two module paths without the steps at their ends that are equal.
std::pair<ModuleInstance, ModuleInstance> different_modules(ModuleInstance from, ModuleInstance to) {
  while (from.depth() > 1 && to.depth() > 1 && from.call() == to.call() && from.key() == to.key())
    from = from.parent(), to = to.parent();
  return {from, to};
}

// Without the key of its instance: "module.a["k"].module.b".
std::string call_of(ModuleInstance m) {
  const std::string text = m.text();
  return text.substr(0, text.size() - m.key().text().size());
}

class Blocks {
 public:
  Blocks(const Plan& plan, const config::Config& config, const std::vector<Resemblance>& moves)
      : config_(config) {
    for (const auto& [addr, r] : plan.prior_state.resources)
      if (addr.resource.mode == Mode::Managed) count(addr, r);
    for (const Resemblance& m : moves) rest_.push_back(&m);
  }
  std::vector<MovedBlock> write() {
    take_modules();
    take_resources();
    for (const Resemblance* m : rest_) out_.push_back({m->from->addr.text(), m->to->addr.text(), 1});
    std::sort(out_.begin(), out_.end(), [](const MovedBlock& a, const MovedBlock& b) {
      return std::pair(a.to, a.from) < std::pair(b.to, b.from);
    });
    return std::move(out_);
  }

 private:
  void count(const AbsResource& addr, const ResourceState& r) {
    size_t n = 0;
    for (const auto& [key, i] : r.instances) n += i.current != nullptr;
    objects_[addr] += n;
    for (ModuleInstance m : addr.module.chain()) objects_in_[m.id()] += n, objects_in_calls_[call_of(m)] += n;
  }
  void take(const Moves& moves, const Place& place) {
    out_.push_back({place.first, place.second, moves.size()});
    taken_.insert(moves.begin(), moves.end());
  }
  void drop_taken() {
    std::erase_if(rest_, [&](const Resemblance* m) { return taken_.contains(m); });
  }

  struct Group {
    ModuleInstance from, to;
    Moves moves;
  };
  using Whole = std::pair<const Place, Group>;

  // Those of which everything goes to the same place in another one; all instances of a call at once, where
  // they keep their keys.
  void take_modules() {
    std::map<Place, Group> groups;
    for (const Resemblance* m : rest_) {
      if (!m->same_name || !m->same_key || m->same_module) continue;
      const auto [from, to] = different_modules(m->from->addr.module, m->to->addr.module);
      if (from.is_root() || to.is_root()) continue;
      if (m->from->reason != Reason::DeleteBecauseNoModule && config_.find(from.module())) continue;
      Group& g = groups[{from.text(), to.text()}];
      g.from = from, g.to = to, g.moves.push_back(m);
    }
    std::map<Place, std::vector<const Whole*>> calls;
    for (const Whole& w : groups) {
      const Group& g = w.second;
      if (g.moves.size() != objects_in_[g.from.id()]) continue;
      const bool keeps_key = g.from.key() == g.to.key() && !config_.find(g.from.module());
      calls[keeps_key ? Place{call_of(g.from), call_of(g.to)} : w.first].push_back(&w);
    }
    for (const auto& [call, wholes] : calls) {
      Moves all;
      for (const Whole* w : wholes) all.insert(all.end(), w->second.moves.begin(), w->second.moves.end());
      if (all.size() == objects_in_calls_[call.first]) {
        take(all, call);
      } else {
        for (const Whole* w : wholes) take(w->second.moves, w->first);
      }
    }
    drop_taken();
  }

  // Those that are not declared any more, and of which all instances keep their keys.
  void take_resources() {
    std::map<Place, Moves> groups;
    for (const Resemblance* m : rest_)
      if (m->same_key && !m->from->addr.key.none() &&
          (m->from->reason == Reason::DeleteBecauseNoResourceConfig ||
           m->from->reason == Reason::DeleteBecauseNoModule))
        groups[{m->from->addr.abs_resource().text(), m->to->addr.abs_resource().text()}].push_back(m);
    for (const auto& [place, moves] : groups)
      if (moves.size() == objects_[moves.front()->from->addr.abs_resource()]) take(moves, place);
    drop_taken();
  }

  const config::Config& config_;
  std::map<AbsResource, size_t, AddrLess> objects_;  // that the state has
  std::unordered_map<uint32_t, size_t> objects_in_;  // modules, and those inside of them
  std::unordered_map<std::string, size_t> objects_in_calls_;
  std::unordered_set<const Resemblance*> taken_;
  Moves rest_;
  std::vector<MovedBlock> out_;
};

}  // namespace

std::string MovedBlock::text() const {
  return fmt::format("moved {{\n  from = {}\n  to   = {}\n}}\n", from, to);
}

std::vector<MovedBlock> moved_blocks(const Plan& plan, const config::Config& config,
                                     const std::vector<Resemblance>& moves) {
  return Blocks(plan, config, moves).write();
}

}  // namespace xplan::review

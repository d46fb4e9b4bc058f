// Pairs the objects that a plan destroys with those that it creates, one with one.
#include "core/review/suggested_moves.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

#include "core/review/resemblance.h"

namespace xplan::review {
namespace {

constexpr double kNear = 0.03;  // scores that differ by less are as good as each other

// What a moved block could lead away from: the configuration does not declare it any more.
bool may_have_moved(const ResourceChange& c) {
  switch (c.reason) {
    case Reason::DeleteBecauseNoResourceConfig:
    case Reason::DeleteBecauseNoModule:
    case Reason::DeleteBecauseWrongRepetition:
    case Reason::DeleteBecauseCountIndex:
    case Reason::DeleteBecauseEachKey:
      return c.change.action == Action::Delete && c.deposed.empty();
    default:
      return false;
  }
}

struct Pair {
  double score;
  uint32_t from, to;
};
struct Others {
  std::vector<uint32_t> all;  // positions of an object's pairs, the best first
  size_t first = 0;           // those before are taken
};

// One type of one provider.
class Matching {
 public:
  Matching(const Resemblances& all, double threshold) : all_(all) {
    for (uint32_t to = 0; to < all.created().size(); ++to)
      for (uint32_t from : all.candidates(to))
        if (const double s = all.score(from, to); s >= threshold) pairs_.push_back({s, from, to});
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
      return std::tuple(-a.score, a.to, a.from) < std::tuple(-b.score, b.to, b.from);
    });
    of_from_.resize(all.destroyed().size());
    of_to_.resize(all.created().size());
    for (uint32_t p = 0; p < pairs_.size(); ++p)
      of_from_[pairs_[p].from].all.push_back(p), of_to_[pairs_[p].to].all.push_back(p);
    from_taken_.resize(of_from_.size());
    to_taken_.resize(of_to_.size());
    // What is taken makes others unambiguous, so each look may find more.
    for (int looks = 0; looks < 16 && look(); ++looks) {
    }
  }

  void add_to(SuggestedMoves& out) const {
    std::vector<bool> told(of_from_.size());
    for (uint32_t to = 0; to < of_to_.size(); ++to) {
      if (to_taken_[to]) continue;
      size_t shown = 0;
      for (uint32_t p : of_to_[to].all) {
        if (from_taken_[pairs_[p].from] || shown == kMostShown) continue;
        ++shown, told[pairs_[p].from] = true;
        out.ambiguous.push_back(all_.of(pairs_[p].from, to));
      }
      if (shown == 0) out.created.push_back(all_.created()[to]);
    }
    for (uint32_t from = 0; from < of_from_.size(); ++from)
      if (!from_taken_[from] && !told[from]) out.destroyed.push_back(all_.destroyed()[from]);
    for (const Pair& p : chosen_) out.suggested.push_back(all_.of(p.from, p.to));
  }

 private:
  bool look() {
    bool found = false;
    for (uint32_t p = 0; p < pairs_.size(); ++p) {
      const Pair& pair = pairs_[p];
      if (is_taken(pair) || rivalled(p, of_from_[pair.from]) || rivalled(p, of_to_[pair.to])) continue;
      from_taken_[pair.from] = to_taken_[pair.to] = found = true;
      chosen_.push_back(pair);
    }
    return found;
  }
  bool is_taken(const Pair& p) const { return from_taken_[p.from] || to_taken_[p.to]; }
  // By one of these, which are in order: the best of those that are left, or else the next one.
  bool rivalled(uint32_t p, Others& others) const {
    while (is_taken(pairs_[others.all[others.first]])) ++others.first;
    if (others.all[others.first] != p) return true;
    for (size_t i = others.first + 1; i < others.all.size(); ++i) {
      const Pair& o = pairs_[others.all[i]];
      if (o.score <= pairs_[p].score - kNear) break;
      if (!is_taken(o)) return true;
    }
    return false;
  }

  const Resemblances& all_;
  std::vector<Pair> pairs_, chosen_;  // pairs_: the best first
  std::vector<Others> of_from_, of_to_;
  std::vector<bool> from_taken_, to_taken_;
};

bool by_addresses(const Resemblance& a, const Resemblance& b) {
  if (!(a.to->addr == b.to->addr)) return less(a.to->addr, b.to->addr);
  return std::pair(-a.score, a.from) < std::pair(-b.score, b.from);
}

}  // namespace

SuggestedMoves suggest_moves(const Plan& plan, double threshold) {
  struct Kind {
    Resemblances::Changes destroyed, created;
  };
  std::map<std::pair<std::string_view, std::string>, Kind> kinds;
  SuggestedMoves out;
  for (const ResourceChange& c : plan.changes) {
    if (c.addr.resource.mode != Mode::Managed || !c.schema) continue;
    auto kind = [&]() -> Kind& { return kinds[{c.addr.resource.type.sv(), c.provider.provider.text()}]; };
    if (may_have_moved(c))
      kind().destroyed.push_back(&c), ++out.all_destroyed;
    else if (c.change.action == Action::Create && !c.change.importing && c.deposed.empty())
      kind().created.push_back(&c), ++out.all_created;
  }
  for (auto& [name, kind] : kinds) {
    if (kind.destroyed.empty() || kind.created.empty()) {
      out.destroyed.insert(out.destroyed.end(), kind.destroyed.begin(), kind.destroyed.end());
      out.created.insert(out.created.end(), kind.created.begin(), kind.created.end());
      continue;
    }
    const Resemblances all(std::move(kind.destroyed), std::move(kind.created));
    Matching(all, threshold).add_to(out);
  }
  std::sort(out.suggested.begin(), out.suggested.end(), by_addresses);
  std::stable_sort(out.ambiguous.begin(), out.ambiguous.end(), by_addresses);
  for (auto* list : {&out.destroyed, &out.created})
    std::sort(list->begin(), list->end(), [](auto* a, auto* b) { return less(a->addr, b->addr); });
  return out;
}

}  // namespace xplan::review

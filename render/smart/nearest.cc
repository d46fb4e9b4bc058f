// Finds, for elements without an equal, the one on the other side that has most in common with them: each is
// a set of features (where something stands in it, and what), and an index of features leads to candidates.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/base/utf8.h"
#include "render/smart/place.h"

namespace xplan::render {

namespace {

constexpr size_t kMostFeatures = 200, kFewestFeatures = 8;        // that are looked at in one element
constexpr size_t kMostFeaturesOfAll = 2'000'000;                  // in all elements of a list together
constexpr size_t kMostHolders = 64, kMostCandidates = 2'000'000;  // of one feature; of all
constexpr int kMostLevels = 6;                                    // of an element
constexpr uint32_t kIdentityWeight = 3, kIdentityShared = 1 << 20;
constexpr double kLeastAlike = 0.5, kBonusOfIdentity = 0.4;
constexpr size_t kLongText = 32;  // from here on, words are compared

struct Feature {
  uint64_t hash;
  uint32_t weight;
  bool operator<(const Feature& o) const { return hash < o.hash; }
  bool operator==(const Feature& o) const { return hash == o.hash; }
};

uint64_t mix_in(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdull;
}

class Features {
 public:
  Features(const Item& item, size_t most) : most_(most) {
    add(item, static_cast<uint64_t>(item.kind), 0, false);
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  }
  const std::vector<Feature>& list() const { return list_; }

 private:
  // What is empty, false or sensitive says nothing about which element it is.
  void add(const Item& item, uint64_t path, int level, bool identity) {
    if (item.nil() || item.sensitive || list_.size() >= most_) return;
    switch (item.kind) {
      case Item::Kind::Missing:
      case Item::Kind::Null:
        return;
      case Item::Kind::Bool:
        if (item.truth) list_.push_back({mix_in(path, item.hash), 1});
        return;
      case Item::Kind::Number:
        list_.push_back({mix_in(path, item.hash), identity ? kIdentityWeight : 1});
        return;
      case Item::Kind::String:
        if (item.text.size() > kLongText) return words(item.text, path);
        if (!item.text.empty() && level > 0)
          list_.push_back({mix_in(path, item.hash), identity ? kIdentityWeight : 1});
        return;
      case Item::Kind::Array:
        if (level == kMostLevels) return;
        for (const Item& e : item.items) add(e, mix_in(path, 0xa7), level + 1, false);
        return;
      case Item::Kind::Object:
        if (level == kMostLevels) return;
        for (size_t i = 0; i < item.items.size(); ++i)
          add(item.items[i], mix_in(path, std::hash<std::string_view>()(item.keys[i])), level + 1,
              level < 2 && identifies(item.keys[i]));
        return;
    }
  }
  void words(std::string_view text, uint64_t path) {
    auto of_word = [](char c) {
      return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80);
    };
    for (size_t i = 0; i < text.size() && list_.size() < most_; ++i) {
      size_t end = i;
      while (end < text.size() && of_word(text[end])) ++end;
      if (end - i >= 2)
        list_.push_back({mix_in(path, std::hash<std::string_view>()(text.substr(i, end - i))), 1});
      i = end;
    }
  }

  size_t most_;
  std::vector<Feature> list_;
};

struct Candidate {
  double alike;
  uint32_t old, now;
};

class Nearest {
 public:
  Nearest(std::span<const Item> before, std::span<const Item> after, const std::vector<int64_t>& new_of_old,
          const std::vector<bool>& taken)
      : before_(before), after_(after) {
    for (uint32_t i = 0; i < before.size(); ++i)
      if (new_of_old[i] == kNone && !before[i].nil()) olds_.push_back(i);
    for (uint32_t j = 0; j < after.size(); ++j)
      if (!taken[j] && !after[j].nil()) news_.push_back(j);
  }
  std::vector<Candidate> candidates() {
    std::vector<Candidate> out;
    if (olds_.empty() || news_.empty()) return out;
    const size_t most =
        std::clamp(kMostFeaturesOfAll / (olds_.size() + news_.size()), kFewestFeatures, kMostFeatures);
    std::vector<Features> of_news;
    size_t sum = 0;
    for (uint32_t j : news_) sum += of_news.emplace_back(after_[j], most).list().size();
    const size_t holders_most = std::clamp<size_t>(kMostCandidates / (sum + 1), 2, kMostHolders);
    index(most, holders_most);
    std::vector<uint32_t> shared(olds_.size()), touched;
    for (uint32_t n = 0; n < news_.size(); ++n) {
      uint32_t total = 0;
      for (const Feature& f : of_news[n].list()) {
        auto it = holders_.find(f.hash);
        if (it != holders_.end() && it->second.size() > holders_most) continue;
        total += f.weight;
        if (it == holders_.end()) continue;
        for (uint32_t o : it->second) {
          if (!shared[o]) touched.push_back(o);
          shared[o] += f.weight + (f.weight == kIdentityWeight ? kIdentityShared : 0);
        }
      }
      for (uint32_t o : touched) {
        const double alike = 2.0 * (shared[o] % kIdentityShared) / (totals_[o] + total) +
                             (shared[o] >= kIdentityShared ? kBonusOfIdentity : 0);
        if (alike >= kLeastAlike && before_[olds_[o]].kind == after_[news_[n]].kind)
          out.push_back({alike, olds_[o], news_[n]});
        shared[o] = 0;
      }
      touched.clear();
    }
    return out;
  }

 private:
  // What many have says little about any of them, and does not count.
  void index(size_t most, size_t holders_most) {
    std::vector<Features> of_olds;
    for (uint32_t o = 0; o < olds_.size(); ++o)
      for (const Feature& f : of_olds.emplace_back(before_[olds_[o]], most).list())
        if (auto& holders = holders_[f.hash]; holders.size() <= holders_most) holders.push_back(o);
    for (const Features& features : of_olds) {
      uint32_t& total = totals_.emplace_back();
      for (const Feature& f : features.list())
        if (holders_[f.hash].size() <= holders_most) total += f.weight;
    }
  }

  std::span<const Item> before_, after_;
  std::vector<uint32_t> olds_, news_;  // without a partner
  std::vector<uint32_t> totals_;       // weights of olds_
  std::unordered_map<uint64_t, std::vector<uint32_t>> holders_;
};

}  // namespace

bool identifies(std::string_view key) {
  static constexpr std::string_view kNames[] = {"id", "name", "Sid", "key", "Name", "Key", "Id", "ID", "arn"};
  return std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames);
}

void pair_nearest(std::span<const Item> before, std::span<const Item> after, std::vector<int64_t>& new_of_old,
                  std::vector<bool>& taken) {
  std::vector<Candidate> all = Nearest(before, after, new_of_old, taken).candidates();
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    auto distance = [](const Candidate& c) { return c.old > c.now ? c.old - c.now : c.now - c.old; };
    if (a.alike != b.alike) return a.alike > b.alike;
    if (distance(a) != distance(b)) return distance(a) < distance(b);
    return a.old != b.old ? a.old < b.old : a.now < b.now;
  });
  for (const Candidate& c : all) {
    if (new_of_old[c.old] != kNone || taken[c.now]) continue;
    new_of_old[c.old] = c.now;
    taken[c.now] = true;
  }
}

}  // namespace xplan::render

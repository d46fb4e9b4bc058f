// Compares objects attribute by attribute, and finds those worth comparing by what they share.
#include "core/review/resemblance.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace xplan::review {
namespace {

// Points of a score, which is 1 where all is equal.
constexpr double kOfAttributes = 0.70, kOfKey = 0.12, kOfName = 0.10, kOfModule = 0.08;
constexpr double kOfModuleKeys = 0.05;      // of another module, which has instances
constexpr double kNothingToCompare = 0.75;  // instead of a share of attributes
constexpr double kTelling = 4;              // how much more an attribute counts that is different for each
constexpr size_t kFew = 100;                // pairs of so many objects are all looked at
constexpr size_t kMostWithTrait = 64;       // a trait that more objects have says nothing

// Null, or a collection without elements, which providers and configurations use for the same.
bool says_nothing(const Value& v) {
  if (v.is_null()) return true;
  return (v.kind() == Kind::Seq || v.kind() == Kind::Set || v.kind() == Kind::Map) && v.length() == 0;
}

const Value* member_of(const Value& v, std::string_view name) {
  return v.kind() == Kind::Map ? v.find_key(name) : v.find_attr(name);
}

// How much of two maps or objects is equal, member by member; less than 0: nothing can be compared.
double likeness_of_members(const Value& a, const Value& b) {
  size_t all = b.length(), equal = 0;
  for (size_t i = 0; i < a.length(); ++i) {
    const Value* other = member_of(b, a.kind() == Kind::Map ? a.map_key(i) : a.type().attr_names()[i].sv());
    if (!other) ++all;
    if (other && other->is_unknown()) --all;
    equal += other && other->is_wholly_known() && a.elements()[i].raw_equal(*other);
  }
  return all ? static_cast<double>(equal) / static_cast<double>(all) : -1;
}

// The same of any two values.
double likeness(const Value& a, const Value& b) {
  if (b.is_unknown() || (says_nothing(a) && says_nothing(b))) return -1;
  if (b.is_wholly_known() && a.raw_equal(b)) return 1;
  if (a.kind() == b.kind() && (a.kind() == Kind::Map || a.kind() == Kind::Obj))
    return likeness_of_members(a, b);
  return b.is_wholly_known() ? 0 : -1;
}

uint64_t mixed(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ull;
  return a ^ a >> 29;
}

// Of one object where there are many: 0 where all are equal, 1 where all differ.
double variety(const std::vector<std::vector<Value>>& objects, size_t attribute) {
  if (objects.size() < 2) return 0;
  std::unordered_set<size_t> seen;
  for (const std::vector<Value>& o : objects)
    if (o[attribute].is_wholly_known()) seen.insert(o[attribute].hash());
  return seen.empty() ? 0 : static_cast<double>(seen.size() - 1) / static_cast<double>(objects.size() - 1);
}

std::vector<std::vector<Value>> attributes_of(const Resemblances::Changes& changes, bool before) {
  std::vector<std::vector<Value>> out;
  for (const ResourceChange* c : changes) {
    const Value v = (before ? c->change.before : c->change.after).unmark_deep();
    out.emplace_back(v.elements().begin(), v.elements().end());
  }
  return out;
}

std::string keys_of(ModuleInstance module) {
  std::string out;
  for (ModuleInstance m : module.chain()) out += m.key().text();
  return out;
}

std::vector<std::string> module_keys(const Resemblances::Changes& changes) {
  std::vector<std::string> out;
  for (const ResourceChange* c : changes) out.push_back(keys_of(c->addr.module));
  return out;
}

}  // namespace

Resemblances::Resemblances(Changes destroyed, Changes created)
    : destroyed_(std::move(destroyed)),
      created_(std::move(created)),
      before_(attributes_of(destroyed_, true)),
      after_(attributes_of(created_, false)),
      keys_before_(module_keys(destroyed_)),
      keys_after_(module_keys(created_)) {
  const auto names = destroyed_.front()->change.before.type().attr_names();
  names_.assign(names.begin(), names.end());
  weigh();
  index();
}

void Resemblances::weigh() {
  for (size_t i = 0; i < names_.size(); ++i)
    weight_.push_back(1 + kTelling * std::max(variety(before_, i), variety(after_, i)));
}

// What an object can be looked up by.
std::vector<uint64_t> Resemblances::traits(const ResourceChange& c, const std::vector<Value>& object) const {
  std::vector<uint64_t> out;
  for (size_t i = 0; i < object.size(); ++i)
    if (object[i].is_wholly_known() && !says_nothing(object[i]))
      out.push_back(mixed(i + 1, object[i].hash()));
  constexpr uint64_t kAddress = 1u << 20;
  const std::hash<std::string> text;
  const uint64_t name = text(std::string(c.addr.resource.name.sv())), key = text(c.addr.key.text()),
                 module = text(c.addr.module.text());
  out.push_back(mixed(kAddress, mixed(name, key)));
  out.push_back(mixed(kAddress + 1, mixed(module, key)));
  out.push_back(mixed(kAddress + 2, mixed(module, name)));
  if (!c.addr.key.none()) out.push_back(mixed(kAddress + 3, key));
  if (const std::string keys = keys_of(c.addr.module); !keys.empty())
    out.push_back(mixed(kAddress + 4, mixed(text(keys), mixed(name, key))));
  return out;
}

void Resemblances::index() {
  for (uint32_t d = 0; d < destroyed_.size(); ++d)
    for (uint64_t t : traits(*destroyed_[d], before_[d])) {
      std::vector<uint32_t>& all = by_trait_[t];
      if (all.size() <= kMostWithTrait) all.push_back(d);
    }
}

std::vector<uint32_t> Resemblances::candidates(uint32_t created) const {
  std::vector<uint32_t> out;
  if (destroyed_.size() <= kFew) {
    for (uint32_t d = 0; d < destroyed_.size(); ++d) out.push_back(d);
  } else {
    std::unordered_map<uint32_t, double> shared;  // the fewer have it, the more a trait says
    for (uint64_t t : traits(*created_[created], after_[created]))
      if (const auto at = by_trait_.find(t); at != by_trait_.end() && at->second.size() <= kMostWithTrait)
        for (uint32_t d : at->second) shared[d] += 1.0 / static_cast<double>(at->second.size());
    std::vector<std::pair<double, uint32_t>> best;
    for (const auto& [d, weight] : shared) best.emplace_back(-weight, d);
    const auto end = best.begin() + static_cast<ptrdiff_t>(std::min(best.size(), kMostCandidates));
    std::partial_sort(best.begin(), end, best.end());
    for (auto i = best.begin(); i != end; ++i) out.push_back(i->second);
  }
  return out;
}

double Resemblances::share(uint32_t destroyed, uint32_t created, Resemblance* out) const {
  double equal = 0, all = 0;
  for (size_t i = 0; i < names_.size(); ++i) {
    const double like = likeness(before_[destroyed][i], after_[created][i]);
    if (like < 0) continue;
    equal += weight_[i] * like;
    all += weight_[i];
    if (out) (like == 1 ? out->equal : out->different).push_back(names_[i]);
  }
  return all > 0 ? equal / all : kNothingToCompare;
}

double Resemblances::score(uint32_t destroyed, uint32_t created) const {
  const AbsInstance &a = destroyed_[destroyed]->addr, &b = created_[created]->addr;
  return kOfAttributes * share(destroyed, created, nullptr) + (a.key == b.key ? kOfKey : 0) +
         (a.resource.name == b.resource.name ? kOfName : 0) +
         (a.module == b.module                   ? kOfModule
          : same_module_keys(destroyed, created) ? kOfModuleKeys
                                                 : 0);
}

bool Resemblances::same_module_keys(uint32_t destroyed, uint32_t created) const {
  const std::string& keys = keys_before_[destroyed];
  return !keys.empty() && keys == keys_after_[created] &&
         !(destroyed_[destroyed]->addr.module == created_[created]->addr.module);
}

Resemblance Resemblances::of(uint32_t destroyed, uint32_t created) const {
  Resemblance out{destroyed_[destroyed], created_[created]};
  const AbsInstance &a = out.from->addr, &b = out.to->addr;
  out.score = score(destroyed, created);
  share(destroyed, created, &out);
  out.same_key = a.key == b.key;
  out.same_name = a.resource.name == b.resource.name;
  out.same_module = a.module == b.module;
  out.same_module_keys = same_module_keys(destroyed, created);
  return out;
}

}  // namespace xplan::review

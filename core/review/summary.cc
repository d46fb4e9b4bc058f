// Counts changes, ranks them by risk, and folds those that instances of one resource have in common.
#include "core/review/summary.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace xplan::review {
namespace {

void mix(size_t& hash, size_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
}

size_t hash_of(const Path& path) {
  size_t hash = path.size();
  for (const PathStep& s : path) mix(hash, s.is_attr ? s.attr.id() : s.index.hash());
  return hash;
}

bool same_paths(const std::vector<ChangedAttribute>& a, const std::vector<ChangedAttribute>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ChangedAttribute& x, const ChangedAttribute& y) { return x.path == y.path; });
}

bool same_values(const std::vector<ChangedAttribute>& a, const std::vector<ChangedAttribute>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ChangedAttribute& x, const ChangedAttribute& y) {
                      return x.after.raw_equal(y.after) && (x.is_result() || x.before.raw_equal(y.before));
                    });
}

size_t hash_of_values(const std::vector<ChangedAttribute>& attributes) {
  size_t hash = 0;
  for (const ChangedAttribute& a : attributes) {
    mix(hash, a.after.hash());
    if (!a.is_result()) mix(hash, a.before.hash());
  }
  return hash;
}

// Changes of one resource with the same attributes; `values` are those of them that have the same values,
// too.
struct Alike {
  Risk risk;
  Action action;
  Reason reason;
  std::vector<ChangedAttribute> attributes;
  struct Values {
    std::vector<ChangedAttribute> attributes;
    std::vector<const ResourceChange*> changes;
  };
  std::vector<Values> values;
  std::unordered_multimap<size_t, size_t> values_by_hash;

  void add(const ResourceChange& c, std::vector<ChangedAttribute> of) {
    const size_t hash = hash_of_values(of);
    for (auto [it, end] = values_by_hash.equal_range(hash); it != end; ++it) {
      if (!same_values(values[it->second].attributes, of)) continue;
      values[it->second].changes.push_back(&c);
      return;
    }
    values_by_hash.emplace(hash, values.size());
    values.push_back({std::move(of), {&c}});
  }

  // One group; two where at least half of many changes have the same values and others do not.
  void split(const ConfigResource& resource, std::vector<ChangeGroup>& out) {
    size_t all = 0;
    for (const Values& v : values) all += v.changes.size();
    auto largest = std::max_element(values.begin(), values.end(), [](const Values& a, const Values& b) {
      return a.changes.size() < b.changes.size();
    });
    const bool folds = largest->changes.size() > 1 && largest->changes.size() * 2 >= all;
    ChangeGroup main{risk, resource, {}, {}, values.size() == 1 || folds, false};
    ChangeGroup rest{risk, resource, {}, {}, false, true};
    for (Values& v : values) {
      ChangeGroup& group = folds && &v != &*largest ? rest : main;
      if (group.changes.empty()) group.attributes = std::move(v.attributes);
      group.changes.insert(group.changes.end(), v.changes.begin(), v.changes.end());
    }
    if (rest.changes.size() == 1) rest.same_values = true;
    for (ChangeGroup* g : {&main, &rest}) {
      if (g->changes.empty()) continue;
      std::sort(g->changes.begin(), g->changes.end(), [](const ResourceChange* a, const ResourceChange* b) {
        return a->addr == b->addr ? a->deposed < b->deposed : less(a->addr, b->addr);
      });
      out.push_back(std::move(*g));
    }
  }
};

class Folding {
 public:
  void add(const ResourceChange& c, Risk risk) {
    std::vector<ChangedAttribute> attributes = changed_attributes(c);
    size_t hash = static_cast<size_t>(risk) << 8 | static_cast<size_t>(c.change.action);
    mix(hash, static_cast<size_t>(c.reason));
    for (const ChangedAttribute& a : attributes) mix(hash, hash_of(a.path));
    OfResource& r = resources_[c.addr.config()];
    for (auto [it, end] = r.by_hash.equal_range(hash); it != end; ++it) {
      Alike& a = r.alike[it->second];
      if (a.risk != risk || a.action != c.change.action || a.reason != c.reason ||
          !same_paths(a.attributes, attributes))
        continue;
      a.add(c, std::move(attributes));
      return;
    }
    r.by_hash.emplace(hash, r.alike.size());
    r.alike.push_back({risk, c.change.action, c.reason, attributes, {}, {}});
    r.alike.back().add(c, std::move(attributes));
  }

  std::vector<ChangeGroup> take() {
    std::vector<ChangeGroup> out;
    for (auto& [resource, r] : resources_)
      for (Alike& a : r.alike) a.split(resource, out);
    std::stable_sort(out.begin(), out.end(), [](const ChangeGroup& a, const ChangeGroup& b) {
      if (a.risk != b.risk) return a.risk < b.risk;
      return less(a.resource, b.resource);
    });
    return out;
  }

 private:
  struct OfResource {
    std::vector<Alike> alike;
    std::unordered_multimap<size_t, size_t> by_hash;
  };
  std::map<ConfigResource, OfResource, AddrLess> resources_;
};

std::vector<CountsOf> in_order(std::map<std::string, ActionCounts> counts) {
  std::vector<CountsOf> out;
  out.reserve(counts.size());
  for (auto& [name, c] : counts) out.push_back({name, c});
  return out;
}

// "module.a["x"].module.b" with [*] for keys that are not the same in all of them.
std::string common_module(const std::vector<const ResourceChange*>& changes) {
  std::string out;
  const ModuleInstance first = changes.front()->addr.module;
  for (uint32_t depth = 1; depth <= first.depth(); ++depth) {
    const ModuleInstance step = first.ancestor(depth);
    const bool same = std::all_of(changes.begin(), changes.end(), [&](const ResourceChange* c) {
      return c->addr.module.ancestor(depth).key() == step.key();
    });
    out += "module." + std::string(step.call().sv()) + (same ? step.key().text() : "[*]") + ".";
  }
  return out;
}

}  // namespace

bool acts(const ResourceChange& c) {
  if (c.addr.resource.mode == Mode::Ephemeral) return false;
  if (c.change.action == Action::NoOp) return c.moved() || c.change.importing;
  return c.change.action != Action::Delete || c.addr.resource.mode == Mode::Managed;
}

Risk risk_of(const ResourceChange& c, const DataTypes& types) {
  switch (c.change.action) {
    case Action::NoOp:
      return Risk::Moves;
    case Action::Create:
      return Risk::Creates;
    case Action::Read:
      return Risk::Reads;
    case Action::Update:
      return Risk::Updates;
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
      return types.hold(c.addr.resource.type.sv()) ? Risk::ReplacesData : Risk::Replaces;
    case Action::Delete:
      return types.hold(c.addr.resource.type.sv()) ? Risk::DestroysData : Risk::Destroys;
    case Action::Forget:
      return Risk::Forgets;
    case Action::ForgetThenCreate:
      return Risk::Replaces;
  }
  return Risk::Updates;
}

std::string common_address(const std::vector<const ResourceChange*>& changes) {
  const AbsInstance& first = changes.front()->addr;
  if (changes.size() == 1) return first.text();
  const bool same_key = std::all_of(changes.begin(), changes.end(),
                                    [&](const ResourceChange* c) { return c->addr.key == first.key; });
  return common_module(changes) + first.resource.text() + (same_key ? first.key.text() : "[*]");
}

void ActionCounts::add(const ResourceChange& c, Risk risk) {
  if (c.change.importing) ++import;
  if (c.moved()) ++move;
  if (concerns_data(risk)) ++holding_data;
  switch (c.change.action) {
    case Action::NoOp:
      return;
    case Action::Create:
      ++create;
      return;
    case Action::Read:
      ++read;
      return;
    case Action::Update:
      ++update;
      return;
    case Action::DeleteThenCreate:
    case Action::CreateThenDelete:
    case Action::ForgetThenCreate:
      ++replace;
      return;
    case Action::Delete:
      ++destroy;
      return;
    case Action::Forget:
      ++forget;
      return;
  }
}

Summary summarize(const Plan& plan, const DataTypes& types) {
  Summary s;
  Folding folding;
  std::map<std::string, ActionCounts> by_type, by_module;
  for (const ResourceChange& c : plan.changes) {
    if (!acts(c)) continue;
    const Risk risk = risk_of(c, types);
    s.counts.add(c, risk);
    by_type[std::string(c.addr.resource.type.sv())].add(c, risk);
    by_module[c.addr.module.module().text()].add(c, risk);
    folding.add(c, risk);
  }
  s.failed = plan.errored;
  s.groups = folding.take();
  s.by_type = in_order(std::move(by_type));
  s.by_module = in_order(std::move(by_module));
  for (const ResourceChange& c : plan.drift)
    if (c.change.action != Action::NoOp) ++s.drifted;
  s.deferred = plan.deferred.size();
  s.unverified = static_cast<size_t>(std::count_if(plan.changes.begin(), plan.changes.end(),
                                                   [](const ResourceChange& c) { return c.unverified; }));
  for (const OutputChange& o : plan.outputs)
    if (o.change.action != Action::NoOp) ++s.outputs;
  for (const CheckResult& c : plan.checks)
    if (c.status == CheckStatus::Fail) ++s.failed_checks;
  return s;
}

}  // namespace xplan::review

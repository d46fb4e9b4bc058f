// Goes through the effects of two plans side by side.
#include "core/review/compare.h"

#include <algorithm>

namespace xplan::review {
namespace {

using What = Difference::What;

std::vector<std::string_view> different_parts(const Effect& a, const Effect& b) {
  std::vector<std::string_view> out;
  for (size_t i = 0, k = 0; i < a.parts.size() || k < b.parts.size();) {
    const int order = i == a.parts.size()   ? 1
                      : k == b.parts.size() ? -1
                                            : a.parts[i].name.compare(b.parts[k].name);
    if (order == 0 ? !(a.parts[i] == b.parts[k]) : true)
      out.push_back(order <= 0 ? a.parts[i].name : b.parts[k].name);
    i += order <= 0, k += order >= 0;
  }
  return out;
}

bool change_less(const ResourceChange& a, const ResourceChange& b) {
  return a.addr == b.addr ? a.deposed < b.deposed : less(a.addr, b.addr);
}

class Comparing {
 public:
  Comparing(const EffectSources& older, const EffectSources& newer, const DataTypes& types)
      : older_(older), newer_(newer), types_(types), a_(older), b_(newer) {}

  PlanComparison run() {
    changes();
    outputs();
    others();
    std::stable_sort(out_.differences.begin(), out_.differences.end(),
                     [](const Difference& x, const Difference& y) { return rank(x) < rank(y); });
    return std::move(out_);
  }

 private:
  // Rare things that concern many changes come first.
  static int rank(const Difference& d) {
    if (d.kind == EffectKind::Change) return 10 + static_cast<int>(d.risk);
    return d.kind == EffectKind::Output ? 100 : static_cast<int>(d.kind);
  }

  // Both lists are sorted by `before`, so they are gone through together. `from` and `until`: what counts.
  template <class T, class Counts, class Less, class Note>
  void merge(const std::vector<T>& older, const std::vector<T>& newer, Counts counts, Less before,
             Note note) {
    auto i = older.begin();
    auto k = newer.begin();
    auto skip = [&](auto& at, const std::vector<T>& of, const Plan& plan) {
      while (at != of.end() && !counts(plan, *at)) ++at;
    };
    while (true) {
      skip(i, older, older_.plan), skip(k, newer, newer_.plan);
      if (i == older.end() && k == newer.end()) return;
      if (k == newer.end() || (i != older.end() && before(*i, *k)))
        note(&*i++, nullptr);
      else if (i == older.end() || before(*k, *i))
        note(nullptr, &*k++);
      else
        note(&*i++, &*k++);
    }
  }

  // Nothing where both do the same.
  template <class T>
  Difference* differ(const T* older, const T* newer) {
    Difference d;
    if (older && newer) {
      const Effect a = a_.of(*older), b = b_.of(*newer);
      d.parts = different_parts(a, b);
      if (d.parts.empty()) return nullptr;
      d.kind = a.kind, d.name = a.name;
      ++out_.otherwise;
    } else {
      const Effect e = older ? a_.of(*older) : b_.of(*newer);
      d.what = older ? What::OnlyOlder : What::OnlyNewer;
      d.kind = e.kind, d.name = e.name;
      ++(older ? out_.only_older : out_.only_newer);
    }
    return &out_.differences.emplace_back(std::move(d));
  }

  void changes() {
    merge(changes_of(older_.plan), changes_of(newer_.plan), has_effect, change_less,
          [&](const ResourceChange* older, const ResourceChange* newer) {
            Difference* d = differ(older, newer);
            if (!d) return;
            d->older = older, d->newer = newer;
            d->risk = older ? newer ? std::min(risk_of(*older, types_), risk_of(*newer, types_))
                                    : risk_of(*older, types_)
                            : risk_of(*newer, types_);
          });
  }

  void outputs() {
    merge(
        older_.plan.outputs, newer_.plan.outputs,
        [](const Plan&, const OutputChange& o) { return o.change.action != Action::NoOp; },
        [](const OutputChange& a, const OutputChange& b) { return a.name.sv() < b.name.sv(); },
        [&](const OutputChange* older, const OutputChange* newer) {
          if (Difference* d = differ(older, newer)) d->older_output = older, d->newer_output = newer;
        });
  }

  // After the changes, since what is read depends on them.
  void others() {
    const std::vector<Effect> older = a_.others(), newer = b_.others();
    auto before = [](const Effect& a, const Effect& b) {
      return a.kind == b.kind ? a.name < b.name : a.kind < b.kind;
    };
    auto note = [&](What what, const Effect& e) -> Difference& {
      Difference& d = out_.differences.emplace_back();
      d.what = what, d.kind = e.kind, d.name = e.name;
      return d;
    };
    for (size_t i = 0, k = 0; i < older.size() || k < newer.size();) {
      if (k == newer.size() || (i < older.size() && before(older[i], newer[k]))) {
        note(What::OnlyOlder, older[i++]);
      } else if (i == older.size() || before(newer[k], older[i])) {
        note(What::OnlyNewer, newer[k++]);
      } else {
        if (auto parts = different_parts(older[i], newer[k]); !parts.empty())
          note(What::Otherwise, older[i]).parts = std::move(parts);
        ++i, ++k;
      }
    }
  }

  const EffectSources &older_, &newer_;
  const DataTypes& types_;
  Effects a_, b_;
  PlanComparison out_;
};

bool same(const ChangedAttribute& a, const ChangedAttribute& b) {
  auto equal = [](const Value& x, const Value& y) { return x.unmark_deep().raw_equal(y.unmark_deep()); };
  return (a.after.is_unknown() || equal(a.before, b.before)) && equal(a.after, b.after);
}

}  // namespace

std::vector<OtherValue> other_values(const ResourceChange& older, const ResourceChange& newer) {
  std::vector<OtherValue> out;
  const bool updates = older.change.action == Action::Update && newer.change.action == Action::Update;
  if (!updates) {
    if (older.change.after.is_null() || newer.change.after.is_null()) return out;
    for (ChangedAttribute& a :
         different_attributes(schema::mark_sensitive(older.change.after, older.schema.get()),
                              schema::mark_sensitive(newer.change.after, newer.schema.get()))) {
      const Value none;
      out.push_back(
          {a.path, ChangedAttribute{a.path, none, a.before}, ChangedAttribute{a.path, none, a.after}});
    }
    return out;
  }
  std::vector<ChangedAttribute> a = changed_attributes(older), b = changed_attributes(newer);
  auto by_path = [](const ChangedAttribute& x, const ChangedAttribute& y) {
    return path_less(x.path, y.path);
  };
  std::sort(a.begin(), a.end(), by_path), std::sort(b.begin(), b.end(), by_path);
  for (auto i = a.begin(), k = b.begin(); i != a.end() || k != b.end();) {
    if (k == b.end() || (i != a.end() && by_path(*i, *k)))
      out.push_back({i->path, *i, std::nullopt}), ++i;
    else if (i == a.end() || by_path(*k, *i))
      out.push_back({k->path, std::nullopt, *k}), ++k;
    else {
      if (!same(*i, *k)) out.push_back({i->path, *i, *k});
      ++i, ++k;
    }
  }
  return out;
}

PlanComparison compare(const EffectSources& older, const EffectSources& newer, const DataTypes& types) {
  return Comparing(older, newer, types).run();
}

}  // namespace xplan::review

// What diff.cc and diff_blocks.cc share: a pair of values in the making of a diff, and the diffs of
// containers, which are the same whatever decides about their elements.
//
// Who calls it: those two files.  Cost and thread-safety: as diff.h.
#pragma once
#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "render/diff.h"
#include "render/pairing.h"
#include "render/paths.h"

namespace xplan::render {

// One place of the two values. "Written" tells a null that somebody wrote from a value that is not there.
struct Differ::Pair {
  const Item* before = &kMissing;
  const Item* after = &kMissing;
  bool before_written = false, after_written = false;
  bool unknown = false;           // the new value is
  bool unknown_children = false;  // every attribute below is to be shown as unknown
  bool before_sensitive = false, after_sensitive = false;
  bool marks_ignored = false;  // below a value that is hidden as a whole
  // Whether the schema can tell an empty string from null. A copy of a pair does not know (see typed()).
  bool exact_strings = false;
  Paths replace;
  Paths relevant;
  bool all_relevant = true;

  static Pair of(const Item* b, const Item* a) {
    Pair p;
    if (b) p.before = b, p.before_written = true, p.before_sensitive = b->sensitive;
    // An unknown value has no place in what is compared, so nobody wrote it.
    if (a)
      p.after = a, p.after_written = !a->unknown, p.after_sensitive = a->sensitive, p.unknown = a->unknown;
    return p;
  }

  Act act() const {
    bool old = !before->nil() || before_written, now = !after->nil() || after_written;
    if (!old && now) return Act::Create;
    if (old && !now) return Act::Delete;
    bool same = same_content() && before_written == after_written && before_sensitive == after_sensitive;
    return same ? Act::NoOp : Act::Update;
  }
  bool same_content() const {
    if (before->nil() || after->nil()) return before->nil() && after->nil();
    return equal(*before, *after);
  }
  Act act_of_container() const {
    if (before->nil()) return after->nil() ? Act::NoOp : Act::Create;
    return after->nil() ? Act::Delete : Act::NoOp;
  }
  // The old value alone, as if it were deleted.
  Pair removal() const {
    Pair p = *this;
    p.after = &kMissing;
    p.after_written = p.unknown = p.after_sensitive = p.unknown_children = p.exact_strings = false;
    return p;
  }
  Pair creation() const {
    Pair p = *this;
    p.before = &kMissing;
    p.before_written = p.before_sensitive = p.exact_strings = false;
    return p;
  }
  void unchange() {
    after = before;
    after_written = before_written;
    after_sensitive = before_sensitive;
    unknown = unknown_children = exact_strings = false;
  }
  void step(const Pair& parent, Paths child_replace, Paths child_relevant) {
    replace = std::move(child_replace);
    exact_strings = parent.exact_strings;
    marks_ignored = parent.marks_ignored;
    if (marks_ignored) before_sensitive = after_sensitive = false;
    all_relevant = parent.all_relevant;
    if (all_relevant) return;
    relevant = std::move(child_relevant);
    if (!relevant.any()) unchange();
  }
  Pair child(std::string_view key) const {
    const Item* b = before->is_object() ? before->find(key) : nullptr;
    const Item* a = after->is_object() ? after->find(key) : nullptr;
    Pair p = of(b, a);
    if (unknown_children) p.unknown = true;
    p.step(*this, replace.any() ? replace.at(key) : Paths(), all_relevant ? Paths() : relevant.at(key));
    return p;
  }
  Pair element(int64_t i, int64_t j) const {
    auto at = [](const Item* list, int64_t n) -> const Item* {
      bool in = list->is_array() && n >= 0 && static_cast<size_t>(n) < list->items.size();
      return in ? &list->items[static_cast<size_t>(n)] : nullptr;
    };
    const Item* b = at(before, i);
    const Item* a = at(after, j);
    Pair p = of(b, a);
    if (a && a->unknown) p.after_written = true;  // it keeps its place as a null
    size_t place = static_cast<size_t>(b ? i : j);
    p.step(*this, replace.any() ? replace.at(place) : Paths(), all_relevant ? Paths() : relevant.at(place));
    p.exact_strings = false;  // the schema around a sequence does not count for its elements
    return p;
  }
  // Inside lists and sets either everything matters or nothing: places of old and new elements differ.
  Pair with_all_relevant() const {
    Pair p = *this;
    p.all_relevant = true;
    return p;
  }
  size_t before_length() const { return before->is_array() ? before->items.size() : 0; }
  size_t after_length() const { return after->is_array() ? after->items.size() : 0; }
};

template <class T>
std::span<const T> Differ::keep(const std::vector<T>& v) {
  T* out = arena_array<T>(arena_, v.size());
  for (size_t i = 0; i < v.size(); ++i) new (out + i) T(v[i]);
  return {out, v.size()};
}

// When either side is sensitive: the same without marks, wrapped. Null otherwise.
template <class F>
const Diff* Differ::hidden(const Pair& p, Diff::Form form, F compute) {
  if (!p.before_sensitive && !p.after_sensitive) return nullptr;
  Pair bare = p;
  bare.before_sensitive = bare.after_sensitive = bare.exact_strings = false;
  bare.marks_ignored = true;
  const Diff* inner = compute(bare);
  bool nothing = p.before->nil() && !p.before_written && p.after->nil() && !p.after_written;
  Act act = inner->act;
  if (act == Act::NoOp && p.before_sensitive != p.after_sensitive && !nothing) act = Act::Update;
  Diff* d = make(form, act, p);
  d->before_sensitive = p.before_sensitive;
  d->after_sensitive = p.after_sensitive;
  d->children = keep(std::vector<const Diff*>{inner});
  return d;
}

// When the new value is unknown: the old one in front of that, if there was one. Null otherwise.
template <class F>
const Diff* Differ::unknown(const Pair& p, bool unknown_children, F compute) {
  if (!p.unknown) return nullptr;
  Pair now = p;
  now.after_written = true;
  if (p.before->nil()) return make(Diff::Form::Unknown, now.act(), p);
  Pair old = p.removal();
  old.unknown_children = unknown_children;
  Diff* d = make(Diff::Form::Unknown, now.act(), p);
  d->children = keep(std::vector<const Diff*>{compute(old)});
  return d;
}

// Elements with what they were paired with; compute(pair) makes the diff of one element.
template <class F>
const Diff* Differ::sequence(const Pair& p, Openable openable, Diff::Form form, F compute) {
  std::unordered_multimap<uint64_t, uint32_t> known;
  std::deque<const Item*> classes;
  auto class_of = [&](const Item& e) {
    uint64_t hash = e.nil() ? 0 : e.hash;
    auto range = known.equal_range(hash);
    for (auto it = range.first; it != range.second; ++it) {
      const Item& other = *classes[it->second];
      if (e.nil() ? other.nil() : equal(e, other)) return it->second;
    }
    uint32_t n = static_cast<uint32_t>(classes.size());
    classes.push_back(&e);
    known.emplace(hash, n);
    return n;
  };
  auto read = [&](const Item* list) {
    Sequence s;
    if (!list->is_array()) return s;
    for (const Item& e : list->items) {
      s.classes.push_back(class_of(e));
      s.openable.push_back(openable == Openable::All || (openable == Openable::Objects && e.is_object()));
    }
    return s;
  };
  Sequence olds = read(p.before), news = read(p.after);
  std::vector<Placement> places;
  if (reorders(p))
    places = place_in_list(p.before->items, p.after->items, olds, news);
  else
    for (auto [i, j] : pair_up(olds, news)) places.push_back({i, j});
  Act act = Act::NoOp;
  if (p.before->is_array() != p.after->is_array()) act = p.before->is_array() ? Act::Delete : Act::Create;
  std::vector<const Diff*> children;
  Pair from = p.with_all_relevant();
  for (const Placement& at : places) {
    children.push_back(compute(from.element(at.from, at.to)));
    act = join(act, at.moved ? Act::Update : children.back()->act);
  }
  Diff* d = make(form, act, p);
  d->children = keep(children);
  if (reorders(p)) d->places = keep(places);
  return d;
}

// Place by place.
template <class F>
const Diff* Differ::by_index(const Pair& p, size_t count, Diff::Form form, F compute) {
  Act act = p.act_of_container();
  std::vector<const Diff*> children;
  for (size_t i = 0; i < count; ++i) {
    children.push_back(compute(p.element(static_cast<int64_t>(i), static_cast<int64_t>(i)), i));
    act = join(act, children.back()->act);
  }
  Diff* d = make(form, act, p);
  d->children = keep(children);
  return d;
}

// Elements on both sides first (with the removed ones, in old order), then the new ones.
template <class F>
void Differ::set_elements(const Pair& p, std::vector<const Diff*>& out, F compute) {
  Pair from = p.with_all_relevant();
  std::unordered_multimap<uint64_t, size_t> news;
  for (size_t j = 0; j < p.after_length(); ++j)
    if (!p.after->items[j].unknown) news.emplace(p.after->items[j].hash, j);
  std::vector<bool> matched(p.after_length());
  std::vector<int64_t> with(p.before_length(), kNone);
  for (size_t i = 0; i < p.before_length(); ++i) {
    const Item& old = p.before->items[i];
    auto range = news.equal_range(old.hash);
    for (auto it = range.first; it != range.second && with[i] == kNone; ++it) {
      const Item& now = p.after->items[it->second];
      if (!matched[it->second] && equal(old, now) && old.sensitive == now.sensitive) {
        with[i] = static_cast<int64_t>(it->second);
        matched[it->second] = true;
      }
    }
  }
  if (reorders(p)) pair_nearest(p.before->items, p.after->items, with, matched);
  for (size_t i = 0; i < p.before_length(); ++i)
    out.push_back(compute(from.element(static_cast<int64_t>(i), with[i])));
  for (size_t j = 0; j < p.after_length(); ++j)
    if (!matched[j]) out.push_back(compute(from.element(kNone, static_cast<int64_t>(j))));
}

// explicit_only: keys of the new map whose values are unknown are left out.
template <class F>
const Diff* Differ::map(const Pair& p, bool explicit_only, Diff::Form form, F compute) {
  Act act = Act::NoOp;
  if (p.before->is_object() != p.after->is_object()) act = p.before->is_object() ? Act::Delete : Act::Create;
  std::vector<std::string_view> keys, all;
  if (p.before->is_object()) all.assign(p.before->keys.begin(), p.before->keys.end());
  if (p.after->is_object()) {
    for (size_t i = 0; i < p.after->keys.size(); ++i)
      if (!explicit_only || !p.after->items[i].unknown) all.push_back(p.after->keys[i]);
    std::inplace_merge(
        all.begin(),
        all.begin() + static_cast<std::ptrdiff_t>(p.before->is_object() ? p.before->keys.size() : 0),
        all.end());
  }
  std::unique_copy(all.begin(), all.end(), std::back_inserter(keys));
  std::vector<const Diff*> children;
  for (std::string_view key : keys) {
    children.push_back(compute(p.child(key)));
    act = join(act, children.back()->act);
  }
  Diff* d = make(form, act, p);
  d->keys = keep(keys);
  d->children = keep(children);
  d->keyed = p.before->map || p.after->map || p.marks_ignored;
  return d;
}

}  // namespace xplan::render

#include "render/diff.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>

#include "render/pairing.h"

namespace xplan::render {

// ---------------------------------------------------------------------------------------------------------------- Paths

Paths::Paths(const std::vector<Path>& paths) {
  rest_.reserve(paths.size());
  for (const Path& p : paths) rest_.push_back({&p, 0});
}

bool Paths::here() const {
  return std::any_of(rest_.begin(), rest_.end(), [](const Rest& r) { return r.from >= r.path->size(); });
}

Paths Paths::at(std::string_view key) const {
  Paths out;
  out.keep_below_ = keep_below_;
  for (const Rest& r : rest_) {
    if (r.from >= r.path->size()) {
      if (keep_below_) out.rest_.push_back(r);
      continue;
    }
    const PathStep& step = (*r.path)[r.from];
    if (step.is_attr ? step.attr.sv() == key : step.index.is_string() && step.index.as_string() == key)
      out.rest_.push_back({r.path, r.from + 1});
  }
  return out;
}

Paths Paths::at(size_t index) const {
  Paths out;
  out.keep_below_ = keep_below_;
  for (const Rest& r : rest_) {
    if (r.from >= r.path->size()) {
      if (keep_below_) out.rest_.push_back(r);
      continue;
    }
    const PathStep& step = (*r.path)[r.from];
    bool same = false;
    if (!step.is_attr && step.index.is_number()) {
      auto n = step.index.as_number().exact_int64();
      same = n && *n >= 0 && static_cast<size_t>(*n) == index;
    } else if (!step.is_attr && step.index.is_string()) {
      same = step.index.as_string() == std::to_string(index);
    }
    if (same) out.rest_.push_back({r.path, r.from + 1});
  }
  return out;
}

// ----------------------------------------------------------------------------------------------------------------- Pair

// One place of the two values. "Written" tells a null that somebody wrote from a value that is not there.
struct Differ::Pair {
  const Item* before = &kMissing;
  const Item* after = &kMissing;
  bool before_written = false, after_written = false;
  bool unknown = false;                     // the new value is
  bool unknown_children = false;            // every attribute below is to be shown as unknown
  bool before_sensitive = false, after_sensitive = false;
  bool marks_ignored = false;               // below a value that is hidden as a whole
  // Whether the schema can tell an empty string from null. A copy of a pair does not know (see typed()).
  bool exact_strings = false;
  Paths replace;
  Paths relevant;
  bool all_relevant = true;

  static Pair of(const Item* b, const Item* a) {
    Pair p;
    if (b) p.before = b, p.before_written = true, p.before_sensitive = b->sensitive;
    // An unknown value has no place in what is compared, so nobody wrote it.
    if (a) p.after = a, p.after_written = !a->unknown, p.after_sensitive = a->sensitive, p.unknown = a->unknown;
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

// -------------------------------------------------------------------------------------------------------------- helpers

Diff* Differ::make(Diff::Form form, Act act, const Pair& p) {
  Diff* d = new (arena_array<Diff>(arena_, 1)) Diff;
  d->form = form;
  d->act = act;
  d->replace = p.replace.here();
  return d;
}

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
  d->kids = keep(std::vector<const Diff*>{inner});
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
  d->kids = keep(std::vector<const Diff*>{compute(old)});
  return d;
}

const Diff* Differ::text_or_scalar(const Pair& p, bool text) {
  Diff* d = make(text ? Diff::Form::Text : Diff::Form::Scalar, p.act(), p);
  d->before = p.before;
  d->after = p.after;
  return d;
}

// Elements with what they were paired with; compute(pair) makes the diff of one element.
template <class F>
const Diff* Differ::sequence(const Pair& p, bool all_openable, Diff::Form form, F compute) {
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
      s.openable.push_back(all_openable || e.is_object());
    }
    return s;
  };
  Sequence olds = read(p.before), news = read(p.after);
  Act act = Act::NoOp;
  if (p.before->is_array() != p.after->is_array()) act = p.before->is_array() ? Act::Delete : Act::Create;
  std::vector<const Diff*> kids;
  Pair from = p.with_all_relevant();
  for (auto [i, j] : pair_up(olds, news)) {
    kids.push_back(compute(from.element(i, j)));
    act = join(act, kids.back()->act);
  }
  Diff* d = make(form, act, p);
  d->kids = keep(kids);
  return d;
}

// Place by place.
template <class F>
const Diff* Differ::by_index(const Pair& p, size_t count, Diff::Form form, F compute) {
  Act act = p.act_of_container();
  std::vector<const Diff*> kids;
  for (size_t i = 0; i < count; ++i) {
    kids.push_back(compute(p.element(static_cast<int64_t>(i), static_cast<int64_t>(i)), i));
    act = join(act, kids.back()->act);
  }
  Diff* d = make(form, act, p);
  d->kids = keep(kids);
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
  for (size_t i = 0; i < p.before_length(); ++i) {
    const Item& old = p.before->items[i];
    int64_t with = kNone;
    auto range = news.equal_range(old.hash);
    for (auto it = range.first; it != range.second && with == kNone; ++it) {
      const Item& now = p.after->items[it->second];
      if (!matched[it->second] && equal(old, now) && old.sensitive == now.sensitive) {
        with = static_cast<int64_t>(it->second);
        matched[it->second] = true;
      }
    }
    out.push_back(compute(from.element(static_cast<int64_t>(i), with)));
  }
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
    std::inplace_merge(all.begin(),
                       all.begin() + static_cast<std::ptrdiff_t>(p.before->is_object() ? p.before->keys.size() : 0),
                       all.end());
  }
  std::unique_copy(all.begin(), all.end(), std::back_inserter(keys));
  std::vector<const Diff*> kids;
  for (std::string_view key : keys) {
    kids.push_back(compute(p.child(key)));
    act = join(act, kids.back()->act);
  }
  Diff* d = make(form, act, p);
  d->keys = keep(keys);
  d->kids = keep(kids);
  return d;
}

// --------------------------------------------------------------------------------------------------------- declared types

// Old plugins cannot tell an empty string from null and return either, so the two are taken for the same unless the
// schema has something that such plugins cannot have. Parts of hidden values and the values before unknown ones are
// always taken that way: reviewers know `null -> (known after apply)`.
const Diff* Differ::typed(const Pair& given, Type type) {
  Pair p = given;
  if (!p.exact_strings) {
    auto empty = [](const Item* i) { return i->kind == Item::Kind::String && i->text.empty(); };
    if (empty(p.before)) p.before = &kMissing;
    if (empty(p.after)) p.after = &kMissing;
  }
  auto again = [&](const Pair& q) { return typed(q, type); };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, again)) return d;
  if (const Diff* d = unknown(p, false, again)) return d;
  switch (type.kind()) {
    case TypeKind::Dynamic:
    case TypeKind::Capsule: return dynamic(p);
    case TypeKind::Bool:
    case TypeKind::Number: return text_or_scalar(p, false);
    case TypeKind::String: return text_or_scalar(p, true);
    case TypeKind::Object: return object(p, nullptr, type);
    case TypeKind::Map:
      return map(p, false, Diff::Form::Map, [&](const Pair& e) { return typed(e, type.element()); });
    case TypeKind::List:
      return sequence(p, type.element().is_object(), Diff::Form::List,
                      [&](const Pair& e) { return typed(e, type.element()); });
    case TypeKind::Tuple:
      return by_index(p, type.elements().size(), Diff::Form::List,
                      [&](const Pair& e, size_t i) { return typed(e, type.elements()[i]); });
    case TypeKind::Set: {
      std::vector<const Diff*> kids;
      set_elements(p, kids, [&](const Pair& e) { return typed(e, type.element()); });
      Act act = p.act_of_container();
      for (const Diff* k : kids) act = join(act, k->act);
      Diff* d = make(Diff::Form::Set, act, p);
      d->kids = keep(kids);
      return d;
    }
  }
  return dynamic(p);
}

// Exactly one of the two describes the attributes.
const Diff* Differ::object(const Pair& p, const schema::Object* nested, Type type) {
  Act act = p.act_of_container();
  size_t count = nested ? nested->attributes.size() : type.attr_names().size();
  std::vector<std::string_view> keys;
  std::vector<const Diff*> kids;
  for (size_t i = 0; i < count; ++i) {
    std::string_view name = nested ? nested->attributes[i].name.sv() : type.attr_names()[i].sv();
    Pair e = p.child(name);
    e.before_written = e.after_written = false;  // an object has all its attributes: null is absent
    const Diff* d = nested ? attribute(e, nested->attributes[i], act) : typed(e, type.elements()[i]);
    if (d->act == Act::NoOp && e.before->nil() && e.after->nil()) continue;
    keys.push_back(name);
    kids.push_back(d);
    act = join(act, d->act);
  }
  Diff* d = make(nested ? Diff::Form::NestedObject : Diff::Form::Object, act, p);
  d->keys = keep(keys);
  d->kids = keep(kids);
  return d;
}

const Diff* Differ::nested(const Pair& p, const schema::Object& o, schema::Nesting nesting) {
  auto again = [&](const Pair& q) { return nested(q, o, nesting); };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, again)) return d;
  if (const Diff* d = unknown(p, true, again)) return d;
  auto one = [&](const Pair& e) { return nested(e, o, schema::Nesting::Single); };
  switch (nesting) {
    case schema::Nesting::Single:
    case schema::Nesting::Group: return object(p, &o, Type());
    case schema::Nesting::Map: {
      Pair all = p;
      all.unknown_children = false;  // its children are objects, not attributes
      return map(all, true, Diff::Form::NestedMap, one);
    }
    case schema::Nesting::List:
      return by_index(p, std::max(p.before_length(), p.after_length()), Diff::Form::NestedList,
                      [&](const Pair& e, size_t) { return one(e); });
    case schema::Nesting::Set: {
      std::vector<const Diff*> kids;
      set_elements(p, kids, one);
      Act act = p.act_of_container();
      for (const Diff* k : kids) act = join(act, k->act);
      Diff* d = make(Diff::Form::NestedSet, act, p);
      d->kids = keep(kids);
      return d;
    }
  }
  return object(p, &o, Type());
}

const Diff* Differ::attribute(const Pair& p, const schema::Attribute& a, Act parent) {
  if (a.write_only) {
    // Its value is null on both sides, so it goes the way of what it belongs to.
    Act act = parent == Act::NoOp && p.replace.here() ? Act::Update : parent;
    return make(Diff::Form::WriteOnly, act, p);
  }
  if (a.nested) return nested(p, *a.nested, a.nested->nesting);
  return typed(p, a.type);
}

// ---------------------------------------------------------------------------------------------------------- any type

const Diff* Differ::dynamic(const Pair& p) {
  auto again = [&](const Pair& q) { return dynamic(q); };
  auto plain = [&](const Diff* d) {  // what the schema does not describe cannot force a replacement by itself
    const_cast<Diff*>(d)->replace = false;
    return d;
  };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, again)) return plain(d);
  if (const Diff* d = unknown(p, false, again)) {
    const_cast<Diff*>(d)->act = d->kids.empty() ? Act::Create : Act::Update;
    return plain(d);
  }
  using K = Item::Kind;
  auto kind = [](const Item* i) { return i->nil() ? K::Null : i->kind; };
  K old = kind(p.before), now = kind(p.after);
  bool deleted = now == K::Null && !p.after_written, created = old == K::Null && !p.before_written;
  if (old != now && !deleted && !created) {
    Diff* d = make(Diff::Form::TypeChange, Act::Update, p);
    const Diff* before = dynamic(p.removal());
    const Diff* after = dynamic(p.creation());
    d->kids = keep(std::vector<const Diff*>{before, after});
    return plain(d);
  }
  switch (old == K::Null ? now : old) {
    case K::Array:
      return plain(sequence(p, false, Diff::Form::List, again));
    case K::Object:
      return plain(map(p, false, Diff::Form::Object, again));
    default: {
      Act act = Act::Update;
      bool no_old = p.before->nil() && !p.before_written, no_new = p.after->nil() && !p.after_written;
      if (no_old && !no_new) act = Act::Create;
      else if (!no_old && no_new) act = Act::Delete;
      else if (p.same_content()) act = Act::NoOp;
      bool text = old == K::String || (old == K::Null && now == K::String);
      Diff* d = make(text ? Diff::Form::Text : Diff::Form::Scalar, act, p);
      d->before = p.before;
      d->after = p.after;
      return plain(d);
    }
  }
}

const Diff* Differ::json(const Item* before, const Item* after) { return dynamic(Pair::of(before, after)); }

const Diff* Differ::value(const Value& before, const Value& after, bool before_sensitive, bool after_sensitive) {
  Item* items = arena_array<Item>(arena_, 2);
  new (items) Item(make_item(before, arena_));
  new (items + 1) Item(make_item(after, arena_));
  Pair p = Pair::of(&items[0], &items[1]);
  // A root output that is null does not exist.
  p.before_written = p.after_written = false;
  p.before_sensitive |= before_sensitive;
  p.after_sensitive |= after_sensitive;
  auto inner = [&](const Pair& q) { return typed(q, Type()); };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, inner)) return d;
  if (const Diff* d = unknown(p, false, inner)) return d;
  return dynamic(p);
}

const Diff* Differ::typed_value(const Value& v, bool sensitive) {
  Item* item = new (arena_array<Item>(arena_, 1)) Item(make_item(v, arena_));
  Pair p = Pair::of(item, item);
  p.before_written = p.after_written = false;
  p.before_sensitive |= sensitive;
  p.after_sensitive |= sensitive;
  return typed(p, v.type());
}

// ------------------------------------------------------------------------------------------------------------- blocks

const Diff* Differ::resource(const Value& before, const Value& after, const schema::Block& b,
                             const std::vector<Path>& replace, const std::vector<Path>* relevant) {
  Item* items = arena_array<Item>(arena_, 2);
  new (items) Item(make_item(before, arena_));
  new (items + 1) Item(make_item(after, arena_));
  Pair p = Pair::of(&items[0], &items[1]);
  p.before_written = p.after_written = false;
  p.replace = Paths(replace);
  if (relevant) {
    p.all_relevant = false;
    p.relevant = Paths(*relevant);
    p.relevant.keep_below(true);
  }
  return block(p, b);
}

const Diff* Differ::block(const Pair& p, const schema::Block& b) {
  auto again = [&](const Pair& q) { return block(q, b); };
  if (const Diff* d = hidden(p, Diff::Form::SensitiveBlock, again)) return d;
  if (const Diff* d = unknown(p, true, again)) return d;
  return block_known(p, b);
}

// What plugins of the first generation cannot have.
bool newer_schema(const schema::Block& b) {
  for (const schema::NestedBlock& n : b.blocks)
    if (n.nesting != schema::Nesting::List && n.nesting != schema::Nesting::Set) return true;
  return std::any_of(b.attributes.begin(), b.attributes.end(),
                     [](const schema::Attribute& a) { return a.nested || a.type.has_dynamic(); });
}

const Diff* Differ::block_known(const Pair& given, const schema::Block& b) {
  Pair p = given;
  p.exact_strings = p.exact_strings || newer_schema(b);
  Act act = p.act_of_container();
  std::vector<const Diff*> diffs(b.attributes.size(), nullptr);
  // Write-only attributes come last: they show what happens to the whole block.
  for (bool write_only : {false, true}) {
    for (size_t i = 0; i < b.attributes.size(); ++i) {
      const schema::Attribute& a = b.attributes[i];
      if (a.write_only != write_only) continue;
      Pair e = p.child(a.name.sv());
      e.before_written = e.after_written = false;
      const Diff* d = attribute(e, a, act);
      if (!write_only && d->act == Act::NoOp && e.before->nil() && e.after->nil()) continue;
      diffs[i] = d;
      act = join(act, d->act);
    }
  }
  std::vector<std::string_view> keys;
  std::vector<const Diff*> kids;
  for (size_t i = 0; i < diffs.size(); ++i) {
    if (!diffs[i]) continue;
    keys.push_back(b.attributes[i].name.sv());
    kids.push_back(diffs[i]);
  }
  std::vector<BlockGroup> groups;
  for (const schema::NestedBlock& type : b.blocks) {
    BlockGroup group;
    if (block_group(p, type, group, act)) groups.push_back(group);
  }
  Diff* d = make(Diff::Form::Block, act, p);
  d->keys = keep(keys);
  d->kids = keep(kids);
  d->groups = keep(groups);
  return d;
}

// False when there is nothing of this type on either side.
bool Differ::block_group(const Pair& parent, const schema::NestedBlock& type, BlockGroup& out, Act& whole) {
  const schema::Block& b = *type.block;
  Pair p = parent.child(type.type_name.sv());
  if (parent.unknown_children) p.unknown = false;  // only attributes are shown as unknown
  out.name = type.type_name.sv();
  out.replace = p.replace.here();
  out.before_sensitive = p.before_sensitive;
  out.after_sensitive = p.after_sensitive;
  std::vector<const Diff*> blocks;
  auto one = [&](const Pair& e) { return block(e, b); };
  Act act = p.act_of_container();
  if (const Diff* d = unknown(p, true, one)) {
    out.blocks = keep(std::vector<const Diff*>{d});
    return true;
  }
  switch (type.nesting) {
    case schema::Nesting::Single:
    case schema::Nesting::Group: {
      // The group's own marks are dealt with when it is printed.
      blocks.push_back(block(p, b));
      act = blocks[0]->act;
      break;
    }
    case schema::Nesting::Map: {
      p.unknown_children = false;
      const Diff* all = map(p, true, Diff::Form::Map, one);
      out.labels = all->keys;
      blocks.assign(all->kids.begin(), all->kids.end());
      act = all->act;
      break;
    }
    case schema::Nesting::List: {
      const Diff* all = by_index(p, std::max(p.before_length(), p.after_length()), Diff::Form::List,
                                 [&](const Pair& e, size_t) { return one(e); });
      blocks.assign(all->kids.begin(), all->kids.end());
      act = all->act;
      break;
    }
    case schema::Nesting::Set:
      set_elements(p, blocks, one);
      for (const Diff* d : blocks) act = join(act, d->act);
      break;
  }
  if (act == Act::NoOp && p.before->nil() && p.after->nil()) return false;
  out.blocks = keep(blocks);
  whole = join(whole, act);
  return true;
}

}  // namespace xplan::render

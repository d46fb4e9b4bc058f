// Builds the diff tree of values and attributes: scalars, strings, objects, maps, lists, sets, nested
// attributes, and outputs. Blocks are in diff_blocks.cc; pairing of elements in pairing.cc.
#include "render/diff.h"

#include "render/diff_pair.h"

namespace xplan::render {

Diff* Differ::make(Diff::Form form, Act act, const Pair& p) {
  Diff* d = new (arena_array<Diff>(arena_, 1)) Diff;
  d->form = form;
  d->act = act;
  d->replace = p.replace.here();
  return d;
}

// Whether elements may stand beside others than those of their own place. Not below marks, where pairs would
// tell what is equal.
bool Differ::reorders(const Pair& p) const {
  return style_ == DiffStyle::Smart && p.all_relevant && !p.marks_ignored && !p.replace.inside() &&
         !p.before_sensitive && !p.after_sensitive && p.before->is_array() && p.after->is_array();
}

const Diff* Differ::text_or_scalar(const Pair& p, bool text) {
  Diff* d = make(text ? Diff::Form::Text : Diff::Form::Scalar, p.act(), p);
  d->before = p.before;
  d->after = p.after;
  return d;
}

// Old plugins cannot tell an empty string from null and return either, so the two are taken for the same
// unless the schema has something that such plugins cannot have. Parts of hidden values and the values before
// unknown ones are always taken that way: reviewers know `null -> (known after apply)`.
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
    case TypeKind::Capsule:
      return dynamic(p);
    case TypeKind::Bool:
    case TypeKind::Number:
      return text_or_scalar(p, false);
    case TypeKind::String:
      return text_or_scalar(p, true);
    case TypeKind::Object:
      return object(p, nullptr, type);
    case TypeKind::Map:
      return map(p, false, Diff::Form::Map, [&](const Pair& e) { return typed(e, type.element()); });
    case TypeKind::List:
      return sequence(p, type.element().is_object() ? Openable::All : Openable::None, Diff::Form::List,
                      [&](const Pair& e) { return typed(e, type.element()); });
    case TypeKind::Tuple:
      return by_index(p, type.elements().size(), Diff::Form::List,
                      [&](const Pair& e, size_t i) { return typed(e, type.elements()[i]); });
    case TypeKind::Set: {
      std::vector<const Diff*> children;
      set_elements(p, children, [&](const Pair& e) { return typed(e, type.element()); });
      Act act = p.act_of_container();
      for (const Diff* k : children) act = join(act, k->act);
      Diff* d = make(Diff::Form::Set, act, p);
      d->children = keep(children);
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
  std::vector<const Diff*> children;
  for (size_t i = 0; i < count; ++i) {
    std::string_view name = nested ? nested->attributes[i].name.sv() : type.attr_names()[i].sv();
    Pair e = p.child(name);
    e.before_written = e.after_written = false;  // an object has all its attributes: null is absent
    const Diff* d = nested ? attribute(e, nested->attributes[i], act) : typed(e, type.elements()[i]);
    if (d->act == Act::NoOp && e.before->nil() && e.after->nil()) continue;
    keys.push_back(name);
    children.push_back(d);
    act = join(act, d->act);
  }
  Diff* d = make(nested ? Diff::Form::NestedObject : Diff::Form::Object, act, p);
  d->keys = keep(keys);
  d->children = keep(children);
  return d;
}

const Diff* Differ::nested(const Pair& p, const schema::Object& o, schema::Nesting nesting) {
  auto again = [&](const Pair& q) { return nested(q, o, nesting); };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, again)) return d;
  if (const Diff* d = unknown(p, true, again)) return d;
  auto one = [&](const Pair& e) { return nested(e, o, schema::Nesting::Single); };
  switch (nesting) {
    case schema::Nesting::Single:
    case schema::Nesting::Group:
      return object(p, &o, Type());
    case schema::Nesting::Map: {
      Pair all = p;
      all.unknown_children = false;  // its children are objects, not attributes
      return map(all, true, Diff::Form::NestedMap, one);
    }
    case schema::Nesting::List:
      if (reorders(p)) return sequence(p, Openable::All, Diff::Form::NestedList, one);
      return by_index(p, std::max(p.before_length(), p.after_length()), Diff::Form::NestedList,
                      [&](const Pair& e, size_t) { return one(e); });
    case schema::Nesting::Set: {
      std::vector<const Diff*> children;
      set_elements(p, children, one);
      Act act = p.act_of_container();
      for (const Diff* k : children) act = join(act, k->act);
      Diff* d = make(Diff::Form::NestedSet, act, p);
      d->children = keep(children);
      return d;
    }
  }
  return object(p, &o, Type());
}

const Diff* Differ::attribute(const Pair& p, const schema::Attribute& a, Act parent) {
  if (a.write_only) {
    // Its value is null on both sides, so it comes and goes with what it belongs to.
    Act act = parent == Act::NoOp && p.replace.here() ? Act::Update : parent;
    return make(Diff::Form::WriteOnly, act, p);
  }
  if (a.nested) return nested(p, *a.nested, a.nested->nesting);
  return typed(p, a.type);
}

// ----------------------------------------------------------------------------------------------------------
// any type

const Diff* Differ::dynamic(const Pair& p) {
  auto again = [&](const Pair& q) { return dynamic(q); };
  auto plain = [&](const Diff* d) {  // what the schema does not describe cannot force a replacement by itself
    const_cast<Diff*>(d)->replace = false;
    return d;
  };
  if (const Diff* d = hidden(p, Diff::Form::Sensitive, again)) return plain(d);
  if (const Diff* d = unknown(p, false, again)) {
    const_cast<Diff*>(d)->act = d->children.empty() ? Act::Create : Act::Update;
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
    d->children = keep(std::vector<const Diff*>{before, after});
    return plain(d);
  }
  switch (old == K::Null ? now : old) {
    case K::Array:
      return plain(sequence(p, Openable::Objects, Diff::Form::List, again));
    case K::Object:
      return plain(map(p, false, Diff::Form::Object, again));  // its names may be secrets, too: see keyed
    case K::Missing:
    case K::Null:
    case K::Bool:
    case K::Number:
    case K::String:
      break;
  }
  Act act = Act::Update;
  bool no_old = p.before->nil() && !p.before_written, no_new = p.after->nil() && !p.after_written;
  if (no_old && !no_new)
    act = Act::Create;
  else if (!no_old && no_new)
    act = Act::Delete;
  else if (p.same_content())
    act = Act::NoOp;
  bool text = old == K::String || (old == K::Null && now == K::String);
  Diff* d = make(text ? Diff::Form::Text : Diff::Form::Scalar, act, p);
  d->before = p.before;
  d->after = p.after;
  return plain(d);
}

const Diff* Differ::json(const Item* before, const Item* after) {
  return dynamic(Pair::of(before, after));
}

const Diff* Differ::value(const Value& before, const Value& after, bool before_sensitive,
                          bool after_sensitive) {
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

}  // namespace xplan::render

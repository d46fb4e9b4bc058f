// Builds the diff tree of resources: nested blocks by nesting mode, groups of blocks, and unchanged ones
// that are hidden. Continues Differ from diff.cc.
#include <algorithm>

#include "render/diff_pair.h"

namespace xplan::render {

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
    if (n.nesting == schema::Nesting::Map || n.nesting == schema::Nesting::Group) return true;
  return std::any_of(b.attributes.begin(), b.attributes.end(), [](const schema::Attribute& a) {
    return a.nested || a.type.has_dynamic() || a.type.is_object() || a.type.is_tuple();
  });
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
      const Diff* d = attribute(e, a, a.write_only && act == Act::Update ? Act::NoOp : act);
      if (!write_only && d->act == Act::NoOp && e.before->nil() && e.after->nil()) continue;
      diffs[i] = d;
      act = join(act, d->act);
    }
  }
  std::vector<std::string_view> keys;
  std::vector<const Diff*> children;
  for (size_t i = 0; i < diffs.size(); ++i) {
    if (!diffs[i]) continue;
    keys.push_back(b.attributes[i].name.sv());
    children.push_back(diffs[i]);
  }
  std::vector<BlockGroup> groups;
  for (const schema::NestedBlock& type : b.blocks) {
    BlockGroup group;
    if (block_group(p, type, group, act)) groups.push_back(group);
  }
  Diff* d = make(Diff::Form::Block, act, p);
  d->keys = keep(keys);
  d->children = keep(children);
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
  const Diff* coming = nullptr;
  bool repeated = !schema::is_one(type.nesting);
  if (p.unknown && repeated) {  // any number of blocks will come; those there were go
    coming = make(Diff::Form::Unknown, p.before->nil() ? Act::Create : Act::Update, p);
    p = p.removal();
  } else if (const Diff* d = unknown(p, true, one)) {
    out.blocks = keep(std::vector<const Diff*>{d});
    return true;
  }
  Act act = p.act_of_container();
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
      blocks.assign(all->children.begin(), all->children.end());
      act = all->act;
      break;
    }
    case schema::Nesting::List: {
      const Diff* all = reorders(p)
                            ? sequence(p, Openable::All, Diff::Form::List, one)
                            : by_index(p, std::max(p.before_length(), p.after_length()), Diff::Form::List,
                                       [&](const Pair& e, size_t) { return one(e); });
      out.places = all->places;
      blocks.assign(all->children.begin(), all->children.end());
      act = all->act;
      break;
    }
    case schema::Nesting::Set:
      set_elements(p, blocks, one);
      for (const Diff* d : blocks) act = join(act, d->act);
      break;
  }
  if (coming) {
    blocks.insert(blocks.begin(), coming);
    act = coming->act;
  }
  if (act == Act::NoOp && p.before->nil() && p.after->nil()) return false;
  out.blocks = keep(blocks);
  whole = join(whole, act);
  return true;
}

}  // namespace xplan::render

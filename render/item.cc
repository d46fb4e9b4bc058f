// Makes Items, the form in which diffs compare values (item.h), from values and from JSON text: members
// sorted, hashes for quick comparison; and compares them.
#include "render/item.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/value/json.h"

namespace xplan::render {

const Item kMissing;

namespace {

constexpr uint64_t kNullHash = 0x51ed270b, kTrueHash = 0x2545f491, kFalseHash = 0x9e3779b9;

uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdull;
}
uint64_t text_hash(std::string_view s, uint64_t seed) {
  return mix(seed, std::hash<std::string_view>()(s));
}

std::string_view keep(std::string_view s, Arena& arena) {
  if (s.empty()) return {};
  char* p = arena_array<char>(arena, s.size());
  std::memcpy(p, s.data(), s.size());
  return {p, s.size()};
}

void seal_array(Item& out) {
  uint64_t h = 0xa1;
  for (const Item& e : out.items) h = mix(h, e.hash);
  out.hash = h;
}
void seal_object(Item& out) {
  uint64_t h = 0xb2;
  for (size_t i = 0; i < out.items.size(); ++i)
    if (!out.items[i].unknown) h = mix(text_hash(out.keys[i], h), out.items[i].hash);
  out.hash = h;
}

Item string_item(std::string_view s) {
  Item out;
  out.kind = Item::Kind::String;
  out.text = s;
  out.hash = text_hash(s, 0xc3);
  return out;
}
Item number_item(std::string_view digits) {
  Item out;
  out.kind = Item::Kind::Number;
  out.text = digits;
  out.hash = text_hash(digits, 0xd4);
  return out;
}
Item bool_item(bool b) {
  Item out;
  out.kind = Item::Kind::Bool;
  out.truth = b;
  out.hash = b ? kTrueHash : kFalseHash;
  return out;
}
Item null_item() {
  Item out;
  out.kind = Item::Kind::Null;
  out.hash = kNullHash;
  return out;
}

Item content(const Value& v, Arena& arena) {
  switch (v.kind()) {
    case Kind::Null:
    case Kind::TypeVal:
      return null_item();
    case Kind::Unknown: {
      Item out = null_item();
      out.unknown = true;
      return out;
    }
    case Kind::Bool:
      return bool_item(v.as_bool());
    case Kind::Int:
    case Kind::Num:
      if (v.as_number().sign() == 0) return number_item("0");  // whichever sign it has
      return number_item(keep(json_number(v.as_number()), arena));
    case Kind::Str:
      return string_item(v.as_string());
    case Kind::Seq:
    case Kind::Set: {
      Item out;
      out.kind = Item::Kind::Array;
      std::span<const Value> elements = v.elements();
      Item* items = arena_array<Item>(arena, elements.size());
      for (size_t i = 0; i < elements.size(); ++i) new (items + i) Item(make_item(elements[i], arena));
      out.items = {items, elements.size()};
      seal_array(out);
      return out;
    }
    case Kind::Map:
    case Kind::Obj: {
      Item out;
      out.kind = Item::Kind::Object;
      out.map = v.kind() == Kind::Map;
      std::span<const Value> elements = v.elements();
      Item* items = arena_array<Item>(arena, elements.size());
      auto* keys = arena_array<std::string_view>(arena, elements.size());
      std::span<const Symbol> names;
      if (v.kind() == Kind::Obj) names = v.type().attr_names();
      for (size_t i = 0; i < elements.size(); ++i) {
        new (items + i) Item(make_item(elements[i], arena));
        new (keys + i) std::string_view(v.kind() == Kind::Obj ? names[i].sv() : v.map_key(i));
      }
      out.items = {items, elements.size()};
      out.keys = {keys, elements.size()};
      seal_object(out);
      return out;
    }
  }
  return null_item();
}

}  // namespace

const Item* Item::find(std::string_view key) const {
  auto it = std::lower_bound(keys.begin(), keys.end(), key);
  return it == keys.end() || *it != key ? nullptr : &items[static_cast<size_t>(it - keys.begin())];
}

Item make_item(const Value& v, Arena& arena) {
  Item out = content(v, arena);
  out.sensitive = v.has_mark(kSensitive);
  return out;
}

Item make_item(const JsonNode& n, Arena& arena) {
  switch (n.kind) {
    case JsonNode::Kind::Null:
      return null_item();
    case JsonNode::Kind::True:
      return bool_item(true);
    case JsonNode::Kind::False:
      return bool_item(false);
    case JsonNode::Kind::Number:
      return number_item(keep(n.text, arena));
    case JsonNode::Kind::String:
      return string_item(keep(n.text, arena));
    case JsonNode::Kind::Array: {
      Item out;
      out.kind = Item::Kind::Array;
      Item* items = arena_array<Item>(arena, n.items.size());
      for (size_t i = 0; i < n.items.size(); ++i) new (items + i) Item(make_item(*n.items[i], arena));
      out.items = {items, n.items.size()};
      seal_array(out);
      return out;
    }
    case JsonNode::Kind::Object: {
      std::vector<const JsonMember*> members;
      members.reserve(n.members.size());
      for (const JsonMember& m : n.members) members.push_back(&m);
      std::stable_sort(members.begin(), members.end(),
                       [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
      size_t count = 0;  // of several members of one name the last one counts
      for (size_t i = 0; i < members.size(); ++i)
        if (i + 1 == members.size() || members[i + 1]->key != members[i]->key) members[count++] = members[i];
      Item out;
      out.kind = Item::Kind::Object;
      Item* items = arena_array<Item>(arena, count);
      auto* keys = arena_array<std::string_view>(arena, count);
      for (size_t i = 0; i < count; ++i) {
        new (items + i) Item(make_item(*members[i]->value, arena));
        new (keys + i) std::string_view(keep(members[i]->key, arena));
      }
      out.items = {items, count};
      out.keys = {keys, count};
      seal_object(out);
      return out;
    }
  }
  return null_item();
}

bool equal(const Item& a, const Item& b) {
  if (a.hash != b.hash || a.kind != b.kind) return false;
  switch (a.kind) {
    case Item::Kind::Missing:
    case Item::Kind::Null:
      return true;
    case Item::Kind::Bool:
      return a.truth == b.truth;
    case Item::Kind::Number:
    case Item::Kind::String:
      return a.text == b.text;
    case Item::Kind::Array:
      return a.items.size() == b.items.size() &&
             std::equal(a.items.begin(), a.items.end(), b.items.begin(), equal);
    case Item::Kind::Object: {
      size_t i = 0, j = 0;
      while (true) {
        while (i < a.items.size() && a.items[i].unknown) ++i;
        while (j < b.items.size() && b.items[j].unknown) ++j;
        if (i == a.items.size() || j == b.items.size()) return i == a.items.size() && j == b.items.size();
        if (a.keys[i] != b.keys[j] || !equal(a.items[i], b.items[j])) return false;
        ++i, ++j;
      }
    }
  }
  return false;
}

const Item* parse_json_text(std::string_view text, Arena& arena) {
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return nullptr;
  JsonError error;
  auto document = JsonDocument::parse(text, error);
  if (!document) return nullptr;
  Item* out = arena_array<Item>(arena, 1);
  return new (out) Item(make_item(document->root(), arena));
}

}  // namespace xplan::render

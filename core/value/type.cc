// The process-wide table of types behind Type (hash-consed, read without locks), and the texts of types:
// constraint syntax, JSON, and the friendly names of messages.
#include "core/value/type.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/base/lazy_array.h"
#include "core/base/memory.h"

namespace xplan {
namespace {

struct Rec {
  TypeKind kind = TypeKind::Dynamic;
  bool has_dynamic = false;
  uint32_t depth = 0;
  uint32_t count = 0;
  Type element;
  const Type* types = nullptr;
  const Symbol* names = nullptr;
  const uint32_t* index = nullptr;  // open addressing by symbol id: slot holds position + 1
  uint32_t index_mask = 0;
  std::atomic<uint32_t> made[3] = {};  // list, set and map of this type; 0: not built yet
};

constexpr size_t kChunkBits = 10, kChunk = size_t{1} << kChunkBits, kChunks = size_t{1} << 18;
constexpr uint32_t kScan = 16;

size_t mix(size_t h, size_t v) {
  return (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29);
}

// What a compound type is looked up by, before it has an id.
struct Key {
  TypeKind kind;
  Type element;
  std::span<const Type> types;
  std::span<const Symbol> names;
  size_t hash() const {
    size_t h = mix(static_cast<size_t>(kind) + 1, element.id());
    for (Type t : types) h = mix(h, t.id());
    for (Symbol s : names) h = mix(h, s.id());
    return mix(h, types.size());
  }
  bool is(const Rec& r) const {
    return r.kind == kind && r.element == element && r.count == types.size() &&
           std::equal(types.begin(), types.end(), r.types) && std::equal(names.begin(), names.end(), r.names);
  }
};

struct Shard {
  std::mutex lock;
  std::unordered_multimap<size_t, uint32_t> ids;
};

// Chunks never move, so reading a record needs no lock: an id is handed out only after its record is written.
class Table {
 public:
  Table() {
    for (TypeKind k :
         {TypeKind::Dynamic, TypeKind::Bool, TypeKind::Number, TypeKind::String, TypeKind::Capsule}) {
      Rec& r = append(nullptr);
      r.kind = k;
      r.has_dynamic = k == TypeKind::Dynamic;
    }
  }
  Rec& at(uint32_t id) {
    return chunks_[id >> kChunkBits].load(std::memory_order_acquire)[id & (kChunk - 1)];
  }

  Type find_or_add(const Key& key) {
    size_t h = key.hash();
    Shard& shard = shards_[h >> 40 & (shards_.size() - 1)];
    std::lock_guard lock(shard.lock);
    auto [lo, hi] = shard.ids.equal_range(h);
    for (; lo != hi; ++lo)
      if (key.is(at(lo->second))) return Type::from_id(lo->second);
    uint32_t id = 0;
    fill(append(&id), key);
    shard.ids.emplace(h, id);
    return Type::from_id(id);
  }

 private:
  Rec& append(uint32_t* out) {
    uint32_t id = next_.fetch_add(1, std::memory_order_relaxed);
    size_t c = id >> kChunkBits;
    if (c >= kChunks) std::abort();
    if (!chunks_[c].load(std::memory_order_acquire)) {
      std::lock_guard lock(grow_);
      if (!chunks_[c].load(std::memory_order_acquire))
        chunks_[c].store(new Rec[kChunk], std::memory_order_release);
    }
    if (out) *out = id;
    return at(id);
  }
  void fill(Rec& r, const Key& key) {
    r.kind = key.kind;
    r.element = key.element;
    r.count = static_cast<uint32_t>(key.types.size());
    auto take = [&](Type t) {
      const Rec& e = at(t.id());
      r.has_dynamic |= e.has_dynamic;
      r.depth = std::max(r.depth, e.depth + 1);
    };
    if (key.kind == TypeKind::Tuple || key.kind == TypeKind::Object) {
      for (Type t : key.types) take(t);
      if (key.types.empty()) r.depth = 1;
      r.types = copy(key.types);
      r.names = copy(key.names);
      if (key.names.size() > kScan) make_index(r);
    } else {
      take(key.element);
    }
  }
  template <class T>
  static const T* copy(std::span<const T> from) {
    if (from.empty()) return nullptr;
    T* to = static_cast<T*>(take_memory(from.size_bytes()));
    std::copy(from.begin(), from.end(), to);
    return to;
  }
  static void make_index(Rec& r) {
    uint32_t size = 64;
    while (size < r.count * 2) size *= 2;
    auto* index = static_cast<uint32_t*>(take_memory(size * sizeof(uint32_t)));
    std::fill_n(index, size, 0);
    for (uint32_t i = 0; i < r.count; ++i) {
      uint32_t slot = std::hash<Symbol>()(r.names[i]) & (size - 1);
      while (index[slot]) slot = (slot + 1) & (size - 1);
      index[slot] = i + 1;
    }
    r.index = index;
    r.index_mask = size - 1;
  }

  LazyArray<Rec> chunks_{kChunks};
  std::atomic<uint32_t> next_{0};
  std::mutex grow_;
  std::array<Shard, 32> shards_;
};

Table& table() {
  static Table* const it = new Table;  // never destroyed: types outlive everything
  return *it;
}

const Rec& rec(Type t) {
  return table().at(t.id());
}

Type collection(TypeKind kind, Type element) {
  Rec& r = table().at(element.id());
  std::atomic<uint32_t>& cache = r.made[static_cast<size_t>(kind) - static_cast<size_t>(TypeKind::List)];
  if (uint32_t id = cache.load(std::memory_order_acquire)) return Type::from_id(id);
  Type t = table().find_or_add({kind, element, {}, {}});
  cache.store(t.id(), std::memory_order_release);
  return t;
}

bool by_text(const std::pair<Symbol, Type>& a, const std::pair<Symbol, Type>& b) {
  return SymbolTextLess()(a.first, b.first);
}

bool is_identifier(std::string_view s) {
  if (s.empty() || (s[0] >= '0' && s[0] <= '9') || s[0] == '-') return false;
  return std::all_of(s.begin(), s.end(), [](unsigned char c) {
    return c == '_' || c == '-' || c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

// As types are written: of primitives the whole, of others the word before the bracket.
const char* kind_word(TypeKind k) {
  switch (k) {
    case TypeKind::Dynamic:
      return "dynamic";
    case TypeKind::Bool:
      return "bool";
    case TypeKind::Number:
      return "number";
    case TypeKind::String:
      return "string";
    case TypeKind::Capsule:
      return "type";
    case TypeKind::List:
      return "list";
    case TypeKind::Set:
      return "set";
    case TypeKind::Map:
      return "map";
    case TypeKind::Tuple:
      return "tuple";
    case TypeKind::Object:
      return "object";
  }
  return "";
}

void append_constraint(std::string& out, Type t) {
  const Rec& r = rec(t);
  out += t.is_dynamic() ? "any" : kind_word(r.kind);
  if (t.is_collection()) {
    out += '(';
    append_constraint(out, r.element);
    out += ')';
  } else if (r.kind == TypeKind::Tuple) {
    out += "([";
    for (uint32_t i = 0; i < r.count; ++i) {
      if (i) out += ", ";
      append_constraint(out, r.types[i]);
    }
    out += "])";
  } else if (r.kind == TypeKind::Object) {
    out += "({";
    for (uint32_t i = 0; i < r.count; ++i) {
      if (i) out += ", ";
      if (is_identifier(r.names[i].sv()))
        out += r.names[i].sv();
      else
        append_json_string(out, r.names[i].sv());
      out += '=';
      append_constraint(out, r.types[i]);
    }
    out += "})";
  }
}

void append_json(std::string& out, Type t) {
  const Rec& r = rec(t);
  const bool whole = !t.is_collection() && !t.is_structural();
  out += whole ? "\"" : "[\"";
  out += kind_word(r.kind);
  out += whole ? "\"" : "\",";
  if (t.is_collection()) {
    append_json(out, r.element);
  } else if (r.kind == TypeKind::Tuple) {
    out += '[';
    for (uint32_t i = 0; i < r.count; ++i) {
      if (i) out += ',';
      append_json(out, r.types[i]);
    }
    out += ']';
  } else if (r.kind == TypeKind::Object) {
    out += '{';
    for (uint32_t i = 0; i < r.count; ++i) {
      if (i) out += ',';
      append_json_string(out, r.names[i].sv());
      out += ':';
      append_json(out, r.types[i]);
    }
    out += '}';
  }
  if (!whole) out += ']';
}

std::string friendly(Type t) {
  if (t.is_dynamic()) return "any type";
  if (t.is_collection() && !t.element().is_dynamic())
    return kind_word(t.kind()) + (" of " + friendly(t.element()));
  return kind_word(t.kind());
}

}  // namespace

Type Type::list(Type element) {
  return collection(TypeKind::List, element);
}
Type Type::set(Type element) {
  return collection(TypeKind::Set, element);
}
Type Type::map(Type element) {
  return collection(TypeKind::Map, element);
}
Type Type::tuple(std::span<const Type> elements) {
  return table().find_or_add({TypeKind::Tuple, Type(), elements, {}});
}

Type Type::object(std::vector<std::pair<Symbol, Type>> attrs) {
  if (!std::is_sorted(attrs.begin(), attrs.end(), by_text))
    std::stable_sort(attrs.begin(), attrs.end(), by_text);
  std::vector<Symbol> names;
  std::vector<Type> types;
  names.reserve(attrs.size());
  types.reserve(attrs.size());
  for (auto& [name, type] : attrs) {
    if (!names.empty() && names.back() == name) {
      types.back() = type;  // a breach of the contract; the last one wins, as everywhere
      continue;
    }
    names.push_back(name);
    types.push_back(type);
  }
  return table().find_or_add({TypeKind::Object, Type(), types, names});
}

TypeKind Type::kind() const {
  return rec(*this).kind;
}
bool Type::is_collection() const {
  TypeKind k = kind();
  return k == TypeKind::List || k == TypeKind::Set || k == TypeKind::Map;
}
bool Type::is_structural() const {
  TypeKind k = kind();
  return k == TypeKind::Tuple || k == TypeKind::Object;
}
bool Type::has_dynamic() const {
  return rec(*this).has_dynamic;
}
uint32_t Type::depth() const {
  return rec(*this).depth;
}
Type Type::element() const {
  return rec(*this).element;
}
std::span<const Type> Type::elements() const {
  const Rec& r = rec(*this);
  return {r.types, r.count};
}
std::span<const Symbol> Type::attr_names() const {
  const Rec& r = rec(*this);
  return r.kind == TypeKind::Object ? std::span<const Symbol>(r.names, r.count) : std::span<const Symbol>();
}

int Type::find_attr(Symbol name) const {
  const Rec& r = rec(*this);
  if (!r.names) return -1;
  if (r.index) {
    for (uint32_t slot = std::hash<Symbol>()(name) & r.index_mask; r.index[slot];
         slot = (slot + 1) & r.index_mask)
      if (r.names[r.index[slot] - 1] == name) return static_cast<int>(r.index[slot] - 1);
    return -1;
  }
  for (uint32_t i = 0; i < r.count; ++i)
    if (r.names[i] == name) return static_cast<int>(i);
  return -1;
}

int Type::find_attr(std::string_view name) const {
  std::span<const Symbol> names = attr_names();
  auto it = std::lower_bound(names.begin(), names.end(), name,
                             [](Symbol s, std::string_view text) { return s.sv() < text; });
  return it != names.end() && it->sv() == name ? static_cast<int>(it - names.begin()) : -1;
}

std::string Type::friendly_name() const {
  return friendly(*this);
}
std::string Type::constraint_text() const {
  std::string out;
  append_constraint(out, *this);
  return out;
}
std::string Type::json() const {
  std::string out;
  append_json(out, *this);
  return out;
}

}  // namespace xplan

// Symbol: an interned string that compares and hashes as an integer.
//
// Who calls it: every folder, for names (attributes, block types, resource names, module names, instance
// keys). Invariant: two symbols are equal exactly when their texts are equal; the text lives until the
// process ends. Cost: intern() hashes the text and takes one of 64 shard locks; sv() is two loads and takes
// no lock. Thread-safety: all functions may be called from any thread. Why process-wide: names cross every
// layer boundary, and an interner passed by reference through all of them bought nothing but parameters. It
// is append-only, so sharing it is safe.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>

namespace xplan {

class Symbol {
 public:
  constexpr Symbol() = default;            // the empty text
  explicit Symbol(std::string_view text);  // interns; the empty text is always id 0
  std::string_view sv() const;             // zero-terminated as well: sv().data() is a C string
  constexpr uint32_t id() const { return id_; }
  static constexpr Symbol from_id(uint32_t id) {
    Symbol s;
    s.id_ = id;
    return s;
  }
  constexpr bool empty() const { return id_ == 0; }
  friend constexpr bool operator==(Symbol, Symbol) = default;

 private:
  uint32_t id_ = 0;
};

// Orders by text (bytes), which is the order that every output uses.
struct SymbolTextLess {
  bool operator()(Symbol a, Symbol b) const { return a != b && a.sv() < b.sv(); }
};

}  // namespace xplan

template <>
struct std::hash<xplan::Symbol> {
  size_t operator()(xplan::Symbol s) const noexcept { return s.id() * 0x9E3779B97F4A7C15ull >> 16; }
};

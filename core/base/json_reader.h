// JsonNode: a small read-only JSON tree that keeps number text and byte positions.
//
// Who calls it: syntax (JSON configurations: positions matter), value/json, state, schema JSON, plan file.
// Contract: numbers are kept as written; strings are decoded (lone surrogates and bytes that are not UTF-8
// become U+FFFD); members keep their order, duplicates too. Positions are byte offsets in the given text; a
// byte order mark at the start is skipped. Errors: the first syntax error, with its offset; depth is limited
// (see kJsonDepth), the text to 4 GiB. Cost: one pass. Nodes, member lists and decoded strings are
// bump-allocated in the document's arena; strings without escapes are views of the text. find() scans, and
// from 32 members on uses an index made by the parser. Thread-safety: the document is immutable after
// parsing. Why not a DOM of a library: long numbers become doubles there and positions are lost.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_cursor.h"
#include "core/base/result.h"

namespace xplan {

struct JsonNode;
struct JsonMember {
  std::string_view key;
  uint32_t key_begin, key_end;  // with the quotes
  const JsonNode* value;
};
struct JsonNode {
  enum class Kind : uint8_t { Null, True, False, Number, String, Array, Object } kind = Kind::Null;
  bool indexed = false;         // the sorted index lies behind the members, see json_reader.cc
  uint32_t begin = 0, end = 0;  // whole node, with quotes or brackets
  std::string_view text;        // Number: as written. String: decoded
  std::span<const JsonNode* const> items;
  std::span<const JsonMember> members;
  const JsonNode* find(std::string_view key) const;  // last one wins; null when absent
  bool is_string() const { return kind == Kind::String; }
  bool is_number() const { return kind == Kind::Number; }
  bool is_bool() const { return kind == Kind::True || kind == Kind::False; }
  bool is_true() const { return kind == Kind::True; }
  bool is_object() const { return kind == Kind::Object; }
  bool is_array() const { return kind == Kind::Array; }
  bool is_null() const { return kind == Kind::Null; }
  std::string_view str() const { return kind == Kind::String ? text : std::string_view(); }
};

// What people write is read to 1,000 levels. What programs wrote of it may be deeper: a type takes two levels
// of JSON for each level of its value, so states, plans and types are read with the larger limit.
inline constexpr int kJsonDepth = 1000, kJsonStoredDepth = 4000;

class JsonDocument {
 public:
  // The text must outlive the document. Returns null and fills `error` on a syntax error; empty input is one.
  static std::unique_ptr<JsonDocument> parse(std::string_view text, JsonError& error,
                                             int max_depth = kJsonDepth);
  static std::unique_ptr<JsonDocument> parse_owned(std::string text,
                                                   JsonError& error,  // keeps the text itself
                                                   int max_depth = kJsonDepth);
  const JsonNode& root() const { return *root_; }
  std::string_view text() const { return text_; }

  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

 private:
  friend class JsonParser;
  JsonDocument() = default;
  bool read(std::string_view text, JsonError& error, int max_depth);
  void* allocate(size_t bytes);  // aligned for pointers

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* free_ = nullptr;
  size_t left_ = 0;
  std::string owned_;
  std::string_view text_;
  const JsonNode* root_ = nullptr;
};

}  // namespace xplan

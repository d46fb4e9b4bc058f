// JsonNode: a small read-only JSON tree that keeps number text and byte positions.
//
// Who calls it: syntax (JSON configurations: positions matter), state, schema JSON, plan file.
// Contract: numbers are kept as written; strings are decoded; members keep their order, duplicates too.
// Positions are byte offsets in the given text. Errors: the first syntax error, with its offset; depth is limited
// to 1,000 levels.  Cost: one pass; nodes live in one arena owned by the document.
// Thread-safety: the document is immutable after parsing.
// Why not nlohmann's DOM: it turns long numbers into doubles and has no positions. Its lexer is not used either,
// because the configuration reader must recover positions of keys and values exactly.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  uint32_t begin = 0, end = 0;   // whole node, with quotes or brackets
  std::string_view text;         // Number: as written. String: decoded
  std::vector<const JsonNode*> items;
  std::vector<JsonMember> members;
  const JsonNode* find(std::string_view key) const;  // last one wins; null when absent
  bool is_string() const { return kind == Kind::String; }
  bool is_object() const { return kind == Kind::Object; }
  bool is_array() const { return kind == Kind::Array; }
  bool is_null() const { return kind == Kind::Null; }
  std::string_view str() const { return kind == Kind::String ? text : std::string_view(); }
};

struct JsonError {
  std::string message;   // a phrase: "a comma is expected between members"
  uint32_t offset = 0;
};

class JsonDocument {
 public:
  // The text must outlive the document only if `copy_strings` is false and no escapes occur.
  // Returns null and fills `error` on a syntax error. Empty input is an error.
  static std::unique_ptr<JsonDocument> parse(std::string_view text, JsonError& error);
  const JsonNode& root() const { return *root_; }

 private:
  friend class JsonParser;
  std::deque<JsonNode> nodes_;
  std::deque<std::string> strings_;
  const JsonNode* root_ = nullptr;
};

}  // namespace xplan

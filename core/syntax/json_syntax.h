// Expressions of the JSON syntax.
//
// Who calls it: decode and entry of this folder; review (JsonText).
// Contract: the expression of a node is built once and kept by the File, as often as it is asked for;
// problems inside of its strings go to File::late. `literal`: strings are taken as they are.
// Cost: linear in the node; the depth is limited by the JSON reader and kMaxDepth.
// Thread-safety: any thread, under the lock of the File's arena.
#pragma once
#include "core/syntax/arena.h"
#include "core/syntax/lexer.h"

namespace xplan::syntax {

const Expr* json_expression(const File& file, const JsonNode& node, bool literal, Diagnostics& diags);

// The content of a JSON string as source text whose positions are those in the file.
struct JsonText {
  JsonText(const File& file, const JsonNode& string);
  Text text;

 private:
  std::string decoded_;
  std::vector<uint32_t> map_;
};

inline Range json_range(const File& file, uint32_t begin, uint32_t end) {
  return {file.base + begin, file.base + end};
}
inline Range json_range(const File& file, const JsonNode& n) {
  return json_range(file, n.begin, n.end);
}

}  // namespace xplan::syntax

// Tokens of the native syntax, cut from a source one at a time.
//
// Who calls it: the parser; others ask only whether a name is an identifier.
// Contract: scan() is a function of the text and a position: it keeps no state, so the parser may look ahead
// or go back for nothing. Strings and heredocs are only recognised by their opening; what is inside of them
// is the template parser's, because where they end depends on the expressions in them. Cost: linear in the
// token and the whitespace before it.  Thread-safety: pure. Why no token list: a configuration is read once,
// front to back, and a list of a 10 MB file is 50 MB.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/diag/source.h"

namespace xplan::syntax {

// A text and where it lies in the source table. In a JSON string with escapes the bytes are not where they
// would be by counting; `map` then gives the file position of each (one entry more than the text has bytes).
struct Text {
  std::string_view s;
  uint32_t base = 0;
  const uint32_t* map = nullptr;
  uint32_t at(size_t i) const { return base + (map ? map[i] : static_cast<uint32_t>(i)); }
  Range range(size_t begin, size_t end) const { return {at(begin), at(end)}; }
};

enum class Tok : uint8_t {
  End,
  Newline,
  Ident,
  Number,
  Quote,    // "
  Heredoc,  // <<NAME or <<-NAME and the end of the line
  OBrace,
  CBrace,
  OBrack,
  CBrack,
  OParen,
  CParen,
  Dot,
  Comma,
  Colon,
  DoubleColon,
  Ellipsis,
  Arrow,
  Assign,
  Question,
  Star,
  Slash,
  Percent,
  Plus,
  Minus,
  Not,
  And,
  Or,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  TrimBrace,  // ~}
  Bad,        // not a token of the language
};

struct Token {
  Tok kind = Tok::End;
  size_t begin = 0, end = 0;
};

// The next token at or after i. White space and comments are skipped; newlines too when asked for.
Token scan(std::string_view s, size_t i, bool skip_newlines);

// Length of the identifier at s[i], 0 when there is none.
size_t identifier_at(std::string_view s, size_t i);
// Unicode whitespace: its length in bytes at s[i], else 0.
size_t space_at(std::string_view s, size_t i);
// What a Bad token or an unexpected character is, and what to write instead; empty when nothing special is
// known.
std::string_view character_hint(std::string_view bad);

}  // namespace xplan::syntax

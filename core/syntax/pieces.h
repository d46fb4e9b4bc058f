// A native source as pieces that keep every byte: tokens, comments, the parts of strings, and the blanks
// before each.
//
// Who calls it: format.cc (layout) and rewrite.cc (old spellings); whoever changes a configuration's text
// without touching the rest of it.
// Invariant: the pieces of a text, each with its blanks, concatenated, are the text. Cost: linear in time and
// memory, a piece is 40 bytes. Thread-safety: pure functions; pieces are views of the source or of literals,
// and the source outlives them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/syntax/lexer.h"

namespace xplan::syntax {

enum class PieceKind : uint8_t {
  Token,        // see Piece::token; Tok::Heredoc is the opening with its newline, Tok::End blanks at the end
  Remark,       // a comment within a line: /* … */
  LineComment,  // # … or // …, with its newline
  Open,         // the quotation mark a string begins with
  Close,        // and the one it ends with
  Text,         // literal text of a string or heredoc
  Interp,       // ${ or ${~
  Control,      // %{ or %{~
  SequenceEnd,  // } or ~} of one of these
  HeredocEnd,   // the marker, with the blanks around it on its line
};

struct Piece {
  PieceKind kind = PieceKind::Token;
  Tok token = Tok::Bad;
  std::string_view blanks;  // spaces and tabs before it
  std::string_view text;

  bool is(Tok t) const { return kind == PieceKind::Token && token == t; }
  bool is(PieceKind k) const { return kind == k; }
  bool is_word(std::string_view w) const { return is(Tok::Ident) && text == w; }
  // Nothing behind it on its line.
  bool ends_line() const { return is(Tok::Newline) || is(PieceKind::LineComment); }
  // 1 for what opens brackets or a template sequence, -1 for what closes them, else 0.
  int depth_change() const;
};

// The text may be any: what is not understood is a piece of Tok::Bad.
std::vector<Piece> cut_pieces(std::string_view source);

}  // namespace xplan::syntax

// Old spellings of native configuration in today's words: "${x}" as x, quoted types of variables, block
// labels without quotes.
//
// Who calls it: format.cc, before it lays out the pieces.
// Contract: the pieces are those of a text without syntax errors. What the result means is what the text
// means, except that a variable's "list" or "map" becomes the type that it stood for. Comments are kept: a
// value in which one would swallow code stays as it is. Cost: linear. Thread-safety: pure.
#pragma once
#include <vector>

#include "core/syntax/pieces.h"

namespace xplan::syntax {

std::vector<Piece> modern_spelling(std::vector<Piece> pieces);

}  // namespace xplan::syntax

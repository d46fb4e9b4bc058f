// Where the literals of an expression stand in its source, and which of them are secrets.
//
// Who calls it: redact_sources.cc.
// Contract: of a secret collection whose type does not name its parts, keys are secrets, too, and so is how
// many elements it has where all are constants: what follows the first is to be blanked. `declared` says
// which names are a schema's; those stay, since a value without them would not convert. In JSON strings, an
// expression's places are those of the file, so quotes there are escaped.
// Cost: linear in the expression.  Thread-safety: pure.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "core/syntax/body.h"

namespace xplan::review {

struct Secrecy {
  enum Kind : uint8_t { Open, Values, All } kind = Open;  // All: names in it, too
  Type declared = Type::dynamic();                        // All: of the value
  bool literal = false;                                   // JSON: strings are no templates
  bool whole() const { return kind != Open; }
  Secrecy element(size_t i) const;  // of a list, set or tuple
  Secrecy member(std::string_view name) const;
  // Whether the type says which elements there are.
  bool names_parts() const { return declared.is_structural(); }
  bool names(std::string_view member) const;
};

struct Literals {
  struct Part {
    size_t begin, end;
    bool whole, number = false, address = false;
  };
  using Place = std::pair<size_t, size_t>;
  std::vector<Part> parts;   // what may be masked
  std::vector<Place> texts;  // quotes and heredocs with all that is in them
  std::vector<Place> keys;   // names of secrets between their quotes
  std::vector<Place> names;  // without any
  std::vector<Place> blank;  // further elements of secrets
};

void find_literals(const syntax::Expr& root, Secrecy secrecy, const syntax::File& file, Literals& out,
                   bool address = false);

}  // namespace xplan::review

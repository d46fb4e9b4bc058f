// Snippet: the source lines a diagnostic speaks of, and the block around them.
//
// Who calls it: human_diag.cc, json_diag.cc.
// Cost: a file whose blocks are asked for is parsed once per Snippets; everything else is linear in the lines
// shown, of which the first and the last are not read beyond what is shown of them: a file may be one line.
// Thread-safety: one Snippets per thread; the source table may be shared.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/diag/diagnostic.h"
#include "core/diag/source.h"
#include "core/eval/eval.h"
#include "core/eval/function.h"

namespace xplan::render {

struct Snippet {
  std::string_view file;
  Position start, end;                  // of the subject
  std::string block;                    // resource "t" "n", or resource.t.n in the JSON syntax; empty: none
  std::string code;                     // lines, without the last line break; long ones cut on both sides
  int first_line = 1;                   // number of the first of them
  size_t mark_begin = 0, mark_end = 0;  // the subject within `code`
};

class Snippets {
 public:
  explicit Snippets(const SourceTable& sources);
  ~Snippets();
  // False when the diagnostic has no place.
  bool find(const Diagnostic& d, Snippet& out);
  std::string block_around(Range place);

 private:
  struct Parsed;
  const SourceTable& sources_;
  std::map<std::string_view, std::unique_ptr<Parsed>> files_;
};

// The signature of a function of the language, null for others.
const eval::Function* known_function(std::string_view name);

}  // namespace xplan::render

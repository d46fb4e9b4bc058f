// What a Markdown document has to say of a plan, section by section: rows that can be made one by one.
//
// Who calls it: markdown.cc, which decides what there is room for.
// Contract: sections stand in the order of their risk; a row is one line, without its end; its body is made
// for the caller's room: printing stops where it is far beyond. Cost: a row when asked for.  Thread-safety:
// pure functions; sections point into the review.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/review/review.h"
#include "render/text.h"

namespace xplan::render::markdown {

struct Section {
  std::string title;
  size_t rows = 0;
  std::function<std::string(size_t row)> line;
  std::function<std::string(size_t row, size_t room)> body;  // lines of a diff; empty: there is none
  std::function<size_t(size_t row)> changes;                 // how many the row stands for
};

std::vector<Section> sections_of(const review::Review& review, const SourceTable* sources,
                                 const HumanOptions& options);

}  // namespace xplan::render::markdown

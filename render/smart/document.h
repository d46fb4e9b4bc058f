// Documents inside strings: JSON and YAML as Items, when comparing them by structure is safe and cheap.
//
// Who calls it: the printer, for changed strings in the smart style.
// Contract: null where there is no document, or where its structure does not tell everything: JSON in which a
// member is repeated; text too long, or with too many nodes (aliases of YAML count each time). Then the lines
// are compared. Cost: linear, with the bounds of document.cc. Thread-safety: pure functions.
#pragma once
#include <string_view>

#include "render/item.h"

namespace xplan::render {

const Item* json_document(std::string_view text, Arena& arena);
// A mapping or a sequence; of several documents an array, and `count` says how many. Comments are not part of
// it: yaml_comments_differ() tells whether there is more to compare.
const Item* yaml_document(std::string_view text, Arena& arena, size_t& count);
// Whether lines that are nothing but comments differ.
bool yaml_comments_differ(std::string_view before, std::string_view after);

}  // namespace xplan::render

// Places of findings as documents name them: a file, from the root of the repository, and lines of it.
//
// Who calls it: SARIF, JUnit, annotations.
// Contract: a place without a file has an empty name. Cost: SourceTable::resolve().  Thread-safety: as it.
#pragma once
#include <string>
#include <string_view>

#include "core/diag/source.h"

namespace xplan::render {

struct FilePlace {
  std::string file;  // "" : nowhere
  int line = 0, end_line = 0;
};
// `directory`: where the names of files begin, "" or "modules/net".
FilePlace file_place(const SourceTable& sources, Range range, std::string_view directory);

}  // namespace xplan::render

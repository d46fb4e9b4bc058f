// The file of a target whose reader takes paths.
//
// Who calls it: such targets.  Contract: it lies in memory where there is such a place, and has what was
// written last; it goes with the process. Thread-safety: one thread.
#pragma once
#include <string>
#include <string_view>

#include "tests/support/folder.h"

namespace xplan::fuzz {

inline std::string file_of(std::string_view bytes) {
  static const test::Folder folder(true);
  folder.write("file", bytes);
  return folder / "file";
}

}  // namespace xplan::fuzz

// What fuzz targets share: the check that aborts, and seeds from files below testdata.
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/support/folder.h"

namespace xplan::fuzz {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "must be: %s\n", what);
  std::abort();
}

std::vector<std::string> files(std::string_view folder, std::string_view ending) {
  std::vector<std::string> paths, out;
  for (const auto& e :
       std::filesystem::recursive_directory_iterator(std::string(TESTDATA) + "/" + std::string(folder)))
    if (e.is_regular_file() && e.path().string().ends_with(ending)) paths.push_back(e.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& p : paths) out.push_back(test::file_text(p));
  return out;
}

}  // namespace xplan::fuzz

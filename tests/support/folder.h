// Files for tests: their text, and a directory of its own for a test, removed with all that is in it at the
// end.
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace xplan::test {

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Folder {
 public:
  // In memory, where there is such a place: for tests that would wait for the disk hundreds of times.
  explicit Folder(bool in_memory = false)
      : path((in_memory && ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/xplan-test-XXXXXX"
                                                           : "/tmp/xplan-test-XXXXXX")) {
    if (!::mkdtemp(path.data())) throw std::filesystem::filesystem_error("no folder for a test", {});
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(std::string_view name) const { return path + "/" + std::string(name); }
  void write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(*this / name).parent_path());
    std::ofstream(*this / name, std::ios::binary) << text;
  }

  std::string path;
};

}  // namespace xplan::test

// FileReads: what functions found out about files, to tell later whether it is still so.
//
// Who calls it: the file functions note what they read while planning; plans keep it; review/rebase.cc looks
// again.
// Contract: each thing is noted once, as it was first seen, also that a file could not be read. Cost: a
// digest of each file. Thread-safety: any thread may note.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace xplan::eval {

struct FileRead {
  enum class Kind : uint8_t {
    Content,  // of the file at the path
    Exists,   // whether there is one
    Names,    // of the files below it that match the pattern
  } kind = Kind::Content;
  std::string path, pattern;  // as functions resolve them, from the working directory
  std::string digest;         // SHA-256 in hexadecimal; empty: it could not be read, or does not exist
};

class FileReads : public std::enable_shared_from_this<FileReads> {
 public:
  bool knows(FileRead::Kind kind, const std::string& path, const std::string& pattern = {}) const;
  void note(FileRead read);
  std::vector<FileRead> all() const;  // sorted

 private:
  using Key = std::tuple<FileRead::Kind, std::string, std::string>;
  mutable std::mutex lock_;
  std::map<Key, std::string> digests_;
};

// What FileRead::digest would be now. `base_dir`: where relative paths begin.
std::string digest_now(const FileRead& read, std::string_view base_dir);
// For the content of a file, and for the names of files.
std::string digest_of_read(std::string_view bytes);
std::string digest_of_names(std::vector<std::string> names);

}  // namespace xplan::eval

// Schemas of provider programs on disk, so that a program need not be started to know its schema.
//
// Who calls it: entry.cc; install, for its default directory and the file hashes beside it. Contract: an
// entry belongs to the bytes of a program (SHA-256), whatever its path; a small file per program, named by
// device, inode, size and times, saves reading the program each time. Entries are written atomically and
// carry a checksum: what is damaged or of another version is as if absent, and failures to write are none of
// the user's concern. Entries that were not written for 60 days are removed. Cost: reading is one stat and
// two small reads; hashing a program once.  Thread-safety: any thread, any number of processes.
#pragma once
#include <string>

#include "core/provider/plugin/file_hashes.h"

namespace xplan::plugin {

struct CachedSchema {
  int protocol = 0;
  std::string bytes;  // Calls::parse_schema reads them
};

class SchemaCache {
 public:
  // An empty directory keeps nothing.
  explicit SchemaCache(std::string dir) : dir_(dir), files_(std::move(dir)) {}
  // The user's own directory; empty when there is none.
  static std::string default_dir();
  bool load(const std::string& program, CachedSchema& out);
  void save(const std::string& program, const CachedSchema& schema);
  void forbid(const std::string& program);  // its schema does not depend on its bytes alone: never save it

 private:
  std::string path_of(const std::string& program);  // empty: nothing can be kept
  void write(const std::string& path, std::string_view text) const;
  void remove_old();
  const std::string dir_;
  const FileHashes files_;
};

}  // namespace xplan::plugin

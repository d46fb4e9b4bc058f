// ArchiveReader: the entries of a zip or tar file, each checked before anybody sees it.
//
// Who calls it: archive.cc.
// Contract: the archive is hostile. It is read as what it is said to be and as nothing else: a tar that is
// called .zip, or one that is compressed twice, is refused, and so is a zip that does not say the same in its
// directory and in its headers. Names are relative, without empty parts, ".", "..", control characters and
// backslashes, and of bounded length and depth. What is neither a file, a directory nor a link is refused,
// and so is an archive that is larger than the limits allow, while it is read. Every error is a sentence in
// lower case; it begins with "the archive", or with "archives" where none can be read here, or is
// interrupted() once `stop` is true, which the next entry or piece hears of. Cost: linear. Memory: for a zip,
// its directory (zip_directory.h) and the names in it; else it does not grow with the archive. Thread-safety:
// one thread.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::install {

enum class ArchiveKind : uint8_t { Zip, Tar, TarGzip, TarBzip2, TarXz, TarZstd };

struct UnpackLimits {
  uint64_t bytes = uint64_t{4} << 30;
  // Programs and texts shrink to a tenth at most; what unpacks to a hundred times its size was made to do so.
  uint64_t ratio = 100, bytes_at_any_ratio = uint64_t{64} << 20;
  uint64_t entries = 100'000, links = 10'000;  // entries: with the directories that names imply
  size_t name_bytes = 1024, depth = 64;
};

struct ArchiveEntry {
  enum class Type : uint8_t { File, Directory, HardLink, SymbolicLink } type = Type::File;
  std::string name;    // "." is the directory that everything goes to
  std::string target;  // of a hard link: a name; of a symbolic one: as it stands there
  unsigned mode = 0;   // read, write and execute bits alone
};

class ArchiveReader {
 public:
  ArchiveReader(const std::string& path, ArchiveKind kind, const UnpackLimits& limits, Stop stop = nullptr);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  Result<bool> next(ArchiveEntry& entry);  // false: that was all
  // The next piece of the entry's content; empty at its end. Valid until the next call.
  Result<std::string_view> data();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Why no file of a package may have this name, after the name; empty when it may. `clean` becomes its normal
// form.
std::string_view name_problem(std::string_view name, const UnpackLimits& limits, std::string& clean);
// Whether a part of it is ".git", in any case: where git finds its configuration, which can name programs.
bool is_of_git(std::string_view name);
// "the archive was rejected because its entry "x" …".
Error refused_entry(std::string_view name, std::string_view why);

}  // namespace xplan::install

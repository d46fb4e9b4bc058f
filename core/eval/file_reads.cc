// Notes what was read, and reads it again.
#include "core/eval/file_reads.h"

#include <sys/stat.h>

#include <algorithm>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/eval/functions/glob.h"
#include "core/eval/functions/paths.h"

namespace xplan::eval {

bool FileReads::knows(FileRead::Kind kind, const std::string& path, const std::string& pattern) const {
  std::lock_guard guard(lock_);
  return digests_.contains({kind, path, pattern});
}

void FileReads::note(FileRead read) {
  std::lock_guard guard(lock_);
  digests_.try_emplace({read.kind, std::move(read.path), std::move(read.pattern)}, std::move(read.digest));
}

std::vector<FileRead> FileReads::all() const {
  std::lock_guard guard(lock_);
  std::vector<FileRead> out;
  for (const auto& [key, digest] : digests_)
    out.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), digest});
  return out;
}

std::string digest_of_read(std::string_view bytes) {
  return hex_encode(digest(Digest::Sha256, bytes));
}

std::string digest_of_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all.append(name).push_back('\0');
  return digest_of_read(all);
}

std::string digest_now(const FileRead& read, std::string_view base_dir) {
  std::string why;
  switch (read.kind) {
    case FileRead::Kind::Content: {
      DigestStream stream(Digest::Sha256);
      const auto take = [&](std::string_view piece) { return stream.update(piece), true; };
      return read_pieces(read.path, take, why) ? hex_encode(stream.finish()) : std::string();
    }
    case FileRead::Kind::Exists: {
      struct stat info;
      return ::stat(read.path.c_str(), &info) == 0 && S_ISREG(info.st_mode) ? digest_of_read({})
                                                                            : std::string();
    }
    case FileRead::Kind::Names: {
      std::vector<std::string> names;
      if (glob(base_dir, read.pattern, names, [] { return false; }) != GlobStatus::Ok) return {};
      return digest_of_names(std::move(names));
    }
  }
  return {};
}

}  // namespace xplan::eval

// The on-disk cache of provider schemas by executable digest: file format, checksum, removal of old entries,
// and the note that a schema varies and must not be cached.
#include "core/provider/plugin/schema_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "core/base/digest.h"
#include "core/base/fs.h"

namespace xplan::plugin {
namespace {

constexpr std::string_view kMagic = "xplan provider schema 1\n";
constexpr std::string_view kForbidden = "xplan provider schema varies\n";
constexpr int64_t kMaxAge = 60 * 24 * 3600;

}  // namespace

std::string SchemaCache::default_dir() {
  if (const char* x = std::getenv("XDG_CACHE_HOME"); x && *x == '/') return join_path(x, "xplan/schemas");
  if (const char* h = std::getenv("HOME"); h && *h == '/') return join_path(h, ".cache/xplan/schemas");
  return {};
}

std::string SchemaCache::path_of(const std::string& program) {
  if (dir_.empty()) return {};
  const Result<std::string> hash = files_.sha256(program);
  return !hash ? std::string() : join_path(dir_, "schema-" + *hash);
}

bool SchemaCache::load(const std::string& program, CachedSchema& out) {
  const std::string path = path_of(program);
  if (path.empty()) return false;
  Result<std::string> file = real_fs().read(path);
  if (!file) return false;
  // The magic line, the protocol, the checksum of what follows, a line end.
  std::string_view s = *file;
  if (!s.starts_with(kMagic)) return false;
  s.remove_prefix(kMagic.size());
  if (s.size() < 67 || (s[0] != '5' && s[0] != '6') || s[1] != ' ' || s[66] != '\n') return false;
  if (s.substr(2, 64) != sha256_hex(s.substr(67))) return false;
  out.protocol = s[0] - '0';
  out.bytes = s.substr(67);
  return true;
}

void SchemaCache::save(const std::string& program, const CachedSchema& schema) {
  const std::string path = path_of(program);
  if (path.empty()) return;
  if (Result<std::string> old = real_fs().read(path); old && *old == kForbidden) return;
  std::string text(kMagic);
  text += fmt::format("{} {}\n", schema.protocol, sha256_hex(schema.bytes));
  text += schema.bytes;
  write(path, text);
  remove_old();
}

void SchemaCache::forbid(const std::string& program) {
  if (const std::string path = path_of(program); !path.empty()) write(path, kForbidden);
}

void SchemaCache::write(const std::string& path, std::string_view text) const {
  std::error_code ignored;  // without a cache everything works all the same
  std::filesystem::create_directories(dir_, ignored);
  (void)write_atomic(path, text).ok();
}

void SchemaCache::remove_old() {
  std::error_code failed;
  std::filesystem::directory_iterator it(dir_, failed), end;
  for (; !failed && it != end; it.increment(failed)) {
    const std::string path = it->path().string(), name = it->path().filename().string();
    struct stat s;
    if (!name.starts_with("schema-") && !name.starts_with("program-")) continue;
    if (stat(path.c_str(), &s) == 0 && std::time(nullptr) - s.st_mtim.tv_sec > kMaxAge)
      std::remove(path.c_str());
  }
}

}  // namespace xplan::plugin

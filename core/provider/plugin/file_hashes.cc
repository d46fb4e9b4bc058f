#include "core/provider/plugin/file_hashes.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>

#include "core/base/fs.h"

namespace xplan::plugin {
namespace {

constexpr int kSettled = 2;  // seconds after which a file's times tell it apart from what it becomes

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(const void* data, size_t n) { EVP_DigestUpdate(context_.get(), data, n); }
  std::string hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    EVP_DigestFinal_ex(context_.get(), digest, &n);
    std::string out;
    for (unsigned i = 0; i < n; ++i) out += fmt::format("{:02x}", digest[i]);
    return out;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* c) const { EVP_MD_CTX_free(c); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

std::string file_hash(const std::string& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> f(fopen(path.c_str(), "rbe"), fclose);
  if (!f) return {};
  Sha256 h;
  std::string buffer(1 << 18, '\0');
  size_t n;
  while ((n = fread(buffer.data(), 1, buffer.size(), f.get())) > 0) h.add(buffer.data(), n);
  return ferror(f.get()) ? std::string() : h.hex();
}

bool is_hash(std::string_view s) {
  return s.size() == 64 && s.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 h;
  h.add(bytes.data(), bytes.size());
  return h.hex();
}

std::string FileHashes::sha256(const std::string& path) const {
  struct stat s;
  if (stat(path.c_str(), &s) != 0) return {};
  if (dir_.empty()) return file_hash(path);
  std::string note =
      join_path(dir_, fmt::format("program-{:x}-{:x}-{:x}-{:x}.{:x}-{:x}.{:x}", s.st_dev, s.st_ino, s.st_size,
                                  s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_ctim.tv_sec, s.st_ctim.tv_nsec));
  if (Result<std::string> known = real_fs().read(note); known && is_hash(*known)) return *known;
  std::string hash = file_hash(path);
  if (hash.empty() || std::time(nullptr) - s.st_ctim.tv_sec <= kSettled) return hash;
  std::error_code ignored;
  std::filesystem::create_directories(dir_, ignored);
  (void)write_atomic(note, hash).ok();
  return hash;
}

}  // namespace xplan::plugin

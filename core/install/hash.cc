#include "core/install/hash.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace xplan::install {
namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view doing, const std::string& path, int code) {
  return Error{"cannot " + std::string(doing) + " \"" + path + "\": " + std::strerror(code)};
}

}  // namespace

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
};
Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr);
}
Sha256::~Sha256() {
  EVP_MD_CTX_free(impl_->context);
}
void Sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size());
}
std::string Sha256::finish() {
  std::string out(32, '\0');
  EVP_DigestFinal_ex(impl_->context, reinterpret_cast<unsigned char*>(out.data()), nullptr);
  return out;
}

std::string hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (unsigned char c : bytes) out += digits[c >> 4], out += digits[c & 15];
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that the library adds
  int n =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(n));
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 h;
  h.update(bytes);
  return hex(h.finish());
}

std::string digest_hex(std::string_view name, std::string_view bytes) {
  const EVP_MD* kind = EVP_get_digestbyname(std::string(name).c_str());
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!kind || EVP_Digest(bytes.data(), bytes.size(), out, &size, kind, nullptr) != 1) return {};
  return hex({reinterpret_cast<const char*>(out), size});
}

Result<std::string> sha256_file(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannot("open", path, errno);
  Sha256 h;
  std::vector<char> buffer(1 << 18);
  for (;;) {
    ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      int code = errno;
      ::close(fd);
      return cannot("read", path, code);
    }
    if (n == 0) break;
    h.update({buffer.data(), static_cast<size_t>(n)});
  }
  ::close(fd);
  return hex(h.finish());
}

std::string hash_listing(const std::map<std::string, std::string>& files) {
  Sha256 h;
  for (const auto& [path, sum] : files) h.update(sum + "  " + path + "\n");
  return "h1:" + base64(h.finish());
}

Result<std::string> hash_directory(const std::string& dir, const plugin::FileHashes* known) {
  std::error_code ec;
  const fs::path root = fs::canonical(dir, ec);
  if (ec) return Error{"cannot open \"" + dir + "\": " + ec.message()};
  if (!fs::is_directory(root, ec)) return Error{"\"" + dir + "\" is not a folder"};
  std::map<std::string, std::string> files;
  fs::recursive_directory_iterator it(root, ec), end;
  for (; !ec && it != end; it.increment(ec)) {
    std::error_code own;
    if (it->is_directory(own) && !it->is_symlink(own)) continue;
    if (!it->is_regular_file(own)) return Error{"\"" + it->path().string() + "\" is no regular file"};
    std::string remembered = known ? known->sha256(it->path().string()) : std::string();
    Result<std::string> sum = remembered.empty() ? sha256_file(it->path().string()) : remembered;
    if (!sum) return sum.error();
    files.emplace(it->path().lexically_relative(root).generic_string(), std::move(*sum));
  }
  if (ec) return Error{"cannot read \"" + dir + "\": " + ec.message()};
  return hash_listing(files);
}

}  // namespace xplan::install

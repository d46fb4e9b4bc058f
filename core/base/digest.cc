// Message digests (MD5, SHA-1, SHA-2) on top of OpenSSL's EVP interface: as a whole, as a stream, and of
// files.
#include "core/base/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/base64.h"
#include "core/base/system_text.h"

namespace xplan {
namespace {

const EVP_MD* method_of(Digest kind) {
  switch (kind) {
    case Digest::Md5:
      return EVP_md5();
    case Digest::Sha1:
      return EVP_sha1();
    case Digest::Sha256:
      return EVP_sha256();
    case Digest::Sha512:
      return EVP_sha512();
  }
  return nullptr;
}

}  // namespace

std::optional<Digest> digest_named(std::string_view name) {
  if (name == "md5") return Digest::Md5;
  if (name == "sha1") return Digest::Sha1;
  if (name == "sha256") return Digest::Sha256;
  if (name == "sha512") return Digest::Sha512;
  return std::nullopt;
}

struct DigestStream::Impl {
  EVP_MD_CTX* ctx = EVP_MD_CTX_new();
  bool ok = false;
};

DigestStream::DigestStream(Digest kind) : impl_(std::make_unique<Impl>()) {
  impl_->ok = impl_->ctx && EVP_DigestInit_ex(impl_->ctx, method_of(kind), nullptr) == 1;
}

DigestStream::~DigestStream() {
  EVP_MD_CTX_free(impl_->ctx);
}

void DigestStream::update(std::string_view bytes) {
  impl_->ok = impl_->ok && EVP_DigestUpdate(impl_->ctx, bytes.data(), bytes.size()) == 1;
}

std::string DigestStream::finish() {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (!impl_->ok || EVP_DigestFinal_ex(impl_->ctx, out, &length) != 1) return {};
  return {reinterpret_cast<char*>(out), length};
}

std::string digest(Digest kind, std::string_view bytes) {
  DigestStream stream(kind);
  stream.update(bytes);
  return stream.finish();
}

std::string sha256_hex(std::string_view bytes) {
  return hex_encode(digest(Digest::Sha256, bytes));
}

Result<std::string> digest_of_file(Digest kind, const std::string& path) {
  auto cannot = [&](const char* doing, int code) {
    return Error{std::string("cannot ") + doing + " \"" + path + "\": " + system_text(code)};
  };
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannot("open", errno);
  DigestStream stream(kind);
  char buffer[1 << 16];  // not cleared: for small files that would be most of the work
  ssize_t n;
  int failed = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) != 0) {
    if (n > 0)
      stream.update({buffer, static_cast<size_t>(n)});
    else if (errno != EINTR) {
      failed = errno;
      break;
    }
  }
  ::close(fd);
  if (failed) return cannot("read", failed);
  return hex_encode(stream.finish());
}

Result<std::string> sha256_file(const std::string& path) {
  return digest_of_file(Digest::Sha256, path);
}

}  // namespace xplan

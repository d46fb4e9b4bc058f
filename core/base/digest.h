// Message digests, of bytes as a whole, in pieces, of a file.
//
// Who calls it: functions of the language, plan files, the fs provider, hashes of packages and of providers.
// Cost: linear; a file is read in pieces.  Thread-safety: pure functions; a stream belongs to one thread.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan {

enum class Digest { Md5, Sha1, Sha256, Sha512 };
std::optional<Digest> digest_named(std::string_view name);  // "md5", "sha1", "sha256", "sha512"

std::string digest(Digest kind, std::string_view bytes);  // the raw bytes; empty when the library lacks it

// The same in pieces.
class DigestStream {
 public:
  explicit DigestStream(Digest kind = Digest::Sha256);
  ~DigestStream();
  void update(std::string_view bytes);
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256_hex(std::string_view bytes);
Result<std::string> digest_of_file(Digest kind, const std::string& path);  // hexadecimal
Result<std::string> sha256_file(const std::string& path);                  // likewise

}  // namespace xplan

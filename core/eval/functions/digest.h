// Message digests.
//
// Who calls it: crypto.cc (of strings) and files.cc (of files).
// Cost: linear.  Thread-safety: pure function.
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace xplan::eval {

enum class Digest { Md5, Sha1, Sha256, Sha512 };

std::string digest(Digest kind, std::string_view bytes);  // the raw bytes; empty when the library lacks it

// The same in pieces.
class DigestStream {
 public:
  explicit DigestStream(Digest kind);
  ~DigestStream();
  void update(std::string_view bytes);
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::eval

// The seal of a plan file: the digest of all its bytes, as the comment that ends the zip.
//
// Who calls it: container_write.cc and container_read.cc. Private to this folder.
// Contract: a sealed file with any byte changed, missing, added or exchanged is Broken, or None when the seal
// itself is what is gone; then the names of entries still tell whose file it was (kOwnPrefix). One digest
// over everything rather than one for each entry: what tells whether there are digests, which they are, and
// how the entries are found would all have to be protected, too. It protects from accidents and careless
// tools, not from somebody who makes a seal of his own. Cost: reads the file once.  Thread-safety: pure
// functions; a closer belongs to one thread.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/digest.h"

namespace xplan::planfile {

enum class Seal { None, Broken, Good };

std::string open_seal();           // what the zip's comment is while it is written
Seal check_seal(std::FILE* file);  // the position is anywhere before and after

// Closes the seal of a zip that goes by in pieces and ends with the open seal.
class SealCloser {
 public:
  explicit SealCloser(uint64_t size);  // of the zip
  void pass(std::string& piece);       // of whatever size, in order

 private:
  DigestStream digest_;
  uint64_t left_;  // bytes until the digest stands
  std::string closed_;
  size_t at_ = 0;  // in closed_
};

}  // namespace xplan::planfile

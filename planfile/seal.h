// The seal of a plan file: the digest of all its bytes, as the comment that ends the zip.
//
// Who calls it: container_write.cc and container_read.cc. Private to this folder.
// Contract: a sealed file with any byte changed, missing, added or exchanged is Broken, or None when the seal
// itself is what is gone; then the names of entries still tell whose file it was (kOwnPrefix). One digest
// over everything rather than one for each entry: what tells whether there are digests, which they are, and
// how the entries are found would all have to be protected, too. It protects from accidents and careless
// tools, not from somebody who makes a seal of his own. Cost: reads the file once.  Thread-safety: pure
// functions.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace xplan::planfile {

enum class Seal { None, Broken, Good };

std::string open_seal();              // what the zip's comment is while it is written
void close_seal(std::string& bytes);  // of a zip that ends with the open seal
Seal check_seal(std::FILE* file);     // the position is anywhere before and after

}  // namespace xplan::planfile

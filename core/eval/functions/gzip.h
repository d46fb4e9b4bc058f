// Compression into the gzip format.
//
// Who calls it: encoding.cc (base64gzip).
// Contract: the same input gives the same bytes on every machine and in every version: the result ends up in
// arguments of resources (user data), where any other byte would look like a change. That is why the
// compressor is our own and not the C library's: what this format's field expects is one particular choice of
// matches. Cost: linear, with a window of 32 KiB.  Thread-safety: pure function.
#pragma once
#include <string>
#include <string_view>

namespace xplan::eval {

std::string gzip(std::string_view data);

}  // namespace xplan::eval

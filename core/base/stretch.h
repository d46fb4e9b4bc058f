// A key stretched from bytes that may be easy to guess: trying every guess costs memory and time.
//
// Who calls it: core/review/digest.cc.  Method: scrypt (RFC 7914) with N = 32768, r = 8, p = 1.
// Cost: 32 MiB and about a tenth of a second, whatever the input.  Thread-safety: pure function.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

std::string stretch(std::string_view bytes, std::string_view salt);  // 32 raw bytes; empty: no memory for it

}  // namespace xplan

// Base64 in the standard alphabet with padding, and hexadecimal text.
//
// Who calls it: the encoding, hash and file functions.
// Contract: decoding ignores line breaks anywhere and nothing else; padding is required; surplus bits in the
// last group are not looked at (facts of the language: configurations rely on pasted, wrapped text). Cost:
// linear, one allocation.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan::eval {

std::string base64_encode(std::string_view bytes);
bool base64_decode(std::string_view text, std::string& out);
std::string hex_encode(std::string_view bytes);

}  // namespace xplan::eval

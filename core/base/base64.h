// Base64 in the standard alphabet with padding (RFC 4648), hexadecimal text and UUIDs.
//
// Who calls it: functions of the language, private data in states, the fs provider, hashes of packages.
// Contract: decoding ignores line breaks anywhere and nothing else; padding is required; leftover bits in the
// last group are not looked at (facts of the language: configurations rely on pasted, wrapped text). Cost:
// linear, one allocation.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

std::string base64_encode(std::string_view bytes);
bool base64_decode(std::string_view text, std::string& out);  // false when it is not base64
std::string hex_encode(std::string_view bytes);
std::string uuid_text(std::string_view bytes);  // the first 16 of them as 8-4-4-4-12 digits

}  // namespace xplan

// Text encodings under their registered (IANA) names, for textencodebase64 and textdecodebase64.
//
// Who calls it: encoding.cc.
// Contract: conversions are strict: a character that the encoding lacks, or bytes that it does not define,
// fail. Names are compared without regard to case. The set of names is closed (a table), so that a
// configuration means the same on every machine; the C library only supplies the mappings. Cost: single-byte
// encodings build a table of 256 entries per call; the others are one pass of iconv. Thread-safety: pure
// functions.
#pragma once
#include <string>
#include <string_view>

namespace xplan::eval {

struct Charset;
const Charset* find_charset(std::string_view name);  // null: not known
std::string_view charset_name(const Charset& c);
bool to_charset(const Charset& c, std::string_view utf8, std::string& out);
bool from_charset(const Charset& c, std::string_view bytes, std::string& out);

}  // namespace xplan::eval

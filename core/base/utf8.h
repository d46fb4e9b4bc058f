// UTF-8 helpers: validity, decoding, NFC, grapheme clusters. (Display width is in render/text.h.)
//
// Who calls it: the lexer, string values, string functions, renderers.
// Cost: linear; nfc() and graphemes() go through utf8proc only for text that has code points >= U+0300.
// Thread-safety: pure functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xplan {

// Length (1 to 4) of the well-formed UTF-8 sequence at s[i], 0 where there is none (as RFC 3629: no
// surrogates, no overlong forms).
size_t utf8_length_at(std::string_view s, size_t i);
// Decodes the sequence at s[i], and moves i past it; an ill-formed byte gives U+FFFD and moves i by one.
char32_t utf8_decode(std::string_view s, size_t& i);
void utf8_append(std::string& out, char32_t c);
bool utf8_valid(std::string_view s);
// Normalization form C (Unicode TR 15); ill-formed bytes are kept as they are.
std::string nfc(std::string_view s);
bool is_nfc_quick(std::string_view s);  // true: certainly NFC (all code points below U+0300)
// Byte lengths of the extended grapheme clusters (Unicode TR 29) of s, in order; no more than the first
// `most`.
std::vector<uint32_t> graphemes(std::string_view s, size_t most = SIZE_MAX);

}  // namespace xplan

// Decodes one JSON escape sequence, surrogate pairs included. Shared by the tree reader (json_reader.cc) and
// the scanner of state files (state/json_scan.cc).
#include "core/base/json_escape.h"

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan {

void append_json_escape(std::string& out, std::string_view text, size_t& at) {
  const char letter = at < text.size() ? text[at] : '\\';
  ++at;
  if (letter == 'u') {
    const int high = hex4(text, at);
    at += 4;
    if (high >= 0xD800 && high < 0xDC00 && at < text.size() && text.substr(at, 2) == "\\u") {
      if (const int low = hex4(text, at + 2); low >= 0xDC00 && low < 0xE000) {
        at += 6;
        return utf8_append(out, static_cast<char32_t>(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)));
      }
    }
    const bool alone = high < 0 || (high >= 0xD800 && high < 0xE000);
    return utf8_append(out, alone ? 0xFFFD : static_cast<char32_t>(high));
  }
  out += letter == 'n'   ? '\n'
         : letter == 't' ? '\t'
         : letter == 'r' ? '\r'
         : letter == 'b' ? '\b'
         : letter == 'f' ? '\f'
                         : letter;
}

}  // namespace xplan

#include <utf8proc.h>

#include "core/base/utf8.h"
#include "core/syntax/body.h"

namespace xplan::syntax {
namespace {

// Letters, marks, numbers, punctuation, symbols, and of all spaces only U+0020.
bool printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      return true;
  }
}

void append_hex(std::string& out, char32_t c, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[c >> shift & 15];
}

}  // namespace

std::string quote(std::string_view s) {
  std::string out;
  out.reserve(s.size() + 2);
  out += '"';
  for (size_t i = 0; i < s.size();) {
    size_t start = i;
    char32_t c = utf8_decode(s, i);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if ((c == '$' || c == '%') && i < s.size() && s[i] == '{')
          out.append(2, static_cast<char>(c));
        else if (printable(c))
          out.append(s, start, i - start);
        else if (c < 0x10000)
          out += "\\u", append_hex(out, c, 4);
        else
          out += "\\U", append_hex(out, c, 8);
    }
  }
  out += '"';
  return out;
}

}  // namespace xplan::syntax

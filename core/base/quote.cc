// Quoting of strings in both notations of quote.h: one pass that copies runs of printable characters and
// escapes the rest.
#include "core/base/quote.h"

#include <utf8proc.h>

#include "core/base/utf8.h"

namespace xplan {
namespace {

void append_hex(std::string& out, char letter, char32_t c, int digits) {
  out += '\\', out += letter;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += "0123456789abcdef"[c >> shift & 15];
}

// The letter of a short escape, 0 where there is none.
char short_escape(unsigned char c, Quoting how) {
  switch (c) {
    case '"':
    case '\\':
      return static_cast<char>(c);
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return how == Quoting::Debug && c >= '\a' && c <= '\f' ? "abtnvf"[c - '\a'] : '\0';
  }
}

}  // namespace

bool is_printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return false;
    default:
      return true;
  }
}

void append_quoted(std::string& out, std::string_view s, Quoting how) {
  out += '"';
  for (size_t i = 0; i < s.size();) {
    auto c = static_cast<unsigned char>(s[i]);
    if (c < 0x80) {
      ++i;
      if (char letter = short_escape(c, how)) {
        out += '\\', out += letter;
      } else if (c < 0x20 || c == 0x7F) {
        how == Quoting::Debug ? append_hex(out, 'x', c, 2) : append_hex(out, 'u', c, 4);
      } else {
        out += static_cast<char>(c);
        if (how == Quoting::Config && (c == '$' || c == '%') && i < s.size() && s[i] == '{')
          out += static_cast<char>(c);
      }
      continue;
    }
    if (how == Quoting::Debug && !utf8_length_at(s, i)) {
      append_hex(out, 'x', c, 2);
      ++i;
      continue;
    }
    size_t start = i;
    char32_t point = utf8_decode(s, i);
    if (is_printable(point))
      out.append(s, start, i - start);
    else
      point < 0x10000 ? append_hex(out, 'u', point, 4) : append_hex(out, 'U', point, 8);
  }
  out += '"';
}

}  // namespace xplan

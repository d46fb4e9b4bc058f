// Shows text from outside: decodes it character by character, and replaces what cannot be shown.
#include "core/base/shown_text.h"

#include "core/base/quote.h"
#include "core/base/utf8.h"

namespace xplan {

std::string shown_text(std::string_view text) {
  constexpr size_t kShown = 300;  // characters
  std::string out;
  size_t n = 0;
  for (size_t i = 0; i < text.size(); ++n) {
    const size_t from = i;
    const bool valid = utf8_length_at(text, i) > 0;
    const char32_t c = utf8_decode(text, i);
    if (n == kShown) return out + "…";
    if (valid && is_printable(c))
      out += text.substr(from, i - from);
    else
      out += c == '\n' || c == '\t' ? " " : "?";
  }
  return out;
}

}  // namespace xplan

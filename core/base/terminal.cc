// Makes text safe for a terminal: control characters and bidirectional overrides are shown as escapes; only
// codes tagged by terminal_code() (with a random secret) pass. Works on pieces of any size.
#include "core/base/terminal.h"

#include <algorithm>
#include <random>

#include "core/base/utf8.h"

namespace xplan {
namespace {

// No text in UTF-8 has this byte; the digits behind it are what nobody else knows.
constexpr char kTagStart = '\xff';

const std::string& tag() {
  static const std::string text = [] {
    std::random_device random;
    std::string t(1, kTagStart);
    for (int i = 0; i < 4; ++i)
      for (unsigned int bits = random(), n = 0; n < 8; ++n, bits >>= 4) t += "0123456789abcdef"[bits & 15];
    return t;
  }();
  return text;
}

void append_escape(std::string& out, char letter, unsigned int c, int digits) {
  out += '\\', out += letter;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += "0123456789abcdef"[c >> shift & 15];
}

bool acts_on_terminal(char32_t c) {
  if (c < 0xA0) return c < 0x20 ? c != '\n' && c != '\t' : c >= 0x7F;
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

// Whether more bytes could make a character of the few at the end that are none yet, or a line's end.
bool may_go_on(std::string_view rest) {
  const auto first = static_cast<unsigned char>(rest[0]);
  if (rest.size() == 1 && first == '\r') return true;
  const size_t wanted = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : 2;
  return first >= 0xC2 && first < 0xF5 && rest.size() < wanted &&
         std::all_of(rest.begin() + 1, rest.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
}

// The text without its codes goes to `plain` in pieces, each code without its tags to `code`.
template <class Plain, class Code>
void split(std::string_view text, Plain plain, Code code) {
  for (size_t start = 0, i = 0;;) {
    i = std::min(text.find(kTagStart, i), text.size());
    const size_t length = i < text.size() ? terminal_code_length(text, i) : 0;
    if (i < text.size() && length == 0) {
      ++i;
      continue;
    }
    plain(text.substr(start, i - start));
    if (i == text.size()) return;
    code(text.substr(i + tag().size(), length - 2 * tag().size()));
    start = i += length;
  }
}

// Returns how many bytes at the end have to wait.
size_t make_harmless(std::string_view s, std::string& out) {
  for (size_t i = 0; i < s.size();) {
    const size_t length = utf8_length_at(s, i);
    if (i + 4 > s.size() && (length == 0 || s[i] == '\r') && may_go_on(s.substr(i))) return s.size() - i;
    if (length == 0) {
      append_escape(out, 'x', static_cast<unsigned char>(s[i++]), 2);
      continue;
    }
    const size_t start = i;
    const char32_t c = utf8_decode(s, i);
    if (c == '\r' && i < s.size() && s[i] == '\n') continue;
    if (acts_on_terminal(c))
      append_escape(out, 'u', static_cast<unsigned int>(c), 4);
    else
      out.append(s, start, length);
  }
  return 0;
}

}  // namespace

std::string terminal_code(std::string_view code) {
  return tag() + std::string(code) + tag();
}

size_t terminal_code_length(std::string_view text, size_t at) {
  if (text.substr(at, tag().size()) != tag()) return 0;
  const size_t end = text.find(tag(), at + tag().size());
  return end == std::string_view::npos ? 0 : end + tag().size() - at;
}

void TerminalFilter::add(std::string_view text, std::string& out) {
  split(
      text,
      [&](std::string_view piece) {
        if (piece.empty()) return;
        const std::string whole = cut_ + std::string(piece);
        cut_ = whole.substr(whole.size() - make_harmless(whole, out));
      },
      [&](std::string_view code) {
        finish(out);
        out += code;
      });
}

void TerminalFilter::finish(std::string& out) {
  for (char c : cut_)
    append_escape(out, c == '\r' ? 'u' : 'x', static_cast<unsigned char>(c), c == '\r' ? 4 : 2);
  cut_.clear();
}

std::string for_terminal(std::string_view text) {
  std::string out;
  TerminalFilter filter;
  filter.add(text, out);
  filter.finish(out);
  return out;
}

std::string harmless_text(std::string_view text) {
  std::string valid, out;
  valid.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length_at(text, i);
    length ? valid.append(text, i, length) : valid.append("\xEF\xBF\xBD");
    i += std::max<size_t>(length, 1);
  }
  TerminalFilter filter;
  filter.add(valid, out);
  filter.finish(out);
  return out;
}

std::string harmless_output(std::string_view text) {
  std::string out;
  size_t from = 0;
  for (size_t at = text.find("\x1b["); at != text.npos; at = text.find("\x1b[", at + 1)) {
    const size_t end = text.find_first_not_of("0123456789;", at + 2);
    if (end == text.npos || text[end] != 'm') continue;
    out += harmless_text(text.substr(from, at - from));
    out += text.substr(at, end + 1 - at);
    from = end + 1;
  }
  return out + harmless_text(text.substr(from));
}

std::string without_terminal_codes(std::string_view text) {
  std::string out;
  split(
      text, [&](std::string_view piece) { out += piece; }, [](std::string_view) {});
  return out;
}

std::string with_terminal_codes(std::string_view text) {
  std::string out;
  split(
      text, [&](std::string_view piece) { out += piece; }, [&](std::string_view code) { out += code; });
  return out;
}

}  // namespace xplan

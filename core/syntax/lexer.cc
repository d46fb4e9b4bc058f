// The lexer of the native syntax: identifiers (Unicode), numbers, operators, comments, and hints for
// characters that do not belong.
#include "core/syntax/lexer.h"

#include <utf8proc.h>

#include "core/base/utf8.h"
#include "core/syntax/body.h"

namespace xplan::syntax {
namespace {

enum : uint8_t { kStart = 1, kContinue = 2, kDigit = 4 };
struct AsciiTable {
  uint8_t of[256] = {};
  constexpr AsciiTable() {
    for (int c = 'a'; c <= 'z'; ++c) of[c] = kStart | kContinue;
    for (int c = 'A'; c <= 'Z'; ++c) of[c] = kStart | kContinue;
    for (int c = '0'; c <= '9'; ++c) of[c] = kContinue | kDigit;
    of[int('_')] = kStart | kContinue;
    of[int('-')] = kContinue;
  }
};
constexpr AsciiTable kAscii;

uint8_t ascii(char c) {
  return kAscii.of[static_cast<unsigned char>(c)];
}
bool digit(std::string_view s, size_t i) {
  return i < s.size() && (ascii(s[i]) & kDigit);
}

// ID_Start and ID_Continue (Unicode TR 31) for code points above ASCII: by category, and the few that the
// standard lists by name.
bool id_start(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return c != 0x2E2F;
    default:
      return c == 0x1885 || c == 0x1886 || c == 0x2118 || c == 0x212E || c == 0x309B || c == 0x309C;
  }
}
bool id_continue(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return id_start(c) || c == 0xB7 || c == 0x387 || (c >= 0x1369 && c <= 0x1371) || c == 0x19DA;
  }
}

// Skips blanks and comments. A line comment ends before its newline. False for a /* without end, with i on
// it.
bool skip_blank(std::string_view s, size_t& i, bool newlines) {
  while (i < s.size()) {
    char c = s[i];
    if (c == ' ' || c == '\t') {
      ++i;
    } else if (c == '\n' && newlines) {
      ++i;
    } else if (c == '\r' && newlines && i + 1 < s.size() && s[i + 1] == '\n') {
      i += 2;
    } else if (c == '#' || (c == '/' && i + 1 < s.size() && s[i + 1] == '/')) {
      i = s.find('\n', i);
      if (i == s.npos)
        i = s.size();
      else if (s[i - 1] == '\r')
        --i;
    } else if (c == '/' && i + 1 < s.size() && s[i + 1] == '*') {
      size_t end = s.find("*/", i + 2);
      if (end == s.npos) return false;
      i = end + 2;
    } else {
      break;
    }
  }
  return true;
}

// A digit and whatever looks like more of the number, so that 1.2.3 is one (wrong) number rather than three
// tokens.
size_t number_end(std::string_view s, size_t i) {
  for (++i; i < s.size();) {
    if (ascii(s[i]) & kDigit) {
      ++i;
    } else if (s[i] == '.') {
      size_t j = i;
      while (j < s.size() && s[j] == '.') ++j;
      if (!digit(s, j)) {
        // 1.e2: the exponent may follow a dot directly.
        if (j != i + 1 || j >= s.size() || (s[j] != 'e' && s[j] != 'E')) break;
        size_t k = j + 1 + (j + 1 < s.size() && (s[j + 1] == '+' || s[j + 1] == '-'));
        if (!digit(s, k)) break;
      }
      i = j;
    } else if (s[i] == 'e' || s[i] == 'E') {
      size_t j = i + 1;
      if (j < s.size() && (s[j] == '+' || s[j] == '-')) ++j;
      if (!digit(s, j)) break;
      i = j;
    } else {
      break;
    }
  }
  return i;
}

}  // namespace

size_t identifier_at(std::string_view s, size_t i) {
  size_t at = i;
  while (at < s.size()) {
    if (static_cast<unsigned char>(s[at]) < 0x80) {
      if (!(ascii(s[at]) & (at == i ? kStart : kContinue))) break;
      ++at;
    } else {
      size_t next = at;
      if (utf8_length_at(s, at) == 0) break;
      char32_t c = utf8_decode(s, next);
      if (!(at == i ? id_start(c) : id_continue(c))) break;
      at = next;
    }
  }
  return at - i;
}

bool valid_identifier(std::string_view s) {
  return !s.empty() && identifier_at(s, 0) == s.size();
}

size_t space_at(std::string_view s, size_t i) {
  if (i >= s.size()) return 0;
  unsigned char c = static_cast<unsigned char>(s[i]);
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  if (c < 0xC2) return 0;
  size_t n = utf8_length_at(s, i);
  if (n == 0) return 0;
  size_t next = i;
  char32_t r = utf8_decode(s, next);
  bool space = r == 0x85 || r == 0xA0 || r == 0x1680 || (r >= 0x2000 && r <= 0x200A) || r == 0x2028 ||
               r == 0x2029 || r == 0x202F || r == 0x205F || r == 0x3000;
  return space ? n : 0;
}

std::string_view character_hint(std::string_view bad) {
  struct Row {
    std::string_view what, hint;
  };
  static constexpr Row rows[] = {
      {"'", "Strings are enclosed in double quotes (\"), not in single quotes."},
      {"\u2018", "This is a typographic quote. Enclose strings in plain double quotes (\")."},
      {"\u2019", "This is a typographic quote. Enclose strings in plain double quotes (\")."},
      {"\u201C",
       "This is a typographic quote, as inserted by word processors. Enclose strings in plain double quotes "
       "(\")."},
      {"\u201D",
       "This is a typographic quote, as inserted by word processors. Enclose strings in plain double quotes "
       "(\")."},
      {"`", "Backticks are not supported. Enclose strings in double quotes (\")."},
      {";",
       "Semicolons are not separators. Write each argument on its own line, and separate items with commas."},
      {"&", "Bitwise operators are not supported. The logical operator is written \"&&\"."},
      {"|", "Bitwise operators are not supported. The logical operator is written \"||\"."},
      {"^", "This operator does not exist. For exponentiation, use the function pow."},
      {"~",
       "This operator does not exist. A \"~\" is only allowed directly after \"${\" or \"%{\" or before the "
       "\"}\" that closes it."},
      {"$", "A \"$\" is only allowed inside a string, as \"${\"."},
      {"@", "Names can contain only letters, digits, \"_\" and \"-\"."},
      {"\\", "A backslash is only allowed inside a string."},
      {"\r", "This is a carriage return without a line feed. End lines with a line feed."},
      {"/*", "This comment has no end. Close it with \"*/\"."},
      {"<<",
       "To begin a multi-line string, write \"<<\" or \"<<-\", directly followed by a name, then start a new "
       "line."},
      {"\u00A0", "This is a non-breaking space. Replace it with a plain one."},
      {"\uFEFF", "This is a byte order mark, which is only allowed at the start of a file. Remove it."},
  };
  for (const Row& r : rows)
    if (r.what == bad) return r.hint;
  return {};
}

Token scan(std::string_view s, size_t i, bool skip_newlines) {
  if (!skip_blank(s, i, skip_newlines)) return {Tok::Bad, i, i + 2};
  if (i >= s.size()) return {Tok::End, s.size(), s.size()};
  auto next_is = [&](char c) { return i + 1 < s.size() && s[i + 1] == c; };
  auto one = [&](Tok t) { return Token{t, i, i + 1}; };
  auto two = [&](Tok t) { return Token{t, i, i + 2}; };
  char c = s[i];
  if (ascii(c) & kDigit) return {Tok::Number, i, number_end(s, i)};
  if (ascii(c) & kStart) return {Tok::Ident, i, i + identifier_at(s, i)};
  switch (c) {
    case '\n':
      return one(Tok::Newline);
    case '\r':
      return next_is('\n') ? two(Tok::Newline) : one(Tok::Bad);
    case '"':
      return one(Tok::Quote);
    case '{':
      return one(Tok::OBrace);
    case '}':
      return one(Tok::CBrace);
    case '[':
      return one(Tok::OBrack);
    case ']':
      return one(Tok::CBrack);
    case '(':
      return one(Tok::OParen);
    case ')':
      return one(Tok::CParen);
    case ',':
      return one(Tok::Comma);
    case '?':
      return one(Tok::Question);
    case '*':
      return one(Tok::Star);
    case '/':
      return one(Tok::Slash);
    case '%':
      return one(Tok::Percent);
    case '+':
      return one(Tok::Plus);
    case '-':
      return one(Tok::Minus);
    case '.':
      if (next_is('.') && i + 2 < s.size() && s[i + 2] == '.') return {Tok::Ellipsis, i, i + 3};
      return one(Tok::Dot);
    case ':':
      return next_is(':') ? two(Tok::DoubleColon) : one(Tok::Colon);
    case '=':
      return next_is('=') ? two(Tok::Eq) : next_is('>') ? two(Tok::Arrow) : one(Tok::Assign);
    case '!':
      return next_is('=') ? two(Tok::Ne) : one(Tok::Not);
    case '>':
      return next_is('=') ? two(Tok::Ge) : one(Tok::Gt);
    case '&':
      return next_is('&') ? two(Tok::And) : one(Tok::Bad);
    case '|':
      return next_is('|') ? two(Tok::Or) : one(Tok::Bad);
    case '~':
      return next_is('}') ? two(Tok::TrimBrace) : one(Tok::Bad);
    case '<': {
      if (next_is('=')) return two(Tok::Le);
      if (!next_is('<')) return one(Tok::Lt);
      size_t j = i + 2;
      if (j < s.size() && s[j] == '-') ++j;
      size_t n = identifier_at(s, j);
      if (n == 0) return two(Tok::Bad);
      j += n;
      if (j < s.size() && s[j] == '\r') ++j;
      if (j >= s.size() || s[j] != '\n') return two(Tok::Bad);
      return {Tok::Heredoc, i, j + 1};
    }
    default:
      break;
  }
  if (size_t n = identifier_at(s, i)) return {Tok::Ident, i, i + n};
  size_t n = utf8_length_at(s, i);
  return {Tok::Bad, i, i + (n ? n : 1)};
}

}  // namespace xplan::syntax

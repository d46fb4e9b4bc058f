// The tokens of JSON: strings, numbers, words and separators, with what is wrong about them in plain words.
#include "core/base/json_cursor.h"

#include <algorithm>
#include <cstring>

#include "core/base/arrival.h"
#include "core/base/json_escape.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan {
namespace {

// Which bytes end a plain run inside a string: the quote, the backslash, control characters, and non-ASCII.
struct StopTable {
  bool stop[256] = {};
  constexpr StopTable() {
    for (int i = 0; i < 256; ++i) stop[i] = i < 0x20 || i == '"' || i == '\\' || i >= 0x80;
  }
};
constexpr StopTable kStop;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_comment(char c) {
  return c == '/' || c == '#';
}

constexpr std::string_view kComment = "comments are not allowed in JSON";

}  // namespace

std::string JsonError::text(std::string_view source) const {
  size_t at = std::min<size_t>(offset, source.size()), line = 1, column = 1;
  size_t start = 0;
  for (size_t i = 0; i < at; ++i)
    if (source[i] == '\n') ++line, start = i + 1;
  for (size_t i = start; i < at; ++i)
    if ((static_cast<unsigned char>(source[i]) & 0xC0) != 0x80) ++column;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

JsonCursor::JsonCursor(std::string_view text)
    : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()) {
  if (text.starts_with("\xEF\xBB\xBF")) p_ += 3;
}

JsonCursor::JsonCursor(Arrival& arrival)
    : begin_(arrival.text()->data()), p_(begin_), end_(begin_), arrival_(&arrival) {
  if (follows("\xEF\xBB\xBF")) p_ += 3;
}

bool JsonCursor::await(size_t bytes) {
  while (arrival_ && static_cast<size_t>(end_ - p_) < bytes) {
    bool last = false;
    end_ = begin_ + arrival_->wait(static_cast<size_t>(end_ - begin_), last);
    if (last) arrival_ = nullptr;
  }
  return static_cast<size_t>(end_ - p_) >= bytes;
}

bool JsonCursor::fail_at(size_t offset, std::string_view message) {
  if (failed()) return false;
  error_.message = message;
  error_.offset = offset;
  return false;
}

JsonCursor::Kind JsonCursor::kind() {
  if (!more()) return fail("the input ends where a value is expected"), Kind::End;
  switch (*p_) {
    case '{':
      return Kind::Object;
    case '[':
      return Kind::Array;
    case '"':
      return Kind::String;
    case 't':
      return Kind::True;
    case 'f':
      return Kind::False;
    case 'n':
      return Kind::Null;
    default:
      if (*p_ == '-' || is_digit(*p_)) return Kind::Number;
  }
  fail_value();
  return Kind::End;
}

bool JsonCursor::fail_value() {
  const char c = *p_;
  if (is_comment(c)) return fail(kComment);
  if (c == '\'') return fail("a string must be in double quotes");
  if (c == ',') return fail("a value is missing before this comma");
  if (c == ']' || c == '}') return fail("a value is expected before this bracket");
  if (c == '+') return fail("a number cannot have a plus sign");
  if (c == '.') return fail("a number must begin with a digit");
  if (c == '=' || c == ':') return fail("a value is expected here");
  if (is_word(c)) return fail("a word is not a JSON value; a string must be in double quotes");
  return fail("this character cannot start a JSON value");
}

bool JsonCursor::word(std::string_view w) {
  if (!follows(w) || (more(w.size() + 1) && is_word(p_[w.size()]))) return fail_value();
  p_ += w.size();
  return true;
}

bool JsonCursor::number() {
  const size_t begin = at();
  auto digits = [&](std::string_view message) {
    if (!is_digit(peek())) return fail(message);
    while (is_digit(peek())) ++p_;
    return true;
  };
  if (*p_ == '-') ++p_;
  if (peek() == '0') {
    ++p_;
    if (is_digit(peek())) return fail_at(begin, "a number cannot have leading zeros");
  } else if (!digits("a digit is expected after the minus sign")) {
    return false;
  }
  if (peek() == '.') {
    ++p_;
    if (!digits("a digit is expected after the decimal point")) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++p_;
    if (peek() == '+' || peek() == '-') ++p_;
    if (!digits("a digit is expected in the exponent")) return false;
  }
  if (is_word(peek()) || peek() == '.') return fail("this character cannot be part of a number");
  return true;
}

bool JsonCursor::string(String& out) {
  const size_t quote = at();
  const char* const begin = ++p_;
  out.plain = true;
  for (;;) {
    while (p_ != end_ && !kStop.stop[static_cast<unsigned char>(*p_)]) ++p_;
    if (p_ == end_) {
      if (more()) continue;
      return fail_at(quote, "this string has no closing quote");
    }
    const auto c = static_cast<unsigned char>(*p_);
    if (c == '"') break;
    if (c >= 0x80) {
      (void)more(4);  // of one character, if there are that many
      const size_t n = utf8_length_at({p_, static_cast<size_t>(std::min<ptrdiff_t>(end_ - p_, 4))}, 0);
      out.plain &= n != 0;
      p_ += std::max<size_t>(n, 1);
      continue;
    }
    if (c == '\n' || c == '\r') return fail("a string cannot continue on the next line; write \\n");
    if (c < 0x20) return fail("a control character in a string must be written as an escape (\\u00XX)");
    out.plain = false;
    if (!escape()) return false;
  }
  out.raw = {begin, static_cast<size_t>(p_ - begin)};
  ++p_;
  return true;
}

bool JsonCursor::escape() {
  if (!more(2)) return fail("this string has no closing quote");
  if (p_[1] == 'u') {
    (void)more(6);
    if (hex4({p_, static_cast<size_t>(end_ - p_)}, 2) < 0)
      return fail("four hexadecimal digits are expected after \\u");
    p_ += 6;
    return true;
  }
  if (std::string_view("\"\\/bfnrt").find(p_[1]) == std::string_view::npos)
    return fail("this escape sequence is not valid: JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX");
  p_ += 2;
  return true;
}

bool JsonCursor::key(String& out) {
  if (peek() != '"') {
    if (is_comment(peek())) return fail(kComment);
    if (peek() == ',') return fail("a member is missing before this comma");
    return fail("a member name in double quotes is expected");
  }
  if (!string(out)) return false;
  space();
  if (peek() != ':') {
    if (peek() == '=') return fail("a member name must be followed by a colon, not an equals sign");
    if (is_comment(peek())) return fail(kComment);
    return fail("a colon is expected after the member name");
  }
  ++p_;
  space();
  return true;
}

bool JsonCursor::comma(char close, std::string_view missing) {
  const char c = peek();
  if (is_comment(c)) return fail(kComment);
  if (close == ']' && (c == ':' || c == '=')) return fail("a colon is not allowed in an array");
  if (c == '}' || c == ']') return fail("this bracket does not match the opening one");
  if (c != ',') return fail(missing);
  const size_t comma = at();
  ++p_;
  space();
  if (peek() == close)
    return fail_at(comma,
                   "there is a comma after the last " + std::string(close == ']' ? "element" : "member"));
  return true;
}

bool JsonCursor::end() {
  space();
  if (!more()) return !failed();
  return fail(is_comment(*p_) ? kComment : "there are extra characters after the end of the value");
}

void decode_json_string(std::string& out, std::string_view raw) {
  for (size_t i = 0; i < raw.size();) {
    if (raw[i] == '\\') {
      append_json_escape(out, raw, ++i);
    } else if (const size_t n = utf8_length_at(raw, i)) {
      out.append(raw, i, n), i += n;
    } else {
      utf8_append(out, 0xFFFD), ++i;
    }
  }
}

}  // namespace xplan

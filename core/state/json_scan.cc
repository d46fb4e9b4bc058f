// The streaming JSON scanner for state files and journals: member by member, values as slices of the text,
// strict checks of everything skipped.
#include "core/state/json_scan.h"

#include <array>
#include <bitset>
#include <cstring>

#include "core/base/json_escape.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace xplan {
namespace {

constexpr size_t kMaxDepth = kJsonStoredDepth;

constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> t{};
  for (int i = 0x20; i < 256; ++i) t[static_cast<size_t>(i)] = i != '"' && i != '\\';
  return t;
}
constexpr std::array<bool, 256> kPlain = make_plain();

bool digit(char c) {
  return c >= '0' && c <= '9';
}

// The text between the quotes, already checked, decoded. Ill-formed bytes are U+FFFD, as JsonWriter writes
// them.
void decode(std::string_view s, std::string& out) {
  out.clear();
  for (size_t i = 0; i < s.size();) {
    if (s[i] == '\\')
      append_json_escape(out, s, ++i);
    else
      utf8_append(out, utf8_decode(s, i));
  }
}

}  // namespace

const char* json_kind_name(JsonScan::Kind k) {
  switch (k) {
    case JsonScan::Kind::Object:
      return "an object";
    case JsonScan::Kind::Array:
      return "an array";
    case JsonScan::Kind::String:
      return "a string";
    case JsonScan::Kind::Number:
      return "a number";
    case JsonScan::Kind::True:
    case JsonScan::Kind::False:
      return "true or false";
    case JsonScan::Kind::Null:
      return "null";
    case JsonScan::Kind::End:
      break;
  }
  return "nothing";
}

JsonScan::JsonScan(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

void JsonScan::fail_at(std::string phrase, size_t offset) {
  if (failed()) return;
  error_ = std::move(phrase);
  error_at_ = std::min(offset, text_.size());
  at_ = text_.size();
}

std::string JsonScan::error() const {
  size_t line = 1, begin = 0;
  for (size_t i = 0; i < error_at_; ++i)
    if (text_[i] == '\n') ++line, begin = i + 1;
  size_t column = 1;
  for (size_t i = begin; i < error_at_; ++i)
    if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + error_;
}

void JsonScan::blank() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

JsonScan::Kind JsonScan::peek() {
  blank();
  value_at_ = at_;
  if (at_ >= text_.size()) {
    fail("the input ends where a value is expected");
    return Kind::End;
  }
  switch (char c = text_[at_]) {
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
      if (digit(c) || c == '-') return Kind::Number;
  }
  fail("a value is expected");
  return Kind::End;
}

bool JsonScan::begin_object() {
  Kind k = peek();
  if (failed()) return false;
  if (k != Kind::Object) return fail(std::string("an object is expected, not ") + json_kind_name(k)), false;
  if (first_.size() >= kMaxDepth) return fail("the nesting is too deep"), false;
  ++at_;
  first_.push_back(true);
  return true;
}

bool JsonScan::begin_array() {
  Kind k = peek();
  if (failed()) return false;
  if (k != Kind::Array) return fail(std::string("an array is expected, not ") + json_kind_name(k)), false;
  if (first_.size() >= kMaxDepth) return fail("the nesting is too deep"), false;
  ++at_;
  first_.push_back(true);
  return true;
}

bool JsonScan::item() {
  if (failed()) return false;
  blank();
  bool first = first_.back();
  first_.back() = false;
  if (at_ >= text_.size()) return fail("the input ends inside an array"), false;
  if (text_[at_] == ']') {
    ++at_;
    first_.pop_back();
    return false;
  }
  if (first) return true;
  if (text_[at_] != ',') return fail("a comma or a closing bracket is expected"), false;
  ++at_;
  return true;
}

bool JsonScan::member(std::string_view& key) {
  if (failed()) return false;
  blank();
  bool first = first_.back();
  first_.back() = false;
  if (at_ >= text_.size()) return fail("the input ends inside an object"), false;
  if (text_[at_] == '}') {
    ++at_;
    first_.pop_back();
    return false;
  }
  if (!first) {
    if (text_[at_] != ',') return fail("a comma or a closing brace is expected"), false;
    ++at_;
  }
  blank();
  size_t begin = at_;
  bool escapes = false;
  if (at_ >= text_.size() || text_[at_] != '"') return fail("a member name is expected"), false;
  if (!scan_string(escapes)) return false;
  key = text_.substr(begin + 1, at_ - begin - 2);
  if (escapes || !utf8_valid(key)) decode(key, decoded_), key = decoded_;
  blank();
  if (at_ >= text_.size() || text_[at_] != ':') return fail("a colon is expected"), false;
  ++at_;
  return true;
}

bool JsonScan::scan_key() {
  blank();
  bool escapes = false;
  if (at_ >= text_.size() || text_[at_] != '"') return fail("a member name is expected"), false;
  if (!scan_string(escapes)) return false;
  blank();
  if (at_ >= text_.size() || text_[at_] != ':') return fail("a colon is expected"), false;
  ++at_;
  return true;
}

bool JsonScan::scan_string(bool& escapes) {
  const char* base = text_.data();
  size_t i = at_ + 1, size = text_.size();
  for (;;) {
    while (i < size && kPlain[static_cast<unsigned char>(base[i])]) ++i;
    if (i >= size) return fail("the input ends inside a string"), false;
    if (base[i] == '"') break;
    if (base[i] != '\\') return fail_at("a control character is not allowed in a string", i), false;
    escapes = true;
    char c = i + 1 < size ? base[i + 1] : 0;
    if (c == 'u') {
      for (size_t k = 2; k < 6; ++k)
        if (i + k >= size || hex_digit(base[i + k]) < 0)
          return fail_at("an escape sequence requires four hexadecimal digits", i), false;
      i += 6;
    } else if (c && std::strchr("\"\\/bfnrt", c)) {
      i += 2;
    } else {
      return fail_at("an escape sequence is not valid", i), false;
    }
  }
  at_ = i + 1;
  return true;
}

bool JsonScan::scan_number() {
  size_t i = at_, size = text_.size();
  auto digits = [&] {
    size_t begin = i;
    while (i < size && digit(text_[i])) ++i;
    return i > begin;
  };
  if (text_[i] == '-') ++i;
  if (i < size && text_[i] == '0')
    ++i;
  else if (!digits())
    return fail("a number has no digits"), false;
  if (i < size && text_[i] == '.') {
    ++i;
    if (!digits()) return fail("a number has no digits after its decimal point"), false;
  }
  if (i < size && (text_[i] == 'e' || text_[i] == 'E')) {
    ++i;
    if (i < size && (text_[i] == '+' || text_[i] == '-')) ++i;
    if (!digits()) return fail("a number has no digits in its exponent"), false;
  }
  at_ = i;
  return true;
}

bool JsonScan::scan_word(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) return fail("a value is expected"), false;
  at_ += word.size();
  return true;
}

std::string_view JsonScan::raw() {
  peek();
  if (failed()) return {};
  const size_t begin = at_;
  std::bitset<kMaxDepth> is_object;
  size_t depth = 0;
  for (;;) {
    bool ok = true, escapes = false;
    switch (peek()) {
      case Kind::Object:
      case Kind::Array: {
        if (depth + first_.size() >= kMaxDepth) return fail("the nesting is too deep"), std::string_view();
        bool object = text_[at_++] == '{';
        blank();
        if (at_ < text_.size() && text_[at_] == (object ? '}' : ']')) {
          ++at_;
          break;
        }
        is_object[depth++] = object;
        if (object && !scan_key()) return {};
        continue;
      }
      case Kind::String:
        ok = scan_string(escapes);
        break;
      case Kind::Number:
        ok = scan_number();
        break;
      case Kind::True:
        ok = scan_word("true");
        break;
      case Kind::False:
        ok = scan_word("false");
        break;
      case Kind::Null:
        ok = scan_word("null");
        break;
      case Kind::End:
        return {};
    }
    if (!ok) return {};
    while (depth > 0) {
      blank();
      char c = at_ < text_.size() ? text_[at_] : 0;
      bool object = is_object[depth - 1];
      if (c == ',') {
        ++at_;
        if (object && !scan_key()) return {};
        break;
      }
      if (c != (object ? '}' : ']')) {
        fail(c ? object ? "a comma or a closing brace is expected"
                        : "a comma or a closing bracket is expected"
               : "the input ends inside an object or array");
        return {};
      }
      ++at_;
      --depth;
    }
    if (depth == 0) return text_.substr(begin, at_ - begin);
  }
}

std::string_view JsonScan::string() {
  Kind k = peek();
  if (failed()) return {};
  if (k != Kind::String)
    return fail(std::string("a string is expected, not ") + json_kind_name(k)), std::string_view();
  size_t begin = at_;
  bool escapes = false;
  if (!scan_string(escapes)) return {};
  std::string_view s = text_.substr(begin + 1, at_ - begin - 2);
  if (!escapes && utf8_valid(s)) return s;
  decode(s, decoded_);
  return decoded_;
}

bool JsonScan::take(std::string_view text) {
  blank();
  if (text_.compare(at_, text.size(), text) != 0) return false;
  at_ += text.size();
  return true;
}

bool JsonScan::boolean() {
  Kind k = peek();
  if (failed()) return false;
  if (k == Kind::True) return scan_word("true");
  if (k == Kind::False) return scan_word("false"), false;
  fail(std::string("true or false is expected, not ") + json_kind_name(k));
  return false;
}

bool JsonScan::take_null() {
  Kind k = peek();
  if (failed() || k != Kind::Null) return false;
  return scan_word("null");
}

bool JsonScan::at_end() {
  if (failed()) return false;
  blank();
  if (at_ < text_.size()) return fail("there are extra characters after the end"), false;
  return true;
}

}  // namespace xplan

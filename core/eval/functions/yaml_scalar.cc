// Resolves YAML scalars to values: null, booleans, numbers in every notation, timestamps, and explicit tags.
// Open this when yamldecode gives a value the wrong type.
#include "core/eval/functions/yaml_scalar.h"

#include <array>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/eval/functions/timestamps.h"

namespace xplan::eval {

namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

bool one_of(std::string_view s, std::initializer_list<std::string_view> words) {
  for (std::string_view w : words) {
    if (s == w) return true;
  }
  return false;
}

// The words that mean something by themselves.
bool known_word(std::string_view s, Value& out) {
  if (one_of(s, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}))
    out = Value::boolean(true);
  else if (one_of(s, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}))
    out = Value::boolean(false);
  else if (one_of(s, {"", "~", "null", "Null", "NULL"}))
    out = Value::null();
  else if (one_of(s, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"}))
    out = Value::number(Number::infinity());
  else if (one_of(s, {"-.inf", "-.Inf", "-.INF"}))
    out = Value::number(Number::infinity(true));
  else
    return false;
  return true;
}

size_t digits_at(std::string_view s, size_t i) {
  size_t n = 0;
  while (i + n < s.size() && s[i + n] >= '0' && s[i + n] <= '9') n++;
  return n;
}

// A decimal number, with a sign, digits on either side of the point, an exponent.
bool decimal(std::string_view s, Value& out) {
  size_t i = s.starts_with('-') || s.starts_with('+') ? 1 : 0;
  std::string text(s.starts_with('-') ? "-" : "");
  size_t whole = digits_at(s, i), fraction = 0;
  text += whole ? s.substr(i, whole) : "0";
  i += whole;
  if (i < s.size() && s[i] == '.') {
    fraction = digits_at(s, ++i);
    if (fraction) (text += '.') += s.substr(i, fraction);
    i += fraction;
  }
  if (whole + fraction == 0) return false;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    size_t sign = i + 1 < s.size() && (s[i + 1] == '-' || s[i + 1] == '+') ? 1 : 0;
    size_t digits = digits_at(s, i + 1 + sign);
    if (digits == 0) return false;
    text += s.substr(i, 1 + sign + digits);
    i += 1 + sign + digits;
  }
  if (i != s.size()) return false;
  // Number wants no superfluous zeros in front.
  size_t start = text[0] == '-' ? 1 : 0, zeros = 0;
  while (start + zeros + 1 < text.size() && text[start + zeros] == '0' && text[start + zeros + 1] >= '0' &&
         text[start + zeros + 1] <= '9') {
    zeros++;
  }
  text.erase(start, zeros);
  Result<Number> n = Number::parse(text);
  if (!n.ok()) return false;
  out = Value::number(*n);
  return true;
}

// 0x1F, 0o17, 0b11 of at most 64 bits.
bool prefixed_integer(std::string_view s, Value& out) {
  bool negative = s.starts_with('-');
  if (negative || s.starts_with('+')) s.remove_prefix(1);
  if (s.size() < 3 || s[0] != '0') return false;
  uint64_t base = (s[1] | 32) == 'x' ? 16 : (s[1] | 32) == 'o' ? 8 : (s[1] | 32) == 'b' ? 2 : 0;
  if (!base) return false;
  uint64_t n = 0;
  for (char c : s.substr(2)) {
    const uint64_t digit = uint64_t(hex_digit(c));  // no digit: more than any
    if (digit >= base || n > (UINT64_MAX - digit) / base) return false;
    n = n * base + digit;
  }
  if (negative && n > uint64_t{1} << 63) return false;
  std::string text = (negative ? "-" : "") + std::to_string(n);
  out = Value::number(*Number::parse(text));
  return true;
}

// What counts as an integer without a tag: no sign before 0x and 0o, no 0b, no underscores.
bool plain_prefixed(std::string_view s) {
  if (s.size() < 3 || s[0] != '0' || (s[1] != 'x' && s[1] != 'o')) return false;
  std::string_view digits = s.substr(2);
  return digits.find_first_not_of(s[1] == 'x' ? "0123456789abcdefABCDEF" : "01234567") ==
         std::string_view::npos;
}

// 2001-1-2, with a time 2001-1-2T3:4:5.6Z (or t, or an offset), or 2001-1-2 3:4:5.6 in UTC.
bool date_or_time(std::string_view s, Value& out) {
  CivilTime c;
  size_t i = 0;
  auto number = [&](size_t most, int low, int high, int& n) {
    size_t digits = std::min(digits_at(s, i), most);
    if (digits == 0) return false;
    n = 0;
    for (size_t k = 0; k < digits; k++) n = n * 10 + (s[i + k] - '0');
    i += digits;
    return n >= low && n <= high;
  };
  auto skip = [&](char ch) { return i < s.size() && s[i] == ch ? (i++, true) : false; };
  int year = 0;
  if (digits_at(s, 0) != 4 || !number(4, 0, 9999, year) || !skip('-') || !number(2, 1, 12, c.month) ||
      !skip('-') || !number(2, 1, 31, c.day) || !valid_date(year, c.month, c.day)) {
    return false;
  }
  c.year = year;
  Timestamp t;
  if (i < s.size()) {
    bool zoned = s[i] != ' ';
    if (!skip('T') && !skip('t') && !skip(' ')) return false;
    if (!number(2, 0, 23, c.hour) || !skip(':') || !number(2, 0, 59, c.minute) || !skip(':') ||
        !number(2, 0, 59, c.second)) {
      return false;
    }
    if (i + 1 < s.size() && (s[i] == '.' || s[i] == ',') && digits_at(s, i + 1)) i += 1 + digits_at(s, i + 1);
    if (zoned && !skip('Z')) {
      bool west = i < s.size() && s[i] == '-';
      int hours = 0, minutes = 0;
      if (!skip(west ? '-' : '+') || digits_at(s, i) != 2 || !number(2, 0, 24, hours) || !skip(':') ||
          digits_at(s, i) != 2 || !number(2, 0, 60, minutes)) {
        return false;
      }
      t.offset = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
    }
    if (i != s.size()) return false;
  }
  t.seconds = to_seconds(c, t.offset);
  out = Value::string(timestamp_text(t));
  return true;
}

std::string cannot_be(std::string_view text, std::string_view what) {
  return "\"" + std::string(text.substr(0, 100)) + "\" cannot be read as " + std::string(what);
}

Value resolve(std::string_view tag, std::string_view text, ScalarStyle style, std::string& why) {
  if (!tag.empty()) {
    if (!tag.starts_with(kTagPrefix) ||
        !one_of(tag.substr(kTagPrefix.size()),
                {"str", "bool", "int", "float", "null", "timestamp", "binary"})) {
      why = "the tag \"" + std::string(tag) + "\" is not supported";
      return {};
    }
    tag.remove_prefix(kTagPrefix.size());
  }
  char first = text.empty() ? 'n' : text[0];
  bool number = (first >= '0' && first <= '9') || first == '+' || first == '-';
  bool meaningful = number || std::string_view("yYnNtTfFoO~.").find(first) != std::string_view::npos;
  Value v;
  if (meaningful && tag != "str" && tag != "binary") {
    if (style == ScalarStyle::Quoted) return Value::string(text);
    if (known_word(text, v)) return v;
    if (tag.empty() && one_of(text, {".nan", ".NaN", ".NAN"})) {
      why = "not-a-number (.nan) is not supported";
      return {};
    }
    if (first == '.' && decimal(text, v)) return v;
    if (number) {
      if ((tag.empty() || tag == "timestamp") && date_or_time(text, v)) return v;
      if (plain_prefixed(text) || decimal(text, v)) tag = "int";
    }
  }
  if (tag.empty() || tag == "str") return Value::string(text);
  if (tag == "null") return Value::null();
  if (tag == "binary") {
    std::string bytes;
    if (!base64_decode(text, bytes)) why = "the scalar tagged !!binary is not valid base64";
    return Value::string(text);
  }
  if (tag == "int" || tag == "float") {
    std::string digits;
    for (char c : text) {
      if (c != '_') digits += c;
    }
    if (!decimal(digits, v) && !prefixed_integer(digits, v)) why = cannot_be(text, "a number");
  } else if (tag == "bool") {
    if (!known_word(text, v) || !v.is_bool()) why = cannot_be(text, "a bool");
  } else if (!date_or_time(text, v)) {
    why = cannot_be(text, "a timestamp");
  }
  return v;
}

}  // namespace

Value yaml_scalar(std::string_view tag, std::string_view text, ScalarStyle style, std::string& why) {
  Value v = resolve(tag, text, style, why);
  if (style != ScalarStyle::Block || !tag.empty()) return v;
  if (v.is_null()) return Value::null(Type::string());
  if (v.is_bool()) return Value::string(v.as_bool() ? "true" : "false");
  return v.is_number() ? Value::string(v.as_number().text()) : v;
}

}  // namespace xplan::eval

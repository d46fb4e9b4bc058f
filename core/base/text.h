// Small helpers for strings: characters, words, and names in messages.
//
// Who calls it: everything that reads characters or names something in a message.  Thread-safety: pure. Cost:
// linear.
#pragma once
#include <string>
#include <string_view>

namespace xplan {

// Between double quotes, just as it is: names in messages. See base/quote.h for strings that are read back.
inline std::string in_quotes(std::string_view s) {
  std::string out = "\"";
  return out.append(s) += '"';
}

// The name of a type in a sentence: "a list of strings" for "list of string", "an object"; "any type" has no
// article.
inline std::string with_article(std::string_view type) {
  const bool vowel = !type.empty() && std::string_view("aeiou").find(type[0]) != std::string_view::npos;
  std::string out = type.starts_with("any ") ? "" : vowel ? "an " : "a ";
  constexpr std::string_view kOf = " of ";
  for (bool element = false;; element = true) {
    const size_t of = type.find(kOf);
    const std::string_view word = type.substr(0, of);
    out.append(word).append(element && !word.starts_with("any ") ? "s" : "");
    if (of == type.npos) return out;
    out.append(kOf);
    type.remove_prefix(of + kOf.size());
  }
}

constexpr int hex_digit(char c) {  // -1: it is none
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
// The number in the four hexadecimal digits at a place; -1 when they are not there.
constexpr int hex4(std::string_view s, size_t at) {
  if (at + 4 > s.size()) return -1;
  int n = 0;
  for (char c : s.substr(at, 4)) {
    if (hex_digit(c) < 0) return -1;
    n = n << 4 | hex_digit(c);
  }
  return n;
}

// The letters A to Z made small; names of protocols, not of people.
inline std::string ascii_lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Without spaces, tabs and line breaks at both ends.
constexpr std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t from = s.find_first_not_of(kSpace);
  return from == s.npos ? std::string_view() : s.substr(from, s.find_last_not_of(kSpace) - from + 1);
}

}  // namespace xplan

// UTF-8 decoding and validation, NFC normalization (with a quick check, and linear reordering of combining
// marks), and grapheme cluster boundaries.
#include "core/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace xplan {

size_t utf8_length_at(std::string_view s, size_t i) {
  auto at = [&](size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
  auto cont = [&](size_t k) { return (at(k) & 0xC0) == 0x80; };
  unsigned c = at(i);
  if (i >= s.size()) return 0;
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return cont(i + 1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    unsigned d = at(i + 1);
    if (!cont(i + 1) || !cont(i + 2) || (c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F)) return 0;
    return 3;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    unsigned d = at(i + 1);
    if (!cont(i + 1) || !cont(i + 2) || !cont(i + 3) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d > 0x8F))
      return 0;
    return 4;
  }
  return 0;
}

char32_t utf8_decode(std::string_view s, size_t& i) {
  size_t n = utf8_length_at(s, i);
  auto at = [&](size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(s[i + k])); };
  char32_t c = 0xFFFD;
  if (n == 1) c = at(0);
  if (n == 2) c = (at(0) & 0x1F) << 6 | (at(1) & 0x3F);
  if (n == 3) c = (at(0) & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F);
  if (n == 4) c = (at(0) & 0x07) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | (at(3) & 0x3F);
  i += n ? n : 1;
  return c;
}

void utf8_append(std::string& out, char32_t c) {
  auto put = [&](char32_t b) { out.push_back(static_cast<char>(b)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

bool utf8_valid(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    size_t n = utf8_length_at(s, i);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

bool is_nfc_quick(std::string_view s) {
  for (unsigned char c : s)
    if (c >= 0xCC) return false;  // lead bytes from U+0300 on
  return true;
}

namespace {
// Each run of combining marks in the order of their classes, as normalization wants it: the library would
// move them one place at a time, which takes the square of the run.
std::string in_canonical_order(std::string_view s) {
  std::vector<std::pair<int, char32_t>> run;  // class and mark
  std::string out;
  auto end_run = [&] {
    std::stable_sort(run.begin(), run.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& mark : run) utf8_append(out, mark.second);
    run.clear();
  };
  for (size_t i = 0; i < s.size();) {
    const char32_t c = utf8_decode(s, i);
    const int order = utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
    if (order == 0) {
      end_run();
      utf8_append(out, c);
    } else {
      run.emplace_back(order, c);
    }
  }
  end_run();
  return out;
}
}  // namespace

std::string nfc(std::string_view given) {
  if (is_nfc_quick(given) || !utf8_valid(given)) return std::string(given);
  const std::string s = in_canonical_order(given);
  utf8proc_uint8_t* out = nullptr;
  auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(s.data()),
                        static_cast<utf8proc_ssize_t>(s.size()), &out,
                        static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (n < 0) return std::string(given);
  std::string r(reinterpret_cast<char*>(out), static_cast<size_t>(n));
  std::free(out);
  return r;
}

std::vector<uint32_t> graphemes(std::string_view s, size_t most) {
  std::vector<uint32_t> lengths;
  utf8proc_int32_t state = 0;
  char32_t prev = 0;
  const auto plain = [](char32_t c) { return c >= ' ' && c < 0x7F; };  // nothing joins two of these
  for (size_t i = 0; i < s.size();) {
    size_t start = i;
    if (plain(static_cast<unsigned char>(s[i])) && (plain(prev) || lengths.empty()) &&
        lengths.size() < most) {
      prev = static_cast<unsigned char>(s[i++]);
      state = 0;
      lengths.push_back(1);
      continue;
    }
    char32_t c = utf8_decode(s, i);
    bool joined =
        !lengths.empty() && !utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(prev),
                                                              static_cast<utf8proc_int32_t>(c), &state);
    if (joined)
      lengths.back() += static_cast<uint32_t>(i - start);
    else if (lengths.size() == most)
      break;
    else
      lengths.push_back(static_cast<uint32_t>(i - start));
    prev = c;
  }
  return lengths;
}

}  // namespace xplan

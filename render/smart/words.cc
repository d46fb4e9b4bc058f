// Compares two strings word by word.
#include "render/smart/words.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "render/pairing.h"

namespace xplan::render {

namespace {

constexpr uint64_t kMostWordCells = 200'000'000;
constexpr size_t kJoined = 2;  // bytes in common between two edits that make them one

struct WordList {
  std::vector<size_t> begins;  // and the end of the text
  std::vector<uint32_t> classes;
};

// Letters, digits and all that is not ASCII make words; everything else stands for itself.
bool of_word(char c) {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80) || c == '_';
}

WordList split(std::string_view text, std::unordered_map<std::string_view, uint32_t>& known) {
  WordList out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (of_word(text[i]))
      while (end < text.size() && of_word(text[end])) ++end;
    out.begins.push_back(i);
    out.classes.push_back(
        known.emplace(text.substr(i, end - i), static_cast<uint32_t>(known.size())).first->second);
    i = end;
  }
  out.begins.push_back(text.size());
  return out;
}

}  // namespace

std::vector<Edit> word_edits(std::string_view before, std::string_view after) {
  std::unordered_map<std::string_view, uint32_t> known;
  const WordList olds = split(before, known), news = split(after, known);
  const std::vector<uint32_t> common = common_subsequence(olds.classes, news.classes, kMostWordCells);
  std::vector<Edit> out;
  size_t i = 0, j = 0, same = 0;
  for (size_t k = 0; k <= common.size(); ++k) {
    const size_t old_begin = olds.begins[i], new_begin = news.begins[j];
    const bool end = k == common.size();
    while (i < olds.classes.size() && (end || olds.classes[i] != common[k])) ++i;
    while (j < news.classes.size() && (end || news.classes[j] != common[k])) ++j;
    const Edit e{old_begin, olds.begins[i], new_begin, news.begins[j]};
    if (e.old_begin != e.old_end || e.new_begin != e.new_end) {
      if (!out.empty() && e.old_begin - out.back().old_end <= kJoined)
        out.back().old_end = e.old_end, out.back().new_end = e.new_end;
      else
        out.push_back(e);
    }
    if (!end) same += olds.begins[i + 1] - olds.begins[i], ++i, ++j;
  }
  if (3 * same < std::max(before.size(), after.size())) return {{0, before.size(), 0, after.size()}};
  return out;
}

}  // namespace xplan::render

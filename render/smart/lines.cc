// Compares texts line by line: the longest common subsequence stays, the rest is removed, added or moved.
#include "render/smart/lines.h"

#include <unordered_map>

#include "render/pairing.h"

namespace xplan::render {

namespace {

constexpr uint64_t kMostLineCells = 1'000'000'000;
constexpr size_t kTellingLine = 8;  // characters but whitespace from which a line can be said to have moved

struct LineList {
  std::vector<std::string_view> texts;
  std::vector<uint32_t> classes;
};

bool telling(std::string_view line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) {
           return c != ' ' && c != '\t' && c != '\r';
         })) >= kTellingLine;
}

}  // namespace

std::vector<LineStep> line_steps(std::string_view before, std::string_view after, bool line_ends) {
  std::unordered_map<std::string_view, uint32_t> known;
  auto split = [&](std::string_view text) {
    LineList out;
    for_each_line(text, [&](std::string_view line) {
      if (!line_ends && line.ends_with('\r')) line.remove_suffix(1);
      out.texts.push_back(line);
      out.classes.push_back(known.emplace(line, static_cast<uint32_t>(known.size())).first->second);
    });
    return out;
  };
  const LineList olds = split(before), news = split(after);
  const std::vector<uint32_t> common = common_subsequence(olds.classes, news.classes, kMostLineCells);

  using Kind = LineStep::Kind;
  std::vector<LineStep> out;
  std::vector<uint32_t> classes;                                 // of the steps
  std::vector<uint32_t> gone(known.size()), came(known.size());  // how often
  auto step = [&](Kind kind, const LineList& of, size_t i) {
    out.push_back({kind, of.texts[i]});
    classes.push_back(of.classes[i]);
  };
  size_t i = 0, j = 0;
  for (size_t k = 0; k <= common.size(); ++k) {
    const bool end = k == common.size();
    for (; i < olds.classes.size() && (end || olds.classes[i] != common[k]); ++i)
      step(Kind::Removed, olds, i), ++gone[olds.classes[i]];
    for (; j < news.classes.size() && (end || news.classes[j] != common[k]); ++j)
      step(Kind::Added, news, j), ++came[news.classes[j]];
    if (!end) step(Kind::Same, olds, i), ++i, ++j;
  }
  for (size_t s = 0; s < out.size(); ++s) {
    const uint32_t c = classes[s];
    if (out[s].kind == Kind::Same || gone[c] != 1 || came[c] != 1 || !telling(out[s].text)) continue;
    out[s].kind = out[s].kind == Kind::Removed ? Kind::MovedAway : Kind::MovedHere;
  }
  return out;
}

}  // namespace xplan::render

// Strings that a text begins with are all in front of it in sorted order, and begin the one that is nearest.
#include "core/base/text_finder.h"

#include <algorithm>
#include <cstring>

namespace xplan {

// Four bytes are enough to pass over nearly all of a text; what is shorter is told apart by its first byte.
uint32_t TextFinder::beginning(std::string_view text) {
  uint32_t out = static_cast<unsigned char>(text[0]);
  if (text.size() >= sizeof out) std::memcpy(&out, text.data(), sizeof out);
  return out;
}

void TextFinder::add(std::string text, std::string value) {
  if (text.empty()) return;
  beginnings_.insert(beginning(text));
  texts_.try_emplace(std::move(text), std::move(value));
}

const TextFinder::Texts::value_type* TextFinder::longest(std::string_view text) const {
  if (!beginnings_.contains(beginning(text)) && !beginnings_.contains(static_cast<unsigned char>(text[0])))
    return nullptr;
  while (!text.empty()) {
    auto it = texts_.upper_bound(text);
    if (it == texts_.begin()) return nullptr;
    --it;
    const std::string_view near = it->first;
    if (text.starts_with(near)) return &*it;
    // Another one can only begin what these two have in common.
    const size_t most = std::min(near.size(), text.size());
    size_t common = 0;
    while (common < most && near[common] == text[common]) ++common;
    text = text.substr(0, common);
  }
  return nullptr;
}

void TextFinder::find(std::string_view text, size_t begin, size_t end, const Found& found,
                      const Counts& counts) const {
  if (empty()) return;
  auto match = [&](size_t at) -> const Texts::value_type* {
    const Texts::value_type* m = longest(text.substr(at, end - at));
    return m && (!counts || counts(at, m->first.size())) ? m : nullptr;
  };
  for (size_t at = begin; at < end;) {
    const Texts::value_type* first = match(at);
    if (!first) {
      ++at;
      continue;
    }
    size_t stop = at + first->first.size();
    for (size_t inside = at + 1; inside < stop; ++inside)
      if (const Texts::value_type* m = match(inside)) stop = std::max(stop, inside + m->first.size());
    found(at, stop - at, first->second);
    at = stop;
  }
}

}  // namespace xplan

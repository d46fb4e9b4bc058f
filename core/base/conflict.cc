// Finds the markers of merge conflicts in a text.
#include "core/base/conflict.h"

#include <algorithm>

namespace xplan {
namespace {

constexpr size_t kLength = 7;

// The character that the marker at the beginning of this line consists of, '\0' where there is none.
char marker_of(std::string_view line) {
  const char c = line.empty() ? '\0' : line[0];
  if (c != '<' && c != '>' && c != '=' && c != '|') return '\0';
  const size_t length = std::min(line.find_first_not_of(c), line.size());
  const bool ends = length == line.size() || line[length] == ' ' || line[length] == '\r';
  return length == kLength && ends ? c : '\0';
}

}  // namespace

std::vector<size_t> conflict_markers(std::string_view text) {
  std::vector<size_t> out;
  bool certain = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const char marker = marker_of(text.substr(at, end - at));
    if (marker != '\0') out.push_back(at);
    certain |= marker == '<' || marker == '>';
    at = end + 1;
  }
  if (!certain) out.clear();
  return out;
}

}  // namespace xplan

// Resolves the symbolic links of an archive against each other, before any is made, and refuses those that
// leave the directory or form a cycle.
#include "core/install/archive_links.h"

#include <algorithm>
#include <vector>

#include "core/install/archive_reader.h"

namespace xplan::install {
namespace {

constexpr int kMaxHops = 40;

// In reverse, so that the next one is at the end.
void push_parts(const std::string& path, std::vector<std::string>& parts) {
  const size_t before = parts.size();
  for (size_t i = 0; i <= path.size();) {
    const size_t end = std::min(path.find('/', i), path.size());
    if (end > i) parts.push_back(path.substr(i, end - i));
    i = end + 1;
  }
  std::reverse(parts.begin() + static_cast<std::ptrdiff_t>(before), parts.end());
}

}  // namespace

Result<void> ArchiveLinks::add(const std::string& name, const std::string& target) {
  if (target.starts_with('/')) return refused_entry(name, "is a link to an absolute path");
  if (!targets_.emplace(name, target).second) return refused_entry(name, "occurs more than once");
  return {};
}

Result<std::string> ArchiveLinks::end_of(const std::string& name) const {
  std::vector<std::string> left;
  push_parts(name, left);
  std::string at;  // the directory that is reached; empty: the top
  auto up = [&] { at.resize(at.rfind('/') == at.npos ? 0 : at.rfind('/')); };
  for (int hops = 0; !left.empty();) {
    const std::string part = std::move(left.back());
    left.pop_back();
    if (part == ".") continue;
    if (part == "..") {
      if (at.empty())
        return refused_entry(name, "is a link that leads outside of the directory it is unpacked to");
      up();
      continue;
    }
    at += (at.empty() ? "" : "/") + part;
    auto link = targets_.find(at);
    if (link == targets_.end()) continue;
    if (++hops > kMaxHops) return refused_entry(name, "is part of a cycle of links");
    up();
    push_parts(link->second, left);
  }
  return at.empty() ? "." : at;
}

}  // namespace xplan::install

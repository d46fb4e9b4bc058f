// Finds the element of an HTML page that says where a module is. Each part of the page is looked at once.
#include "core/install/download_page.h"

#include <algorithm>

#include "core/base/text.h"

namespace xplan::install {
namespace {

constexpr size_t kLookedAt = 4 << 20;

// The value of an attribute that is written NAME="…" or NAME='…' behind a space. `lower` is the element in
// lower case.
std::string attribute(std::string_view element, std::string_view lower, const std::string& name) {
  const size_t i = lower.find(" " + name + "="), begin = i + name.size() + 3;
  if (i == lower.npos || begin > element.size()) return {};
  const size_t end = std::min(element.find(element[begin - 1], begin), element.size());
  return std::string(element.substr(begin, end - begin));
}

}  // namespace

std::string source_on_page(std::string_view html) {
  html = html.substr(0, kLookedAt);
  const std::string lower = ascii_lower(html);
  for (size_t at = 0; (at = lower.find('<', at)) != lower.npos;) {
    const std::string_view rest = std::string_view(lower).substr(at);
    if (rest.starts_with("<body") || rest.starts_with("</head")) break;
    if (rest.starts_with("<!--")) {
      at = lower.find("-->", at);
      continue;
    }
    // Up to the element's end, or to the next one where it has none.
    const size_t size = std::min(rest.find_first_of("<>", 1), rest.size());
    const std::string_view element = html.substr(at, size), low = rest.substr(0, size);
    if (rest.starts_with("<meta") && attribute(element, low, "name") == "terraform-get")
      return attribute(element, low, "content");
    at += size;
  }
  return {};
}

}  // namespace xplan::install

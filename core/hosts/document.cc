// Takes strings out of documents that servers send, and only such as can stand in messages, addresses and
// paths: one line, not too long, without control characters.
#include "core/hosts/document.h"

#include <nlohmann/json.hpp>

#include "core/net/url.h"

namespace xplan::hosts {
namespace {

constexpr size_t kLine = 8 << 10;

}  // namespace

std::string text_in(const Json& object, std::string_view name) {
  const Json* x = member(object, name);
  return x ? text_of(*x) : std::string();
}

std::string text_of(const Json& string) {
  if (!string.is_string()) return {};
  const std::string& text = string.get_ref<const std::string&>();
  return text.size() > kLine || net::has_controls(text) ? std::string() : text;
}

std::string text_at(std::string_view document, std::initializer_list<std::string_view> path) {
  const Result<Json> doc = parse_document(document);
  const Json* at = doc ? &*doc : nullptr;
  for (std::string_view name : path) at = at ? member(*at, name) : nullptr;
  return at ? text_of(*at) : std::string();
}

}  // namespace xplan::hosts

// The parameter ID in the address of a state, which tells the server that the writer holds the lock.
#include <algorithm>
#include <vector>

#include "core/backend/http/place.h"
#include "core/base/text.h"

namespace xplan::backend {
namespace {

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0;
    if (escape && hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || std::string_view("-_.~").find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

}  // namespace

std::string with_lock_id(const std::string& address, const std::string& id) {
  const std::string url = address.substr(0, address.find('#'));
  const size_t question = std::min(url.find('?'), url.size());
  std::vector<std::pair<std::string, std::string>> parameters = {{"ID", id}};
  for (size_t at = question + 1; at < url.size();) {
    const size_t end = std::min(url.find('&', at), url.size());
    const std::string_view one = std::string_view(url).substr(at, end - at);
    const size_t equals = std::min(one.find('='), one.size());
    const std::string name = decoded(one.substr(0, equals));
    if (!one.empty() && name != "ID")
      parameters.emplace_back(name, equals < one.size() ? decoded(one.substr(equals + 1)) : "");
    at = end + 1;
  }
  std::stable_sort(parameters.begin(), parameters.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = url.substr(0, question);
  char separator = '?';
  for (const auto& [name, value] : parameters) {
    out += separator + encoded(name) + "=" + encoded(value);
    separator = '&';
  }
  return out;
}

}  // namespace xplan::backend

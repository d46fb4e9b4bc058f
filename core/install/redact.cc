// Replaces credentials in URLs (user information, sshkey arguments) before a string goes into a message.
#include "core/install/redact.h"

namespace xplan::install {
namespace {

constexpr std::string_view kHidden = "xxxxx", kKey = "sshkey=";

// The user information of a URL as it may be shown; `before` ends in "://".
std::string shown_user(std::string_view before, std::string_view user) {
  const size_t colon = user.find(':');
  if (colon != user.npos) return std::string(user.substr(0, colon + 1)) + std::string(kHidden);
  const bool web = before.ends_with("http://") || before.ends_with("https://");
  return std::string(web ? kHidden : user);
}

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t url = text.find("://"), key = text.find(kKey);
    if (url == text.npos && key == text.npos) break;
    if (key < url) {
      const size_t from = key + kKey.size();
      out.append(text.substr(0, from)) += kHidden;
      text.remove_prefix(std::min(text.find_first_of("&\"' \t\n", from), text.size()));
      continue;
    }
    const size_t from = url + 3;
    out += text.substr(0, from);
    const std::string_view authority = text.substr(from, text.find_first_of("/?#\"' \t\n", from) - from);
    size_t shown = 0;
    if (const size_t at = authority.rfind('@'); at != authority.npos) {
      out += shown_user(text.substr(0, from), authority.substr(0, at));
      shown = at;
    }
    text.remove_prefix(from + shown);
  }
  return out.append(text);
}

}  // namespace xplan::install

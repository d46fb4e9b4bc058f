// Replaces credentials in URLs (user information, sshkey arguments) before a string goes into a message.
#include "core/net/redact.h"

namespace xplan::net {
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
  size_t done = 0, url = text.find("://"), key = text.find(kKey);
  while (url != text.npos || key != text.npos) {
    const bool is_key = key < url;
    const size_t from = is_key ? key + kKey.size() : url + 3;
    out += text.substr(done, from - done);
    done = from;
    if (is_key) {
      out += kHidden;
      done = std::min(text.find_first_of("&\"' \t\n", from), text.size());
    } else {
      const std::string_view authority = text.substr(from, text.find_first_of("/?#\"' \t\n", from) - from);
      if (const size_t at = authority.rfind('@'); at != authority.npos) {
        out += shown_user(text.substr(0, from), authority.substr(0, at));
        done = from + at;
      }
    }
    // Each is looked for once from where the last one was: what is not there is not looked for again.
    if (url < done) url = text.find("://", done);
    if (key < done) key = text.find(kKey, done);
  }
  return out.append(text.substr(done));
}

std::string shown_address(std::string_view url) {
  const std::string all = without_credentials(url);
  const size_t question = std::min(all.find('?'), all.size()), end = std::min(all.find('#'), all.size());
  if (question >= end) return all;
  std::string out = all.substr(0, question);
  for (size_t at = question; at < end;) {
    const size_t next = std::min(all.find('&', at + 1), end), equals = std::min(all.find('=', at), next);
    out.append(all, at, equals - at);
    if (equals < next) out.append("=").append(kHidden);
    at = next;
  }
  return out;
}

}  // namespace xplan::net

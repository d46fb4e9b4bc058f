// Replaces credentials in URLs (user information, arguments of module sources) before a string goes into a
// message.
#include "core/net/redact.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace xplan::net {
namespace {

constexpr std::string_view kHidden = "xxxxx";
// Arguments of module sources that are secrets.
constexpr std::array<std::string_view, 3> kKeys = {"sshkey=", "aws_access_key_secret=", "aws_access_token="};

// The user information of a URL as it may be shown; `before` ends in "://".
std::string shown_user(std::string_view before, std::string_view user) {
  const size_t colon = user.find(':');
  if (colon != user.npos) return std::string(user.substr(0, colon + 1)) + std::string(kHidden);
  const bool web = before.ends_with("http://") || before.ends_with("https://");
  return std::string(web ? kHidden : user);
}

// Whether what stands behind the host of an authority is not a port, as where a password has a "/", "?" or
// "#" that was not escaped.
bool lacks_port(std::string_view authority) {
  const std::string_view place = authority.substr(authority.rfind('@') + 1);  // all of it where there is none
  const size_t bracket = place.rfind(']'), colon = place.find(':', bracket == place.npos ? 0 : bracket);
  return colon != place.npos && place.find_first_not_of("0123456789", colon + 1) != place.npos;
}

// The user information of the URL behind `from`, as far as one can tell where it ends.
class UserOfUrl {
 public:
  explicit UserOfUrl(std::string_view text) : text_(text) {}
  // Where its "@" is; npos: it has none. Called for increasing places.
  size_t end(size_t from) {
    const std::string_view authority = text_.substr(from, text_.find_first_of("/?#\"' \t\n", from) - from);
    const size_t at = authority.rfind('@');
    if (!lacks_port(authority)) return at == authority.npos ? at : from + at;
    if (from >= word_) {
      word_ = std::min(text_.find_first_of("\"' \t\n", from), text_.size());
      const size_t at = text_.substr(from, word_ - from).rfind('@');
      last_ = at == text_.npos ? 0 : from + at;
    }
    return last_ < from ? text_.npos : last_;
  }

 private:
  const std::string_view text_;
  size_t word_ = 0, last_ = 0;  // the end of the word that was looked at last, and its last "@"; 0: none
};

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string out;
  UserOfUrl user(text);
  size_t done = 0, url = text.find("://");
  std::array<size_t, kKeys.size()> keys;
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = text.find(kKeys[i]);
  for (;;) {
    const size_t nearest = static_cast<size_t>(std::min_element(keys.begin(), keys.end()) - keys.begin());
    const size_t key = keys[nearest];
    if (url == text.npos && key == text.npos) break;
    const bool is_key = key < url;
    const size_t from = is_key ? key + kKeys[nearest].size() : url + 3;
    out += text.substr(done, from - done);
    done = from;
    if (is_key) {
      out += kHidden;
      done = std::min(text.find_first_of("&\"' \t\n", from), text.size());
    } else {
      if (const size_t at = user.end(from); at != text.npos) {
        out += shown_user(text.substr(0, from), text.substr(from, at - from));
        done = at;
      }
    }
    // Each is looked for once from where the last one was: what is not there is not looked for again.
    if (url < done) url = text.find("://", done);
    for (size_t i = 0; i < keys.size(); ++i)
      if (keys[i] < done) keys[i] = text.find(kKeys[i], done);
  }
  return out.append(text.substr(done));
}

namespace {

// Parameters that say what is asked for, never who asks.
bool is_harmless(std::string_view name, std::string_view value) {
  constexpr std::string_view kHarmless[] = {
      "alt",         "comp",    "fields", "delimiter", "restype",       "uploadType",        "recurse",
      "api-version", "release", "flags",  "ID",        "labelSelector", "ifGenerationMatch", "name"};
  return value.size() <= 100 &&
         std::find(std::begin(kHarmless), std::end(kHarmless), name) != std::end(kHarmless);
}

}  // namespace

std::string shown_address(std::string_view url) {
  const std::string all = without_credentials(url);
  const size_t question = std::min(all.find('?'), all.size()), end = std::min(all.find('#'), all.size());
  if (question >= end) return all;
  std::string out = all.substr(0, question);
  for (size_t at = question; at < end;) {
    const size_t next = std::min(all.find('&', at + 1), end), equals = std::min(all.find('=', at), next);
    out.append(all, at, equals - at);
    const bool plain =
        equals < next && is_harmless(std::string_view(all).substr(at + 1, equals - at - 1),
                                     std::string_view(all).substr(equals + 1, next - equals - 1));
    if (equals < next)
      out.append("=").append(plain ? all.substr(equals + 1, next - equals - 1) : std::string(kHidden));
    at = next;
  }
  return out;
}

}  // namespace xplan::net

// The forms of a secret.
#include "core/review/secret_texts.h"

#include <algorithm>

#include "core/base/json_writer.h"
#include "core/syntax/body.h"

namespace xplan::review {
namespace {

std::string unquoted(std::string s) {
  return s.substr(1, s.size() - 2);
}

}  // namespace

void fill(std::string& text, size_t begin, size_t end, char with) {
  for (size_t i = begin; i < end; ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = with;
}

void mask_users(std::string& text, size_t begin, size_t end, char with) {
  for (size_t at = text.find("://", begin); at < end; at = text.find("://", at + 3)) {
    const size_t stop = std::min(end, text.find_first_of("/@ \"\n", at + 3));
    if (stop < end && text[stop] == '@') fill(text, at + 3, stop, with);
  }
}

void mask_address(std::string& text, size_t begin, size_t end, char with) {
  constexpr std::string_view kOpen[] = {"ref",      "depth",   "archive",   "checksum",
                                        "filename", "version", "versionId", "region"};
  mask_users(text, begin, end, with);
  for (size_t at = text.find('?', begin); at < end;) {
    const size_t stop = std::min(end, text.find('&', at + 1)),
                 equals = std::min(stop, text.find('=', at + 1));
    const std::string_view name(text.data() + at + 1, equals - at - 1);
    if (equals < stop && std::find(std::begin(kOpen), std::end(kOpen), name) == std::end(kOpen))
      fill(text, equals + 1, stop, with);
    at = stop;
  }
}

void SecretTexts::add(std::string_view secret) {
  if (secret.size() < kShortest || !known_.emplace(secret).second) return;
  forms_.add(std::string(secret), std::string(secret));
  JsonWriter w;
  w.string(secret);
  forms_.add(unquoted(w.take()), std::string(secret));
  forms_.add(unquoted(syntax::quote(secret)), std::string(secret));
  if (secret.find('\n') == secret.npos) return;
  for (size_t at = 0; at < secret.size();) {  // its lines, as in an indented heredoc
    const size_t end = std::min(secret.find('\n', at), secret.size());
    if (end - at >= 2 * kShortest) forms_.add(std::string(secret.substr(at, end - at)), std::string(secret));
    at = end + 1;
  }
}

}  // namespace xplan::review

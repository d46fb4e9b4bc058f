// Checks addresses of repositories, tags and digests by the rules of OCI registries.
#include "core/config/oci_source.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/config/module_source.h"

namespace xplan::config {
namespace {

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Words of lower case letters and digits, with ".", "_", "__" or hyphens between them, and slashes between
// those.
bool is_repository(std::string_view s) {
  if (s.empty() || s.size() > 255 || !is_lower_or_digit(s.front()) || !is_lower_or_digit(s.back()))
    return false;
  for (size_t i = 0; i < s.size(); ++i) {
    if (is_lower_or_digit(s[i])) continue;
    size_t end = i;
    while (end < s.size() && s[end] == s[i]) ++end;
    const size_t most = s[i] == '-' ? s.size() : s[i] == '_' ? 2 : s[i] == '.' || s[i] == '/' ? 1 : 0;
    if (end - i > most || !is_lower_or_digit(s[end])) return false;  // the last one is a letter or a digit
    i = end;
  }
  return true;
}

bool is_registry(std::string_view s) {
  const size_t colon = std::min(s.find(':'), s.size());
  const std::string_view host = s.substr(0, colon), port = s.substr(std::min(colon + 1, s.size()));
  if (host.empty() || host.front() == '-' || host.front() == '.') return false;
  const bool port_fine = colon == s.size() || (!port.empty() && port.size() <= 5 &&
                                               port.find_first_not_of("0123456789") == port.npos);
  return port_fine && std::all_of(host.begin(), host.end(),
                                  [](char c) { return is_lower_or_digit(c) || c == '-' || c == '.'; });
}

bool is_tag(std::string_view s) {
  if (s.empty() || s.size() > 128 || s[0] == '.' || s[0] == '-') return false;
  return std::all_of(s.begin(), s.end(), [](char c) {
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace

bool is_oci_repository(const std::string& text) {
  const size_t slash = text.find('/');
  return slash != text.npos && is_registry(std::string_view(text).substr(0, slash)) &&
         is_repository(std::string_view(text).substr(slash + 1));
}

bool is_oci_digest(const std::string& text) {
  const size_t digits = text.starts_with("sha256:") ? 64 : text.starts_with("sha512:") ? 128 : 0;
  return digits > 0 && text.size() == 7 + digits &&
         text.find_first_not_of("0123456789abcdef", 7) == text.npos;
}

Result<OciPlace> oci_place(const ModuleSource& s) {
  constexpr std::string_view kScheme = "oci://";
  OciPlace out;
  if (const size_t query = s.url.find('?'); query != s.url.npos)
    return Error{
        in_quotes(s.url.substr(query + 1)) +
        " is not a valid argument of a module source in an OCI registry; the arguments are tag and digest"};
  const std::string rest = s.url.substr(std::min(kScheme.size(), s.url.size()));
  const size_t slash = std::min(rest.find('/'), rest.size());
  out.registry = ascii_lower(rest.substr(0, slash));
  out.repository = rest.substr(std::min(slash + 1, rest.size()));
  if (!is_registry(out.registry) || !is_repository(out.repository))
    return Error{in_quotes(s.url) +
                 " is not the address of a repository in an OCI registry, which has the form "
                 "oci://example.com/repository in lower case"};
  const bool tagged = s.arguments.count("tag") > 0;
  out.by_digest = s.arguments.count("digest") > 0;
  if (tagged && out.by_digest) return Error{"the arguments tag and digest cannot be used together"};
  out.reference = out.by_digest ? s.argument("digest") : tagged ? s.argument("tag") : "latest";
  if (out.by_digest ? !is_oci_digest(out.reference) : !is_tag(out.reference))
    return Error{in_quotes(out.reference) +
                 (out.by_digest ? " is not a valid digest" : " is not a valid tag") +
                 " of a module in an OCI registry"};
  return out;
}

}  // namespace xplan::config

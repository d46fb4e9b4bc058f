// Normalizes registry host names: lower case and NFKC, without the default port; refuses what is not a valid
// host name.
#include "core/addr/host.h"

#include <utf8proc.h>

#include <cstdlib>

#include "core/base/utf8.h"

namespace xplan {
namespace {

// Lower case in normalization form KC, as names of hosts are compared.
std::string folded(std::string_view s) {
  utf8proc_uint8_t* out = nullptr;
  const auto n = utf8proc_map_custom(
      reinterpret_cast<const utf8proc_uint8_t*>(s.data()), static_cast<utf8proc_ssize_t>(s.size()), &out,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT),
      [](utf8proc_int32_t c, void*) { return utf8proc_tolower(c); }, nullptr);
  if (n < 0) return std::string(s);
  std::string r(reinterpret_cast<char*>(out), static_cast<size_t>(n));
  std::free(out);
  return r;
}

}  // namespace

std::optional<std::string> normal_host(std::string_view text) {
  std::string out = folded(text);
  if (out.ends_with(":443")) out.resize(out.size() - 4);
  std::string_view s = out;
  size_t colon = s.find(':');
  if (colon != std::string_view::npos) {
    std::string_view port = s.substr(colon + 1);
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    s = s.substr(0, colon);
  }
  while (true) {
    size_t dot = s.find('.');
    std::string_view label = s.substr(0, dot);
    if (label.empty() || label.front() == '-' || label.back() == '-' || label.starts_with("xn--"))
      return std::nullopt;
    for (char c : label)
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
            static_cast<unsigned char>(c) >= 0x80))
        return std::nullopt;
    if (dot == std::string_view::npos) break;
    s.remove_prefix(dot + 1);
  }
  return utf8_valid(out) ? std::optional(out) : std::nullopt;
}

}  // namespace xplan

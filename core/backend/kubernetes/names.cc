// What secrets and leases are called, and what they cannot be called.
#include "core/backend/kubernetes/names.h"

#include <fmt/format.h>

#include <charconv>
#include "core/base/shown_text.h"

namespace xplan::backend::kubernetes {

std::string secret_name(const std::string& workspace, const std::string& suffix) {
  return "tfstate-" + workspace + "-" + suffix;
}

std::string part_name(const std::string& secret, size_t n) {
  return n == 0 ? secret : fmt::format("{}-part-{}", secret, n);
}

std::optional<size_t> part_number(std::string_view name, const std::string& secret) {
  if (name == secret) return 0;
  const std::string prefix = secret + "-part-";
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  size_t n = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), n);
  const bool whole = problem == std::errc() && end == name.data() + name.size();
  return whole && n > 0 && name[0] != '0' ? std::optional(n) : std::nullopt;
}

std::string name_problem(std::string_view name) {
  constexpr size_t kLongest = 253;
  constexpr std::string_view kInner = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  bool fine = !name.empty() && name.find_first_not_of(kInner) == name.npos;
  for (size_t at = 0; fine && at <= name.size();) {  // between dots
    const size_t end = std::min(name.find('.', at), name.size());
    fine = end > at && name[at] != '-' && name[end - 1] != '-';
    at = end + 1;
  }
  if (!fine)
    return fmt::format(
        "\"{}\" is not a valid name in Kubernetes; names consist of lower-case letters, digits, \"-\" and "
        "\".\", and begin and end with a letter or a digit",
        shown_text(name));
  if (name.size() > kLongest)
    return fmt::format("\"{}\" is too long for a name in Kubernetes; it can have at most {} characters",
                       shown_text(name), kLongest);
  return {};
}

}  // namespace xplan::backend::kubernetes

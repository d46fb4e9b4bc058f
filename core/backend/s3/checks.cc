// Checks of single arguments.
#include "core/backend/s3/checks.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/net/url.h"

namespace xplan::backend::s3 {
namespace {

bool only(std::string_view s, std::string_view ranges) {
  return std::all_of(s.begin(), s.end(), [&](char c) {
    const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    return lower || digit || (upper && ranges.find('A') != ranges.npos) ||
           (c != 'A' && ranges.find(c) != ranges.npos);
  });
}

std::vector<std::string_view> split(std::string_view s, char at, size_t most) {
  std::vector<std::string_view> out;
  while (out.size() + 1 < most && s.find(at) != s.npos) {
    out.push_back(s.substr(0, s.find(at)));
    s.remove_prefix(s.find(at) + 1);
  }
  out.push_back(s);
  return out;
}

// A UUID of a version that keys have, or the identifier of a key in many regions.
bool is_key_id(std::string_view s) {
  const auto hex = [](std::string_view t) {
    return std::all_of(t.begin(), t.end(), [](char c) { return hex_digit(c) >= 0; });
  };
  if (s.starts_with("mrk-")) return s.size() == 36 && hex(s.substr(4));
  const auto parts = split(s, '-', 6);
  constexpr size_t kSizes[] = {8, 4, 4, 4, 12};
  if (parts.size() != 5) return false;
  for (size_t i = 0; i < 5; ++i)
    if (parts[i].size() != kSizes[i] || !hex(parts[i])) return false;
  return parts[2][0] >= '1' && parts[2][0] <= '5' && std::strchr("89abAB", parts[3][0]);
}

bool is_alias(std::string_view s) {
  return s.starts_with("alias/") && s.size() > 6 && only(s.substr(6), "A/_-");
}

}  // namespace

std::string bucket_problem(std::string_view s) {
  if (s.find('/') != s.npos || net::has_controls(s)) return "must be the name of a bucket";
  return {};
}

std::string key_problem(std::string_view s) {
  if (s.starts_with('/') || s.ends_with('/')) return "must not begin or end with \"/\"";
  if (net::has_controls(s)) return "must not contain control characters";
  return s.size() > 1024 ? "must have at most 1024 bytes" : "";
}

std::string name_problem(std::string_view s) {
  return only(s, "A-_.") ? "" : "must consist of letters, digits and hyphens";
}

std::string region_problem(std::string_view s) {
  // xx-west-1, us-gov-west-1, us-isob-east-1
  const auto parts = split(s, '-', 5);
  const bool shape =
      (parts.size() == 3 || parts.size() == 4) && parts[0].size() == 2 && only(s, "-") &&
      !parts.back().empty() &&
      std::all_of(parts.back().begin(), parts.back().end(), [](char c) { return c >= '0' && c <= '9'; });
  if (shape) return {};
  return "must be a region of AWS, such as us-east-1; if the server has others, set skip_region_validation";
}

std::string arn_problem(std::string_view s) {
  const auto parts = split(s, ':', 6);
  const bool fine = parts.size() == 6 && parts[0] == "arn" && !parts[1].empty() && !parts[2].empty() &&
                    !parts[5].empty() && !net::has_controls(s);
  return fine ? "" : "must be an ARN, such as arn:aws:iam::123456789012:role/name";
}

std::string kms_key_problem(std::string_view s) {
  const auto parts = split(s, ':', 6);
  const bool arn = s.starts_with("arn:");
  const std::string_view last = arn && parts.size() == 6 ? parts[5] : std::string_view();
  const bool fine = arn ? parts.size() == 6 && parts[2] == "kms" && !parts[3].empty() &&
                              parts[4].size() == 12 &&
                              (is_alias(last) || (last.starts_with("key/") && is_key_id(last.substr(4))))
                        : is_key_id(s) || is_alias(s);
  return fine ? "" : "must be the id, the alias (alias/NAME) or the ARN of a KMS key";
}

std::string session_name_problem(std::string_view s) {
  if (s.empty()) return {};
  return s.size() >= 2 && s.size() <= 64 && only(s, "A_=,.@-")
             ? ""
             : "must have 2 to 64 letters, digits and =,.@-";
}

std::string endpoint_problem(std::string_view s) {
  if (s.empty()) return {};
  const std::string url = s.find("://") == s.npos ? "https://" + std::string(s) : std::string(s);
  const bool fine = (net::uses_https(url) || net::uses_http(url)) && !net::host_and_port(url).empty() &&
                    !net::has_controls(s) && s.find_first_of("?#@") == s.npos;
  return fine ? "" : "must be a URL with a scheme and a host, such as https://s3.example.com";
}

std::string customer_key_problem(const std::string& s, std::string& raw) {
  if (s.size() != 44) return "must be 44 characters long: the base64 form of 32 bytes";
  return base64_decode(s, raw) && raw.size() == 32 ? "" : "must be the base64 form of 32 bytes";
}

}  // namespace xplan::backend::s3

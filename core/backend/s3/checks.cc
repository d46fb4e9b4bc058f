// Checks of single arguments.
#include "core/backend/s3/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/base64.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/diag/diagnostic.h"
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

// Of all partitions.
constexpr std::string_view kRegions[] = {
    "af-south-1",     "ap-east-1",      "ap-east-2",       "ap-northeast-1", "ap-northeast-2",
    "ap-northeast-3", "ap-south-1",     "ap-south-2",      "ap-southeast-1", "ap-southeast-2",
    "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",  "ap-southeast-6", "ap-southeast-7",
    "ca-central-1",   "ca-west-1",      "cn-north-1",      "cn-northwest-1", "eu-central-1",
    "eu-central-2",   "eu-isoe-west-1", "eu-north-1",      "eu-south-1",     "eu-south-2",
    "eu-west-1",      "eu-west-2",      "eu-west-3",       "eusc-de-east-1", "il-central-1",
    "me-central-1",   "me-south-1",     "mx-central-1",    "sa-east-1",      "us-east-1",
    "us-east-2",      "us-gov-east-1",  "us-gov-west-1",   "us-iso-east-1",  "us-iso-west-1",
    "us-isob-east-1", "us-isof-east-1", "us-isof-south-1", "us-west-1",      "us-west-2"};

bool is_alias(std::string_view s) {
  return s.starts_with("alias/") && s.size() > 6 && only(s.substr(6), "A/_-");
}

}  // namespace

std::string bucket_problem(std::string_view s) {
  if (s.find('/') != s.npos || net::has_controls(s) || trimmed(s).empty())
    return "must be the name of a bucket";
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
  if (std::find(std::begin(kRegions), std::end(kRegions), s) != std::end(kRegions)) return {};
  const std::string_view near = did_you_mean(s, {std::begin(kRegions), std::end(kRegions)});
  return fmt::format(
      "must be a region of AWS{}, not \"{}\"; {}for a region that this program does not know, set "
      "skip_region_validation",
      near.empty() ? ", such as us-east-1" : "", shown_text(s),
      near.empty() ? "" : fmt::format("did you mean \"{}\"? Otherwise, ", near));
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

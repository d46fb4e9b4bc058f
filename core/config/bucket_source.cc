// Takes URLs of object stores apart: hosts with the bucket or the region in their name, paths with the bucket
// in front.
#include "core/config/bucket_source.h"

#include <algorithm>

#include "core/base/text.h"

namespace xplan::config {
namespace {

constexpr std::string_view kAmazon[] = {".amazonaws.com", ".amazonaws.com.cn"};

struct UrlParts {
  std::string scheme, host;
  std::string path;  // decoded, without the first slash
};

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

Result<UrlParts> parts_of(std::string_view url, const char* service) {
  UrlParts out;
  const size_t scheme = url.find("://");
  if (scheme == url.npos || (url.substr(0, scheme) != "https" && url.substr(0, scheme) != "http"))
    return Error{std::string("the URL of ") + service + " must begin with https:// or http://"};
  out.scheme = url.substr(0, scheme);
  url = url.substr(scheme + 3);
  url = url.substr(0, url.find('?'));
  const size_t slash = std::min(url.find('/'), url.size());
  out.host = ascii_lower(std::string(url.substr(0, slash)));
  if (out.host.find('@') != out.host.npos)
    return Error{std::string("credentials cannot be part of the URL of ") + service};
  out.path = unescape_path(url.substr(std::min(slash + 1, url.size())));
  if (out.host.empty() || std::any_of(out.path.begin(), out.path.end(), is_control))
    return Error{in_quotes(std::string(url)) + " is not a valid URL of " + service};
  return out;
}

// What stands before Amazon's domain; nothing where it is not Amazon's.
std::optional<std::string> amazon_name(const std::string& host) {
  for (std::string_view domain : kAmazon)
    if (host.ends_with(domain)) return host.substr(0, host.size() - domain.size());
  return std::nullopt;
}

// "BUCKET.s3-REGION", "BUCKET.s3.REGION", "s3.dualstack.REGION", … False: it is none of them.
bool read_amazon_name(const std::string& name, BucketPlace& out) {
  size_t begin = name.npos;  // of the label of the service
  for (size_t i = 0; i < name.size();) {
    const size_t end = std::min(name.find('.', i), name.size());
    const std::string_view label = std::string_view(name).substr(i, end - i);
    if (label == "s3" || label.starts_with("s3-")) begin = i;
    i = end + 1;
  }
  if (begin == name.npos) return false;
  if (begin > 0) out.bucket = name.substr(0, begin - 1);
  std::string rest = name.substr(begin + 2);  // "", "-REGION", ".REGION"
  constexpr std::string_view kDual = ".dualstack";
  if (rest.starts_with(kDual)) rest.erase(0, kDual.size());
  if (!rest.empty()) rest.erase(0, 1);
  if (rest.find('.') != rest.npos) return false;
  out.region = rest.empty() || rest == "external-1" ? "us-east-1" : rest;
  return true;
}

// "BUCKET/PATH"
bool read_path(const std::string& path, BucketPlace& out) {
  if (out.bucket.empty()) {
    const size_t slash = path.find('/');
    if (slash == path.npos) return false;
    out.bucket = path.substr(0, slash);
    out.path = path.substr(slash + 1);
  } else {
    out.path = path;
  }
  while (out.path.ends_with('/')) out.path.pop_back();
  return !out.bucket.empty() && !out.path.empty();
}

constexpr std::string_view kGoogle = "www.googleapis.com";

}  // namespace

std::string unescape_path(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool code =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    out += code ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (code) i += 2;
  }
  return out;
}

Result<BucketPlace> s3_place(std::string_view url) {
  Result<UrlParts> parts = parts_of(url, "an S3 bucket");
  if (!parts) return parts.error();
  BucketPlace out;
  const std::optional<std::string> name = amazon_name(parts->host);
  if (!name) out.server = parts->scheme + "://" + parts->host;
  if ((name && !read_amazon_name(*name, out)) || !read_path(parts->path, out))
    return Error{
        in_quotes(std::string(url.substr(0, url.find('?')))) +
        " is not the URL of an object in S3, such as https://s3.eu-west-1.amazonaws.com/BUCKET/PATH"};
  return out;
}

Result<BucketPlace> gcs_place(std::string_view url) {
  const size_t hash = std::min(url.find('#'), url.size());
  Result<UrlParts> parts = parts_of(url.substr(0, hash), "a Cloud Storage bucket");
  if (!parts) return parts.error();
  BucketPlace out;
  constexpr std::string_view kPath = "storage/v1/";
  out.generation = url.substr(std::min(hash + 1, url.size()));
  const bool digits = out.generation.find_first_not_of("0123456789") == out.generation.npos;
  if (parts->host != kGoogle || !parts->path.starts_with(kPath) || !digits ||
      !read_path(parts->path.substr(kPath.size()), out))
    return Error{
        in_quotes(std::string(url)) +
        " is not the URL of an object in Cloud Storage, such as https://www.googleapis.com/storage/v1/BUCKET/"
        "PATH"};
  return out;
}

std::optional<Result<std::string>> s3_shorthand(std::string_view source) {
  const size_t slash = std::min(source.find('/'), source.size());
  const std::string host = ascii_lower(std::string(source.substr(0, slash)));
  const std::optional<std::string> name = amazon_name(host);
  if (!name) return std::nullopt;
  const std::string url = "https://" + std::string(source);
  if (Result<BucketPlace> place = s3_place(url); !place) return Result<std::string>(place.error());
  BucketPlace in_host;
  read_amazon_name(*name, in_host);
  if (in_host.bucket.empty()) return Result<std::string>(url);
  // The form that the reference tools write down.
  return Result<std::string>("https://" + host.substr(in_host.bucket.size() + 1) + "/" + in_host.bucket +
                             std::string(source.substr(slash)));
}

std::optional<Result<std::string>> gcs_shorthand(std::string_view source) {
  const std::string host = ascii_lower(std::string(source.substr(0, source.find('/'))));
  if (host != "googleapis.com" && !host.ends_with(".googleapis.com")) return std::nullopt;
  const std::string url = "https://" + std::string(source);
  if (Result<BucketPlace> place = gcs_place(url); !place) return Result<std::string>(place.error());
  return Result<std::string>(url);
}

}  // namespace xplan::config

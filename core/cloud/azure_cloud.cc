// The table of known clouds, and asking a metadata host for another one.
#include "core/cloud/azure_cloud.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/text.h"
#include "core/cloud/azure_answer.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr struct {
  std::string_view names;  // separated by spaces
  const char *login, *management, *suffix;
} kClouds[] = {
    {"public global canary", "https://login.microsoftonline.com", "https://management.azure.com",
     "core.windows.net"},
    {"usgovernment usgovernmentl4 usgovernmentl5 dod", "https://login.microsoftonline.us",
     "https://management.usgovcloudapi.net", "core.usgovcloudapi.net"},
    {"china", "https://login.chinacloudapi.cn", "https://management.chinacloudapi.cn",
     "core.chinacloudapi.cn"},
};

bool is_address(const std::string& url) {
  return net::uses_https(url) && !net::host_and_port(url).empty() && !net::has_controls(url) &&
         url.find_first_of("?#@") == url.npos;
}

bool is_suffix(const std::string& s) {
  return !s.empty() &&
         s.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") == s.npos;
}

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

std::optional<AzureCloud> azure_cloud_named(std::string_view name) {
  if (name.empty() || name.find(' ') != name.npos) return std::nullopt;
  const std::string wanted = " " + ascii_lower(name) + " ";
  for (const auto& c : kClouds)
    if ((" " + std::string(c.names) + " ").find(wanted) != std::string::npos)
      return AzureCloud{c.login, c.management, c.suffix};
  return std::nullopt;
}

Result<AzureCloud> azure_cloud_at(AzureClient& client, const std::string& host, Stop stop) {
  const std::string what = fmt::format("the metadata host \"{}\" of the argument \"metadata_host\" ", host);
  net::Request r;
  r.url = "https://" + host + "/metadata/endpoints?api-version=2022-09-01";
  r.failure = "failed to reach the metadata host at";
  r.limits.body = 1 << 20;
  r.stop = stop;
  const Result<net::Answer> a = client.send_plain(r);
  if (!a) return a.error();
  if (a->status != 200) return Error{what + "answered " + describe_azure_failure(*a)};
  const auto doc = parse_document(a->body);
  const Json* login = doc ? object_in(*doc, "authentication") : nullptr;
  const Json* suffixes = doc ? object_in(*doc, "suffixes") : nullptr;
  AzureCloud out;
  if (login && suffixes)
    out = {without_slash(string_in(*login, "loginEndpoint")),
           without_slash(string_in(*doc, "resourceManager")), string_in(*suffixes, "storage")};
  if (is_address(out.login) && is_address(out.management) && is_suffix(out.storage_suffix)) return out;
  return Error{what + "does not describe a cloud with addresses for logins, management and storage"};
}

}  // namespace xplan::cloud

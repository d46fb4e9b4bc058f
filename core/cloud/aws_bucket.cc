// URLs of buckets and pages of their lists.
#include "core/cloud/aws_bucket.h"

#include "core/cloud/aws_signature.h"
#include "core/cloud/xml.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

// Names of buckets that may stand before the host: as S3 has them, without dots, which certificates do not
// cover.
bool fits_host(const std::string& bucket) {
  if (bucket.size() < 3 || bucket.size() > 63 || bucket.starts_with('-') || bucket.ends_with('-'))
    return false;
  return bucket.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == bucket.npos;
}

bool is_number(const std::string& host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.:") == host.npos;
}

}  // namespace

std::string bucket_url(const std::string& endpoint, const std::string& bucket, bool path_style) {
  const size_t host = endpoint.find("://") + 3;
  if (path_style || !fits_host(bucket) || is_number(net::host_and_port(endpoint)))
    return endpoint + "/" + aws_escape(bucket);
  return endpoint.substr(0, host) + bucket + "." + endpoint.substr(host);
}

net::Request list_request(const std::string& bucket_url, const std::string& prefix,
                          const std::string& token) {
  net::Request r;
  r.url = bucket_url + "?list-type=2&max-keys=1000&prefix=" + aws_escape(prefix);
  if (!token.empty()) r.url += "&continuation-token=" + aws_escape(token);
  r.compressed = false;
  r.limits.body = 16 << 20;
  return r;
}

Result<std::string> read_list_page(const net::Answer& a, const std::string& prefix, Listing& out) {
  const Result<Xml> xml = parse_xml(a.body);
  if (!xml) return xml.error();
  if (xml->name != "ListBucketResult") return Error{"is not a list of objects"};
  for (const Xml& x : xml->children)
    if (std::string key = x.name == "Contents" ? x.at("Key") : ""; key.starts_with(prefix))
      out.add(std::move(key));
  if (xml->at("IsTruncated") != "true") return std::string();
  std::string next = xml->at("NextContinuationToken");
  if (next.empty()) return Error{"is an incomplete list without a continuation token"};
  return next;
}

}  // namespace xplan::cloud

// URLs of buckets, pages of their lists, and what deletes many objects.
#include "core/cloud/aws_bucket.h"

#include <set>

#include "core/base/base64.h"
#include "core/base/digest.h"
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

std::string xml_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '\r')  // which would be read as a line feed
      out += "&#13;";
    else
      out += c;
  }
  return out;
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

// Some servers want a sum of the request, and know the oldest kind alone.
net::Request delete_request(const std::string& bucket_url, const std::vector<std::string>& keys) {
  std::string body = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>";
  for (const std::string& key : keys) body += "<Object><Key>" + xml_escape(key) + "</Key></Object>";
  body += "</Delete>";
  net::Request r;
  r.method = "POST";
  r.url = bucket_url + "?delete=";
  r.headers = {{"Content-Type", "application/xml"},
               {"Content-MD5", base64_encode(digest(Digest::Md5, body))}};
  r.body = std::move(body);
  r.compressed = false;
  r.limits.body = 4 << 20;
  return r;
}

std::vector<std::string> not_deleted(const net::Answer& a, const std::vector<std::string>& keys) {
  const Result<Xml> xml = a.status == 200 ? parse_xml(a.body) : Error{};
  if (!xml || xml->name != "DeleteResult") return keys;
  std::set<std::string> named;
  for (const Xml& x : xml->children)
    if (x.name == "Error") named.insert(x.at("Key"));
  std::vector<std::string> out;
  for (const std::string& key : keys)
    if (named.contains(key)) out.push_back(key);
  return out;
}

}  // namespace xplan::cloud

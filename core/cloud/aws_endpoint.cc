// The hosts of services: by region, in the partition that it belongs to.
#include "core/cloud/aws_credentials.h"

namespace xplan::cloud {
namespace {

struct Partition {
  std::string_view begins, domain, dualstack, iam, iam_region;
};
constexpr Partition kPartitions[] = {
    {"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn", "iam.cn-north-1.amazonaws.com.cn",
     "cn-north-1"},
    {"us-gov-", "amazonaws.com", "api.aws", "iam.us-gov.amazonaws.com", "us-gov-west-1"},
    {"us-isob-", "sc2s.sgov.gov", "", "iam.us-isob-east-1.sc2s.sgov.gov", "us-isob-east-1"},
    {"us-isof-", "csp.hci.ic.gov", "", "iam.us-isof-south-1.csp.hci.ic.gov", "us-isof-south-1"},
    {"eu-isoe-", "cloud.adc-e.uk", "", "iam.eu-isoe-west-1.cloud.adc-e.uk", "eu-isoe-west-1"},
    {"us-iso-", "c2s.ic.gov", "", "iam.us-iso-east-1.c2s.ic.gov", "us-iso-east-1"},
    {"", "amazonaws.com", "api.aws", "iam.amazonaws.com", "us-east-1"}};

const Partition& partition_of(std::string_view region) {
  for (const Partition& p : kPartitions)
    if (region.starts_with(p.begins)) return p;
  return kPartitions[std::size(kPartitions) - 1];
}

std::string with_scheme(const std::string& given) {
  std::string out = given.find("://") == given.npos ? "https://" + given : given;
  while (out.ends_with('/')) out.pop_back();
  return out;
}

}  // namespace

std::string aws_endpoint(const AwsSettings& s, const std::string& service, const std::string& region,
                         const std::string& given) {
  if (!given.empty()) return with_scheme(given);
  const Partition& p = partition_of(region);
  if (service == "iam") return "https://" + std::string(p.iam);
  std::string host = service;
  // In this partition these are what is called fips elsewhere.
  const bool always = region.starts_with("us-gov-") && (service == "sts" || service == "dynamodb");
  if (s.fips && !always) host += "-fips";
  if (s.dualstack && service == "s3") host += ".dualstack";
  const bool other = s.dualstack && service != "s3" && !p.dualstack.empty();
  return "https://" + host + "." + region + "." + std::string(other ? p.dualstack : p.domain);
}

}  // namespace xplan::cloud

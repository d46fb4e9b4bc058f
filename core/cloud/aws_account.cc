// Asks STS whose credentials these are.
#include "core/cloud/aws_account.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/xml.h"

namespace xplan::cloud {

// `validate`: also where every account may be used.
Result<void> check_account(AwsClient& client, AwsCredentials& credentials, const std::string& region,
                           const std::vector<std::string>& allowed, const std::vector<std::string>& forbidden,
                           Stop stop, bool validate) {
  if (!validate && allowed.empty() && forbidden.empty()) return {};
  const AwsSettings& s = credentials.settings();
  const std::string sts_region = s.sts_region.empty() ? region : s.sts_region;
  net::Request r;
  r.method = "POST";
  r.url = aws_endpoint(s, "sts", sts_region, s.sts_endpoint) + "/";
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  r.body = "Action=GetCallerIdentity&Version=2011-06-15";
  r.limits.body = 1 << 20;
  r.stop = stop;
  if (const Result<AwsKeys> found = credentials.keys(); !found) return found.error();
  const std::string what = "the AWS credentials cannot be validated: ";
  const auto answer = client.send(r, {sts_region, "sts"},
                                  [&](const std::string& refused) { return credentials.keys(refused); });
  if (!answer) return Error{what + answer.error().message};
  if (answer->status != 200) return Error{what + "STS answered " + describe_failure(*answer)};
  const auto xml = parse_xml(answer->body);
  if (!xml) return Error{what + "the response from STS " + xml.error().message};
  if (allowed.empty() && forbidden.empty()) return {};
  const std::string account =
      xml->name == "GetCallerIdentityResponse" ? xml->at("GetCallerIdentityResult/Account") : "";
  if (account.size() != 12 || account.find_first_not_of("0123456789") != account.npos)
    return Error{what + "the response from STS does not name an account"};
  auto contains = [&](const std::vector<std::string>& ids) {
    return std::find(ids.begin(), ids.end(), account) != ids.end();
  };
  if ((!allowed.empty() && !contains(allowed)) || contains(forbidden))
    return Error{
        fmt::format("the AWS account {} is not allowed by the settings; check which credentials are used, or "
                    "allowed_account_ids and forbidden_account_ids",
                    shown_text(account))};
  return {};
}

}  // namespace xplan::cloud

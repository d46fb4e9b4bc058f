// Reads what failed from answers: XML of S3, STS and IAM; JSON of DynamoDB, SSO (its OIDC among it) and the
// metadata services.
#include "core/cloud/aws_answer.h"

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/xml.h"

namespace xplan::cloud {
namespace {

constexpr size_t kLooked = 64 << 10;

AwsFailure from_xml(std::string_view body) {
  const auto xml = parse_xml(body);
  if (!xml) return {};
  // <Error> of S3, <ErrorResponse><Error> of the others.
  const Xml* e = xml->name == "Error" ? &*xml : xml->child("Error");
  return e ? AwsFailure{e->at("Code"), e->at("Message")} : AwsFailure{};
}

AwsFailure from_json(const net::Answer& a, std::string_view body) {
  const auto json = parse_document(body);
  if (!json) return {};
  AwsFailure out;
  for (const char* name : {"__type", "code", "Code"})
    if (out.code.empty()) out.code = string_in(*json, name);
  for (const char* name : {"message", "Message", "error_description"})
    if (out.message.empty()) out.message = string_in(*json, name);
  const auto type = a.headers.find("x-amzn-errortype");
  if (out.code.empty() && type != a.headers.end()) out.code = type->second.substr(0, type->second.find(':'));
  out.code.erase(0, out.code.rfind('#') + 1);  // com.amazonaws.dynamodb.v20120810#CODE
  return out;
}

std::string_view advice(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kAdvice[] = {
      {"ExpiredToken", "the credentials have expired; obtain new ones"},
      {"ExpiredTokenException", "the credentials have expired; obtain new ones"},
      {"InvalidAccessKeyId", "check which credentials are used"},
      {"InvalidClientTokenId", "check which credentials are used"},
      {"RequestTimeTooSkewed", "the clock of this machine is wrong"},
      {"SignatureDoesNotMatch", "check the secret key"}};
  for (const auto& [name, text] : kAdvice)
    if (name == code) return text;
  return {};
}

}  // namespace

AwsFailure failure_of(const net::Answer& a) {
  const std::string_view body = trimmed(std::string_view(a.body).substr(0, kLooked));
  if (body.starts_with('<')) return from_xml(body);
  if (body.starts_with('{')) return from_json(a, body);
  return {};
}

std::string describe_failure(const net::Answer& a) {
  std::string out = net::status_text(a.status);
  AwsFailure f = failure_of(a);
  // Behind it, the request is repeated.
  f.message =
      std::string(trimmed(std::string_view(f.message).substr(0, f.message.find("\n\nThe Canonical String"))));
  std::string why = shown_text(f.code);
  if (!f.message.empty() && f.message != f.code) why += (why.empty() ? "" : ": ") + shown_text(f.message);
  while (why.ends_with('.') || why.ends_with(' ')) why.pop_back();  // the sentence may go on
  if (!why.empty()) out += " (" + why + ")";
  const auto region = a.headers.find("x-amz-bucket-region");
  if (const std::string_view help = advice(f.code); !help.empty())
    out += "; " + std::string(help);
  else if (region != a.headers.end() && (a.status == 301 || a.status == 400))
    out += "; the region of the bucket is \"" + shown_text(region->second) + "\"";
  return out;
}

}  // namespace xplan::cloud

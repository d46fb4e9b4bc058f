// What cloud services answer, and the files that their tools keep.
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"
#include "core/cloud/xml.h"
#include "tests/fuzz/target.h"

namespace xplan::fuzz {
namespace {

// A reader for each kind of text; all of them may get any text.
void run_answer(std::string_view bytes) {
  if (const auto xml = cloud::parse_xml(bytes)) must(!xml->name.empty(), "an element has a name");
  net::Answer a;
  a.status = 400, a.body = std::string(bytes);
  const std::string said = cloud::describe_failure(a);
  must(said.size() < 4000 && said.find_first_of("\n\r\x1b") == said.npos, "a message is a short line");
  if (const auto keys = cloud::keys_in(a.body, "Token"))
    must(!keys->access_key.empty() && !keys->secret_key.empty(), "keys are complete");
  cloud::parse_timestamp(a.body);
  cloud::parse_http_date(a.body);
  for (const auto& [section, values] : cloud::parse_ini(bytes))
    for (const auto& [name, value] : values) must(name.find('\n') == name.npos, "a name is within a line");
}

std::vector<std::string> answer_seeds() {
  return {
      "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Access &amp; Denied</Message></Error>",
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>true</IsTruncated>"
      "<NextContinuationToken>t</NextContinuationToken><Contents><Key>env:/a/k</Key></Contents></"
      "ListBucketResult>",
      R"({"__type":"com.amazonaws.dynamodb.v20120810#X","message":"m"})",
      R"({"AccessKeyId":"A","SecretAccessKey":"S","Token":"T","Expiration":"2026-01-02T03:04:05.6+01:00"})",
      "[default]\naws_access_key_id = A # c\ns3 =\n  x = 1\n[profile \"a b\"]\nrole_arn=r\n",
      "2026-01-02T03:04:05Z",
      "Fri, 02 Jan 2026 03:04:05 GMT"};
}

}  // namespace

const Target cloud_answer = {run_answer, answer_seeds};

}  // namespace xplan::fuzz

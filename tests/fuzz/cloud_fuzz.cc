// What cloud services answer, and the files that their tools keep.
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/azure_sources.h"
#include "core/cloud/signing.h"
#include "core/cloud/tablestore_message.h"
#include "core/cloud/tablestore_row.h"
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
  const std::string azure = cloud::describe_azure_failure(a);
  must(azure.size() < 4000 && azure.find_first_of("\n\r\x1b") == azure.npos, "a message is a short line");
  a.status = 200;
  if (const auto token = cloud::token_in(a, "it", 1000))
    must(!token->text.empty() && token->expires > 0, "a token has an end");
  must(cloud::base64url_decode(cloud::base64url_encode(bytes)) == bytes, "base64 is read back");
  must(cloud::uri_unescape(cloud::uri_escape(bytes)) == bytes, "escapes are read back");
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
      "\xEF\xBB\xBF<Error><Code>BlobNotFound</Code><Message>No.\nRequestId:1</Message></Error>",
      R"({"error":{"code":"ResourceNotFound","message":"m"}})",
      R"({"token_type":"Bearer","access_token":"t","expires_in":"3599","expires_on":1767323045})",
      R"({"__type":"com.amazonaws.dynamodb.v20120810#X","message":"m"})",
      R"({"AccessKeyId":"A","SecretAccessKey":"S","Token":"T","Expiration":"2026-01-02T03:04:05.6+01:00"})",
      "[default]\naws_access_key_id = A # c\ns3 =\n  x = 1\n[profile \"a b\"]\nrole_arn=r\n",
      "2026-01-02T03:04:05Z",
      "Fri, 02 Jan 2026 03:04:05 GMT"};
}

void run_row(std::string_view bytes) {
  using namespace cloud::tablestore;
  const auto fields = read_message(bytes);
  if (fields)
    for (const Field& f : *fields) must(f.bytes.size() <= bytes.size(), "a field is within the message");
  const auto row = read_row(bytes);
  if (row) must(read_row(row_of(*row, {})) == row, "a row is read back");
  const Columns one = {{"LockID", std::string(bytes)}};
  must(read_row(row_of(one, one, true))->size() == 2, "whatever stands in a row is read back");
  const std::string message = Message().add(1, bytes).add(2, bytes.size()).bytes();
  must(bytes_of(*read_message(message), 1) == bytes, "a message is read back");
}

std::vector<std::string> row_seeds() {
  using namespace cloud::tablestore;
  const std::string row = row_of({{"LockID", "b/k"}}, {{"Info", "{}"}, {"Digest", ""}});
  return {row, row_of({{"LockID", "b/k"}}, {}, true),
          Message().add(1, Message().add(1, uint64_t{300}).bytes()).add(2, row).bytes()};
}

}  // namespace

const Target table_row = {run_row, row_seeds};
const Target cloud_answer = {run_answer, answer_seeds};

}  // namespace xplan::fuzz

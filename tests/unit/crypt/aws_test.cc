// The key provider aws_kms, against a server that plays the key management service. Signatures are checked by
// the tests of core/cloud, and with tests/servers/s3.py.
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "tests/support/small_server.h"
#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;
using test::SmallServer;

namespace {

struct PlayedKms {
  std::string refuse;  // an error type
  SmallServer server{[this](const test::Asked& a) { return answer(a); }};

  std::string answer(const test::Asked& a) const {
    if (a.body.find("GetCallerIdentity") != std::string::npos)
      return SmallServer::answer(
          "200 OK",
          "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>"
          "</GetCallerIdentityResult></GetCallerIdentityResponse>");
    if (!refuse.empty())
      return SmallServer::answer("400 Bad Request", R"({"__type":")" + refuse + R"(","message":"no"})");
    const Json body = *parse_document(a.body);
    const std::string target = a.headers.at("X-Amz-Target"), key(32, 'k');
    if (target == "TrentService.GenerateDataKey")
      return SmallServer::answer("200 OK", R"({"Plaintext":")" + base64_encode(key) +
                                               R"(","CiphertextBlob":")" + base64_encode("enc:" + key) +
                                               "\"}");
    std::string blob;
    if (target == "TrentService.Decrypt" && base64_decode(string_in(body, "CiphertextBlob"), blob))
      return SmallServer::answer("200 OK", R"({"Plaintext":")" + base64_encode(blob.substr(4)) + "\"}");
    return SmallServer::answer("404 Not Found");
  }
  crypt::Environment environment(std::map<std::string, std::string> variables = {}) {
    variables.emplace("AWS_ENDPOINT_URL", server.url);
    crypt::Environment e;
    e.variable = [variables](const char* name) {
      const auto it = variables.find(name);
      return it == variables.end() ? std::string() : it->second;
    };
    return e;
  }
};

std::string block(const std::string& more,
                  const std::string& what = "kms_key_id = \"alias/k\"\n  key_spec = \"AES_256\"") {
  return "key_provider \"aws_kms\" \"k\" {\n  " + what +
         "\n  access_key = \"AKIA\"\n  secret_key = \"hidden-secret\"\n  max_retries = 1\n" + more +
         "\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.aws_kms.k }\nstate { method = method.aes_gcm.m "
         "}";
}
const std::string kRegion = "  region = \"eu-central-1\"\n";

}  // namespace

TEST_CASE("keys of AWS's key management service, and their encryption context") {
  PlayedKms kms;
  const MadeEncryption m(block(kRegion + "  encryption_context = { b = \"2\", a = \"1\" }"),
                         kms.environment());
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  if (!text) FAIL(text.error().message);
  std::string meta;
  const Json envelope = *parse_document(*text);
  REQUIRE(base64_decode(string_in(*object_in(envelope, "meta"), "key_provider.aws_kms.k"), meta));
  CHECK(meta == R"({"ciphertext_blob":")" + base64_encode("enc:" + std::string(32, 'k')) +
                    R"(","encryption_context":{"a":"1","b":"2"}})");
  // What is stored counts, whatever the block says by now.
  const MadeEncryption other(block(""), kms.environment({{"AWS_REGION", "eu-west-1"}}));
  REQUIRE(other.told() == "");
  const auto again = other.state().decrypt(*text);
  if (!again) FAIL(again.error().message);
  CHECK(again->bytes == kStateText);
  const auto asked = kms.server.asked();
  REQUIRE(asked.size() == 2);
  for (const auto& a : asked) {
    CHECK(string_in(*parse_document(a.body), "KeyId") == "alias/k");
    CHECK(string_in(*object_in(*parse_document(a.body), "EncryptionContext"), "b") == "2");
  }
  CHECK(string_in(*parse_document(asked[0].body), "KeySpec") == "AES_256");
  CHECK(asked[0].headers.at("Authorization").find("/eu-central-1/kms/aws4_request") != std::string::npos);
  CHECK(asked[1].headers.at("Authorization").find("/eu-west-1/kms/aws4_request") != std::string::npos);
}

TEST_CASE("AWS's key management service: what it refuses, and accounts that may not be used") {
  PlayedKms kms;
  kms.refuse = "AccessDeniedException";
  const MadeEncryption m(block(kRegion), kms.environment());
  CHECK(m.state().prepare().error().message ==
        "key_provider.aws_kms.k (main.tf:3:1) did not provide a key: AWS KMS refused GenerateDataKey with "
        "the key \"alias/k\": 400 Bad Request "
        "(AccessDeniedException: no)");
  kms.refuse.clear();
  const MadeEncryption allowed(block(kRegion + "  allowed_account_ids = [\"123456789012\"]"),
                               kms.environment());
  CHECK(allowed.state().prepare());
  const MadeEncryption forbidden(block(kRegion + "  forbidden_account_ids = [\"123456789012\"]"),
                                 kms.environment());
  CHECK(forbidden.state().prepare().error().message.find("the AWS account 123456789012 is not allowed") !=
        std::string::npos);
}

TEST_CASE("arguments of aws_kms that are wrong are reported with their places") {
  PlayedKms kms;
  const std::string is = "Invalid encryption configuration: The argument \"";
  const struct {
    std::string tf, told;
  } rows[] = {
      {block(""), is + "region\" of key_provider.aws_kms.k must be set"},
      {block(kRegion, "kms_key_id = \"\"\n  key_spec = \"AES_256\""),
       is + "kms_key_id\" of key_provider.aws_kms.k must not be empty."},
      {block(kRegion, "kms_key_id = \"k\"\n  key_spec = \"RSA\""),
       "main.tf:5:3: " + is + "key_spec\" of key_provider.aws_kms.k must be AES_256 or AES_128."},
      {block(kRegion, "key_spec = \"AES_128\""), "Missing required argument: The argument \"kms_key_id\""},
      {block(kRegion + "  assume_role = {}"),
       is + "assume_role\" of key_provider.aws_kms.k must have a \"role_arn\"."},
      {block(kRegion + "  assume_role = { role_arn = \"a\", duration = \"1s\" }"), "between 15m and 12h"},
      {block(kRegion + "  endpoints {\n sts = \"ftp://x\"\n }"), "must contain addresses that begin with"},
      {block(kRegion + "  endpoints {\n s3 = \"http://x\"\n }"), "Unsupported argument"},
      {block(kRegion + "  endpoints {}\n  endpoints {}"), "Duplicate block"},
  };
  for (const auto& row : rows) {
    INFO(row.tf);
    const MadeEncryption m(row.tf, kms.environment());
    CHECK(!m.encryption);
    CHECK(m.told().find(row.told) != std::string::npos);
    CHECK(m.told().find("hidden-secret") == std::string::npos);
    if (m.told().find(row.told) == std::string::npos) WARN(m.told());
  }
}

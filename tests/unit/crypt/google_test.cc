// Keys of Google's key management service, and the credentials for it, against a server that plays Google.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "tests/support/folder.h"
#include "tests/support/small_server.h"
#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;

namespace {

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

std::string pem_of(EVP_PKEY* key) {
  std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<size_t>(size)};
}

std::string from_base64url(std::string s) {
  for (char& c : s) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (s.size() % 4 != 0) s += '=';
  std::string out;
  REQUIRE(base64_decode(s, out));
  return out;
}

// The claims of a token that was signed with the key; REQUIREs that it was.
Json claims_of(const std::string& jwt, EVP_PKEY* key) {
  const size_t first = jwt.find('.'), second = jwt.rfind('.');
  const std::string text = jwt.substr(0, second), signature = from_base64url(jwt.substr(second + 1));
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  REQUIRE(EVP_DigestVerifyInit(ctx.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  REQUIRE(EVP_DigestVerify(ctx.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                           signature.size(), reinterpret_cast<const unsigned char*>(text.data()),
                           text.size()) == 1);
  return *parse_document(from_base64url(text.substr(first + 1, second - first - 1)));
}

// Encrypts by putting a word in front.
struct PlayedGoogle {
  std::string expected_token = "plain";
  std::string refuse;
  test::SmallServer server{[this](const test::Asked& a) { return reply(a); }};

  std::string reply(const test::Asked& a) {
    using test::SmallServer;
    if (a.path == "/token") return SmallServer::answer("200 OK", R"({"access_token":"exchanged"})");
    if (a.path.starts_with("/computeMetadata/") && a.headers.at("Metadata-Flavor") == "Google")
      return SmallServer::answer("200 OK", R"({"access_token":"machine"})");
    if (a.path == "/v1/projects/-/serviceAccounts/sa%40x.com:generateAccessToken")
      return SmallServer::answer("200 OK", R"({"accessToken":"impersonated"})");
    if (!refuse.empty() || a.headers.at("Authorization") != "Bearer " + expected_token)
      return SmallServer::answer("403 Forbidden", R"({"error":{"message":")" + refuse + R"("}})");
    const Json body = *parse_document(a.body);
    std::string bytes;
    if (a.path.ends_with("/cryptoKeys/k:encrypt") && base64_decode(string_in(body, "plaintext"), bytes))
      return SmallServer::answer("200 OK", R"({"ciphertext":")" + base64_encode("enc:" + bytes) + "\"}");
    if (a.path.ends_with("/cryptoKeys/k:decrypt") && base64_decode(string_in(body, "ciphertext"), bytes))
      return SmallServer::answer("200 OK", R"({"plaintext":")" + base64_encode(bytes.substr(4)) + "\"}");
    return SmallServer::answer("404 Not Found");
  }
  crypt::Environment environment(std::map<std::string, std::string> variables) {
    variables["CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS"] = server.url + "/";
    variables["CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS"] = server.url + "/";
    variables["GCE_METADATA_HOST"] = server.url.substr(7);
    variables.emplace("HOME", "/no/such/home");
    crypt::Environment e;
    e.variable = [variables](const char* name) {
      const auto it = variables.find(name);
      return it == variables.end() ? std::string() : it->second;
    };
    return e;
  }
};

std::string block(const std::string& more = "") {
  return "key_provider \"gcp_kms\" \"g\" {\n  kms_encryption_key = "
         "\"projects/p/locations/global/keyRings/r/cryptoKeys/k\"\n  key_length = 32\n" +
         more +
         "\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.gcp_kms.g }\nstate { method = "
         "method.aes_gcm.m }";
}

void works(PlayedGoogle& google, const std::string& tf, const std::map<std::string, std::string>& variables) {
  const MadeEncryption m(tf, google.environment(variables));
  REQUIRE(m.told() == "");
  const auto text = m.state().encrypt(kStateText);
  if (!text) FAIL(text.error().message);
  const auto again = m.state().decrypt(*text);
  if (!again) FAIL(again.error().message);
  CHECK(again->bytes == kStateText);
}

}  // namespace

TEST_CASE("keys of the key management service, with a token that is given") {
  PlayedGoogle google;
  works(google, block("  access_token = \"plain\"\n  additional_authenticated_data = \"YWFk\""), {});
  works(google, block(), {{"GOOGLE_OAUTH_ACCESS_TOKEN", "plain"}});
  const auto asked = google.server.asked();
  REQUIRE(asked.size() == 4);
  CHECK(string_in(*parse_document(asked[0].body), "additionalAuthenticatedData") == "YWFk");
  CHECK(string_in(*parse_document(asked[1].body), "additionalAuthenticatedData") == "YWFk");
  CHECK(asked[2].body.find("additional") == std::string::npos);
  google.refuse = "Permission denied on the key";
  const MadeEncryption m(block(), google.environment({{"GOOGLE_OAUTH_ACCESS_TOKEN", "plain"}}));
  CHECK(
      m.state().prepare().error().message ==
      "key_provider.gcp_kms.g (main.tf:3:1) did not provide a key: the key management service refused to "
      "encrypt with the key "
      "\"projects/p/locations/global/keyRings/r/cryptoKeys/k\": 403 Forbidden: Permission denied on the key");
}

TEST_CASE("service accounts sign for their tokens") {
  PlayedGoogle google;
  google.expected_token = "exchanged";
  const Key key(EVP_RSA_gen(2048), EVP_PKEY_free);
  const test::Folder folder;
  const Json account = {{"type", "service_account"},
                        {"client_email", "me@x.com"},
                        {"private_key", pem_of(key.get())},
                        {"token_uri", google.server.url + "/token"},
                        {"private_key_id", "1"}};
  folder.write("account.json", account.dump());
  works(google, block(), {{"GOOGLE_CREDENTIALS", account.dump()}});
  works(google, block("  credentials = \"" + folder / "account.json" + "\""), {});
  works(google, block(), {{"GOOGLE_APPLICATION_CREDENTIALS", folder / "account.json"}});
  const std::string body = google.server.asked()[0].body;
  const Json claims = claims_of(body.substr(body.find("assertion=") + 10), key.get());
  CHECK(string_in(claims, "iss") == "me@x.com");
  CHECK(string_in(claims, "aud") == google.server.url + "/token");
  CHECK(string_in(claims, "scope") == "https://www.googleapis.com/auth/cloudkms");
}

TEST_CASE("users, machines and impersonated accounts have tokens, too") {
  PlayedGoogle google;
  const test::Folder folder;
  folder.write(
      "application_default_credentials.json",
      Json{{"type", "authorized_user"}, {"refresh_token", "r"}, {"token_uri", google.server.url + "/token"}}
          .dump());
  google.expected_token = "exchanged";
  works(google, block(), {{"CLOUDSDK_CONFIG", folder.path}});
  CHECK(google.server.asked()[0].body.find("grant_type=refresh_token") == 0);
  google.expected_token = "machine";
  works(google, block(), {});
  google.expected_token = "impersonated";
  works(google, block("  impersonate_service_account = \"sa@x.com\""), {});
}

TEST_CASE("what is wrong with Google credentials is one error without them") {
  PlayedGoogle google;
  for (const char* credentials : {R"({"type":"hush"})", R"({"type":"service_account","private_key":"hush"})",
                                  R"({hush)", "/no/such/hush-file"}) {
    const MadeEncryption m(block(), google.environment({{"GOOGLE_CREDENTIALS", credentials}}));
    const auto r = m.state().prepare();
    REQUIRE(!r);
    INFO(r.error().message);
    CHECK((credentials[0] == '/' || r.error().message.find("hush") == std::string::npos));
  }
  for (const auto& [tf, told] : std::map<std::string, std::string>{
           {"key_provider \"gcp_kms\" \"g\" {\n kms_encryption_key = \"k?x\"\n key_length = 32\n}",
            "must be the name of a key"},
           {"key_provider \"gcp_kms\" \"g\" {\n kms_encryption_key = \"k\"\n key_length = 0\n}",
            "must be from 1 to 1024"},
           {"key_provider \"gcp_kms\" \"g\" { key_length = 1 }",
            "\"kms_encryption_key\" is required in key_provider.gcp_kms.g"}})
    CHECK(MadeEncryption(tf).told().find(told) != std::string::npos);
}

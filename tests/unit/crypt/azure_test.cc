// Keys of Azure's Key Vault, against the test server.
#include "core/base/base64.h"
#include "core/base/document.h"
#include "tests/support/azure_server.h"
#include "tests/unit/crypt/made.h"

using namespace xplan;
using test::kStateText;
using test::MadeEncryption;

namespace {

crypt::Environment environment_of(std::map<std::string, std::string> variables) {
  crypt::Environment e;
  e.variable = [variables = std::move(variables)](const char* name) {
    const auto it = variables.find(name);
    return it == variables.end() ? std::string() : it->second;
  };
  return e;
}

const std::map<std::string, std::string> kApplication = {
    {"ARM_TENANT_ID", "tenant"}, {"ARM_CLIENT_ID", "client"}, {"ARM_CLIENT_SECRET", "secret"}};

std::string block(const std::string& more = "", const std::string& vault = "https://vault.vault.azure.net/") {
  return "key_provider \"azure_vault\" \"g\" {\n  vault_uri = \"" + vault +
         "\"\n  vault_key_name = \"key\"\n  key_length = 32\n" + more +
         "\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.azure_vault.g }\nstate { method = "
         "method.aes_gcm.m }";
}

// The metadata that stands in an encrypted text.
Json metadata_of(const std::string& text) {
  const Json meta = (*parse_document(text))["meta"];
  std::string json;
  REQUIRE(base64_decode(meta["key_provider.azure_vault.g"].get<std::string>(), json));
  return *parse_document(json);
}

}  // namespace

TEST_CASE("keys of a key vault: with RSA, and with a symmetric key", "[server]") {
  test::AzureTestServer server;
  test::Environment here({{"HTTPS_PROXY", server.url}, {"SSL_CERT_FILE", server.more}});
  for (const bool symmetric : {false, true}) {
    const MadeEncryption m(block(symmetric ? "  symmetric = true\n  symmetric_key_size = 256" : ""),
                           environment_of(kApplication));
    REQUIRE(m.told() == "");
    const auto text = m.state().encrypt(kStateText);
    if (!text) FAIL(text.error().message);
    const Json meta = metadata_of(*text);
    CHECK(meta["key_version"] == "v1");
    CHECK(meta["algo"] == (symmetric ? "A256GCM" : "RSA-OAEP-256"));
    CHECK(meta["iv"].is_null() != symmetric);
    const auto again = m.state().decrypt(*text);
    if (!again) FAIL(again.error().message);
    CHECK(again->bytes == kStateText);
  }
}

TEST_CASE("keys of a key vault: metadata of others, and answers that are none", "[server]") {
  test::AzureTestServer server;
  test::Environment here({{"HTTPS_PROXY", server.url}, {"SSL_CERT_FILE", server.more}});
  const MadeEncryption m(block(), environment_of(kApplication));
  const std::string text = *m.state().encrypt(kStateText);
  auto with = [&](const char* name, const Json& value) {
    Json meta = metadata_of(text), all = *parse_document(text);
    meta[name] = value;
    all["meta"]["key_provider.azure_vault.g"] = base64_encode(meta.dump());
    const auto read = m.state().decrypt(all.dump());
    return read ? std::string() : read.error().message;
  };
  auto mentions = [](const std::string& all, const char* part) { return all.find(part) != all.npos; };
  CHECK(mentions(with("ciphertext", nullptr), "has no \"ciphertext\" in base64"));
  CHECK(mentions(with("ciphertext", "?"), "has no \"ciphertext\" in base64"));
  CHECK(mentions(with("iv", "?"), "has no \"iv\" in base64"));
  CHECK(mentions(with("key_version", "../x"), "has a \"key_version\" that is not valid"));
  CHECK(mentions(with("key_version", "v2"),
                 "refused to decrypt with the key \"key\": 404 Not Found (KeyNotFound"));
  CHECK(mentions(with("algo", "none"), "has an \"algo\" that is not known"));
  for (const char* body : {"", "[]", "{}", R"({"value":5})", R"({"value":"?","kid":"v1"})",
                           R"({"value":"YQ","kid":"https://a/../"})"}) {
    nlohmann::json rule = {{"faults", {{{"on", {{"service", "vault"}}}, {"do", "say"}, {"body", body}}}}};
    server.control(rule.dump());
    INFO(body);
    CHECK(!MadeEncryption(block(), environment_of(kApplication)).state().encrypt(kStateText));
  }
  server.control("{'revoke': true}");  // another token is asked for
  CHECK(m.state().decrypt(text));
}

TEST_CASE("keys of a key vault: arguments that are wrong") {
  test::Environment here({});
  const struct {
    std::string tf, expected;
  } table[] = {
      {block("", "http://vault.vault.azure.net"),
       "\"vault_uri\" of key_provider.azure_vault.g must be the address"},
      {block("", "https://vault"), "\"vault_uri\""},
      {block("", "https://a.b/c"), "\"vault_uri\""},
      {block("  symmetric = true"),
       "\"symmetric_key_size\" of key_provider.azure_vault.g must be 128, 192 or 256"},
      {block("  environment = \"mars\""), "\"environment\" of key_provider.azure_vault.g must be \"public\""},
      {block("  use_cli = false"), "The arguments do not describe an identity"},
  };
  for (const auto& t : table) {
    const MadeEncryption m(t.tf, environment_of({}));
    INFO(m.told());
    CHECK(m.told().find(t.expected) != std::string::npos);
  }
}

// Azure: signatures, sources of tokens, what answers say, clouds and accounts, against the test server.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "core/base/base64.h"
#include "core/cloud/azure_account.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/azure_sources.h"
#include "tests/support/azure_server.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::cloud;
using test::AzureTestServer;
using test::Environment;
using Source = AzureIdentity::Source;

namespace {

const AzureCloud kPublic = *azure_cloud_named("public");

AzureIdentity application(Source source) {
  AzureIdentity id;
  id.source = source, id.tenant = "tenant", id.client = "client";
  return id;
}

// The token, or what is wrong.
std::string token_of(const AzureTestServer& server, const AzureIdentity& id,
                     const std::string& resource = kAzureStorage) {
  AzureClient client(server.client(), 1);
  const Result<AzureToken> token = find_token({id, kPublic, client, nullptr}, resource);
  return token ? token->text : token.error().message;
}

std::string header_of(const net::Request& r, const std::string& name) {
  for (const auto& [n, value] : r.headers)
    if (n == name) return value;
  return {};
}

void run(const std::string& command) {
  REQUIRE(std::system((command + " >/dev/null 2>&1").c_str()) == 0);
}

}  // namespace

TEST_CASE("cloud: Shared Key signatures of requests to Azure") {
  std::string key;
  REQUIRE(base64_decode(
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==", key));
  // The string to sign of this one is an example of the documentation.
  net::Request get;
  get.url = "https://myaccount.blob.core.windows.net/mycontainer?restype=container&timeout=20&comp=metadata";
  get.headers = {{"x-ms-version", "2015-02-21"}};
  sign(get, {"myaccount", key}, 1435361952);
  CHECK(header_of(get, "x-ms-date") == "Fri, 26 Jun 2015 23:39:12 GMT");
  CHECK(header_of(get, "Authorization") ==
        "SharedKey myaccount:1u9lui2jDxj0+fpbHjQ5m5NnastJRSYM+PSmfi8TXx4=");
  net::Request put;
  put.method = "PUT", put.body = "{}";
  put.url = "https://myaccount.blob.core.windows.net/c/a%20b/k%3A?Prefix=x%20y%3A&comp=metadata";
  put.headers = {{"Content-Type", "application/json"},
                 {"x-ms-version", "2023-11-03"},
                 {"X-Ms-Meta-A", " b  c"},
                 {"If-Match", "\"0x1\""},
                 {"Content-MD5", "mZFLkyvTelC5g8XnyQrpOw=="},
                 {"x-ms-blob-type", "BlockBlob"}};
  sign(put, {"myaccount", key}, 1767323045);
  CHECK(header_of(put, "Authorization") ==
        "SharedKey myaccount:SsU2pZrA5KMIiL3gGDd3q45NWxqw9sVrAIRDryGVF2c=");
}

TEST_CASE("cloud: what answers of Azure say of failures") {
  const struct {
    int status;
    const char *header, *body, *expected;
  } table[] = {
      {404, "BlobNotFound", "", "404 Not Found (BlobNotFound)"},
      {403, "",
       "\xEF\xBB\xBF<?xml version=\"1.0\"?><Error><Code>AuthenticationFailed</Code><Message>No.\n"
       "RequestId:1\nTime:2</Message></Error>",
       "403 Forbidden (AuthenticationFailed: No); check the access key or the SAS token, and the clock of "
       "this "
       "machine"},
      {404, "", R"({"error":{"code":"ResourceNotFound","message":"Not\u0007here"}})",
       "404 Not Found (ResourceNotFound: Not?here)"},
      {401, "", R"({"error":"invalid_client","error_description":"AADSTS1: No.\r\nTrace ID: x"})",
       "401 Unauthorized (invalid_client: AADSTS1: No)"},
      {500, "", R"({"error":[1],"message":{}})", "500 Internal Server Error"},
      {502, "", "<html><b>", "502 Bad Gateway"},
      {409, "", "<Error><Code>\x1b[31m</Code></Error>", "409 Conflict"},
      {400, "a\x1b", "", "400 Bad Request (a?)"},
      {503, "", "{", "503 Service Unavailable"},
  };
  for (const auto& t : table) {
    net::Answer a;
    a.status = t.status, a.body = t.body;
    if (*t.header) a.headers["x-ms-error-code"] = t.header;
    CHECK(describe_azure_failure(a) == t.expected);
  }
}

TEST_CASE("cloud: tokens for applications, machines and whoever uses the Azure CLI", "[server]") {
  AzureTestServer server;
  test::Folder folder;
  Environment here({});
  folder.write("token", "oidc-token\n");
  folder.write("empty", "\n");
  struct Row {
    Source source;
    void (*with)(AzureIdentity&, const std::string& folder, const std::string& url);
    const char* expected;
  };
  const Row table[] = {
      {Source::Secret, [](AzureIdentity& i, auto&, auto&) { i.secret = "secret"; }, "token-1"},
      {Source::Secret, [](AzureIdentity& i, auto&, auto&) { i.secret = "other"; },
       "the login service for the tenant \"tenant\" answered 401 Unauthorized (invalid_client: "
       "AADSTS7000215: "
       "Invalid client secret provided)"},
      {Source::Secret, [](AzureIdentity& i, auto&, auto&) { i.tenant = "a/b", i.secret = "s"; },
       "the login service for the tenant \"a/b\" answered 400 Bad Request (invalid_request: AADSTS90002"},
      {Source::Assertion, [](AzureIdentity& i, auto&, auto&) { i.assertion = "oidc-token"; }, "token-1"},
      {Source::Assertion, [](AzureIdentity& i, auto& f, auto&) { i.assertion_file = f + "/token"; },
       "token-1"},
      {Source::Assertion,
       [](AzureIdentity& i, auto& f, auto&) { i.assertion_file = f + "/token", i.assertion = "x"; },
       "the OIDC token and the file with one are both set, with different values"},
      {Source::Assertion, [](AzureIdentity& i, auto& f, auto&) { i.assertion_file = f + "/none"; },
       "the OIDC token is not available: cannot open"},
      {Source::Assertion, [](AzureIdentity& i, auto& f, auto&) { i.assertion_file = f + "/empty"; },
       "with the OIDC token is empty"},
      {Source::RequestedToken,
       [](AzureIdentity& i, auto&, auto& u) {
         i.request_url = u + "/oidc?x=y", i.request_token = "request-token";
       },
       "token-1"},
      {Source::RequestedToken,
       [](AzureIdentity& i, auto&, auto& u) { i.request_url = u + "/oidc", i.request_token = "hunter2"; },
       "the request for an OIDC token was answered with 401 Unauthorized (Unauthorized: wrong token)"},
      {Source::RequestedToken,
       [](AzureIdentity& i, auto&, auto&) { i.request_url = "http://example.com/", i.request_token = "t"; },
       "the address that OIDC tokens are requested from must use https"},
      {Source::AzureDevOps,
       [](AzureIdentity& i, auto&, auto& u) {
         i.request_url = u + "/_apis/x", i.request_token = "request-token",
         i.service_connection = "connection";
       },
       "token-1"},
      {Source::Machine, [](AzureIdentity& i, auto&, auto& u) { i.machine_endpoint = u + "/msi/token"; },
       "token-1"},
      {Source::Machine,
       [](AzureIdentity& i, auto&, auto& u) { i.machine_endpoint = u + "/msi/token", i.client.clear(); },
       "token-1"},
      {Source::Machine,
       [](AzureIdentity& i, auto&, auto& u) { i.machine_endpoint = u + "/msi/token", i.client = "other"; },
       "the identity service of this machine answered 400 Bad Request (invalid_request: Identity not found)"},
      {Source::Machine, [](AzureIdentity& i, auto&, auto&) { i.machine_endpoint = "file:///etc/passwd"; },
       "the address of the identity service is not an http or https URL"},
      {Source::Certificate, [](AzureIdentity& i, auto&, auto&) { i.certificate = "x"; },
       "the client certificate is not a PKCS#12 file (PFX)"},
  };
  for (const Row& t : table) {
    server.control("{'forget': true}");
    AzureIdentity id = application(t.source);
    t.with(id, folder.path, server.url);
    const std::string found = token_of(server, id);
    INFO(found << " | " << t.expected);
    CHECK(found.find(t.expected) != found.npos);
    CHECK(found.find("hunter2") == found.npos);
  }
  // Answers that are too large, or none.
  AzureIdentity id = application(Source::Secret);
  id.secret = "secret";
  for (const auto& [body, expected] :
       {std::pair(std::string(2 << 20, 'x'), "it is larger than 1048576 bytes"),
        std::pair(std::string("<html>"), "does not contain a token")}) {
    nlohmann::json rule = {{"faults", {{{"on", {{"service", "login"}}}, {"do", "say"}, {"body", body}}}}};
    server.control(rule.dump());
    CHECK(token_of(server, id).find(expected) != std::string::npos);
  }
  // A platform that has a service of its own.
  Environment platform(
      {{"IDENTITY_ENDPOINT", server.url + "/msi/token"}, {"IDENTITY_HEADER", "identity-header"}});
  server.control("{'forget': true}");
  CHECK(token_of(server, application(Source::Machine)) == "token-1");
}

TEST_CASE("cloud: an application with a certificate signs what it shows", "[server]") {
  AzureTestServer server;
  test::Folder folder;
  Environment here({});
  const std::string to = " -keyout " + (folder / "key") + " -out " + (folder / "pem");
  run("openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=client" + to);
  run("openssl rsa -in " + (folder / "key") + " -pubout -out " +
      std::filesystem::path(server.more).parent_path().string() + "/client.pub");
  const std::string pack = "openssl pkcs12 -export -inkey " + (folder / "key") + " -in " + (folder / "pem");
  for (const char* how : {"", " -legacy", " -nokeys"}) {
    run(pack + " -passout 'pass:pass word'" + how + " -out " + (folder / "pfx"));
    AzureIdentity id = application(Source::Certificate);
    id.certificate = test::file_text(folder / "pfx");
    id.certificate_password = "pass word";
    server.control("{'forget': true}");
    INFO(how);
    const std::string found = token_of(server, id);
    if (std::string(how) == " -nokeys") {
      CHECK(found == "the client certificate must contain a certificate and its private key");
    } else {
      CHECK(found == "token-1");
    }
    id.certificate_password = "wrong";
    CHECK(token_of(server, id) ==
          "the client certificate cannot be opened; check \"client_certificate_password\"");
  }
  run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=client" + to);
  run(pack + " -passout pass: -out " + (folder / "pfx"));
  AzureIdentity id = application(Source::Certificate);
  id.certificate = test::file_text(folder / "pfx");
  CHECK(token_of(server, id) == "the client certificate must have an RSA key");
}

TEST_CASE("cloud: what the Azure CLI prints", "[server]") {
  test::Folder folder;
  const char* path = std::getenv("PATH");
  Environment here({{"PATH", folder.path + ":" + path}});
  AzureClient client({}, 0);
  auto found = [&](const std::string& script) {
    folder.write("az", "#!/bin/sh\n" + script);
    run("chmod +x " + (folder / "az"));
    const AzureIdentity id = application(Source::Program);
    Result<AzureToken> t = token_of_program({id, kPublic, client, nullptr}, kAzureStorage);
    return t ? t->text + " " + std::to_string(t->expires) : t.error().message;
  };
  CHECK(found("echo \"$*\" >" + (folder / "asked") +
              "; echo 'WARNING: old' >&2; echo '{\"accessToken\":\"t\",\"expires_on\":2000000000}'") ==
        "t 2000000000");
  CHECK(test::file_text(folder / "asked") ==
        "account get-access-token --scope https://storage.azure.com/.default --tenant tenant -o=json\n");
  CHECK(found("TZ=UTC; echo '{\"accessToken\":\"t\",\"expiresOn\":\"2033-05-18 03:33:20.000000\"}'")
            .starts_with("t 20000"));
  CHECK(
      found("printf 'Please run \\033[1maz login\\n'; exit 1") ==
      "the Azure CLI (az) failed; log in with \"az login\", or set other credentials. Its output: Please run "
      "?[1maz login");
  CHECK(found("echo nothing") == "the Azure CLI (az) printed something other than JSON");
  CHECK(found("echo '{\"accessToken\":5}'") == "the Azure CLI (az) printed something other than a token");
  CHECK(found("echo '{\"accessToken\":'}").starts_with("the Azure CLI (az) printed something that "));
  folder.write("az", "#!/bin/sh\necho '{\"id\":\"sub\"}'");
  CHECK(*subscription_of_program(nullptr) == "sub");
}

TEST_CASE("cloud: answers with tokens are checked") {
  const struct {
    const char* body;
    int64_t expires;  // 0: there is none
  } table[] = {
      {R"({"access_token":"t","expires_in":100})", 1100},
      {R"({"access_token":"t","expires_in":"100"})", 1100},
      {R"({"access_token":"t","expires_on":"5000"})", 5000},
      {R"({"access_token":"t","expires_in":-5,"expires_on":[]})", 4600},
      {R"({"access_token":"t","expires_in":1e300})", 4600},
      {R"({"access_token":"t","expires_in":"99999999999999999999"})", 4600},
      {R"({"access_token":5,"expires_in":100})", 0},
      {R"({"access_token":""})", 0},
      {"[]", 0},
      {"", 0},
  };
  for (const auto& t : table) {
    INFO(t.body);
    net::Answer a;
    a.status = 200, a.body = t.body;
    const Result<AzureToken> token = token_in(a, "it", 1000);
    CHECK(token.ok() == (t.expires != 0));
    if (token) CHECK(token->expires == t.expires);
  }
}

TEST_CASE("cloud: Azure's tokens are kept, renewed before they end, and used to their end", "[server]") {
  AzureTestServer server;
  Environment here({});
  AzureClient client(server.client(), 0);
  AzureIdentity id = application(Source::Secret);
  id.secret = "secret";
  AzureTokens tokens(id, client, nullptr);
  auto token = [&](const std::string& refused = "") {
    return *tokens.token(kPublic, kAzureStorage, refused);
  };
  CHECK(token() == "token-1");
  CHECK(token() == "token-1");
  CHECK(token("token-1") == "token-2");
  CHECK(token("token-1") == "token-2");  // asked by another thread
  CHECK(*tokens.token(kPublic, kPublic.management) == "token-3");
  server.control("{'lifetime': 1}");
  CHECK(token("token-2") == "token-4");
  ::sleep(2);
  server.control("{'lifetime': 100}");
  CHECK(token() == "token-5");  // fewer than five minutes are left: renewed, but not at every call
  CHECK(token() == "token-5");
  server.control("{'faults': [{'on': {'service': 'login'}, 'times': 9, 'do': 'refuse', 'status': 500}]}");
  CHECK(token() == "token-5");
  CHECK(!tokens.token(kPublic, kAzureStorage, "token-5"));
}

TEST_CASE("cloud: clouds by name and by what their metadata hosts say", "[server]") {
  CHECK(azure_cloud_named("Public")->storage_suffix == "core.windows.net");
  CHECK(azure_cloud_named("usgovernment")->login == "https://login.microsoftonline.us");
  CHECK(azure_cloud_named("china")->management == "https://management.chinacloudapi.cn");
  for (const char* none : {"", "german", "public global", " "}) CHECK(!azure_cloud_named(none));
  AzureTestServer server;
  Environment here({});
  AzureClient client(server.client(), 0);
  const auto cloud = azure_cloud_at(client, "metadata.example.com", nullptr);
  REQUIRE(cloud);
  CHECK(cloud->login == "https://login.microsoftonline.com");
  CHECK(cloud->storage_suffix == "core.windows.net");
  for (
      const char* body :
      {"", "[]", "{}", R"({"resourceManager":"http://a","authentication":{"loginEndpoint":"https://b"},
                           "suffixes":{"storage":"c"}})",
       R"({"resourceManager":"https://a","authentication":{"loginEndpoint":"https://b"},"suffixes":{"storage":"c/d"}})"}) {
    nlohmann::json rule = {{"faults", {{{"on", {{"service", "metadata"}}}, {"do", "say"}, {"body", body}}}}};
    server.control(rule.dump());
    const auto wrong = azure_cloud_at(client, "metadata.example.com", nullptr);
    REQUIRE(!wrong);
    CHECK(wrong.error().message.find("does not describe a cloud") != std::string::npos);
  }
}

TEST_CASE("cloud: the management API tells where an account is, and its keys", "[server]") {
  AzureTestServer server;
  Environment here({});
  AzureClient client(server.client(), 0);
  AzureIdentity id = application(Source::Secret);
  id.secret = "secret";
  AzureTokens tokens(id, client, nullptr);
  AzureAccounts accounts(tokens, client, kPublic, nullptr);
  const AzureAccount account{"sub", "group", "tfacct"};
  CHECK(*accounts.endpoint(account) == "https://tfacct.z1.blob.storage.azure.net");
  CHECK(accounts.key(account)->key == "secretkey");
  server.control("{'revoke': true}");  // it asks for another token
  CHECK(accounts.key(account)->key == "secretkey");
  CHECK(accounts.endpoint({"sub", "other", "tfacct"}).error().message ==
        "the storage account \"tfacct\" of the resource group \"other\" cannot be looked up: the management "
        "API "
        "answered 404 Not Found (ResourceNotFound: The Resource was not found)");
  CHECK(accounts.key({"", "group", "tfacct"}).error().message ==
        "the subscription is not known; set subscription_id or ARM_SUBSCRIPTION_ID");
  for (const char* body : {"", "[]", R"({"keys":[]})", R"({"keys":[5,{"value":"?"}]})", R"({"keys":{}})",
                           R"({"properties":{"primaryEndpoints":{"blob":"http://evil"}}})"}) {
    nlohmann::json rule = {
        {"faults", {{{"on", {{"service", "management"}}}, {"times", 2}, {"do", "say"}, {"body", body}}}}};
    server.control(rule.dump());
    CHECK(!accounts.key(account));
    CHECK(!accounts.endpoint(account));
  }
}

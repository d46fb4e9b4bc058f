// Google credentials: where they are looked for, what is made of them, and when tokens are renewed.
#include <catch2/catch.hpp>

#include "core/base/document.h"
#include "core/cloud/crc32c.h"
#include "core/cloud/google_client.h"
#include "core/cloud/google_sources.h"
#include "core/cloud/time.h"
#include "tests/support/folder.h"
#include "tests/support/gcs_server.h"

using namespace xplan;
using namespace xplan::cloud;
using test::GcsTestServer;

namespace {

using Variables = std::map<std::string, std::string>;

struct World {
  GcsTestServer server;
  test::Folder folder;
  Json account = server.account();
  Json user = {{"type", "authorized_user"},          {"client_id", "id"},
               {"client_secret", "client-secret"},   {"refresh_token", "1//refresh"},
               {"token_uri", server.url + "/token"}, {"quota_project_id", "payer"}};
  Json identity = {{"type", "external_account"},
                   {"audience", "//iam.googleapis.com/pool"},
                   {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
                   {"token_url", server.url + "/sts"},
                   {"credential_source", {{"file", folder / "subject"}}}};
  Json impersonated = {{"type", "impersonated_service_account"},
                       {"delegates", {"projects/-/serviceAccounts/d@x"}},
                       {"service_account_impersonation_url",
                        server.url + "/v1/projects/-/serviceAccounts/sa@x:generateAccessToken"},
                       {"source_credentials", user}};

  World() {
    folder.write("account.json", account.dump());
    folder.write("user.json", user.dump());
    folder.write("subject", "subject\n");
    folder.write("subject.json", R"({"value":"subject","other":5})");
    folder.write("gcloud/application_default_credentials.json", user.dump());
  }
  GoogleSettings settings(Variables variables = {}) const {
    variables.emplace("GCE_METADATA_HOST", server.url.substr(7));
    variables.emplace("CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS", server.url + "/");
    variables.emplace("HOME", folder.path);
    GoogleSettings s;
    s.scopes = {"https://www.googleapis.com/auth/devstorage.full_control", kCloudPlatform};
    s.variable = [variables](const char* name) {
      const auto it = variables.find(name);
      return it == variables.end() ? std::string() : it->second;
    };
    return s;
  }
};

// The token, and the project behind a space; or "error: " and the problem.
std::string find(GoogleSettings s) {
  net::Client client;
  const Result<GoogleAccess> a = GoogleToken(std::move(s), client, nullptr).access();
  if (!a) return "error: " + a.error().message;
  return std::string(a->token.bytes()) + (a->project.empty() ? "" : " " + a->project);
}

// Without the number that makes each token another one.
std::string kind(const std::string& found) {
  const size_t number = found.rfind('-');
  const size_t space = found.find(' ');
  if (!found.starts_with("ya29.") || number == found.npos) return found;
  return found.substr(5, number - 5) + (space == found.npos ? "" : found.substr(space));
}

}  // namespace

TEST_CASE("google: where credentials are looked for, in this order", "[server]") {
  World w;
  const std::string account = w.folder / "account.json", user = w.folder / "user.json";
  const struct {
    const char *what, *token;
    std::string credentials;
    Variables variables;
    const char* expected;
  } table[] = {
      {"a token before everything", "given", account, {{"GOOGLE_APPLICATION_CREDENTIALS", user}}, "given"},
      {"a file of the settings", "", account, {{"GOOGLE_APPLICATION_CREDENTIALS", user}}, "robot"},
      {"a file in the home directory", "", "~/account.json", {}, "robot"},
      {"JSON", "", " " + w.account.dump(), {}, "robot"},
      {"a user's, with who pays", "", w.user.dump(), {}, "user payer"},
      {"another one pays", "", w.user.dump(), {{"GOOGLE_CLOUD_QUOTA_PROJECT", "other"}}, "user other"},
      {"the file that the environment names", "", "", {{"GOOGLE_APPLICATION_CREDENTIALS", account}}, "robot"},
      {"that of gcloud", "", "", {{"CLOUDSDK_CONFIG", w.folder / "gcloud"}}, "user payer"},
      {"the machine", "", "", {}, "machine"},
      {"a file that does not exist",
       "",
       "/no/such/file",
       {},
       "error: Google credentials are not available: "},
      {"a named file that does not exist",
       "",
       "",
       {{"GOOGLE_APPLICATION_CREDENTIALS", "/no/such"}},
       "error: Google credentials are not available: "},
      {"an impersonated account", "", w.impersonated.dump(), {}, "impersonated"},
      {"a federated identity", "", w.identity.dump(), {}, "federated"},
  };
  for (const auto& t : table) {
    INFO(t.what);
    GoogleSettings s = w.settings(t.variables);
    s.access_token = Secret(t.token), s.credentials = t.credentials;
    const std::string found = find(std::move(s));
    INFO(found);
    CHECK(kind(found).starts_with(t.expected));
  }
}

TEST_CASE("google: the settings' service account is impersonated with what was found", "[server]") {
  World w;
  GoogleSettings s = w.settings();
  s.credentials = w.account.dump(), s.impersonate = "sa+1@x.com", s.delegates = {"d@x.com"};
  CHECK(kind(find(std::move(s))) == "impersonated");
  const auto log = w.server.log();
  REQUIRE(log.size() == 2);
  CHECK(log[1]["path"] == "/v1/projects/-/serviceAccounts/sa%2B1%40x.com:generateAccessToken");
  const Json body = *parse_document(log[1]["body"].get<std::string>());
  CHECK(body == Json{{"delegates", {"projects/-/serviceAccounts/d@x.com"}},
                     {"lifetime", "3600s"},
                     {"scope", {"https://www.googleapis.com/auth/devstorage.full_control", kCloudPlatform}}});
  s = w.settings();
  s.access_token = Secret("tok"), s.impersonate = "nobody@project.example";
  CHECK(
      find(std::move(s)) ==
      "error: the service account \"nobody@project.example\" refused to give an access token: 403 Forbidden: "
      "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist)");
}

TEST_CASE("google: federated identities", "[server]") {
  World w;
  auto found = [&](const Json& change) {
    Json d = w.identity;
    d.merge_patch(change);
    GoogleSettings s = w.settings();
    s.credentials = d.dump();
    const std::string out = find(std::move(s));
    CHECK(out.find("hush") == out.npos);
    return kind(out);
  };
  const Json json = {{"type", "json"}, {"subject_token_field_name", "value"}};
  const Json url = {{"file", nullptr},
                    {"url", w.server.url + "/computeMetadata/v1/subject"},
                    {"headers", {{"Metadata-Flavor", "Google"}}},
                    {"format", json}};
  CHECK(found({{"credential_source", {{"file", w.folder / "subject.json"}, {"format", json}}}}) ==
        "federated");
  CHECK(found({{"credential_source", url}}) == "federated");
  const std::string account = w.server.url + "/v1/projects/-/serviceAccounts/sa@x:generateAccessToken";
  CHECK(found({{"service_account_impersonation_url", account},
               {"service_account_impersonation", {{"token_lifetime_seconds", 600}}}}) == "impersonated");
  CHECK(w.server.log().back()["body"].get<std::string>().find("\"lifetime\":\"600s\"") != std::string::npos);
  CHECK(found({{"workforce_pool_user_project", "p"}}) == "federated");
  CHECK(w.server.log().back()["form"]["options"] == R"({"userProject":"p"})");
  const struct {
    Json change;
    const char* expected;
  } table[] = {
      {{{"token_url", "http://example.com/sts"}},
       "the \"token_url\" of \"credentials\" must be an https URL"},
      {{{"token_url", ""}}, "the \"token_url\" of \"credentials\" must be an https URL"},
      {{{"service_account_impersonation_url", "http://example.com/"}}, "must be an https URL"},
      {{{"credential_source", {{"file", "/no/such"}}}},
       "the token of the federated identity is not available"},
      {{{"credential_source", {{"file", w.folder / "account.json"}, {"format", json}}}}, "has no \"value\""},
      {{{"credential_source", {{"file", w.folder / "user.json"}}}}, "The subject token is not valid"},
      {{{"credential_source",
         {{"file", nullptr}, {"environment_id", "aws1"}, {"url", "http://169.254.169.254/"}}}},
       "AWS identities, programs and certificates cannot"},
      {{{"credential_source", {{"file", nullptr}, {"executable", {{"command", "hush"}}}}}}, "not supported"},
      {{{"credential_source", 5}}, "not supported"},
      {{{"credential_source",
         {{"file", nullptr}, {"url", "http://example.com/"}, {"headers", {{"Authorization", "hush"}}}}}},
       "the \"credential_source.url\" of \"credentials\" must be an https URL"},
  };
  for (const auto& t : table) {
    INFO(t.change.dump());
    const std::string problem = found(t.change);
    INFO(problem);
    CHECK(problem.starts_with("error: "));
    CHECK(problem.find(t.expected) != problem.npos);
  }
}

TEST_CASE("google: what is wrong with credentials is said without them", "[server]") {
  World w;
  auto with = [&](Json d, const Json& change) {
    d.merge_patch(change);
    return d.dump();
  };
  Json deep = w.impersonated;
  for (int i = 0; i < 5; ++i) deep["source_credentials"] = Json(deep);
  const struct {
    std::string credentials;
    const char* expected;
  } table[] = {
      {"{hush", "\"credentials\" does not contain Google credentials in JSON"},
      {"{}", "of a type that is not supported"},
      {R"({"type":"hush"})", "of a type that is not supported"},
      {R"({"type":"service_account","private_key":"hush"})",
       "the \"private_key\" of \"credentials\" is not an RSA key"},
      {with(w.account, {{"private_key", 5}}), "is not an RSA key"},
      {with(w.account, {{"token_uri", "http://example.com/token"}}),
       "the \"token_uri\" of \"credentials\" must be"},
      {with(w.account, {{"client_email", "hush@x"}}),
       "refused to give an access token: 400 Bad Request: Invalid JWT: claims"},
      {with(w.user, {{"refresh_token", "hush"}}),
       "refused to give an access token: 400 Bad Request: Bad Request"},
      {with(w.user, {{"token_uri", "http://example.com/token"}}), "must be an https URL"},
      {with(w.impersonated, {{"source_credentials", nullptr}}), "lacks \"source_credentials\""},
      {with(w.impersonated, {{"service_account_impersonation_url", "http://example.com/x"}}),
       "must be an https URL"},
      {deep.dump(), "of a type that is not supported"},
  };
  for (const auto& t : table) {
    INFO(t.credentials.substr(0, 100));
    GoogleSettings s = w.settings();
    s.credentials = t.credentials;
    const std::string problem = find(std::move(s));
    INFO(problem);
    CHECK(problem.starts_with("error: "));
    CHECK(problem.find(t.expected) != problem.npos);
    CHECK(problem.find("hush") == problem.npos);
    CHECK(problem.find("PRIVATE KEY") == problem.npos);
  }
}

TEST_CASE("google: tokens are kept, renewed before they end, and used to their end where that fails",
          "[server]") {
  World w;
  auto asked = [&] { return w.server.asked("oauth").size(); };
  net::Client client;
  auto token = [&] {
    GoogleSettings s = w.settings();
    s.credentials = w.account.dump();
    return std::make_unique<GoogleToken>(std::move(s), client, nullptr);
  };
  auto t = token();
  CHECK(t->renewable());
  const std::string first(t->access()->token.bytes());
  CHECK(t->access()->token.bytes() == first);
  CHECK(asked() == 1);
  const std::string other(t->access(first)->token.bytes());
  CHECK(other != first);
  CHECK(t->access(first)->token.bytes() == other);  // asked by another thread
  CHECK(asked() == 2);
  // Less than four minutes are left: it is fetched again after a while, but not for each request.
  w.server.control("{'lifetime': 60}");
  t = token();
  const GoogleAccess soon = t->access()->copy();
  CHECK(soon.expires > unix_now() + 50);
  CHECK(t->access()->token.bytes() == soon.token.bytes());
  w.server.control("{'lifetime': 1}");
  t = token();
  const std::string short_lived(t->access()->token.bytes());
  ::usleep(2100000);
  CHECK(t->access()->token.bytes() != short_lived);
  // Renewing fails: what there is serves until it ends.
  w.server.control("{'lifetime': 3}");
  t = token();
  const std::string last(t->access()->token.bytes());
  w.server.control("{'faults': [{'do': 'refuse', 'times': 99, 'status': 400, 'on': {'service': 'oauth'}}]}");
  CHECK(t->access()->token.bytes() == last);
  ::usleep(4100000);
  CHECK_FALSE(t->access());
}

TEST_CASE("google: answers of who gives tokens that mean nothing, or harm", "[server]") {
  World w;
  auto found = [&](const Json& rule) {
    w.server.control(Json{{"forget", true}, {"faults", {rule}}}.dump());
    GoogleSettings s = w.settings();
    return find(std::move(s));
  };
  auto say = [&](const std::string& body, int repeat = 1) {
    return found(
        {{"do", "say"}, {"times", 99}, {"body", body}, {"repeat", repeat}, {"on", {{"service", "machine"}}}});
  };
  for (const char* body :
       {"", "[]", "{", "\"x\"", R"({"access_token":5})", R"({"access_token":""})", R"({"token":"x"})"}) {
    INFO(body);
    CHECK(say(body).find("the response from the metadata service has no access token") != std::string::npos);
  }
  CHECK(say(R"({"access_token":"x","expires_in":"soon"})") == "x");
  CHECK(say(R"({"access_token":"x","expires_in":1e300})") == "x");
  CHECK(say(R"({"access_token":"x","expires_in":-5})") == "x");
  CHECK(say(R"({"accessToken":"x","expireTime":"never"})") == "x");
  CHECK(say("xxxxxxxxxx", 200'000).starts_with("error: there are no Google credentials"));
  const Json on = {{"service", "machine"}};
  CHECK(kind(found({{"do", "refuse"}, {"status", 503}, {"on", on}})) == "machine");
  CHECK(kind(found({{"do", "refuse"}, {"status", 429}, {"headers", {{"Retry-After", "1"}}}, {"on", on}})) ==
        "machine");
  CHECK(kind(found({{"do", "truncate"}, {"on", on}})) == "machine");
  CHECK(
      found(
          {{"do", "refuse"}, {"status", 404}, {"message", "no\x1b[31m account"}, {"times", 9}, {"on", on}}) ==
      "error: there are no Google credentials. Set \"credentials\" or \"access_token\", or the environment "
      "variable GOOGLE_CREDENTIALS, GOOGLE_OAUTH_ACCESS_TOKEN or GOOGLE_APPLICATION_CREDENTIALS, or log in "
      "with "
      "\"gcloud auth application-default login\". This machine has none either: the metadata service "
      "refused to give an access token: 404 Not Found: no?[31m account");
}

TEST_CASE("google: tokens go over https, and over http to this machine only", "[server]") {
  GoogleAccess access{Secret("tok"), "payer", 0};
  net::Request here, there, secure;
  here.url = "http://127.0.0.1:1/x", there.url = "http://example.com/x", secure.url = "https://example.com/x";
  authorize(here, access), authorize(there, access), authorize(secure, access);
  CHECK(here.token.empty());
  CHECK(here.headers[0].second == "Bearer tok");
  CHECK(here.headers[1] == std::pair<std::string, std::string>("X-Goog-User-Project", "payer"));
  CHECK(there.token == "tok");  // which the client refuses to send
  CHECK_FALSE(net::Client().send(there));
  CHECK(secure.token == "tok");
}

TEST_CASE("google: sums of objects") {
  CHECK(crc32c("123456789") == 0xE3069283u);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAu);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62A8AB43u);
  CHECK(crc32c_base64("") == "AAAAAA==");
  CHECK(crc32c_base64("123456789") == "4waSgw==");
}

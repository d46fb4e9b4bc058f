// Where credentials come from: files and variables of a user, and services that the test server plays.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <set>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/cloud/aws_sources.h"
#include "core/cloud/time.h"
#include "tests/support/folder.h"
#include "tests/support/s3_server.h"

using namespace xplan;
using namespace xplan::cloud;
using test::Environment;
using test::S3TestServer;

namespace {

struct Found {
  std::string key, problem;
};

AwsSettings settings_for(const S3TestServer& server) {
  AwsSettings s;
  s.region = "us-east-1";
  s.sts_endpoint = s.sso_endpoint = s.metadata_endpoint = server.url;
  return s;
}

Found find(const AwsSettings& s) {
  AwsClient client({}, 1);
  const Result<AwsKeys> keys = find_keys({s, client, nullptr});
  return keys ? Found{keys->access_key, ""} : Found{"", keys.error().message};
}

}  // namespace

TEST_CASE("cloud: the first source that has keys wins", "[server]") {
  S3TestServer server;
  test::Folder home;
  home.write(
      ".aws/credentials",
      "[default]\naws_access_key_id=AKDEFAULT\naws_secret_access_key=s\n[both]\naws_access_key_id=AKBOTH\n"
      "aws_secret_access_key=s\n[base]\naws_access_key_id=AKIATEST\naws_secret_access_key=secretsecret\n"
      "[broken]\naws_access_key_id=AKIATEST\naws_secret_access_key=wrong\n");
  home.write(".aws/config",
             "[profile both]\naws_access_key_id=AKCONFIG\naws_secret_access_key=c\naws_session_token=old\n"
             "[profile role]\nrole_arn=arn:aws:iam::1:role/r\nsource_profile=base\n"
             "[profile chained]\nrole_arn=arn:aws:iam::1:role/s\nsource_profile=role\n"
             "[profile own]\nrole_arn=arn:aws:iam::1:role/o\nsource_profile=own\naws_access_key_id=AKIATEST\n"
             "aws_secret_access_key=secretsecret\n"
             "[profile circle]\nrole_arn=a\nsource_profile=circle2\n[profile "
             "circle2]\nrole_arn=b\nsource_profile=circle\n"
             "[profile mfa]\nrole_arn=a\nsource_profile=base\nmfa_serial=x\n"
             "[profile nowhere]\nrole_arn=a\n[profile lost]\nrole_arn=a\nsource_profile=nobody\n"
             "[profile refused]\nrole_arn=arn:aws:iam::1:role/r\nsource_profile=broken\n"
             "[profile web]\nrole_arn=arn:aws:iam::1:role/w\nweb_identity_token_file=" +
                 (home / "token") +
                 "\n"
                 "[profile fromenv]\nrole_arn=a\ncredential_source=Environment\n"
                 "[profile machine]\nrole_arn=a\ncredential_source=Ec2InstanceMetadata\n"
                 "[profile program]\ncredential_process=echo "
                 "'{\"Version\":1,\"AccessKeyId\":\"AKPROGRAM\",\"SecretAccessKey\":\"s\"}'\n"
                 "[profile version2]\ncredential_process=echo "
                 "'{\"Version\":2,\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"s\"}'\n"
                 "[profile fails]\ncredential_process=echo secret-output; exit 3\n"
                 "[sso-session corp]\nsso_region=us-east-1\nsso_start_url=https://corp.example.com\n"
                 "[profile sso]\nsso_session=corp\nsso_account_id=1\nsso_role_name=dev\n"
                 "[profile "
                 "legacy]\nsso_start_url=https://legacy.example.com\nsso_region=us-east-1\nsso_account_id=1\n"
                 "sso_role_name=dev\n[profile "
                 "expired]\nsso_start_url=https://old.example.com\nsso_region=us-east-1\n"
                 "sso_account_id=1\nsso_role_name=dev\n[profile incomplete]\nsso_session=corp\n[profile "
                 "other]\nsso_session=none\n");
  home.write("token", "web-token\n");
  auto cache = [](const std::string& name) {
    return ".aws/sso/cache/" + hex_encode(digest(Digest::Sha1, name)) + ".json";
  };
  const std::string token = R"({"accessToken":"sso-token","expiresAt":"2999-01-01T00:00:00Z"})";
  home.write(cache("corp"), token);
  home.write(cache("https://legacy.example.com"), token);
  home.write(cache("https://old.example.com"),
             R"({"accessToken":"sso-token","expiresAt":"2020-01-01T00:00:00Z"})");

  using Variables = std::vector<std::pair<const char*, std::string>>;
  const std::string keys = "AWS_ACCESS_KEY_ID", secret = "AWS_SECRET_ACCESS_KEY";
  const Variables env = {{"AWS_ACCESS_KEY_ID", "AKENV"}, {"AWS_SECRET_ACCESS_KEY", "s"}},
                  known = {{"AWS_ACCESS_KEY_ID", "AKIATEST"}, {"AWS_SECRET_ACCESS_KEY", "secretsecret"}},
                  web = {{"AWS_WEB_IDENTITY_TOKEN_FILE", home / "token"},
                         {"AWS_ROLE_ARN", "arn:aws:iam::1:role/w"}};
  auto with = [](Variables a, const Variables& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  auto named = [](const char* p) { return Variables{{"AWS_PROFILE", p}}; };
  const struct {
    const char *keys, *profile;
    Variables variables;
    std::string expected;  // the beginning of the access key, or a part of the problem
  } table[] = {
      {"AKBLOCK", "role", env, "AKBLOCK"},
      {"", "both", env, "AKBOTH"},
      {"", "", env, "AKENV"},
      {"", "", with(env, named("role")), "AKENV"},
      {"", "", with(env, web), "AKENV"},
      {"", "", web, "ASIAWEB"},
      {"", "", with(web, named("both")), "ASIAWEB"},
      {"", "", {}, "AKDEFAULT"},
      {"", "", named("both"), "AKBOTH"},
      {"", "role", {}, "ASIAROLE"},
      {"", "chained", {}, "ASIAROLE"},
      {"", "own", {}, "ASIAROLE"},
      {"", "web", {}, "ASIAWEB"},
      {"", "fromenv", known, "ASIAROLE"},
      {"", "machine", {}, "ASIAROLE"},
      {"", "program", {}, "AKPROGRAM"},
      {"", "sso", {}, "ASIASSO"},
      {"", "legacy", {}, "ASIASSO"},
      {"", "fromenv", {}, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"},
      {"", "circle", {}, "refers back to itself"},
      {"", "mfa", {}, "requires an MFA code"},
      {"", "nowhere", {}, "neither source_profile nor a credential_source"},
      {"", "lost", {}, "the AWS profile \"nobody\" does not exist"},
      {"", "missing", env, "the AWS profile \"missing\" does not exist"},
      {"",
       "refused",
       {},
       "the role \"arn:aws:iam::1:role/r\" cannot be assumed: STS answered 403 Forbidden "
       "(SignatureDoesNotMatch"},
      {"", "version2", {}, "printed something other than version 1 credentials"},
      {"", "fails", {}, "failed"},
      {"", "expired", {}, "has expired; run \"aws sso login\""},
      {"", "incomplete", {}, "lacks sso_account_id"},
      {"", "other", {}, "the sso-session \"none\", which does not exist"},
  };
  for (const auto& t : table) {
    INFO(t.profile << " → " << t.expected);
    Environment here({{"HOME", home.path}});
    for (const auto& [name, value] : t.variables) ::setenv(name, value.c_str(), 1);
    AwsSettings s = settings_for(server);
    if (*t.keys) s.keys = {t.keys, "s", ""};
    s.profile = t.profile;
    const Found found = find(s);
    INFO(found.problem);
    if (t.expected.starts_with("AK") || t.expected.starts_with("ASIA"))
      CHECK(found.key.starts_with(t.expected));
    else
      CHECK(found.problem.find(t.expected) != std::string::npos);
    CHECK(found.problem.find("secret-output") == std::string::npos);
    for (const auto& [name, value] : t.variables) ::unsetenv(name);
  }
}

namespace {

const std::string kCorp = ".aws/sso/cache/" + hex_encode(digest(Digest::Sha1, "corp")) + ".json";

// A token as `aws sso login` leaves it.
std::string login(const std::string& token, int64_t end, const std::string& refresh = "refresh-0") {
  return R"({"startUrl":"https://corp.example.com","region":"us-east-1","accessToken":")" + token +
         R"(","expiresAt":")" + timestamp(end) +
         R"(","clientId":"client","clientSecret":"client-secret","other":[{}],"refreshToken":")" + refresh +
         R"("})";
}

void write_sign_on(test::Folder& home) {
  home.write(".aws/config",
             "[sso-session corp]\nsso_region=us-east-1\nsso_start_url=https://corp.example.com\n"
             "[default]\nsso_session=corp\nsso_account_id=1\nsso_role_name=dev\n"
             "[profile legacy]\nsso_start_url=corp\nsso_region=us-east-1\nsso_account_id=1\n"
             "sso_role_name=dev\n");
}

}  // namespace

TEST_CASE("cloud: the token of an sso-session is renewed when it ends, and kept", "[server]") {
  S3TestServer server;
  test::Folder home;
  Environment here({{"HOME", home.path}});
  write_sign_on(home);
  const int64_t old = 1'600'000'000, soon = unix_now() + 100;
  const auto other = [](std::string text, const char* from, const char* to) {
    return text.replace(text.find(from), std::string_view(from).size(), to);
  };
  const struct {
    const char* about;
    std::string file;
    const char *profile, *faults;
    const char* problem;  // "": keys are found
    bool renewed;
  } rows[] = {
      {"good", login("sso-token", soon), "", "", "", false},
      {"ended", login("sso-token", old), "", "", "", true},
      {"refused before its time", login("revoked", soon), "", "", "", true},
      {"no time", other(login("sso-token", old), timestamp(old).c_str(), "soon"), "", "", "", true},
      {"legacy", login("sso-token", old), "legacy", "", "has expired; run \"aws sso login\"", false},
      {"legacy, refused", login("revoked", soon), "legacy", "", "answered 401", false},
      {"no refresh token", login("sso-token", old, ""), "", "", "has expired; run", false},
      {"no client", other(login("sso-token", old), "clientId", "client"), "", "", "has expired; run", false},
      {"used already", login("sso-token", old, "refresh-99"), "", "",
       "cannot be renewed: the single sign-on service answered 400 Bad Request (InvalidGrantException: "
       "Invalid refresh "
       "token provided); run \"aws sso login\"",
       false},
      {"no token", login("sso-token", old), "", "'do': 'say', 'status': 200, 'body': '{}'",
       "does not contain a token; run", false},
      {"hostile token", login("sso-token", old), "",
       R"('do': 'say', 'status': 200, 'body': '{\u0022accessToken\u0022:\u0022a\\nb\u0022,\u0022expiresIn\u0022:5}')",
       "does not contain a token; run", false},
      {"hostile time", login("sso-token", old), "",
       R"('do': 'say', 'status': 200, 'body': '{\u0022accessToken\u0022:\u0022a\u0022,\u0022expiresIn\u0022:-5}')",
       "does not contain a token; run", false},
      {"not JSON", "{", "", "", "the single sign-on token in", false},
  };
  int next = 0;  // refresh token
  for (const auto& row : rows) {
    INFO(row.about);
    std::string file = row.file;
    if (const size_t at = file.find("refresh-0"); at != file.npos)
      file.replace(at, 9, "refresh-" + std::to_string(next));
    home.write(kCorp, file);
    ::chmod((home / kCorp).c_str(), 0644);
    server.control("{'forget': true, 'faults': [" +
                   (*row.faults ? "{'on': {'service': 'oidc'}, 'times': 9, " + std::string(row.faults) + "}"
                                : std::string()) +
                   "]}");
    AwsSettings s = settings_for(server);
    s.sso_oidc_endpoint = server.url;
    s.profile = row.profile;
    const Found found = find(s);
    CAPTURE(found.problem);
    CHECK(found.key.starts_with("ASIASSO") == !*row.problem);
    if (*row.problem) CHECK(found.problem.find(row.problem) != std::string::npos);
    for (const char* secret : {"sso-token", "revoked", "refresh-", "client-secret"})
      CHECK(found.problem.find(secret) == std::string::npos);
    const std::string now = test::file_text(home / kCorp);
    CHECK((now != file) == row.renewed);
    if (!row.renewed) continue;
    ++next;
    const auto kept = nlohmann::json::parse(now);
    CHECK(kept["accessToken"] == "sso-token-" + std::to_string(next));
    CHECK(kept["refreshToken"] == "refresh-" + std::to_string(next));
    CHECK(kept["other"].dump() == "[{}]");
    CHECK(kept["clientId"] == "client");
    CHECK(std::abs(*parse_timestamp(kept["expiresAt"]) - unix_now() - 3600) < 60);
    struct stat file_now {};
    REQUIRE(::stat((home / kCorp).c_str(), &file_now) == 0);
    CHECK((file_now.st_mode & 0777) == 0600);
  }
}

TEST_CASE("cloud: a run that outlives its token renews it with its keys", "[server]") {
  S3TestServer server;
  test::Folder home;
  Environment here({{"HOME", home.path}});
  write_sign_on(home);
  home.write(kCorp, login("sso-token", unix_now() + 2));
  server.control("{'lifetime': 1}");
  AwsSettings s = settings_for(server);
  s.sso_oidc_endpoint = server.url;
  AwsClient client({}, 0);
  AwsCredentials credentials(s, client, nullptr);
  std::set<std::string> keys;
  for (int i = 0; i < 3; ++i) {
    const auto found = credentials.keys();
    REQUIRE(found);
    keys.insert(found->access_key);
    ::sleep(2);
  }
  CHECK(keys.size() == 3);
  CHECK(nlohmann::json::parse(test::file_text(home / kCorp))["refreshToken"] == "refresh-2");
}

TEST_CASE("cloud: endpoints that the environment and profiles configure") {
  test::Folder home;
  home.write(".aws/config",
             "[default]\nservices = local\nendpoint_url = http://default:1\n"
             "[services local]\ns3 =\n  endpoint_url = http://s3:2\nsso_oidc =\n  endpoint_url = "
             "http://oidc:3\nec2 =\n  endpoint_url = ftp://nobody-asks\n"
             "[profile plain]\nuse_fips_endpoint = true\nuse_dualstack_endpoint = TRUE\n"
             "[profile all]\nendpoint_url = https://all\nservices = missing\n"
             "[profile none]\nendpoint_url = https://all\nignore_configured_endpoint_urls = true\n"
             "[profile bad]\nendpoint_url = all.example.com\n"
             "[profile worse]\nservices = bad\n[services bad]\nsts =\n  endpoint_url = http://u:p@sts\n");
  using Variables = std::vector<std::pair<const char*, std::string>>;
  const struct {
    const char* profile;
    Variables variables;
    const char *s3, *sts, *oidc;  // or, where there is no more, the problem
  } rows[] = {
      {"", {}, "http://s3:2", "http://default:1", "http://oidc:3"},
      {"missing", {}, "", "", ""},
      {"plain", {}, "", "", ""},
      {"all", {}, "https://all", "https://all", "https://all"},
      {"", {{"AWS_PROFILE", "all"}}, "https://all", "https://all", "https://all"},
      {"none", {}, "", "", ""},
      {"none",
       {{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false"}},
       "https://all",
       "https://all",
       "https://all"},
      {"", {{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "True"}, {"AWS_ENDPOINT_URL", "http://x"}}, "", "", ""},
      {"", {{"AWS_ENDPOINT_URL", "http://env"}}, "http://env", "http://env", "http://env"},
      {"all",
       {{"AWS_ENDPOINT_URL", "http://env"}, {"AWS_ENDPOINT_URL_SSO_OIDC", "http://one"}},
       "http://env",
       "http://env",
       "http://one"},
      {"",
       {{"AWS_ENDPOINT_URL", "nothing"}},
       "\"nothing\" of the environment variable AWS_ENDPOINT_URL is",
       nullptr,
       nullptr},
      {"bad", {}, "\"all.example.com\" of the AWS profile \"bad\" is not a URL", nullptr, nullptr},
      {"worse", {}, "of the AWS profile \"worse\" is not a URL", nullptr, nullptr},
  };
  for (const auto& row : rows) {
    INFO(row.profile << " " << (row.variables.empty() ? "" : row.variables[0].first));
    Environment here({{"HOME", home.path}});
    for (const auto& [name, value] : row.variables) ::setenv(name, value.c_str(), 1);
    AwsSettings s;
    s.profile = row.profile;
    const Result<AwsConfigured> found = configured_endpoints(s);
    for (const auto& [name, value] : row.variables) ::unsetenv(name);
    if (!row.sts) {
      REQUIRE(!found);
      CHECK(found.error().message.find(row.s3) != std::string::npos);
      continue;
    }
    REQUIRE(found);
    CHECK(found->of("s3") == row.s3);
    CHECK(found->of("sts") == row.sts);
    CHECK(found->of("sso_oidc") == row.oidc);
    CHECK(found->fips == (row.profile == std::string("plain")));
    CHECK(found->dualstack == found->fips);
  }
}

TEST_CASE("cloud: a program that gives no keys is ended") {
  const AwsSettings s;
  AwsClient client({}, 0);
  const auto began = unix_now();
  const auto keys = keys_of_program({s, client, nullptr, 1000}, "sleep 60");
  REQUIRE_FALSE(keys);
  CHECK(keys.error().message == "the credential_process of the AWS profile did not end within 1 seconds");
  CHECK(unix_now() - began < 20);
}

TEST_CASE(
    "cloud: what a program says besides its keys is shown, but neither acts on a terminal nor is endless") {
  const AwsSettings s;
  AwsClient client({}, 0);
  const test::Folder folder;
  const std::string keys = "echo '{\"Version\":1,\"AccessKeyId\":\"AK\",\"SecretAccessKey\":\"s\"}'";
  // What the command leaves on standard error.
  auto said = [&](const std::string& command) {
    std::fflush(stderr);
    const int before = ::dup(2), file = ::open((folder / "said").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(file, 2);
    const auto found = keys_of_program({s, client, nullptr, 60'000}, command + "; " + keys);
    ::dup2(before, 2);
    ::close(before), ::close(file);
    CHECK(found);
    return *real_fs().read(folder / "said");
  };
  CHECK(said("printf 'Press \\033]0;PWN\\007 the button.\\n' >&2") ==
        "Press \\u001b]0;PWN\\u0007 the button.\n");
  CHECK(said("head -c 3000000 /dev/zero | tr '\\0' x >&2").size() < 100'000);
  CHECK(said("true").empty());
}

TEST_CASE("cloud: keys of containers and machines, when nothing else has any", "[server]") {
  S3TestServer server;
  test::Folder home;
  home.write("token", "container-token\n");
  AwsSettings s = settings_for(server);
  {
    Environment here({{"HOME", home.path},
                      {"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url + "/container/x"},
                      {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "wrong"}});
    CHECK(find(s).problem.find("the container's credential service answered 403") != std::string::npos);
    ::setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", (home / "token").c_str(), 1);
    CHECK(find(s).key.starts_with("ASIACONTAINER"));
    ::setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/x", 1);
    CHECK(find(s).problem.find("must be an https URL") != std::string::npos);
  }
  Environment here({{"HOME", home.path}});
  CHECK(find(s).key.starts_with("ASIAMACHINE"));
  s.metadata = false;
  CHECK(find(s).problem.starts_with("no valid credential sources found: "));
  s.metadata = true;
  for (const char* body :
       {"", "{", "[]", R"({"AccessKeyId":"A"})", R"({"AccessKeyId":5,"SecretAccessKey":[]})",
        R"({"AccessKeyId":"A","SecretAccessKey":"S","Expiration":"soon"})"}) {
    INFO(body);
    CHECK(!keys_in(body, "Token"));
  }
}

TEST_CASE("cloud: the settings' role is assumed on top, with all that belongs to it", "[server]") {
  S3TestServer server;
  Environment here({{"AWS_ACCESS_KEY_ID", "AKIATEST"}, {"AWS_SECRET_ACCESS_KEY", "secretsecret"}});
  AwsSettings s = settings_for(server);
  s.role.emplace();
  s.role->arn = "arn:aws:iam::1:role/top", s.role->external_id = "ext", s.role->session_name = "me";
  s.role->tags = {{"a", "b c"}, {"d", "e"}}, s.role->transitive_tag_keys = {"a"},
  s.role->policy_arns = {"arn:p"};
  s.role->seconds = 3600, s.role->source_identity = "who";
  CHECK(find(s).key.starts_with("ASIAROLE"));
  const auto form = server.log()[0]["form"];
  const std::map<std::string, std::string> expected = {{"Action", "AssumeRole"},
                                                       {"Version", "2011-06-15"},
                                                       {"RoleArn", "arn:aws:iam::1:role/top"},
                                                       {"RoleSessionName", "me"},
                                                       {"ExternalId", "ext"},
                                                       {"SourceIdentity", "who"},
                                                       {"DurationSeconds", "3600"},
                                                       {"PolicyArns.member.1.arn", "arn:p"},
                                                       {"Tags.member.1.Key", "a"},
                                                       {"Tags.member.1.Value", "b c"},
                                                       {"Tags.member.2.Key", "d"},
                                                       {"Tags.member.2.Value", "e"},
                                                       {"TransitiveTagKeys.member.1", "a"}};
  CHECK(form.get<std::map<std::string, std::string>>() == expected);
}

TEST_CASE("cloud: keys are kept, renewed before they end, and used to their end where that fails",
          "[server]") {
  S3TestServer server;
  Environment here({{"AWS_ACCESS_KEY_ID", "AKIATEST"}, {"AWS_SECRET_ACCESS_KEY", "secretsecret"}});
  AwsSettings s = settings_for(server);
  s.role.emplace();
  s.role->arn = "arn:aws:iam::1:role/r";
  AwsClient client({}, 0);
  AwsCredentials credentials(s, client, nullptr);
  const auto first = credentials.keys();
  REQUIRE(first);
  CHECK(credentials.keys()->access_key == first->access_key);
  const std::string other = credentials.keys(first->access_key)->access_key;
  CHECK(other != first->access_key);
  CHECK(credentials.keys(first->access_key)->access_key == other);  // asked by another thread
  // Fewer than five minutes are left: it is renewed, but not at every call.
  server.control("{'lifetime': 200}");
  const std::string second = credentials.keys(other)->access_key;
  CHECK(credentials.keys()->access_key == second);
  server.control("{'lifetime': 1}");
  const std::string third = credentials.keys(second)->access_key;
  ::sleep(2);
  server.control("{'lifetime': 40}");
  const std::string fourth = credentials.keys()->access_key;
  CHECK(fourth != third);
  server.control(
      "{'faults': [{'on': {'service': 'sts'}, 'times': 9, 'do': 'refuse', 'status': 403, 'code': "
      "'AccessDenied'}]}");
  CHECK(credentials.keys()->access_key == fourth);
  CHECK(!credentials.keys(fourth));
}

TEST_CASE("cloud: a clock that is wrong is set right, once", "[server]") {
  S3TestServer server;
  Environment here({});
  AwsClient client({}, 2);
  auto keys = [](const std::string&) -> Result<AwsKeys> { return AwsKeys{"AKIATEST", "secretsecret", ""}; };
  net::Request r;
  r.url = server.url + "/tfb/x";
  for (const auto& [service, clock] : {std::pair("s3", 4000), std::pair("sts", -4000)}) {
    server.control("{'clock': " + std::to_string(clock) + "}");
    if (service == std::string("sts")) {
      r.method = "POST", r.body = "Action=GetCallerIdentity&Version=2011-06-15";
      r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    }
    const auto a = client.send(r, {"us-east-1", service}, keys);
    REQUIRE(a);
    CHECK(a->status == (service == std::string("s3") ? 404 : 200));
    CHECK(std::abs(client.now() - unix_now() - clock) < 5);
  }
}

TEST_CASE("cloud: hosts of services") {
  AwsSettings s;
  CHECK(aws_endpoint(s, "s3", "eu-west-1") == "https://s3.eu-west-1.amazonaws.com");
  CHECK(aws_endpoint(s, "dynamodb", "cn-north-1") == "https://dynamodb.cn-north-1.amazonaws.com.cn");
  CHECK(aws_endpoint(s, "iam", "us-gov-east-1") == "https://iam.us-gov.amazonaws.com");
  CHECK(aws_endpoint(s, "sts", "us-iso-east-1") == "https://sts.us-iso-east-1.c2s.ic.gov");
  CHECK(aws_endpoint(s, "s3", "r", "minio.local/") == "https://minio.local");
  CHECK(aws_endpoint(s, "s3", "r", "http://x:1") == "http://x:1");
  s.dualstack = true;
  CHECK(aws_endpoint(s, "s3", "eu-west-1") == "https://s3.dualstack.eu-west-1.amazonaws.com");
  CHECK(aws_endpoint(s, "dynamodb", "eu-west-1") == "https://dynamodb.eu-west-1.api.aws");
  s.fips = true;
  CHECK(aws_endpoint(s, "s3", "us-east-1") == "https://s3-fips.dualstack.us-east-1.amazonaws.com");
  s.dualstack = false;
  CHECK(aws_endpoint(s, "sts", "us-east-1") == "https://sts-fips.us-east-1.amazonaws.com");
  CHECK(aws_endpoint(s, "sts", "us-gov-west-1") == "https://sts.us-gov-west-1.amazonaws.com");
}

// Where credentials come from: files and variables of a user, and services that the test server plays.
#include <catch2/catch.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
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
      {"", "circle", {}, "leads back to itself"},
      {"", "mfa", {}, "requires a code of a device"},
      {"", "nowhere", {}, "neither source_profile nor a credential_source"},
      {"", "lost", {}, "the AWS profile \"nobody\" does not exist"},
      {"", "missing", env, "the AWS profile \"missing\" does not exist"},
      {"",
       "refused",
       {},
       "the role \"arn:aws:iam::1:role/r\" cannot be assumed: STS answered 403 Forbidden "
       "(SignatureDoesNotMatch"},
      {"", "version2", {}, "printed something else than credentials of version 1"},
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
    CHECK(find(s).problem.find("must have an https URL") != std::string::npos);
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
  CHECK(credentials.keys(true)->access_key != first->access_key);
  // Fewer than five minutes are left: it is renewed, but not at every call.
  server.control("{'lifetime': 200}");
  const std::string second = credentials.keys(true)->access_key;
  CHECK(credentials.keys()->access_key == second);
  server.control("{'lifetime': 1}");
  const std::string third = credentials.keys(true)->access_key;
  ::sleep(2);
  CHECK(credentials.keys()->access_key != third);
  server.control("{'lifetime': 40}");
  const std::string fourth = credentials.keys(true)->access_key;
  server.control(
      "{'faults': [{'on': {'service': 'sts'}, 'times': 9, 'do': 'refuse', 'status': 403, 'code': "
      "'AccessDenied'}]}");
  CHECK(credentials.keys()->access_key == fourth);
  CHECK(!credentials.keys(true));
}

TEST_CASE("cloud: a clock that is wrong is set right, once", "[server]") {
  S3TestServer server;
  Environment here({});
  AwsClient client({}, 2);
  auto keys = [](bool) -> Result<AwsKeys> { return AwsKeys{"AKIATEST", "secretsecret", ""}; };
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

// The arguments of the backend "oss": what they mean together, and what the environment and profiles add.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/backend/oss/settings.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::oss;

namespace {

Settings settings(std::string json) {
  for (char& c : json)
    if (c == '\'') c = '"';
  return parse_settings("oss", json).value();
}

Result<OssSettings> read(const std::string& json) {
  return read_settings(settings("{" + json + "}").values);
}

const std::string kBase = "'bucket':'tfb','region':'cn-beijing'";

}  // namespace

TEST_CASE("oss: the sums over blocks are those that other tools record") {
  const std::string common =
      kBase +
      ",'prefix':'net','access_key':'AKTEST','secret_key':'secretsecret','encrypt':true,"
      "'sts_endpoint':'sts.aliyuncs.com'";
  CHECK(settings("{" + common + ",'assume_role':[]}").hash() == 2968914694u);
  CHECK(settings("{" + common +
                 ",'assume_role':[{'policy':'p','role_arn':'arn','session_expiration':1000,"
                 "'session_name':null}]}")
            .hash() == 1170473939u);
}

TEST_CASE("oss: arguments that are missing, wrong or contradict each other") {
  test::Environment here({{"HOME", "/nonexistent"}});
  const std::string role = ",'assume_role':[{'role_arn':'a','session_expiration':";
  const struct {
    std::string settings;
    const char* begins;  // how the problem begins; empty: there is none
  } table[] = {
      {"'region':'r'", "the argument \"bucket\" is required"},
      {"'bucket':'b'", "the argument \"region\" is required"},
      {"'bucket':'b','endpoint':'oss.test'", ""},
      {"'bucket':'b','endpoint':'oss.test','assume_role_role_arn':'a'",
       "the argument \"region\" is required"},
      {"'bucket':'a.b','region':'r'", "the argument \"bucket\" must be the name of a bucket"},
      {"'bucket':'b','region':'r.x'", "the argument \"region\" must be a region"},
      {kBase, ""},
      {kBase + ",'prefix':''", ""},
      {kBase + ",'prefix':'/a'", "the argument \"prefix\" must not begin with"},
      {kBase + ",'prefix':'./a'", "the argument \"prefix\" must not begin with"},
      {kBase + ",'prefix':'../a'", "the argument \"prefix\" must not begin with \"..\""},
      {kBase + ",'key':'a/'", "the argument \"key\" must not begin or end with"},
      {kBase + ",'key':'../../../a'", "the argument \"key\" must not lead outside of the bucket"},
      {kBase + ",'prefix':'','key':'../a'", "the argument \"key\" must not lead outside of the bucket"},
      {kBase + ",'key':'../a'", ""},
      {kBase + ",'acl':'foo'", "the argument \"acl\" must be \"private\","},
      {kBase + ",'acl':'public-read-write'", ""},
      {kBase + ",'access_key':'a'", "the arguments \"access_key\" and \"secret_key\" must be set together"},
      {kBase + ",'endpoint':'https://x/y'", "the argument \"endpoint\" must be a host name, or a URL"},
      {kBase + ",'sts_endpoint':'ftp://x'", "the argument \"sts_endpoint\" must be a host name, or a URL"},
      {kBase + ",'profile':'none'", "the argument \"profile\" names credentials that are not available"},
      {kBase + ",'tablestore_table':'t'", "the argument \"tablestore_endpoint\" is required together with"},
      {kBase + ",'tablestore_endpoint':'i.ots.test'", ""},
      {kBase + role + "899}]", "the argument \"assume_role.session_expiration\" must be from 900 to 3600"},
      {kBase + role + "3601}]", "the argument \"assume_role.session_expiration\" must be from 900 to 3600"},
      {kBase + ",'assume_role_role_arn':'a','assume_role_session_expiration':0",
       "the argument \"assume_role_session_expiration\" must be from 900 to 3600"},
  };
  for (const auto& t : table) {
    INFO(t.settings);
    const auto s = read(t.settings);
    const std::string problem = s ? "" : s.error().message;
    INFO(problem);
    CHECK((*t.begins ? problem.starts_with(t.begins) : problem.empty()));
  }
}

TEST_CASE("oss: where objects, rows and roles are") {
  test::Environment here({});
  const auto plain = read(kBase);
  REQUIRE(plain);
  CHECK(plain->scheme + plain->host == "https://");  // looked up
  CHECK(plain->alibaba.sts == "https://sts.cn-beijing.aliyuncs.com");
  CHECK(plain->prefix == "env:");
  CHECK(plain->key == "terraform.tfstate");
  CHECK(read(kBase + ",'prefix':''")->prefix.empty());
  CHECK(read(kBase + ",'prefix':'a//b/'")->prefix == "a/b");
  const auto own = read(kBase +
                        ",'endpoint':'http://127.0.0.1:80','sts_endpoint':'sts.test','tablestore_table':'t',"
                        "'tablestore_endpoint':'inst.cn-beijing.ots.aliyuncs.com'");
  REQUIRE(own);
  CHECK(own->scheme + own->host == "http://127.0.0.1:80");
  CHECK(own->alibaba.sts == "https://sts.test");
  CHECK(own->table_url == "https://inst.cn-beijing.ots.aliyuncs.com");
  CHECK(own->instance == "inst");
}

TEST_CASE("oss: which role is assumed") {
  test::Environment here({});
  const std::string flat = ",'assume_role_role_arn':'flat'";
  const std::string block =
      ",'assume_role':[{'role_arn':'block','session_name':'n','policy':'p','session_expiration':1000}]";
  const struct {
    std::string settings, environment;  // the ARN there
    const char *arn, *session, *policy;
    int64_t seconds;
  } table[] = {
      {"", "", "", "", "", 0},
      {"", "env", "env", "terraform", "", 3600},
      {flat, "env", "flat", "terraform", "", 3600},
      {block, "", "block", "n", "p", 1000},
      {block, "env", "env", "terraform", "", 3600},
      {flat + block, "", "flat", "terraform", "", 3600},
      {flat + ",'assume_role_session_name':'x','assume_role_policy':'q'", "", "flat", "x", "q", 3600},
      {",'assume_role_session_name':'x'", "", "", "", "", 0},
      {",'assume_role':[{'role_arn':''}]", "", "", "", "", 0},
  };
  for (const auto& t : table) {
    INFO(t.settings << " " << t.environment);
    test::Environment arn({{"ALICLOUD_ASSUME_ROLE_ARN", t.environment}});
    const auto s = read(kBase + t.settings);
    REQUIRE(s);
    const cloud::AlibabaRole role = s->alibaba.role.value_or(cloud::AlibabaRole{"", "", "", 0});
    CHECK(role.arn == t.arn);
    CHECK(role.session_name == t.session);
    CHECK(role.policy == t.policy);
    CHECK(role.seconds == t.seconds);
  }
}

TEST_CASE("oss: profiles") {
  test::Folder folder;
  folder.write("config.json", R"({"profiles": [5, {"name": 5},
    {"name": "keys", "mode": "AK", "access_key_id": "a", "access_key_secret": "s", "sts_token": "no", "region_id": "cn-x"},
    {"name": "token", "mode": "StsToken", "access_key_id": "a", "access_key_secret": "s", "sts_token": "t"},
    {"name": "role", "mode": "RamRoleArn", "access_key_id": "a", "access_key_secret": "s", "ram_role_arn": "r",
     "ram_session_name": "n", "expired_seconds": 1200},
    {"name": "machine", "mode": "EcsRamRole", "ram_role_name": "m", "access_key_id": "no"}]})");
  folder.write("bad.json", "x{");
  test::Environment here({});
  const std::string file = ",'shared_credentials_file':'" + (folder / "config.json") + "','profile':";
  const auto of = [&](const std::string& rest) { return read("'bucket':'b','endpoint':'oss.test'" + rest); };

  const auto keys = of(file + "'keys'");
  REQUIRE(keys);
  CHECK(keys->alibaba.keys.id == "a");
  CHECK(keys->alibaba.keys.token.empty());
  CHECK(keys->alibaba.region == "cn-x");
  CHECK(of(file + "'keys','region':'cn-y'")->alibaba.region == "cn-y");
  CHECK(of(file + "'token'")->alibaba.keys.token == "t");
  CHECK(of(file + "'machine'")->alibaba.machine_role == "m");
  CHECK(of(file + "'machine'")->alibaba.keys.id.empty());
  const auto role = of(file + "'role','region':'r'");
  REQUIRE((role && role->alibaba.role));
  CHECK(role->alibaba.role->arn == "r");
  CHECK(role->alibaba.role->session_name == "n");
  CHECK(role->alibaba.role->seconds == 1200);
  const auto other = of(file + "'role','region':'r','assume_role_role_arn':'own'");
  CHECK(other->alibaba.role->arn == "own");
  CHECK(other->alibaba.role->session_name == "n");
  CHECK(of(file + "'role','access_key':'k','secret_key':'s'")->alibaba.keys.id ==
        "k");  // nothing of the profile
  CHECK(!of(file + "'role','access_key':'k','secret_key':'s'")->alibaba.role);
  CHECK(of(file + "'none'").error().message.find("names a profile that the file") != std::string::npos);
  const std::string bad = ",'profile':'x','shared_credentials_file':'" + (folder / "bad.json") + "'";
  CHECK(of(bad).error().message.find("names credentials in") != std::string::npos);
}

TEST_CASE("oss: what the environment says") {
  test::Environment here({{"ALICLOUD_ACCESS_KEY_ID", "id"},
                          {"ALICLOUD_ACCESS_KEY_SECRET", "key"},
                          {"ALICLOUD_SECURITY_TOKEN", "token"},
                          {"ALICLOUD_DEFAULT_REGION", "cn-x"},
                          {"OSS_ENDPOINT", "http://oss.test"},
                          {"ALICLOUD_TABLESTORE_ENDPOINT", "i.ots.test"},
                          {"ALICLOUD_ECS_ROLE_NAME", "m"},
                          {"ALICLOUD_STS_ENDPOINT", "sts.test"}});
  const auto s = read("'bucket':'b','tablestore_table':'t'");
  REQUIRE(s);
  CHECK(s->alibaba.keys.id == "id");
  CHECK(s->alibaba.keys.key == "key");
  CHECK(s->alibaba.keys.token == "token");
  CHECK(s->alibaba.region == "cn-x");
  CHECK(s->scheme + s->host == "http://oss.test");
  CHECK(s->table_url == "https://i.ots.test");
  CHECK(s->alibaba.machine_role == "m");
  CHECK(s->alibaba.sts == "https://sts.test");
  test::Environment both({{"ALICLOUD_ACCESS_KEY", "first"},
                          {"ALICLOUD_ACCESS_KEY_ID", "second"},
                          {"ALICLOUD_SECRET_KEY", "first"},
                          {"ALICLOUD_ACCESS_KEY_SECRET", "second"},
                          {"ALICLOUD_REGION", "cn-y"},
                          {"ALICLOUD_DEFAULT_REGION", "cn-z"}});
  const auto first = read("'bucket':'b'");
  REQUIRE(first);
  CHECK(first->alibaba.keys.id == "first");
  CHECK(first->alibaba.keys.key == "first");
  CHECK(first->alibaba.region == "cn-y");
}

// The arguments of the backend "s3": what is recorded of them, what they mean, and what is wrong with them.
#include "core/backend/s3/settings.h"

#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/backend/s3/checks.h"
#include "tests/support/folder.h"
#include "tests/support/s3_server.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::s3;

namespace {

Settings settings(std::string json) {
  for (char& c : json)
    if (c == '\'') c = '"';
  return parse_settings("s3", json).value();
}

const std::string kBase = "'bucket':'b','key':'k','region':'us-east-1'";

std::string problem(const std::string& more) {
  const auto read = read_settings(settings("{" + kBase + (more.empty() ? "" : ",") + more + "}").values);
  return read ? "" : read.error().message;
}

}  // namespace

TEST_CASE("s3: the sums over blocks are those that other tools record") {
  CHECK(settings(
            "{'access_key':'AKIATEST','bucket':'tfb','dynamodb_table':'locks','endpoints':{'dynamodb':"
            "'http://127.0.0.1:15671','iam':'http://127.0.0.1:15671','s3':'http://"
            "127.0.0.1:15671','sso':null,'sts':"
            "'http://127.0.0.1:15671'},'key':'a b/st+ate','region':'us-east-1','secret_key':'secretsecret',"
            "'use_lockfile':true,'use_path_style':true}")
            .hash() == 2276742945u);
  CHECK(
      settings(
          "{'access_key':'AKIATEST','allowed_account_ids':['123456789012'],'assume_role':{'duration':null,"
          "'external_id':null,'policy':null,'policy_arns':['arn:aws:iam::123456789012:policy/x'],'role_arn':"
          "'arn:aws:iam::123456789012:role/x','session_name':null,'source_identity':null,'tags':{'a':'b'},"
          "'transitive_tag_keys':['a']},'bucket':'tfb','encrypt':true,'endpoints':{'dynamodb':null,'iam':"
          "'http://127.0.0.1:15671','s3':'http://127.0.0.1:15671','sso':null,'sts':'http://127.0.0.1:15671'},"
          "'key':'x','max_retries':3,'region':'us-east-1','secret_key':'secretsecret',"
          "'skip_credentials_validation':true,'use_lockfile':true,'use_path_style':true}")
          .hash() == 3117560752u);
}

TEST_CASE("s3: arguments that are missing, wrong or contradict each other") {
  test::Environment here({});
  CHECK(read_settings(settings("{}").values)
            .error()
            .message.starts_with("the arguments \"bucket\" and \"key\" are required; set them in"));
  CHECK(read_settings(settings("{'bucket':'b'}").values)
            .error()
            .message.starts_with("the argument \"key\" is required; set it in"));
  CHECK(read_settings(settings("{'bucket':'b','key':'k'}").values)
            .error()
            .message.starts_with("the region is not known"));
  CHECK(problem("") == "");
  const struct {
    const char *more, *begins;
  } table[] = {
      {"'workspace_key_prefix':'/a'",
       "the argument \"workspace_key_prefix\" must not begin or end with \"/\""},
      {"'workspace_key_prefix':'a/'", "the argument \"workspace_key_prefix\" must not"},
      {"'bucket':'a/b'", "the argument \"bucket\" must be the name of a bucket"},
      {"'region':'mars'", "the argument \"region\" must be a region of AWS"},
      {"'region':'us-esat-1'",
       "the argument \"region\" must be a region of AWS, not \"us-esat-1\"; did you mean "
       "\"us-east-1\"? Otherwise, "},
      {"'region':'xx-west-1'", "the argument \"region\" must be a region of AWS"},
      {"'region':'mars','skip_region_validation':true", ""},
      {"'region':'us-gov-west-1'", ""},
      {"'region':'us-east-1.evil.com/','skip_region_validation':true",
       "the argument \"region\" must consist"},
      {"'kms_key_id':'abc'", "the argument \"kms_key_id\" must be the id"},
      {"'kms_key_id':'alias/a-b'", ""},
      {"'kms_key_id':'12345678-1234-1234-9234-123456789012'", ""},
      {"'kms_key_id':'12345678-1234-6234-9234-123456789012'", "the argument \"kms_key_id\""},
      {"'kms_key_id':'arn:aws:kms:us-east-1:123456789012:key/mrk-0123456789abcdef0123456789abcdef'", ""},
      {"'kms_key_id':'arn:aws:kms:us-east-1:1:key/mrk-0123456789abcdef0123456789abcdef'",
       "the argument \"kms_key_id\""},
      {"'sse_customer_key':'abc'", "the argument \"sse_customer_key\" must be 44 characters"},
      {"'sse_customer_key':'0123456789012345678901234567890123456789012!'",
       "the argument \"sse_customer_key\" must be the base64"},
      {"'sse_customer_key':'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=','kms_key_id':'alias/a'",
       "the arguments \"kms_key_id\" and"},
      {"'allowed_account_ids':['1'],'forbidden_account_ids':['2']",
       "the arguments \"allowed_account_ids\" and"},
      {"'use_path_style':true,'force_path_style':true", "the arguments \"use_path_style\" and"},
      {"'access_key':'AK'", "the arguments \"access_key\" and \"secret_key\" must be set together"},
      {"'retry_mode':'x'", "the argument \"retry_mode\" must be"},
      // As where a variable of a pipeline is not set.
      {"'kms_key_id':''", "the argument \"kms_key_id\" must not be empty"},
      {"'sse_customer_key':''", "the argument \"sse_customer_key\" must not be empty"},
      {"'retry_mode':''", "the argument \"retry_mode\" must not be empty"},
      {"'retry_mode':'legacy'", "the argument \"retry_mode\" must be"},
      {"'retry_mode':'Standard'", "the argument \"retry_mode\" must be"},
      {"'retry_mode':'adaptive'", ""},
      {"'ec2_metadata_service_endpoint':''",
       "the argument \"ec2_metadata_service_endpoint\" must not be empty"},
      {"'ec2_metadata_service_endpoint':'localhost'",
       "the argument \"ec2_metadata_service_endpoint\" must begin"},
      {"'ec2_metadata_service_endpoint_mode':''",
       "the argument \"ec2_metadata_service_endpoint_mode\" must not be empty"},
      {"'ec2_metadata_service_endpoint_mode':'ipv6'",
       "the argument \"ec2_metadata_service_endpoint_mode\" must be \"IPv4\" or"},
      {"'ec2_metadata_service_endpoint_mode':'IPv6'", ""},
      {"'key':' '", "the argument \"key\" must be more than spaces"},
      {"'key':'a//b'", "the argument \"key\" must be more than spaces, and must not contain \"//\""},
      {"'workspace_key_prefix':'a//b'", ""},
      {"'bucket':' '", "the argument \"bucket\" must be the name of a bucket"},
      {"'dynamodb_table':'','acl':'','profile':''", ""},  // nor does the reference refuse them
      {"'endpoint':'http://x','endpoints':{'s3':'http://x'}",
       "the arguments \"endpoint\" and \"endpoints.s3\" cannot be used together"},
      {"'dynamodb_endpoint':'','endpoints':{'dynamodb':'http://x'}",
       "the arguments \"dynamodb_endpoint\" and \"endpoints.dynamodb\" cannot"},
      {"'endpoint':'http://x','endpoints':{'sts':'http://x'}", ""},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','external_id':''}",
       "the argument \"assume_role.external_id\" must not be empty"},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','policy':''}",
       "the argument \"assume_role.policy\" must not be empty"},
      {"'max_retries':1.5", "the argument \"max_retries\" must be a whole number"},
      {"'endpoints':{'s3':'ftp://x'}", "the argument \"endpoints.s3\" must be a URL"},
      {"'endpoints':{'sso':'ftp://x'}", "the argument \"endpoints.sso\" must be a URL"},
      {"'endpoint':'ftp://x'", "the argument \"endpoint\" must be a URL"},
      {"'ec2_metadata_service_endpoint_mode':'x'",
       "the argument \"ec2_metadata_service_endpoint_mode\" must be"},
      {"'assume_role':{}", "the argument \"assume_role.role_arn\" is required"},
      {"'assume_role':{'role_arn':'x'}", "the argument \"assume_role.role_arn\" must be an ARN"},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','duration':'1m'}",
       "the argument \"assume_role.duration\" must be between"},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','duration':'1h','external_id':'e'}",
       "the argument \"assume_role.external_id\""},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','policy':'{'}",
       "the argument \"assume_role.policy\" must be a JSON document"},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','policy':'{}'}", ""},
      {"'assume_role':{'role_arn':'arn:aws:iam::1:role/x','source_identity':'a b'}",
       "the argument \"assume_role.source_identity\" must have"},
      {"'assume_role_with_web_identity':{'role_arn':'arn:aws:iam::1:role/x','web_identity_token':'t',"
       "'web_identity_token_file':'f'}",
       "the arguments web_identity_token and web_identity_token_file of"},
      {"'assume_role_with_web_identity':{'role_arn':'arn:aws:iam::1:role/x'}",
       "\"assume_role_with_web_identity\" requires"},
      {"'role_arn':'arn:aws:iam::1:role/x'", ""},
      {"'role_arn':'x'", "the argument \"assume_role.role_arn\" must be an ARN"},
      {"'session_name':'s'", "the argument \"session_name\" has no effect without the argument \"role_arn\""},
      {"'role_arn':'arn:aws:iam::1:role/x','assume_role_duration_seconds':60",
       "the argument \"assume_role.duration\" must be between"},
      {"'role_arn':'arn:aws:iam::1:role/x','assume_role':{'role_arn':'arn:aws:iam::1:role/x'}",
       "the argument \"role_arn\" and the block \"assume_role\" cannot be used together"},
      {"'custom_ca_bundle':'/nowhere/ca.pem'", "the certificates of \"custom_ca_bundle\" are not available"},
  };
  for (const auto& t : table) {
    INFO(t.more);
    const std::string found = problem(t.more);
    INFO(found);
    CHECK((*t.begins ? found.starts_with(t.begins) : found.empty()));
    CHECK(found.find("0123456789012345678901234567890123456789012!") == std::string::npos);
  }
}

TEST_CASE("s3: tags, and the role outside of its block, as OpenTofu has them") {
  test::Environment here({});
  const auto s =
      read_settings(settings("{" + kBase +
                             ",'state_tags':{'b':'/ ','a':'1'},'lock_tags':{'l':'2'},"
                             "'role_arn':'arn:aws:iam::1:role/x','session_name':'sn','external_id':'ext',"
                             "'assume_role_duration_seconds':1800,'assume_role_policy':'{}',"
                             "'assume_role_policy_arns':['arn:aws:iam::1:policy/p'],"
                             "'assume_role_tags':{'t':'u'},'assume_role_transitive_tag_keys':['t']}")
                        .values);
  REQUIRE(s);
  CHECK(s->state_tags == "a=1&b=%2F%20");
  CHECK(s->lock_tags == "l=2");
  REQUIRE(s->aws.role);
  CHECK(s->aws.role->arn == "arn:aws:iam::1:role/x");
  CHECK(s->aws.role->session_name == "sn");
  CHECK(s->aws.role->external_id == "ext");
  CHECK(s->aws.role->seconds == 1800);
  CHECK(s->aws.role->policy == "{}");
  CHECK(s->aws.role->policy_arns == std::vector<std::string>{"arn:aws:iam::1:policy/p"});
  CHECK(s->aws.role->tags.at("t") == "u");
  CHECK(s->aws.role->transitive_tag_keys == std::vector<std::string>{"t"});
}

TEST_CASE("s3: what the environment says, and what comes before it") {
  test::Environment here({{"AWS_REGION", "eu-west-1"},
                          {"AWS_ENDPOINT_URL", "http://all"},
                          {"AWS_ENDPOINT_URL_S3", "http://s3"},
                          {"AWS_STS_ENDPOINT", "sts.example.com"},
                          {"AWS_USE_FIPS_ENDPOINT", "true"},
                          {"AWS_EC2_METADATA_DISABLED", "true"},
                          {"HTTPS_PROXY", "http://p:1"},
                          {"NO_PROXY", "a,b"},
                          {"AWS_SHARED_CREDENTIALS_FILE", "/c"},
                          {"AWS_CONFIG_FILE", "/d"}});
  auto s = read_settings(settings("{'bucket':'b','key':'k'}").values);
  REQUIRE(s);
  CHECK(s->region == "eu-west-1");
  CHECK(s->s3_endpoint == "http://s3");
  CHECK(s->dynamodb_endpoint == "http://all");
  CHECK(s->aws.sts_endpoint == "sts.example.com");
  CHECK(s->aws.fips);
  CHECK(!s->aws.metadata);
  CHECK(s->client.proxies->https == "http://p:1");
  CHECK(s->client.proxies->http == "");
  CHECK(s->client.proxies->except == "a,b");
  CHECK(s->aws.credentials_files == std::vector<std::string>{"/c"});
  CHECK(s->prefix == "env:");
  CHECK(s->retries == 4);
  CHECK(s->ask_account);
  s = read_settings(
      settings("{" + kBase +
               ",'endpoint':'http://flat','endpoints':{'sts':'http://n'},'max_retries':0,"
               "'http_proxy':'http://q:2','skip_credentials_validation':true,'use_fips_endpoint':false,"
               "'shared_credentials_files':['/x','/y'],'workspace_key_prefix':'ws'}")
          .values);
  REQUIRE(s);
  CHECK(s->region == "us-east-1");
  CHECK(s->s3_endpoint == "http://flat");
  CHECK(s->aws.sts_endpoint == "http://n");
  CHECK(s->retries == 0);
  CHECK(!s->ask_account);
  CHECK(!s->aws.fips);
  CHECK(s->aws.credentials_files.size() == 2);
  CHECK(s->prefix == "ws");
}

// The arguments of the backend "azurerm": what is recorded of them, what they mean, and what is wrong with
// them.
#include "core/backend/azurerm/settings.h"

#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/base/base64.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::azurerm;
using Source = cloud::AzureIdentity::Source;

namespace {

Settings settings(std::string json) {
  for (char& c : json)
    if (c == '\'') c = '"';
  return parse_settings("azurerm", json).value();
}

const std::string kBase = "'storage_account_name':'tfacct','container_name':'tfc','key':'k'";

Result<AzurermSettings> read(const std::string& more) {
  return read_settings(settings("{" + kBase + (more.empty() ? "" : ",") + more + "}").values);
}

}  // namespace

TEST_CASE("azurerm: the sums over blocks are those that other tools record") {
  CHECK(settings("{'storage_account_name':'tfacct','container_name':'tfc','key':'net/terraform.tfstate'}")
            .hash() == 2981553666u);
}

TEST_CASE("azurerm: arguments that are missing, wrong or contradict each other") {
  test::Environment here({});
  test::Folder folder;
  folder.write("id", "client\n");
  CHECK(
      read_settings(settings("{}").values).error().message ==
      "the arguments \"storage_account_name\", \"container_name\" and \"key\" are required; set them in the "
      "backend block, or with -backend-config=\"storage_account_name=…\" "
      "-backend-config=\"container_name=…\" "
      "-backend-config=\"key=…\"");
  const std::string application = "'use_azuread_auth':true,'tenant_id':'t','client_id':'c',";
  const struct {
    std::string more, begins;  // empty: fine
  } table[] = {
      {"",
       "no credentials for the storage account are configured; set \"access_key\" or \"sas_token\", for "
       "example in "
       "the environment variables ARM_ACCESS_KEY and ARM_SAS_TOKEN"},
      {"'access_key':'c2VjcmV0a2V5'", ""},
      {"'access_key':'hunter2!'",
       "the argument \"access_key\" must be a key of the storage account, in base64"},
      {"'sas_token':'?sv=1&sig=x'", ""},
      {"'sas_token':'a b'", "the argument \"sas_token\" must consist of arguments of a URL"},
      {"'sas_token':'x','storage_account_name':'TF_acct'",
       "the argument \"storage_account_name\" must have 3 to 24 lower-case letters and digits"},
      {"'sas_token':'x','storage_account_name':'a.evil'", "the argument \"storage_account_name\" must"},
      {"'sas_token':'x','container_name':'a/b'", "the argument \"container_name\" must have 3 to 63"},
      {"'sas_token':'x','container_name':'$web'", ""},
      {"'sas_token':'x','key':'a b/env:é+~'", ""},
      {"'sas_token':'x','key':'a%41'", "the argument \"key\" must not contain \"%\""},
      {"'sas_token':'x','environment':'USGovernment'", ""},
      {"'sas_token':'x','environment':'german'", "the argument \"environment\" must be \"public\""},
      {"'sas_token':'x','environment':'german','metadata_host':'management.example.com:8080'", ""},
      {"'sas_token':'x','metadata_host':'https://a'",
       "the argument \"metadata_host\" must be the name of a host"},
      {"'sas_token':'x','metadata_host':'a/b'", "the argument \"metadata_host\" must"},
      {"'sas_token':'x','lookup_blob_endpoint':true",
       "the argument \"resource_group_name\" is required with \"lookup_blob_endpoint\""},
      {"'sas_token':'x','timeout_seconds':30,'encryption_scope':'s'", ""},
      {"'sas_token':'x','timeout_seconds':-1",
       "the argument \"timeout_seconds\" must be between 0 and 86400"},
      {"'sas_token':'x','timeout_seconds':1.5", "the argument \"timeout_seconds\" must be a whole number"},
      {"'sas_token':'x','customer_provided_key':'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='", ""},
      {"'sas_token':'x','customer_provided_key':'aHVudGVyMg=='",
       "the argument \"customer_provided_key\" must be the base64 form of 32 bytes"},
      {"'sas_token':'x','encryption_scope':'s','customer_provided_key':'x'",
       "the arguments \"customer_provided_key\" and \"encryption_scope\" cannot be used together"},
      {"'resource_group_name':'g'", ""},
      {"'resource_group_name':'g','use_msi':true", "the subscription is not known; set \"subscription_id\""},
      {"'resource_group_name':'g','use_msi':true,'subscription_id':'s'", ""},
      {"'use_azuread_auth':true,'use_cli':false", "the arguments do not describe an identity"},
      {application + "'client_secret':'s'", ""},
      {application + "'client_certificate':'?'",
       "the argument \"client_certificate\" must be the base64 form of a PKCS#12 file"},
      {application + "'client_certificate_path':'/nowhere/x'",
       "the file that the argument \"client_certificate_path\" names cannot be read: "},
      {application + "'client_id_file_path':'" + (folder / "id") + "'",
       "the argument \"client_id\" and the file of \"client_id_file_path\" have different values; remove one "
       "of them"},
      {application + "'use_aks_workload_identity':true",
       "the argument \"use_aks_workload_identity\" requires the environment variables of a workload "
       "identity"},
  };
  for (const auto& t : table) {
    INFO(t.more);
    const auto found = read(t.more);
    const std::string problem = found ? "" : found.error().message;
    INFO(problem);
    CHECK((t.begins.empty() ? problem.empty() : problem.starts_with(t.begins)));
    CHECK(problem.find("hunter2") == problem.npos);
  }
}

TEST_CASE("azurerm: variables of the environment stand for arguments") {
  test::Environment here({{"ARM_ACCESS_KEY", "c2VjcmV0a2V5"},
                          {"ARM_SNAPSHOT", "true"},
                          {"ARM_ENVIRONMENT", "china"},
                          {"ARM_USE_AZUREAD", "1"}});
  const auto s = read("");
  REQUIRE(s);
  CHECK(s->access_key == "secretkey");
  CHECK(s->snapshot);
  CHECK(s->as_identity);
  CHECK(s->cloud.storage_suffix == "core.chinacloudapi.cn");
  ::setenv("ARM_USE_AZUREAD", "maybe", 1);
  CHECK(read("").error().message == "the argument \"use_azuread_auth\" must be true or false, not \"maybe\"");
}

TEST_CASE("azurerm: the first source of tokens that has all that it takes counts") {
  test::Folder folder;
  folder.write("id", "client\n");
  folder.write("secret", " s\n");
  const std::string app = "'tenant_id':'t','client_id':'c',";
  const std::string secret = "'client_secret':'s',", oidc = "'use_oidc':true,", msi = "'use_msi':true,";
  const std::string asks = "'oidc_request_url':'https://a','oidc_request_token':'b',";
  const struct {
    std::string arguments;
    Source expected;
    std::string client = "c";
  } table[] = {
      {app + secret + "'client_certificate':'YQ==',", Source::Certificate},
      {app + secret + oidc + "'oidc_token':'x'," + msi, Source::Secret},
      {secret + msi, Source::Machine, ""},
      {secret, Source::Program, ""},
      {app + oidc + "'oidc_token':'x'," + asks, Source::Assertion},
      {app + oidc + "'oidc_token_file_path':'x'," + asks, Source::Assertion},
      {app + oidc + asks, Source::RequestedToken},
      {app + oidc + asks + "'ado_pipeline_service_connection_id':'x',", Source::AzureDevOps},
      {app + oidc + asks + "'ado_service_connection_id':'x',", Source::AzureDevOps},
      {app + asks + msi, Source::Machine},
      {app + oidc + msi, Source::Machine},
      {app + oidc, Source::Program},
      {"'tenant_id':'t','client_id_file_path':'" + (folder / "id") + "','client_secret_file_path':'" +
           (folder / "secret") + "',",
       Source::Secret, "client"},
  };
  for (const auto& t : table) {
    INFO(t.arguments);
    test::Environment here({});
    const auto s = read(t.arguments + "'use_azuread_auth':true");
    REQUIRE(s);
    CHECK(s->identity.source == t.expected);
    CHECK(s->identity.client == t.client);
  }
  test::Environment pod(
      {{"AZURE_FEDERATED_TOKEN_FILE", "/f"}, {"AZURE_CLIENT_ID", "c"}, {"AZURE_TENANT_ID", "t"}});
  const auto s = read("'use_aks_workload_identity':true,'use_azuread_auth':true");
  REQUIRE(s);
  CHECK(s->identity.source == Source::Assertion);
  CHECK(s->identity.assertion_file == "/f");
  CHECK(s->identity.tenant == "t");
  CHECK(read("'use_aks_workload_identity':true,'use_azuread_auth':true,'client_id':'other'")
            .error()
            .message.starts_with("the argument \"client_id\" and AZURE_CLIENT_ID of the workload identity "
                                 "have different values"));
  CHECK(read(app + oidc + "'use_azuread_auth':true")->identity.assertion_file == "/f");
}

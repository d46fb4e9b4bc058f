// The arguments of the backend "gcs": what is recorded of them, what they mean, and what is wrong with them.
#include "core/backend/gcs/settings.h"

#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::gcs;

namespace {

Settings settings(std::string json) {
  for (char& c : json)
    if (c == '\'') c = '"';
  return parse_settings("gcs", json).value();
}

const std::string kKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

}  // namespace

TEST_CASE("gcs: the sums over blocks are those that other tools record") {
  CHECK(settings("{'access_token':'tok','bucket':'tfb','prefix':'net','storage_custom_endpoint':"
                 "'http://127.0.0.1:14200/storage/v1/'}")
            .hash() == 39801879u);
  CHECK(settings("{'access_token':'tok','bucket':'tfb','credentials':'c',"
                 "'impersonate_service_account_delegates':['d','f'],'kms_encryption_key':'e','prefix':'p',"
                 "'storage_custom_endpoint':'http://127.0.0.1:14200/storage/v1/'}")
            .hash() == 905283552u);
}

TEST_CASE("gcs: arguments that are missing, wrong or contradict each other") {
  test::Folder folder;
  folder.write("good.key", kKey + "\n");
  folder.write("bad.key", "hush-content");
  test::Environment here({{"HOME", folder.path}});
  const struct {
    std::string settings, expected;  // expected: how the problem begins; empty: there is none
  } table[] = {
      {"", "the argument \"bucket\" is required"},
      {"'bucket':'a/b'", "the argument \"bucket\" must be the name of a bucket"},
      {"'bucket':'b'", ""},
      {"'bucket':'b','prefix':'../x'", "the argument \"prefix\" must not begin with \"..\""},
      {"'bucket':'b','prefix':'a\\u0007'", "the argument \"prefix\" must not contain control characters"},
      {"'bucket':'b','prefix':'" + std::string(901, 'x') + "'",
       "the argument \"prefix\" must have at most 900 bytes"},
      {"'bucket':'b','encryption_key':'" + kKey + "'", ""},
      {"'bucket':'b','encryption_key':'~/good.key'", ""},
      {"'bucket':'b','encryption_key':'" + folder / "good.key" + "'", ""},
      {"'bucket':'b','encryption_key':'~/bad.key'",
       "the argument \"encryption_key\" must be the base64 form of 32 bytes, or the path"},
      {"'bucket':'b','encryption_key':'aHVzaA=='", "the argument \"encryption_key\" must be the base64 form"},
      {"'bucket':'b','encryption_key':'hush!'", "the argument \"encryption_key\" must be the base64 form"},
      {"'bucket':'b','encryption_key':'','kms_encryption_key':'k'",
       "the arguments \"encryption_key\" (or GOOGLE_ENCRYPTION_KEY) and \"kms_encryption_key\""},
      {"'bucket':'b','encryption_key':'" + kKey + "','kms_encryption_key':'k'",
       "the arguments \"encryption_key\" (or GOOGLE_ENCRYPTION_KEY) and \"kms_encryption_key\""},
      {"'bucket':'b','kms_encryption_key':'k\\n'", "the argument \"kms_encryption_key\" must not contain"},
      {"'bucket':'b','storage_custom_endpoint':'storage.example.com'",
       "the argument \"storage_custom_endpoint\" must be a URL"},
      {"'bucket':'b','storage_custom_endpoint':'ftp://x'",
       "the argument \"storage_custom_endpoint\" must be"},
      {"'bucket':'b','universe_domain':'a/b'",
       "the argument \"universe_domain\" must be the name of a domain"},
      {"'bucket':'b','storage_custom_endpoint':'https://x/?y'",
       "the argument \"storage_custom_endpoint\" must be"},
  };
  for (const auto& t : table) {
    INFO(t.settings);
    const auto read = read_settings(settings("{" + t.settings + "}").values);
    const std::string found = read ? "" : read.error().message;
    INFO(found);
    CHECK((t.expected.empty() ? found.empty() : found.starts_with(t.expected)));
    CHECK(found.find("hush") == std::string::npos);
  }
}

TEST_CASE("gcs: prefixes and endpoints as the reference tools understand them") {
  test::Environment here({});
  for (const auto& [said, expected] : std::map<std::string, std::string>{{"", ""},
                                                                         {"/", ""},
                                                                         {"//a/b/", "a/b"},
                                                                         {"a//b", "a/b"},
                                                                         {"./d", "d"},
                                                                         {"a/../c", "c"},
                                                                         {"a b+é", "a b+é"}}) {
    INFO(said);
    CHECK(read_settings(settings("{'bucket':'b','prefix':'" + said + "'}").values)->prefix == expected);
  }
  for (const auto& [said, expected] : std::map<std::string, std::string>{
           {"http://h:1/storage/v1/", "http://h:1/storage/v1/"},
           {"https://x.p.googleapis.com/storage/v1/b", "https://x.p.googleapis.com/storage/v1/"},
           {"https://h", "https://h/"}}) {
    INFO(said);
    const std::string json = "{'bucket':'b','storage_custom_endpoint':'" + said + "'}";
    CHECK(read_settings(settings(json).values)->base == expected);
  }
  CHECK(read_settings(settings("{'bucket':'b'}").values)->base ==
        "https://storage.googleapis.com/storage/v1/");
  // Another domain of services: its own storage, and whoever impersonates there.
  const auto elsewhere =
      read_settings(settings("{'bucket':'b','universe_domain':'apis-berlin.cloud'}").values);
  CHECK(elsewhere->base == "https://storage.apis-berlin.cloud/storage/v1/");
  CHECK(elsewhere->google.universe == "apis-berlin.cloud");
}

TEST_CASE("gcs: what the environment says, and what comes before it") {
  test::Environment here({{"GOOGLE_OAUTH_ACCESS_TOKEN", "t"},
                          {"GOOGLE_CREDENTIALS", "general"},
                          {"GOOGLE_IMPERSONATE_SERVICE_ACCOUNT", "general@x"},
                          {"GOOGLE_KMS_ENCRYPTION_KEY", "kms"},
                          {"GOOGLE_STORAGE_CUSTOM_ENDPOINT", "https://general/"}});
  const Settings only = settings("{'bucket':'b'}");
  auto s = read_settings(only.values);
  REQUIRE(s);
  CHECK(s->google.access_token.bytes() == "t");
  CHECK(s->google.credentials == "general");
  CHECK(s->google.impersonate == "general@x");
  CHECK(s->google.scopes ==
        std::vector<std::string>{"https://www.googleapis.com/auth/devstorage.read_write"});
  CHECK(s->kms_key == "kms");
  CHECK(s->base == "https://general/");
  {
    test::Environment more({{"GOOGLE_BACKEND_CREDENTIALS", "own"},
                            {"GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT", "own@x"},
                            {"GOOGLE_ENCRYPTION_KEY", kKey},
                            {"GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT", "https://own/"}});
    s = read_settings(only.values);
    REQUIRE(s);
    CHECK(s->google.credentials == "own");
    CHECK(s->google.impersonate == "own@x");
    CHECK(s->customer_key == "01234567890123456789012345678901");
    CHECK(s->base == "https://own/");
  }
  test::Environment emulator({{"STORAGE_EMULATOR_HOST", "localhost:4443"}});
  s = read_settings(settings("{'bucket':'b','impersonate_service_account_delegates':['d']}").values);
  REQUIRE(s);
  CHECK(s->anonymous);
  CHECK(s->google.scopes.size() == (s->google.impersonate.empty() ? 2u : 1u));
  CHECK(s->base == "http://localhost:4443/storage/v1/");
  CHECK(s->google.delegates == std::vector<std::string>{"d"});
}

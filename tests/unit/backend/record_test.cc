// Settings of a backend and the record of them, in the form that other tools read and write.
#include "core/backend/record.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/backend/backend.h"
#include "core/backend/secrets.h"
#include "core/backend/server.h"
#include "core/base/fs.h"
#include "tests/support/folder.h"

using namespace xplan;
using namespace xplan::backend;

namespace {

Settings local(const std::string& json) {
  return parse_settings("local", json).value();
}

}  // namespace

TEST_CASE("settings: an object that is given may leave attributes out, and has no others") {
  Settings s = no_settings("s3");
  auto object = [](const char* name) { return Value::object({{Symbol(name), Value::string("http://x")}}); };
  CHECK_FALSE(set(s, "endpoints", object("s3")));
  CHECK(s.values.find_attr("endpoints")->find_attr("s3")->as_string() == "http://x");
  CHECK(s.values.find_attr("endpoints")->find_attr("sts")->is_null());
  CHECK(set(s, "endpoints", object("s4")));
}

TEST_CASE("backend: how often states are written, as the environment says") {
  using namespace std::chrono_literals;
  CHECK(persist_interval(nullptr) == 20s);
  for (const char* text : {"", "5", "-3", "abc", "30s", "20"}) CHECK(persist_interval(text) == 20s);
  CHECK(persist_interval("300") == 300s);
  for (const char* text : {"off", "OFF"}) CHECK(!keeps_remote_journals(text));
  for (const char* text : {static_cast<const char*>(nullptr), "", "on", "1"})
    CHECK(keeps_remote_journals(text));
  CHECK(persist_interval("99999999999") == 365 * 24h);
}

TEST_CASE("backend: the sum over a block is the one that other tools record") {
  CHECK(local(R"({"path":"a.tfstate"})").hash() == 2985648108u);
  CHECK(no_settings().hash() == 666019178u);
  CHECK(local(R"({"path":"p/x.tfstate","workspace_dir":"ws"})").hash() == 1768939306u);
  CHECK(local(R"({"workspace_dir":"ws2"})").hash() == 1611542842u);
}

TEST_CASE("backend: what is recorded is read back, a record without a backend is none") {
  test::Folder f;
  const std::string dir = f.path + "/data";
  auto none = read_record(dir);
  REQUIRE(none);
  CHECK(!*none);
  REQUIRE(write_record(dir, std::nullopt));
  CHECK(!std::filesystem::exists(dir));
  const Record r{local(R"({"path":"a \"b\".tfstate"})"), 7};
  REQUIRE(write_record(dir, r));
  auto read = read_record(dir);
  REQUIRE(read);
  REQUIRE(*read);
  CHECK((*read)->settings == r.settings);
  CHECK((*read)->block_hash == 7);
  const std::string other = f.path + "/other";
  std::filesystem::create_directories(other);
  REQUIRE(write_atomic(other + "/terraform.tfstate",
                       R"({"version":3,"backend":{"type":"http","config":{"address":{}},"hash":1}})"));
  const auto damaged = read_record(other);
  REQUIRE(!damaged);
  CHECK(damaged.error().message.starts_with(
      other + "/terraform.tfstate cannot be used: the backend setting \"address\" is damaged: "));
  // It can have passwords; a mode that somebody has chosen stays.
  const std::string file = dir + "/terraform.tfstate";
  struct stat st;
  REQUIRE(::stat(file.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
  REQUIRE(::chmod(file.c_str(), 0664) == 0);
  REQUIRE(write_record(dir, r));
  REQUIRE(::stat(file.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0664);
  REQUIRE(write_record(dir, std::nullopt));
  read = read_record(dir);
  REQUIRE(read);
  CHECK(!*read);
}

TEST_CASE("backend: settings are an object of the kind's schema, and wrong ones are errors") {
  CHECK(no_settings().json() == R"({"path":null,"workspace_dir":null})");
  CHECK(local("") == no_settings());
  CHECK(local(R"({"path":"x","region":"eu"})").json() == R"({"path":"x","workspace_dir":null})");
  const auto wrong = parse_settings("local", R"({"path":"x","workspace_dir":{}})");
  REQUIRE(!wrong);
  CHECK(wrong.error().message.find("\"workspace_dir\"") != std::string::npos);
  CHECK(!parse_settings("local", "[1"));
  CHECK(!parse_settings("local", "[1]"));
  CHECK(parse_settings("swift", R"({"bucket":"b"})")->json() == "{}");  // not ours to read
}

TEST_CASE("backend: records of other tools and damaged ones") {
  test::Folder f;
  auto record = [&](const char* text) {
    std::ofstream(f.path + "/terraform.tfstate") << text;
    return read_record(f.path);
  };
  auto other = record(R"({"version":3,"backend":{"type":"s3","config":{"bucket":"b"},"hash":1}})");
  REQUIRE(other);
  CHECK((*other)->settings.kind == "s3");
  for (const char* none :
       {R"({"backend":{"type":null}})", R"({"backend":{"type":5}})", R"({"backend":[]})"}) {
    auto r = record(none);
    REQUIRE(r);
    CHECK(!*r);
  }
  for (const char* damaged : {"", "[]", "{", "no json"}) {
    auto r = record(damaged);
    REQUIRE(!r);
    CHECK(r.error().message.find("terraform.tfstate") != std::string::npos);
  }
}

TEST_CASE("backend: kinds are found by name, and a wrong name says what is meant") {
  for (const backend::Kind* k : kKinds) CHECK(find_kind(k->name) == k);
  CHECK(find_kind("swift") == nullptr);
  CHECK(unsupported("swift").message.find("There is no backend \"swift\"") != std::string::npos);
  CHECK(unsupported("oci").message.find("the backend \"s3\" keeps states in the same buckets") !=
        std::string::npos);
  CHECK(unsupported("locl").message.find("Did you mean \"local\"?") != std::string::npos);
  CHECK(!open(Settings{"swift", Value::object({})}, {}));
}

TEST_CASE("secrets: what is recorded of a backend that others must not read") {
  const test::Folder folder;
  const std::string key = folder / "key.json";
  std::ofstream(key) << "{}";
  const struct {
    const char* kind;
    std::string json;
    const char* said;
  } rows[] = {
      {"s3", R"({"access_key":"AK","secret_key":"s","token":"t"})",
       "the arguments \"secret_key\" and \"token\" of the backend \"s3\" are secrets"},
      {"s3", R"({"bucket":"b","secret_key":""})", ""},
      {"s3", R"({"assume_role_with_web_identity":{"web_identity_token":"t"}})",
       "the argument \"assume_role_with_web_identity.web_identity_token\" of the backend \"s3\" is a secret"},
      {"s3", R"({"https_proxy":"http://u:p@proxy:1"})",
       "the argument \"https_proxy\" of the backend \"s3\" is a secret"},
      {"gcs", R"({"credentials":"{\n}"})", "the argument \"credentials\" of the backend \"gcs\" is a secret"},
      {"gcs", R"({"credentials":")" + key + R"("})", ""},
      {"http", R"({"address":"http://user:p@h/x","username":"user"})",
       "the argument \"address\" of the backend \"http\" is a secret"},
      {"http", R"({"address":"http://h/x","username":"user"})", ""},
      {"pg", R"({"conn_str":"postgres://u:p@h/db"})",
       "the argument \"conn_str\" of the backend \"pg\" is a secret"},
      {"pg", R"({"conn_str":"host=h password=p"})",
       "the argument \"conn_str\" of the backend \"pg\" is a secret"},
      {"pg", R"({"conn_str":"postgres://u@h/db"})", ""},
      {"remote", R"({"token":"t"})", "the argument \"token\" of the backend \"remote\" is a secret"},
      {"local", R"({"path":"x"})", ""},
      {"unknown", R"({"token":"t"})", ""},
  };
  for (const auto& r : rows) {
    INFO(r.kind << " " << r.json);
    CHECK(secrets_text(*parse_settings(r.kind, r.json)) == r.said);
  }
}

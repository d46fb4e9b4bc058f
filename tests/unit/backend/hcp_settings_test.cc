// Settings of the backend "remote" and of the cloud block, and what is sent with a state version.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/backend/hcp/settings.h"
#include "core/backend/hcp/version.h"
#include "core/base/base64.h"
#include "tests/support/environment.h"
#include "tests/support/server_program.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::hcp;

namespace {

Settings parsed(std::string_view kind, const std::string& json) {
  return parse_settings(kind, json).value();
}

}  // namespace

TEST_CASE("hcp: the sum over a block is the one that other tools record, whatever the tags are") {
  const std::string account = R"("hostname":"app.example.test","organization":"acme",)";
  const std::string
      list = R"({"value":["app","net"],"type":["tuple",["string","string"]]})",
      map = R"({"value":{"env":"","team":"x"},"type":["object",{"env":"string","team":"string"}]})";
  const struct {
    std::string_view kind;
    std::string workspaces;
    uint32_t sum;
  } rows[] = {{"remote", R"({"name":"one"})", 3695445264u},
              {"remote", R"({"prefix":"net-"})", 1549859149u},
              {"cloud", R"({"name":"c-one"})", 1094511155u},
              {"cloud", R"({"tags":)" + list + "}", 177107178u},
              {"cloud", R"({"tags":)" + map + "}", 2709774441u}};
  for (const auto& row : rows) {
    INFO(row.workspaces);
    const Settings s = parsed(row.kind, "{" + account + "\"workspaces\":" + row.workspaces + "}");
    CHECK(s.hash() == row.sum);
    CHECK(parsed(row.kind, s.json()) == s);
  }
}

TEST_CASE("hcp: what is missing or contradictory in the settings") {
  const struct {
    std::string_view kind;
    const char *json, *workspace, *problem;
  } rows[] = {
      {"remote", R"({"organization":"a","workspaces":{"name":"n"}})", "", ""},
      {"remote", R"({"workspaces":{"name":"n"}})", "", "\"organization\" is required"},
      {"remote", R"({"organization":"a"})", "", "\"workspaces\" is required"},
      {"remote", R"({"organization":"a","workspaces":{"name":"n","prefix":"p"}})", "",
       "cannot be used together"},
      {"remote", R"({"organization":"a","hostname":"https://x","workspaces":{"name":"n"}})", "",
       "name of a host"},
      {"remote", R"({"organization":"a","token":"se\ncret","workspaces":{"name":"n"}})", "",
       "control characters"},
      {"cloud", R"({"organization":"a","workspaces":{"name":"n"}})", "", ""},
      {"cloud", R"({"organization":"a","workspaces":{"name":"n"}})", "n", ""},
      {"cloud", R"({"organization":"a","workspaces":{"name":"n"}})", "m", "TF_WORKSPACE selects \"m\""},
      {"cloud", R"({"organization":"a"})", "", "does not say which workspaces to use"},
      {"cloud", R"({"organization":"a"})", "m", ""},
      {"cloud",
       R"({"organization":"a","workspaces":{"name":"n","tags":{"value":["x"],"type":["tuple",["string"]]}}})",
       "", "cannot be used together"},
      {"cloud", R"({"organization":"a","workspaces":{"tags":{"value":[1],"type":["tuple",["number"]]}}})", "",
       "must be a list of strings or a map of strings"},
      {"cloud", R"({"organization":"a","workspaces":{"tags":{"value":"x","type":"string"}}})", "",
       "must be a list of strings or a map of strings"},
  };
  for (const auto& row : rows) {
    INFO(row.json << " " << row.workspace);
    const test::Environment env{{"TF_WORKSPACE", row.workspace}};
    if (!*row.workspace) ::unsetenv("TF_WORKSPACE");
    const Value values = parsed(row.kind, row.json).values;
    const auto read = row.kind == "remote" ? read_remote(values) : read_cloud(values);
    const std::string problem = read ? "" : read.error().message;
    CHECK(problem.find("cret") == problem.npos);
    if (*row.problem)
      CHECK(problem.find(row.problem) != problem.npos);
    else
      CHECK(problem == "");
  }
}

TEST_CASE("hcp: the environment says what the cloud block leaves open") {
  const test::Environment env{
      {"TF_CLOUD_ORGANIZATION", "e"}, {"TF_CLOUD_HOSTNAME", "e.test"}, {"TF_CLOUD_PROJECT", "p"}};
  const auto read = read_cloud(parsed("cloud", R"({"workspaces":{"name":"n"}})").values);
  REQUIRE(read);
  CHECK((read->organization == "e" && read->host == "e.test" && read->project == "p"));
  const auto set = read_cloud(
      parsed("cloud", R"({"organization":"a","hostname":"a.test","workspaces":{"name":"n","project":"q"}})")
          .values);
  REQUIRE(set);
  CHECK((set->organization == "a" && set->host == "a.test" && set->project == "q"));
}

TEST_CASE("hcp: no backend block and no data source can name the cloud block's kind") {
  CHECK(find_kind("cloud") != nullptr);
  CHECK(find_type("cloud") == nullptr);
  CHECK(find_type("remote") == find_kind("remote"));
  CHECK(unsupported("cloud").message.find("cloud { … }") != std::string::npos);
}

TEST_CASE("hcp: a version is announced with serial, lineage, checksum and outputs, as they are written") {
  const std::string state =
      R"({"version":4,"serial":12345678901234567890,"lineage":"l","outputs":{"a":{"value":1.50,"type":"number"},)"
      R"("b":{"value":["x"],"type":["tuple",["string"]],"sensitive":true}},"resources":[]})";
  const auto body = announcement(state, false, Sent::Apart);
  REQUIRE(body);
  CHECK(body->find("\"serial\":12345678901234567890") != body->npos);
  const auto a = nlohmann::json::parse(*body)["data"]["attributes"];
  CHECK(a["lineage"] == "l");
  CHECK(a["force"] == false);
  CHECK(a["md5"].get<std::string>().size() == 32);
  CHECK(!a.contains("state"));
  std::string outputs;
  REQUIRE(base64_decode(a["json-state-outputs"].get<std::string>(), outputs));
  CHECK(outputs == R"({"a":{"sensitive":false,"value":1.50,"type":"number"},)"
                   R"("b":{"sensitive":true,"value":["x"],"type":["tuple",["string"]]}})");
  const auto inside = announcement(state, true, Sent::Inside);
  REQUIRE(inside);
  std::string again;
  const auto b = nlohmann::json::parse(*inside)["data"]["attributes"];
  REQUIRE(base64_decode(b["state"].get<std::string>(), again));
  CHECK(again == state);
  CHECK(b["force"] == true);
  const test::Environment env{{"TFE_RUN_ID", "run-1"}};
  const auto of_run = announcement(state, false, Sent::Apart);
  REQUIRE(of_run);
  CHECK(nlohmann::json::parse(*of_run)["data"]["relationships"]["run"]["data"]["id"] == "run-1");
  CHECK(!nlohmann::json::parse(*body)["data"].contains("relationships"));
  for (const char* bad : {"", "[]", "{}", "{\"serial\":\"x\",\"lineage\":\"l\"}", "{\"serial\":1}"})
    CHECK(!announcement(bad, false, Sent::Apart));
}

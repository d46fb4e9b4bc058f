// Workspaces: which are there, which is selected, and where their states are.
#include "core/backend/workspace.h"

#include <stdlib.h>

#include <filesystem>

#include "core/backend/backend.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::store_test;

namespace {

std::unique_ptr<Backend> local(const std::string& json = "") {
  auto b = open(parse_settings("local", json).value(), {});
  REQUIRE(b);
  return std::move(*b);
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("workspaces of files: listed, created, removed") {
  WorkFolder folder;
  const auto b = local();
  CHECK(b->workspaces().value() == Names{"default"});
  REQUIRE(b->create("staging").ok());
  REQUIRE(b->create("A_b").ok());
  CHECK(b->workspaces().value() == Names{"default", "A_b", "staging"});
  std::filesystem::create_directory("terraform.tfstate.d/not a name");
  put("terraform.tfstate.d/file", "");
  CHECK(b->workspaces().value() == Names{"default", "A_b", "staging"});
  put("terraform.tfstate.d/A_b/terraform.tfstate", "{}");
  REQUIRE(b->remove("A_b").ok());
  CHECK(b->workspaces().value() == Names{"default", "staging"});
  CHECK_FALSE(b->remove("A_b").ok());
  put("flat", "");
  CHECK_FALSE(local(R"({"workspace_dir":"flat"})")->workspaces().ok());
}

TEST_CASE("workspaces of files: where their states are") {
  const auto set = local(R"({"path":"./s//a.tfstate","workspace_dir":"many"})");
  CHECK(set->place("default") == "./s//a.tfstate");  // as it was written
  CHECK(set->identity("default") == local(R"({"path":"s/a.tfstate"})")->identity("default"));
  CHECK(set->identity("default") != local()->identity("default"));
  CHECK(set->place("dev") == "many/dev/terraform.tfstate");
  CHECK(set->open("dev", {""})->path() == "many/dev/terraform.tfstate");
  CHECK(set->open("dev", {"other.tfstate"})->path() == "other.tfstate");
  CHECK(local()->place("default") == "terraform.tfstate");
  for (const char* name : {"path", "workspace_dir"}) {
    const auto empty = open(parse_settings("local", "{\"" + std::string(name) + "\":\"\"}").value(), {});
    REQUIRE_FALSE(empty);
    CHECK(empty.error().message == "the argument \"" + std::string(name) + "\" must not be empty");
  }
}

TEST_CASE("workspaces of files: a state is read as it was written, and retired with a copy") {
  WorkFolder folder;
  const auto b = local();
  auto none = b->read("default");
  REQUIRE(none);
  CHECK_FALSE(none->has_value());
  CHECK_FALSE(b->retire("default").ok());
  put("terraform.tfstate", "no state");
  CHECK_FALSE(b->read("default").ok());
  put("terraform.tfstate", R"({"version":4,"serial":3,"lineage":"l","outputs":{},"resources":[]})");
  auto there = b->read("default");
  REQUIRE(there);
  CHECK((*there)->serial == 3);
  REQUIRE(b->retire("default").ok());
  CHECK_FALSE(std::filesystem::exists("terraform.tfstate"));
  CHECK(std::filesystem::exists("terraform.tfstate.backup"));
}

TEST_CASE("the selected workspace") {
  WorkFolder folder;
  ::unsetenv("TF_WORKSPACE");
  const WorkspaceSelection w;
  CHECK(w.current() == "default");
  REQUIRE(w.select("staging").ok());
  CHECK(text_of(".terraform/environment") == "staging");
  CHECK(w.current() == "staging");
  put(".terraform/environment", "staging\n\n");
  CHECK(w.current() == "staging");
  put(".terraform/environment", " \n");
  CHECK(w.current() == "default");
  CHECK_FALSE(w.overridden());
  std::filesystem::remove(".terraform/environment");
  std::filesystem::create_directory(".terraform/environment");
  CHECK(w.current() == "");
  ::setenv("TF_WORKSPACE", "zzz", 1);
  CHECK(w.current() == "zzz");
  CHECK(w.overridden());
  ::unsetenv("TF_WORKSPACE");
}

TEST_CASE("names of workspaces") {
  for (auto* bad : {"", ".", "..", "a/b", "a b", "é", "a%b", "a?b", "a;b"})
    CHECK_FALSE(valid_workspace_name(bad));
  for (auto* good : {"a", "x.y", "A_b", "a-b~c", "a$&+:=@"}) CHECK(valid_workspace_name(good));
}

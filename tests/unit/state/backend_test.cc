// The record of a backend, in the form that other tools read and write.
#include "core/state/backend.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/folder.h"

using namespace xplan;

TEST_CASE("backend: the sum over a block is the one that other tools record") {
  CHECK(Backend{"a.tfstate", {}}.hash() == 2985648108u);
  CHECK(Backend{}.hash() == 666019178u);
  CHECK(Backend{"p/x.tfstate", "ws"}.hash() == 1768939306u);
  CHECK(Backend{{}, "ws2"}.hash() == 1611542842u);
}

TEST_CASE("backend: what is recorded is read back; a record without a backend is none") {
  test::Folder f;
  const std::string dir = f.path + "/data";
  auto none = read_backend_record(dir);
  REQUIRE(none);
  CHECK(!*none);
  REQUIRE(write_backend_record(dir, std::nullopt));
  CHECK(!std::filesystem::exists(dir));
  const BackendRecord r{"local", {"a \"b\".tfstate", {}}, 7};
  REQUIRE(write_backend_record(dir, r));
  auto read = read_backend_record(dir);
  REQUIRE(read);
  REQUIRE(*read);
  CHECK((*read)->type == "local");
  CHECK((*read)->settings == r.settings);
  CHECK((*read)->block_hash == 7);
  REQUIRE(write_backend_record(dir, std::nullopt));
  read = read_backend_record(dir);
  REQUIRE(read);
  CHECK(!*read);
}

TEST_CASE("backend: where states are") {
  const Backend set{"s/a.tfstate", "many"};
  CHECK(set.state_path(set.workspaces(".terraform"), "default") == "s/a.tfstate");
  CHECK(set.state_path(set.workspaces(".terraform"), "dev") == "many/dev/terraform.tfstate");
  const Backend implied;
  CHECK(implied.state_path(implied.workspaces(".terraform"), "default") == "terraform.tfstate");
  CHECK(parse_backend(set.json()).value() == set);
  CHECK(parse_backend("")->path == std::nullopt);
  CHECK(!parse_backend("[1"));
}

TEST_CASE("backend: records of other tools and damaged ones") {
  test::Folder f;
  auto record = [&](const char* text) {
    std::ofstream(f.path + "/terraform.tfstate") << text;
    return read_backend_record(f.path);
  };
  auto other = record(R"({"version":3,"backend":{"type":"s3","config":{"bucket":"b"},"hash":1}})");
  REQUIRE(other);
  CHECK((*other)->type == "s3");
  for (const char* damaged : {"", "[]", "{", "no json"}) {
    auto r = record(damaged);
    REQUIRE(!r);
    CHECK(r.error().message.find("terraform.tfstate") != std::string::npos);
  }
}

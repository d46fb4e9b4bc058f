// The backend "inmem": states that live as long as the process.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"

using namespace xplan;
using namespace xplan::backend;

TEST_CASE("inmem: workspaces, their states and locks") {
  const Result<Settings> settings = parse_settings("inmem", "{}");
  REQUIRE(settings.ok());
  const Result<std::unique_ptr<Backend>> b = open(*settings, {});
  REQUIRE(b.ok());
  CHECK(*(*b)->workspaces() == std::vector<std::string>{"default"});
  REQUIRE((*b)->create("w").ok());
  CHECK(*(*b)->workspaces() == std::vector<std::string>{"default", "w"});
  // Whoever opens it again in this process sees the same.
  const Result<std::unique_ptr<Backend>> again = open(*settings, {});
  CHECK((*(*again)->read("w")).has_value());
  CHECK_FALSE((*(*again)->read("default")).has_value());
  REQUIRE((*b)->unlocked("w").ok());
  const std::unique_ptr<StateStore> one = (*b)->open("w"), two = (*again)->open("w");
  REQUIRE(one->lock("plan", 0, nullptr).ok());
  CHECK_FALSE(two->lock("plan", 0, nullptr).ok());
  REQUIRE(one->unlock().ok());
  REQUIRE((*b)->remove("w").ok());
  CHECK(*(*again)->workspaces() == std::vector<std::string>{"default"});
  // A lock that is there from the beginning.
  const Result<std::unique_ptr<Backend>> locked = open(*parse_settings("inmem", R"({"lock_id":"x"})"), {});
  REQUIRE(locked.ok());
  const Result<void> held = (*locked)->open("default")->lock("plan", 0, nullptr);
  REQUIRE_FALSE(held.ok());
  CHECK(held.error().message.find("x") != std::string::npos);
}

// What -fail-on forbids: which changes count, how many are permitted, and which are not counted.
#include <catch2/catch.hpp>

#include "core/review/guards.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::review;

namespace {

std::string joined(const std::vector<Violation>& found) {
  std::string out;
  for (const Violation& v : found) {
    out += v.guard.text + ":";
    for (const std::string& w : v.what) out += " " + w;
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("guards: what counts as what") {
  test::TestWorld w(R"(
resource "terraform_data" "keep" {}
resource "terraform_data" "gone" {}
resource "terraform_data" "update" { input = 1 }
resource "terraform_data" "replace" { triggers_replace = 1 }
resource "terraform_data" "forget" {}
resource "terraform_data" "old" {}
output "o" { value = 1 }
)");
  w.apply(w.plan());
  w.fs.files["main.tf"] = R"(
resource "terraform_data" "keep" {}
resource "terraform_data" "update" { input = 2 }
resource "terraform_data" "replace" { triggers_replace = 2 }
resource "terraform_data" "new" { count = 2 }
resource "terraform_data" "renamed" {}
moved {
  from = terraform_data.old
  to   = terraform_data.renamed
}
removed {
  from = terraform_data.forget
  lifecycle { destroy = false }
}
output "o" { value = 2 }
)";
  const Plan plan = w.plan();
  struct Row {
    std::string guards, allowed, found;
  };
  const Row rows[] = {
      {"create", "", "create: terraform_data.new[0] terraform_data.new[1]\n"},
      {"create>1", "", "create>1: terraform_data.new[0] terraform_data.new[1]\n"},
      {"create>2", "", ""},
      {"create", "terraform_data.new", ""},
      {"create", "terraform_data.new[1]", "create: terraform_data.new[0]\n"},
      {"create>1", "terraform_data.new[1]", ""},
      {"update", "", "update: terraform_data.update\n"},
      {"replace", "", "replace: terraform_data.replace\n"},
      {"destroy", "", "destroy: terraform_data.gone terraform_data.replace\n"},
      {"destroy,replace", "terraform_data.gone",
       "destroy: terraform_data.replace\nreplace: terraform_data.replace\n"},
      {"data-loss", "", ""},
      {"forget", "", "forget: terraform_data.forget\n"},
      {"move", "", "move: terraform_data.renamed\n"},
      {"import,drift,deferred", "", ""},
      {"output", "", "output: output.o\n"},
      {"unknown", "", "unknown: terraform_data.update\n"},
  };
  for (const Row& r : rows) {
    INFO(r.guards << " " << r.allowed);
    auto guards = parse_guards(r.guards);
    REQUIRE(guards.ok());
    std::vector<Target> allowed;
    if (!r.allowed.empty()) allowed.push_back(*parse_target(r.allowed));
    CHECK(joined(violations(plan, *guards, allowed, {})) == r.found);
  }
  DataTypes types;
  REQUIRE(types.add_lines("terraform_data").ok());
  CHECK(joined(violations(plan, *parse_guards("data-loss"), {}, types)) ==
        "data-loss: terraform_data.gone terraform_data.replace\n");
}

TEST_CASE("guards: what is none is an error that says why") {
  for (const char* text : {"", "destroys", "destroy,", "destroy>", "destroy>-1", "destroy>x", "destroy>1x",
                           ">1", "destroy>99999999999999999999", "destroy >1"}) {
    INFO(text);
    auto guards = parse_guards(text);
    REQUIRE(!guards.ok());
    CHECK(guards.error().message.find('"') == 0);
  }
}

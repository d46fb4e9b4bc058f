// Which destroyed objects are taken for created ones, and what blocks that makes.
#include "core/review/suggested_moves.h"

#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;
using namespace xplan::review;

namespace {

Plan plan_from_to(TestWorld& w, const std::string& after) {
  w.apply(w.plan());
  REQUIRE(w.problems() == "");
  w.fs.files["main.tf"] = after;
  Plan p = w.plan();
  REQUIRE(w.problems() == "");
  return p;
}

std::string blocks_text(const Plan& p, const config::Config& c, const SuggestedMoves& m) {
  std::string out;
  for (const MovedBlock& b : moved_blocks(p, c, m.suggested))
    out += b.from + " -> " + b.to + " " + std::to_string(b.objects) + "\n";
  return out;
}

}  // namespace

TEST_CASE("suggested moves: pairs and blocks") {
  const struct {
    const char *name, *before, *after, *blocks;
    size_t ambiguous;
  } rows[] = {
      {"a new name", R"(resource "terraform_data" "a" { input = "x" })",
       R"(resource "terraform_data" "b" { input = "x" })", "terraform_data.a -> terraform_data.b 1\n", 0},
      {"another object", R"(resource "terraform_data" "a" {
  input            = "x"
  triggers_replace = 1
})",
       R"(resource "terraform_data" "b" {
  input            = "y"
  triggers_replace = 2
})",
       "", 0},
      {"values beat names", R"(
resource "terraform_data" "a" { input = "one" }
resource "terraform_data" "b" { input = "two" })",
       R"(
resource "terraform_data" "c" { input = "two" }
resource "terraform_data" "d" { input = "one" })",
       "terraform_data.b -> terraform_data.c 1\nterraform_data.a -> terraform_data.d 1\n", 0},
      {"count becomes for_each", R"(
resource "terraform_data" "a" {
  count = 2
  input = "n${count.index}"
})",
       R"(
resource "terraform_data" "a" {
  for_each = toset(["n0", "n1"])
  input    = each.key
})",
       "terraform_data.a[0] -> terraform_data.a[\"n0\"] 1\nterraform_data.a[1] -> terraform_data.a[\"n1\"] "
       "1\n",
       0},
      {"all are equal", R"(
resource "terraform_data" "a" { count = 2 })",
       R"(
resource "terraform_data" "b" { for_each = toset(["x", "y"]) })",
       "", 4},
      {"keys tell equal ones from each other", R"(
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input    = "same"
})",
       R"(
resource "terraform_data" "b" {
  for_each = toset(["x", "y"])
  input    = "same"
})",
       "terraform_data.a -> terraform_data.b 2\n", 0},
      {"some instances go, the resource stays", R"(
resource "terraform_data" "a" {
  for_each = toset(["x", "y", "z"])
  input    = each.key
})",
       R"(
resource "terraform_data" "a" {
  for_each = toset(["x"])
  input    = each.key
}
resource "terraform_data" "b" {
  for_each = toset(["y", "z"])
  input    = each.key
})",
       "terraform_data.a[\"y\"] -> terraform_data.b[\"y\"] 1\nterraform_data.a[\"z\"] -> "
       "terraform_data.b[\"z\"] 1\n",
       0},
      {"one of two candidates is nearer", R"(
resource "terraform_data" "a" {
  input            = { size = 1 }
  triggers_replace = "t"
})",
       R"(
resource "terraform_data" "b" {
  input            = { size = 2 }
  triggers_replace = "t"
}
resource "terraform_data" "c" {
  input            = { size = 1 }
  triggers_replace = "t"
})",
       "terraform_data.a -> terraform_data.c 1\n", 0},
      {"a replaced object is none that was moved", R"(
resource "terraform_data" "a" { triggers_replace = 1 })",
       R"(
resource "terraform_data" "a" { triggers_replace = 2 })",
       "", 0},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    TestWorld w(row.before);
    const Plan p = plan_from_to(w, row.after);
    const SuggestedMoves m = suggest_moves(p);
    CHECK(blocks_text(p, *w.config, m) == row.blocks);
    CHECK(m.ambiguous.size() == row.ambiguous);
  }
}

TEST_CASE("suggested moves: modules are moved as a whole, where everything goes along") {
  const std::string module = R"(
resource "terraform_data" "x" { input = "x" }
resource "terraform_data" "y" {
  count = 2
  input = "y${count.index}"
}
)";
  TestWorld w(
      "module \"a\" { source = \"./m\" }\nmodule \"keyed\" {\n source = \"./m\"\n for_each = "
      "toset([\"k\"])\n}\n");
  w.fs.files["m/main.tf"] = module;
  w.fs.files[".terraform/modules/modules.json"] =
      R"({"Modules":[{"Key":"a","Source":"./m","Dir":"m"},{"Key":"keyed","Source":"./m","Dir":"m"},
          {"Key":"b","Source":"./m","Dir":"m"},{"Key":"other","Source":"./m","Dir":"m"}]})";
  const Plan p = plan_from_to(w,
                              "module \"b\" { source = \"./m\" }\nmodule \"other\" {\n source = \"./m\"\n "
                              "for_each = toset([\"k\"])\n}\n");
  // The same objects twice: the key of the module is what tells them from each other, and it is in no object.
  const SuggestedMoves m = suggest_moves(p);
  CHECK(m.suggested.size() + m.destroyed.size() <= 6);
  TestWorld one("module \"a\" { source = \"./m\" }\n");
  one.fs.files["m/main.tf"] = module;
  one.fs.files[".terraform/modules/modules.json"] = w.fs.files[".terraform/modules/modules.json"];
  const Plan q = plan_from_to(one, "module \"b\" { source = \"./m\" }\n");
  CHECK(blocks_text(q, *one.config, suggest_moves(q)) == "module.a -> module.b 3\n");
}

TEST_CASE("suggested moves: thousands of one type") {
  const std::string many = R"(
resource "terraform_data" "NAME" {
  for_each = toset(flatten([for j in range(3) : [for i in range(1000) : "k${1000 * j + i}"]]))
  input    = { key = each.key, kind = "same" }
}
resource "terraform_data" "NAME_numbered" {
  count = 3000
  input = "value ${count.index}"
}
)";
  auto named = [&](const std::string& name) {
    std::string out = many;
    for (size_t at; (at = out.find("NAME")) != std::string::npos;) out.replace(at, 4, name);
    return out;
  };
  TestWorld w(named("old"));
  const Plan p = plan_from_to(w, named("new"));
  CHECK(blocks_text(p, *w.config, suggest_moves(p)) ==
        "terraform_data.old -> terraform_data.new 3000\n"
        "terraform_data.old_numbered -> terraform_data.new_numbered 3000\n");
}

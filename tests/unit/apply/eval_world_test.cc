// A World made from a state: what the console answers for known, missing and unknown values; and the import
// command.
#include <catch2/catch.hpp>

#include "core/config/bind_expression.h"
#include "core/plan/import_command.h"
#include "core/plan/world.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

constexpr const char* kConfig = R"(
variable "n" { default = 2 }
variable "given" {}
locals {
  bad  = tonumber("zz")
  good = [for i in terraform_data.many : i.input]
}
resource "terraform_data" "one" { input = "x" }
resource "terraform_data" "many" {
  count = var.n
  input = count.index
}
resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
  input    = each.key
}
module "m" {
  source = "./m"
  in     = terraform_data.one.output
}
module "each" {
  count  = length(terraform_data.many[*].id)
  source = "./m"
  in     = count.index
}
)";

// The console's answers to a list of expressions; an error is "error: SUMMARY".
std::string answer(TestWorld& w, const State& s, const std::string& text) {
  Diagnostics ignored, diags;
  PlanOptions o;
  o.variables = w.values;
  o.timestamp = "2026-01-02T03:04:05Z";
  auto world = evaluate_world(*w.config, s, o, *w.factory, ignored);
  const syntax::Expr* e = nullptr;
  auto file = syntax::parse_expression(*w.sources, "test", text, e, diags);
  config::bind_expression(*w.config->root->module, *w.config->root, *e, diags);
  Value v = eval::evaluate(*e, ModuleScope(*world, *world->root()), diags);
  return diags.has_errors() ? "error: " + diags.all()[0].summary : eval::console_text(v);
}

struct Row {
  const char* expression;
  const char* before;  // with an empty state
  const char* after;   // with everything applied
};

}  // namespace

TEST_CASE("console: what a state knows, and what it does not") {
  TestWorld w(kConfig);
  w.fs.files["m/main.tf"] =
      "variable \"in\" {}\nresource \"terraform_data\" \"z\" { input = var.in }\noutput \"o\" { value = "
      "terraform_data.z.input }\n";
  w.fs.files["main.tf"].replace(w.fs.files["main.tf"].find("variable \"given\" {}"), 19,
                                "variable \"given\" { default = 1 }");
  std::string sound = w.fs.files["main.tf"];
  sound.replace(sound.find("tonumber(\"zz\")"), 14, "5");
  std::string broken = w.fs.files["main.tf"];
  w.fs.files[".terraform/modules/modules.json"] =
      R"({"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"./m","Dir":"m"},{"Key":"each","Source":"./m","Dir":"m"}]})";
  w.fs.files["main.tf"] = sound;
  w.apply(w.plan());
  INFO(w.problems());
  REQUIRE_FALSE(w.diags.has_errors());
  State full = w.state, none;
  w.fs.files["main.tf"] = broken;
  w.plan();  // loads; the plan itself fails because of local.bad
  REQUIRE(w.config);
  static constexpr Row rows[] = {
      {"1 + 1", "2", "2"},
      {"var.n", "2", "2"},
      {"terraform_data.one.input", "(known after apply)", "\"x\""},
      {"terraform_data.many[1].input", "(known after apply)", "1"},
      {"terraform_data.many[7]", "(known after apply)", "error: Invalid index"},
      {"length(terraform_data.keyed)", "(known after apply)", "2"},
      {"terraform_data.keyed[\"b\"].output", "(known after apply)", "\"b\""},
      {"local.good", "(known after apply)", "[\n  0,\n  1,\n]"},
      {"local.bad", "(known after apply)", "(known after apply)"},
      {"module.m.o", "(known after apply)", "\"x\""},
      {"module.each[1].o", "(known after apply)", "1"},
      {"timestamp()", "\"2026-01-02T03:04:05Z\"", "\"2026-01-02T03:04:05Z\""},
      {"type(var.n)", "number", "number"},
      {"terraform_data.absent", "error: Undeclared resource", "error: Undeclared resource"},
      {"each.key", "error: Reference to each outside of its block",
       "error: Reference to each outside of its block"},
  };
  for (const Row& r : rows) {
    INFO(r.expression);
    CHECK(answer(w, none, r.expression) == r.before);
    CHECK(answer(w, full, r.expression) == r.after);
  }
  // An instance in the middle is missing.
  full.remove(*parse_abs_instance("terraform_data.many[0]"));
  CHECK(answer(w, full, "terraform_data.many[1].input") == "1");
  CHECK(answer(w, full, "terraform_data.many[0].input") == "(known after apply)");
}

TEST_CASE("import: into what the configuration declares and the state does not have") {
  TestWorld w(
      "resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" { for_each = toset([\"k\"]) "
      "}\n");
  w.plan();
  REQUIRE_FALSE(w.diags.has_errors());
  struct {
    const char* address;
    const char* problem;  // "": imported
  } rows[] = {
      {"terraform_data.a", ""},
      {"terraform_data.a", "Resource already managed"},
      {"terraform_data.b[\"k\"]", ""},
      {"terraform_data.b[\"z\"]", "Configuration for import target does not exist"},
      {"terraform_data.b", "Configuration for import target does not exist"},
      {"terraform_data.none", "Configuration for import target does not exist"},
      {"module.m.terraform_data.a", "Configuration for import target does not exist"},
  };
  for (const auto& r : rows) {
    INFO(r.address);
    Diagnostics diags;
    State before = w.state;
    bool ok = import_object(
        *w.config, w.state, *parse_abs_instance(r.address), "some-id", {}, *w.factory, [](const Value*) {},
        diags);
    CHECK(ok == (std::string(r.problem).empty()));
    if (ok)
      CHECK(w.state.find(*parse_abs_instance(r.address))->current->value->find_attr("id")->as_string() ==
            "some-id");
    else
      CHECK((diags.size() == 1 && diags.all()[0].summary == r.problem));
    if (!ok) CHECK(w.state.resources.size() == before.resources.size());
  }
}

// Plan and apply end to end with terraform_data, in memory: create, replace, shrink, move; the same result
// at any parallelism.
#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

TEST_CASE("apply: what was created is a no-op afterwards") {
  TestWorld w(R"(
variable "names" { default = ["a", "b"] }
locals { all = [for n in var.names : upper(n)] }
resource "terraform_data" "one" { input = local.all }
resource "terraform_data" "many" {
  for_each = toset(var.names)
  input    = "${each.key}-${terraform_data.one.id}"
}
resource "terraform_data" "counted" {
  count = 3
  input = terraform_data.many["a"].output
  triggers_replace = count.index
}
output "ids" { value = terraform_data.counted[*].id }
)");
  Plan p = w.plan();
  INFO(w.problems());
  CHECK(
      actions(p) ==
      "terraform_data.counted[0] create\nterraform_data.counted[1] create\nterraform_data.counted[2] create\n"
      "terraform_data.many[\"a\"] create\nterraform_data.many[\"b\"] create\nterraform_data.one create\n");
  ApplyOutcome o = w.apply(p);
  INFO(w.problems());
  CHECK(o.added == 6);
  CHECK(o.skipped.empty());
  Plan again = w.plan();
  INFO(w.problems());
  CHECK_FALSE(w.diags.has_errors());
  CHECK_FALSE(again.applyable);
  CHECK(w.state.outputs.size() == 1);
}

TEST_CASE("apply: replacement, shrinking and removal") {
  TestWorld w(
      "resource \"terraform_data\" \"a\" {\n count = 3\n input = count.index\n}\n"
      "resource \"terraform_data\" \"b\" {\n input = terraform_data.a[0].id\n triggers_replace = 1\n}\n");
  w.apply(w.plan());
  REQUIRE_FALSE(w.diags.has_errors());
  w.fs.files["main.tf"] =
      "resource \"terraform_data\" \"a\" {\n count = 1\n input = 7\n}\n"
      "resource \"terraform_data\" \"b\" {\n input = terraform_data.a[0].id\n triggers_replace = 2\n}\n";
  Plan p = w.plan();
  INFO(w.problems());
  CHECK(actions(p) ==
        "terraform_data.a[0] update\nterraform_data.a[1] delete (delete_because_count_index)\n"
        "terraform_data.a[2] delete (delete_because_count_index)\nterraform_data.b delete/create "
        "(replace_because_cannot_update)\n");
  ApplyOutcome o = w.apply(p);
  INFO(w.problems());
  CHECK(o.added == 1);
  CHECK(o.changed == 1);
  CHECK(o.destroyed == 3);
  PlanOptions d;
  d.mode = PlanMode::Destroy;
  Plan destroy = w.plan(d);
  CHECK(actions(destroy) == "terraform_data.a[0] delete\nterraform_data.b delete\n");
  w.apply(destroy);
  CHECK(w.state.empty());
}

TEST_CASE("apply: the outcome does not depend on the parallelism") {
  std::string config;
  unsigned seed = 7;
  auto next = [&] { return seed = seed * 1103515245u + 12345u, seed >> 16; };
  for (unsigned i = 0; i < 120; ++i) {
    std::string name = "r" + std::to_string(i);
    config += "resource \"terraform_data\" \"" + name + "\" {\n";
    if (i % 7 == 3) config += "  count = 3\n";
    config += "  input = [\"" + name + "\"";
    for (unsigned k = 0; i > 0 && k < 3; ++k) {
      unsigned other = next() % i;
      config += ", terraform_data.r" + std::to_string(other) + (other % 7 == 3 ? "[*].id" : ".id");
    }
    config += "]\n}\n";
  }
  std::string plans[3], states[3];
  int parallelism[] = {1, 2, 10};
  for (int i = 0; i < 3; ++i) {
    TestWorld w(config);
    w.parallelism = parallelism[i];
    Plan p = w.plan();
    INFO(w.problems());
    REQUIRE_FALSE(w.diags.has_errors());
    plans[i] = actions(p);
    w.apply(p);
    for (const auto& [addr, r] : w.state.resources) {
      states[i] += addr.text();
      for (const auto& [key, s] : r.instances)
        for (const ConfigResource& d : *s.current->dependencies) states[i] += " " + d.text();
      states[i] += "\n";
    }
    CHECK_FALSE(w.plan().applyable);
  }
  CHECK(plans[0] == plans[1]);
  CHECK(plans[0] == plans[2]);
  CHECK(states[0] == states[1]);
  CHECK(states[0] == states[2]);
}

TEST_CASE("apply: a move keeps the object, a chain too") {
  TestWorld w("resource \"terraform_data\" \"a\" { input = 1 }\n");
  w.apply(w.plan());
  w.fs.files["main.tf"] =
      "resource \"terraform_data\" \"c\" {\n count = 1\n input = 1\n}\nmoved {\n from = terraform_data.a\n "
      "to = terraform_data.b\n}\n"
      "moved {\n from = terraform_data.b\n to = terraform_data.c[0]\n}\n";
  Plan p = w.plan();
  INFO(w.problems());
  CHECK(actions(p) == "terraform_data.c[0] no-op from terraform_data.a\n");
  CHECK(p.applyable);
}

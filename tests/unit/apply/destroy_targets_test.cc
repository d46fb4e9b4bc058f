// Destroy plans with targets over many instances of a module: what goes is found in time that grows with the
// instances, not with their square.
#include <catch2/catch.hpp>

#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

constexpr int kInstances = 30'000;

// As an apply leaves it: two objects in each instance of a module, one of which needs the other.
State many_instances() {
  State s;
  const Resource first{Mode::Managed, Symbol("terraform_data"), Symbol("a")},
      second{Mode::Managed, Symbol("terraform_data"), Symbol("b")};
  const Module m = Module().child(Symbol("m"));
  const auto needs_first =
      std::make_shared<const std::vector<ConfigResource>>(std::vector{ConfigResource{m, first}});
  const Symbol id("id"), input("input"), output("output"), replace("triggers_replace");
  const Value null = Value::null(Type::dynamic());
  ProviderConfigAddr provider;
  provider.provider = *parse_provider_addr("terraform.io/builtin/terraform");
  for (int64_t i = 0; i < kInstances; ++i) {
    const ModuleInstance at = ModuleInstance().child(Symbol("m"), InstanceKey::of(i));
    for (const Resource& r : {first, second}) {
      auto o = std::make_shared<Object>();
      o->value = Value::object(
          {{id, Value::string(std::to_string(i))}, {input, null}, {output, null}, {replace, null}});
      if (r == second) o->dependencies = needs_first;
      s.ensure({at, r, {}}, provider).current = std::move(o);
    }
  }
  return s;
}

}  // namespace

TEST_CASE("destroying what needs a target looks at each dependency once, not for each instance that has it") {
  TestWorld w("module \"m\" {\n source = \"./m\"\n count = " + std::to_string(kInstances) + "\n}\n");
  w.fs.files["m/main.tf"] =
      "resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" {\n"
      " depends_on = [terraform_data.a]\n}\n";
  w.state = many_instances();
  PlanOptions o;
  o.mode = PlanMode::Destroy;
  o.refresh = false;
  o.targets.push_back(*parse_target("module.m"));
  const Plan p = w.plan(o);
  INFO(w.problems());
  CHECK(!w.diags.has_errors());
  CHECK(p.changes.size() == 2 * kInstances);
}

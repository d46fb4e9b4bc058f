// The provider contract on single values: planned values, promises, types, replacement paths.
#include "core/plan/contract.h"

#include <catch2/catch.hpp>

#include "core/plan/moves.h"

using namespace xplan;

namespace {

schema::Block block() {
  schema::Block b;
  auto add = [&](const char* name, bool optional, bool computed) {
    schema::Attribute a;
    a.name = Symbol(name), a.type = Type::string(), a.optional = optional, a.computed = computed;
    b.attributes.push_back(std::move(a));
  };
  add("set", true, false);
  add("both", true, true);
  add("id", false, true);
  b.freeze();
  return b;
}

Value str(const char* s) {
  return s ? Value::string(s) : Value::null(Type::string());
}
Value unknown() {
  return Value::unknown(Type::string());
}
Value object(Value set, Value both, Value id) {
  return Value::object({{Symbol("set"), set}, {Symbol("both"), both}, {Symbol("id"), id}});
}

}  // namespace

TEST_CASE("contract: what a plan may say of configured and computed attributes") {
  schema::Block b = block();
  Value none = Value::null(b.implied_type());
  Value prior = object(str("old"), str("kept"), str("1"));
  struct Row {
    const char* about;
    Value prior, config, planned;
    bool allowed;
  };
  const Row rows[] = {
      {"the configured value", none, object(str("a"), str(nullptr), str(nullptr)),
       object(str("a"), unknown(), unknown()), true},
      {"another value than configured", none, object(str("a"), str(nullptr), str(nullptr)),
       object(str("b"), unknown(), unknown()), false},
      {"the prior value instead of the configured one", prior, object(str("OLD"), str(nullptr), str(nullptr)),
       object(str("old"), str("kept"), str("1")), true},
      {"a value where none is configured and none can be computed", none,
       object(str(nullptr), str(nullptr), str(nullptr)), object(str("x"), unknown(), unknown()), false},
      {"null where a value is configured", none, object(str("a"), str(nullptr), str(nullptr)),
       object(str(nullptr), unknown(), unknown()), false},
      {"a computed value", none, object(str(nullptr), str(nullptr), str(nullptr)),
       object(str(nullptr), str("made"), str("2")), true},
      {"known where the configuration is unknown", none, object(unknown(), str(nullptr), str(nullptr)),
       object(str("guess"), unknown(), unknown()), false},
  };
  for (const Row& r : rows) {
    INFO(r.about);
    CHECK(check_planned(b, r.prior, r.config, r.planned).empty() == r.allowed);
  }
}

TEST_CASE("contract: blocks that a provider adds are named where they are computed ones") {
  schema::Block b;
  b.blocks.resize(1);
  b.blocks[0].type_name = Symbol("rule");
  b.blocks[0].block = std::make_shared<schema::Block>(block());
  const Value rule = object(str("a"), unknown(), unknown());
  auto rules = [&](std::vector<Value> v) {
    return Value::object({{Symbol("rule"), Value::list(rule.type(), std::move(v))}});
  };
  for (const bool computed : {false, true}) {
    b.blocks[0].block->computed = computed;
    b.freeze();
    const Violations found = check_planned(b, Value::null(b.implied_type()), rules({}), rules({rule}));
    REQUIRE(found.size() == 1);
    CHECK((found[0].second.find("computed blocks, which Terraform has from version 1.16 on") !=
           std::string::npos) == computed);
  }
}

TEST_CASE("contract: known planned values are promises, unknown ones are not") {
  schema::Block b = block();
  Value planned = object(str("a"), unknown(), unknown());
  CHECK(check_compatible(b, planned, object(str("a"), str("x"), str(nullptr))).empty());
  CHECK_FALSE(check_compatible(b, planned, object(str("b"), str("x"), str("1"))).empty());
  CHECK_FALSE(check_compatible(b, object(str("a"), str("x"), str("1")), planned).empty());
  Refinement r;
  r.not_null = true;
  Value refined = object(str("a"), unknown(), Value::unknown(Type::string(), r));
  CHECK_FALSE(check_compatible(b, refined, object(str("a"), str("x"), str(nullptr))).empty());
}

TEST_CASE("contract: a value must be of the schema's type") {
  schema::Block b = block();
  CHECK(check_conforms(b, object(str("a"), str("b"), str("c"))).empty());
  CHECK_FALSE(check_conforms(b, Value::object({{Symbol("set"), str("a")}})).empty());
  CHECK_FALSE(check_conforms(b, object(Value::number(1), str("b"), str("c"))).empty());
  CHECK_FALSE(check_conforms(b, Value::string("x")).empty());
}

TEST_CASE("contract: replacement is required only by what really differs") {
  Value prior = object(str("a"), str("b"), str("c")), planned = object(str("a"), str("B"), unknown());
  auto path = [](const char* name) { return Path{PathStep::of_attr(name)}; };
  std::vector<Path> nonexistent;
  auto kept = filter_requires_replace({path("set"), path("both"), path("set"), path("id"), path("nowhere")},
                                      prior, planned, &nonexistent);
  CHECK(kept.size() == 2);
  CHECK(nonexistent.size() == 1);
}

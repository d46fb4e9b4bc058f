// Values that nobody computed: which are made up, from what is given, and what misfits.
#include "core/test/made_up.h"

#include <catch2/catch.hpp>

using namespace xplan;

namespace {

schema::Attribute attribute(const char* name, Type type, bool computed) {
  schema::Attribute a;
  a.name = Symbol(name), a.type = type, a.computed = computed, a.optional = !computed;
  return a;
}

schema::Block block() {
  schema::Block b;
  b.attributes = {
      attribute("id", Type::string(), true), attribute("name", Type::string(), false),
      attribute("n", Type::number(), true), attribute("l", Type::list(Type::string()), true),
      attribute("o", Type::object({{Symbol("x"), Type::string()}, {Symbol("y"), Type::number()}}), true)};
  schema::NestedBlock rule;
  rule.type_name = Symbol("rule");
  rule.block = std::make_shared<schema::Block>();
  rule.block->attributes = {attribute("key", Type::string(), false), attribute("made", Type::string(), true)};
  b.blocks = {rule};
  b.freeze();
  return b;
}

Value object(const schema::Block& b, const Value& name) {
  const Type rule = b.blocks[0].block->implied_type();
  std::vector<Value> attrs;
  for (size_t i = 0; i < b.implied_type().attr_names().size(); ++i) {
    const std::string_view at = b.implied_type().attr_names()[i].sv();
    attrs.push_back(
        at == "name" ? name
        : at == "rule"
            ? Value::list(rule, {Value::object(rule, {Value::string("k"), Value::null(Type::string())})})
            : Value::null(b.implied_type().elements()[i]));
  }
  return Value::object(b.implied_type(), std::move(attrs));
}

Value made(const Value* given, test::Missing which, test::Becomes becomes, const Value& of,
           std::optional<test::MisfitValue>& misfit) {
  return test::make_up(block(), of, given, which, becomes, misfit);
}

}  // namespace

TEST_CASE("made up: what is not set is unknown, then of the kind of its type") {
  std::optional<test::MisfitValue> misfit;
  const Value planned = made(nullptr, test::Missing::Null, test::Becomes::Unknown,
                             object(block(), Value::null(Type::string())), misfit);
  CHECK(planned.attr("id").is_unknown());
  CHECK(planned.attr("name").is_null());
  CHECK(planned.attr("rule").elements()[0].attr("made").is_unknown());
  const Value v = made(nullptr, test::Missing::Unknown, test::Becomes::Known, planned, misfit);
  CHECK(v.is_wholly_known());
  CHECK(v.attr("id").as_string().size() == 8);
  CHECK(v.attr("n").raw_equal(Value::number(0)));
  CHECK(v.attr("l").length() == 0);
  CHECK(v.attr("o").attr("y").raw_equal(Value::number(0)));
  CHECK(v.attr("rule").elements()[0].attr("key").as_string() == "k");
  CHECK(v.attr("rule").elements()[0].attr("made").as_string().size() == 8);
  CHECK_FALSE(misfit);
}

TEST_CASE("made up: what is given counts where nothing is set, converted") {
  std::optional<test::MisfitValue> misfit;
  const Value given = Value::object({{Symbol("id"), Value::number(12)},
                                     {Symbol("name"), Value::string("not taken")},
                                     {Symbol("o"), Value::object({{Symbol("x"), Value::string("ox")}})},
                                     {Symbol("rule"), Value::object({{Symbol("made"), Value::string("rm")}})},
                                     {Symbol("nope"), Value::number(1)}});
  const Value v = made(&given, test::Missing::Null, test::Becomes::Known,
                       object(block(), Value::unknown(Type::string())), misfit);
  CHECK(v.attr("id").as_string() == "12");
  CHECK(v.attr("name").is_unknown());
  CHECK(v.attr("o").attr("x").as_string() == "ox");
  CHECK(v.attr("o").attr("y").raw_equal(Value::number(0)));
  CHECK(v.attr("rule").elements()[0].attr("made").as_string() == "rm");
  CHECK_FALSE(misfit);
}

TEST_CASE("made up: a given value of another type is a misfit, with its place") {
  std::optional<test::MisfitValue> misfit;
  const Value given = Value::object({{Symbol("n"), Value::string("five")}});
  made(&given, test::Missing::Null, test::Becomes::Known, object(block(), Value::null(Type::string())),
       misfit);
  REQUIRE(misfit);
  CHECK(path_text(misfit->path) == ".n");
}

// Ready validators: what they accept, refuse and do not judge; where, at any depth. Dynamic defaults.
#include <catch2/catch.hpp>

#include "core/provider/kit/provider.h"
#include "core/provider/kit/validate.h"
#include "core/provider/kit/validators.h"
#include "core/schema/schema.h"
#include "core/value/json.h"

using namespace xplan;
using schema::Nesting;

namespace {

// The problems of a configuration (JSON with "?" for unknown) of these fields: "summary@path".
std::string problems(std::vector<kit::Field> fields, const char* json, std::vector<kit::Validator> rules = {},
                     std::string* detail = nullptr) {
  kit::Schema s{std::move(fields), 0, "", ""};
  s.rules = std::move(rules);
  schema::Schema plain = kit::to_schema(s);
  plain.block.freeze();
  Result<Value> v = parse_json_as(json, plain.block.implied_type());
  INFO(json);
  REQUIRE(v);
  const Value config = transform_value(*v, [](const Path&, const Value& x) {
    return x.is_string() && x.as_string() == "?" ? Value::unknown(x.type()) : x;
  });
  ProviderDiags diags;
  kit::validate_fields(s, config, diags);
  std::string out;
  for (const ProviderDiag& d : diags) out += (out.empty() ? "" : "; ") + d.summary + "@" + path_text(d.path);
  if (detail && !diags.empty()) *detail = diags[0].detail;
  return out;
}

}  // namespace

TEST_CASE("validators of values: what they refuse, in words") {
  using namespace kit;
  struct Case {
    Field field;
    Validator validator;
    std::vector<const char*> accepted, refused;
    const char* detail;  // of the first that is refused
  };
  auto s = [] { return string("a").optional(); };
  auto n = [] { return number("a").optional(); };
  auto l = [] { return list_of("a", Type::string()).optional(); };
  auto m = [] { return map_of("a", Type::string()).optional(); };
  const Case cases[] = {
      {s(),
       matches("^[a-z]+$", "lower-case letters"),
       {R"("abc")"},
       {R"("A")", R"("")"},
       "The value must be lower-case letters, but it is \"A\"."},
      {s(),
       one_of({"x", "y"}),
       {R"("x")"},
       {R"("z")"},
       "The value must be one of \"x\", \"y\", but it is \"z\"."},
      {s(), none_of({"x"}), {R"("y")"}, {R"("x")"}, "The value must not be one of \"x\", but it is \"x\"."},
      {s(),
       valid_duration(),
       {R"("1h30m")", R"("0")"},
       {R"("soon")"},
       "\"soon\" is not a valid duration. Write 30s or 1h30m, for example."},
      {s(), valid_json(), {R"("{}")"}, {R"("{")"}, nullptr},
      {s(),
       length_between(1, 3),
       {R"("abc")"},
       {R"("")", R"("abcd")"},
       "The length must be between 1 and 3, but it is 0."},
      {s(), length_at_most(3), {R"("")"}, {R"("ééé")"}, "The length must be at most 3, but it is 6."},
      {s(),
       characters_between(1, 3),
       {R"("ééé")"},
       {R"("éééé")"},
       "The number of characters must be between 1 and 3, but it is 4."},
      {l(), length_at_least(1), {R"(["x"])"}, {"[]"}, "The length must be at least 1, but it is 0."},
      {n(),
       number_between(1, 3),
       {"1", "3", "2.5"},
       {"0", "3.5"},
       "The value must be between 1 and 3, but it is 0."},
      {n(), number_at_least(1), {"1"}, {"-1"}, "The value must be at least 1, but it is -1."},
      {n(), number_at_most(1), {"1"}, {"2"}, "The value must be at most 1, but it is 2."},
      {n(),
       one_of_numbers({80, 443}),
       {"443"},
       {"81", "80.5"},
       "The value must be one of 80, 443, but it is 81."},
      {s(), any_of({one_of({"auto"}), valid_duration()}), {R"("auto")", R"("3s")"}, {R"("x")"}, nullptr},
      {l(),
       each(length_at_most(1)),
       {"[]", R"(["x",null,"?"])"},
       {R"(["x","xy"])"},
       "The length must be at most 1, but it is 2."},
      {m(), each_key(length_at_most(1)), {R"({"k":"long"})"}, {R"({"long":"k"})"}, nullptr},
  };
  for (const Case& c : cases) {
    INFO(c.validator.description);
    std::string detail;
    auto check = [&](const char* value) {
      Field f = c.field;
      return problems({f.validate(c.validator)}, (std::string(R"({"a":)") + value + "}").c_str(), {},
                      &detail);
    };
    for (const char* value : c.accepted) CHECK(check(value) == "");
    for (const char* value : {"null", "\"?\""})
      if (c.field.info.type == Type::string()) CHECK(check(value) == "");
    for (size_t i = 0; i < c.refused.size(); ++i) {
      CHECK(check(c.refused[i]).starts_with("Invalid attribute value@.a"));
      if (i == 0 && c.detail) CHECK(detail == c.detail);
    }
  }
  CHECK(problems({list_of("a", Type::list(Type::string())).optional().validate(each(each(one_of({"x"}))))},
                 R"({"a":[["x"],["x","y"]]})") == "Invalid attribute value@.a[1][1]");
  CHECK_THROWS_AS(matches("(", "x"), std::logic_error);
}

TEST_CASE("validators of which attributes are set, and what is not known is not judged") {
  using namespace kit;
  struct Case {
    Validator rule;
    const char *config, *said;
  };
  auto ab = [] {
    return std::vector<Field>{string("a").optional(), string("b").optional(), string("c").optional()};
  };
  const Case cases[] = {
      {exactly_one_of({"a", "b"}), R"({"a":"1"})", ""},
      {exactly_one_of({"a", "b"}), "{}", "Missing attribute value@"},
      {exactly_one_of({"a", "b"}), R"({"a":"1","b":"2"})", "Conflicting attributes@.b"},
      {exactly_one_of({"a", "b"}), R"({"a":"?"})", ""},
      {exactly_one_of({"a", "b", "c"}), R"({"a":"1","b":"2","c":"?"})", "Conflicting attributes@.b"},
      {exactly_one_of({"a", "b"}), R"({"a":"1","b":"?"})", ""},
      {at_least_one_of({"a", "b"}), "{}", "Missing attribute value@"},
      {at_least_one_of({"a", "b"}), R"({"a":"1","b":"2"})", ""},
      {at_least_one_of({"a", "b"}), R"({"a":"?"})", ""},
      {at_most_one_of({"a", "b"}), "{}", ""},
      {at_most_one_of({"a", "b"}), R"({"a":"1","b":"2"})", "Conflicting attributes@.b"},
      {required_together({"a", "b"}), "{}", ""},
      {required_together({"a", "b"}), R"({"a":"1"})", "Missing attribute value@.a"},
      {required_together({"a", "b"}), R"({"a":"1","b":"?"})", ""},
      {required_together({"a", "b", "c"}), R"({"a":"1","c":"?"})", "Missing attribute value@.a"},
  };
  for (const Case& c : cases) {
    INFO(c.rule.description << " " << c.config);
    CHECK(problems(ab(), c.config, {c.rule}) == c.said);
  }
  // The same within nested attributes and blocks, and of attributes beside the one that has the rule.
  for (const char* kind : {"nested", "block"}) {
    std::vector<Field> inner = {string("a").optional().validate(conflicts_with({"b"})),
                                string("b").optional(),
                                string("c").optional().validate(requires_also({"a"}))};
    Field f = kind == std::string("nested") ? nested("x", Nesting::List, inner).optional()
                                            : block("x", Nesting::List, inner);
    f.validate(each(at_least_one_of({"a", "b"})));
    INFO(kind);
    CHECK(problems({f}, R"({"x":[{"a":"1"},{"a":"1","b":"2"}]})") == "Conflicting attributes@.x[1].a");
    CHECK(problems({f}, R"({"x":[{"c":"1"}]})") ==
          "Missing attribute value@.x[0]; Missing attribute value@.x[0].c");
    CHECK(problems({f}, R"({"x":[{"c":"1","a":"?"}]})") == "");
  }
}

TEST_CASE("a default can depend on the rest of the configuration") {
  kit::Schema s{{kit::string("name").required(),
                 kit::string("label").with_default(
                     [](const kit::DefaultRequest& r) {
                       const Value& name = *r.whole_config.find_attr("name");
                       return name.is_string() ? Value::string("label of " + std::string(name.as_string()))
                                               : Value::unknown(Type::string());
                     },
                     "made of the name")},
                0,
                "",
                ""};
  schema::Schema plain = kit::to_schema(s);
  plain.block.freeze();
  for (auto [name, label] : {std::pair(Value::string("n"), Value::string("label of n")),
                             std::pair(Value::unknown(Type::string()), Value::unknown(Type::string()))}) {
    PlanRequest r;
    r.prior = Value::null(plain.block.implied_type());
    r.config = Value::object({{Symbol("name"), name}, {Symbol("label"), Value::null(Type::string())}});
    r.proposed = schema::proposed_new(plain.block, r.prior, r.config);
    CHECK(kit::plan_change(s, plain.block.implied_type(), r, {}, false)
              .planned.find_attr("label")
              ->raw_equal(label));
  }
}

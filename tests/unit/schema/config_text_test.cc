// Generated configuration: which attributes and blocks are written, and how they are aligned.
#include "core/schema/config_text.h"

#include <catch2/catch.hpp>

using namespace xplan;
using namespace xplan::schema;

namespace {

Attribute attribute(std::string_view name, Type type, std::string_view flags) {
  Attribute a;
  a.name = Symbol(name);
  a.type = type;
  a.required = flags.find('r') != flags.npos;
  a.optional = flags.find('o') != flags.npos;
  a.computed = flags.find('c') != flags.npos;
  a.sensitive = flags.find('s') != flags.npos;
  a.write_only = flags.find('w') != flags.npos;
  a.deprecated = flags.find('d') != flags.npos;
  return a;
}

NestedBlock nested(std::string_view name, Nesting nesting, std::vector<Attribute> attributes) {
  NestedBlock b;
  b.type_name = Symbol(name);
  b.nesting = nesting;
  b.block = std::make_shared<Block>();
  b.block->attributes = std::move(attributes);
  return b;
}

Value text(std::string_view s) {
  return Value::string(s);
}
Value object(std::vector<std::pair<Symbol, Value>> attrs) {
  return Value::object(std::move(attrs));
}

}  // namespace

TEST_CASE("generated configuration: attributes") {
  struct Row {
    std::string_view situation, flags;
    Value value;
    std::string line;  // "": left out
  };
  Type s = Type::string();
  const Row rows[] = {
      {"required", "r", text("x"), "v = \"x\""},
      {"optional and not set", "o", Value::null(s), "v = null"},
      {"an empty text stands for not set", "o", text(""), "v = null"},
      {"an empty text that is required", "r", text(""), "v = \"\""},
      {"only the provider sets it", "c", text("x"), ""},
      {"either may set it", "oc", text("x"), "v = \"x\""},
      {"deprecated", "od", text("x"), ""},
      {"sensitive by schema", "os", text("x"), "v = null # sensitive"},
      {"sensitive by mark", "o", text("x").with_marks(kSensitive), "v = null # sensitive"},
      {"write-only", "ow", Value::null(s), "v = null"},
      {"text that must be quoted", "o", text("a\"b\n${c} %{d}\\"), "v = \"a\\\"b\\n$${c} %%{d}\\\\\""},
      {"text that is a JSON object", "o", text("{\"b\":[1,true],\"a\":null}"),
       "v = jsonencode({\n    a = null\n    b = [1, true]\n  })"},
      {"text that is a JSON number stays text", "o", text("12"), "v = \"12\""},
      {"text that only begins like JSON", "o", text("{a"), "v = \"{a\""},
      {"number", "o", Value::number(1200), "v = 1200"},
      {"list", "o", Value::list(s, {text("a"), text("b")}), "v = [\"a\", \"b\"]"},
      {"empty map", "o", Value::map(s, {}), "v = {}"},
      {"list of objects", "o",
       Value::tuple({object({{Symbol("k"), Value::number(1)}}), object({{Symbol("k"), Value::number(2)}})}),
       "v = [{\n    k = 1\n    }, {\n    k = 2\n  }]"},
  };
  for (const Row& r : rows) {
    INFO(r.situation);
    Block b;
    b.attributes = {attribute("v", r.value.type(), r.flags)};
    b.freeze();
    std::string expected = "resource \"t\" \"n\" {\n" + (r.line.empty() ? "" : "  " + r.line + "\n") + "}";
    CHECK(resource_text("t", "n", "", b, object({{Symbol("v"), r.value}})) == expected);
  }
}

TEST_CASE("generated configuration: a provider that says what is configured is believed") {
  const Type s = Type::string();
  Block b;
  b.attributes = {attribute("id", s, "oc"), attribute("made", s, "c"), attribute("old", s, "od"),
                  attribute("older", s, "od"), attribute("text", s, "o")};
  b.blocks = {nested("rule", Nesting::List, {attribute("port", s, "o")})};
  b.blocks[0].block->deprecated = true;
  b.freeze();
  const Type rule = Type::object({{Symbol("port"), s}});
  const Value v = object({{Symbol("id"), text("i-1")},
                          {Symbol("made"), text("m")},
                          {Symbol("old"), text("o")},
                          {Symbol("older"), Value::null(s)},
                          {Symbol("rule"), Value::list(rule, {object({{Symbol("port"), text("80")}})})},
                          {Symbol("text"), text("")}});
  CHECK(resource_text("t", "n", "", b, v) == "resource \"t\" \"n\" {\n  text = null\n}");
  CHECK(resource_text("t", "n", "", b, v, TextOf::Configuration) == R"(resource "t" "n" {
  id   = "i-1"
  old  = "o"
  text = ""
  rule {
    port = "80"
  }
})");
}

TEST_CASE("generated configuration: blocks, alignment, provider") {
  Type s = Type::string();
  Attribute deep;
  deep.name = Symbol("deep");
  deep.optional = true;
  deep.nested = std::make_shared<Object>();
  deep.nested->nesting = Nesting::List;
  deep.nested->attributes = {attribute("a", s, "r"), attribute("long", s, "o"), attribute("out", s, "c")};
  deep.type = deep.nested->implied_type();
  Block b;
  b.attributes = {attribute("id", s, "oc"), attribute("name", s, "r"), attribute("secret_key", s, "os"),
                  attribute("tags", Type::map(s), "o"), deep};
  b.blocks = {nested("rule", Nesting::List, {attribute("port", Type::number(), "r")}),
              nested("zone", Nesting::Map, {attribute("x", s, "o")}),
              nested("timeouts", Nesting::Single, {})};
  b.freeze();
  Type item = deep.type.element();
  Value v = object({
      {Symbol("id"), text("i-1")},
      {Symbol("name"), text("n")},
      {Symbol("secret_key"), text("hidden")},
      {Symbol("tags"), Value::map(s, {{"k", text("1")}, {"two words", text("2")}})},
      {Symbol("deep"), Value::list(item, {Value::object(item, {text("1"), Value::null(s), text("o")})})},
      {Symbol("rule"), Value::list(Type::object({{Symbol("port"), Type::number()}}),
                                   {object({{Symbol("port"), Value::number(80)}}),
                                    object({{Symbol("port"), Value::number(443)}})})},
      {Symbol("zone"),
       Value::map(Type::object({{Symbol("x"), s}}), {{"k", object({{Symbol("x"), text("1")}})}})},
      {Symbol("timeouts"), Value::null(b.find_block("timeouts")->block->implied_type())},
  });
  CHECK(resource_text("t", "n", "cloud.west", b, v) == R"(resource "t" "n" {
  provider = cloud.west
  deep = [
    {
      a    = "1"
      long = null
    },
  ]
  name       = "n"
  secret_key = null # sensitive
  tags = {
    k           = "1"
    "two words" = "2"
  }
  rule {
    port = 80
  }
  rule {
    port = 443
  }
  zone "k" {
    x = "1"
  }
})");
}

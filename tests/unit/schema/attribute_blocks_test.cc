// Attributes of list and set types that are written as blocks, as older providers allow.
#include <catch2/catch.hpp>

#include "core/schema/decode.h"
#include "core/schema/schema.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

schema::Attribute optional(const char* name, const char* type) {
  schema::Attribute a;
  a.name = Symbol(name);
  a.type = *parse_type_json(type);
  a.optional = a.computed = true;
  return a;
}

constexpr const char* kRules =
    R"(["list",["object",{"port":"number","note":"string","to":["set",["object",{"cidr":"string"}]]}]])";

schema::Block firewall(bool structural) {
  schema::Block b;
  b.attributes.push_back(optional("name", "\"string\""));
  b.attributes.push_back(optional("rule", kRules));
  b.attributes.back().computed = false;
  b.attributes.back().optional = false, b.attributes.back().required = true;
  b.attributes.push_back(optional("tag", R"(["set",["object",{"k":"string"}]])"));
  if (structural) b.attributes.push_back(optional("extra", R"(["object",{"a":"string"}])"));
  b.freeze();
  return b;
}

struct Case {
  const char* about;
  const char* text;
  const char* json;  // null: there is an error
  bool structural = false;
};

const Case kCases[] = {
    {"an argument", "rule = [{ port = 1, note = \"n\", to = [] }]",
     R"({"name":null,"rule":[{"note":"n","port":1,"to":[]}],"tag":null})"},
    {"blocks, with what they leave out null", "rule {\n port = 1\n }\n rule {\n note = \"b\"\n }",
     R"({"name":null,"rule":[{"note":null,"port":1,"to":null},{"note":"b","port":null,"to":null}],"tag":null})"},
    {"blocks inside of blocks", "rule {\n to {\n cidr = \"x\"\n }\n to {\n cidr = \"x\"\n }\n }",
     R"({"name":null,"rule":[{"note":null,"port":null,"to":[{"cidr":"x"}]}],"tag":null})"},
    {"an argument inside of a block", "rule {\n to = [{ cidr = \"x\" }]\n }",
     R"({"name":null,"rule":[{"note":null,"port":null,"to":[{"cidr":"x"}]}],"tag":null})"},
    {"dynamic blocks", "dynamic \"rule\" {\n for_each = [7, 8]\n content {\n port = rule.value\n }\n }",
     R"({"name":null,"rule":[{"note":null,"port":7,"to":null},{"note":null,"port":8,"to":null}],"tag":null})"},
    {"a set as blocks beside an argument", "rule = []\n tag {\n k = \"b\"\n }\n tag {\n k = \"a\"\n }",
     R"({"name":null,"rule":[],"tag":[{"k":"a"},{"k":"b"}]})"},
    {"both forms at once", "rule = []\n rule {\n port = 1\n }", nullptr},
    {"an argument the objects do not have", "rule {\n nope = 1\n }", nullptr},
    {"neither form of a required one", "name = \"n\"", nullptr},
    {"no blocks where the provider knows objects", "rule {\n port = 1\n }", nullptr, true},
    {"a block named like a string argument", "rule = []\n name {\n }", nullptr},
};

}  // namespace

TEST_CASE("an attribute of a list or set of objects may be written as blocks") {
  for (const Case& c : kCases) {
    INFO(c.about);
    SourceTable sources;
    Diagnostics diags;
    auto file = syntax::parse_native(sources, "t.tf", std::string(c.text) + "\n", diags);
    schema::Block block = firewall(c.structural);
    syntax::Rest body{&file->body, {}, {}};
    eval::FunctionTable none;
    eval::NamesScope scope(none);
    syntax::Content content = schema::take_apart(body, block, diags);
    schema::validate_body(content, block, diags);
    Value v = schema::decode(content, block, scope, diags);
    CHECK(diags.has_errors() == (c.json == nullptr));
    if (c.json) CHECK(to_json(v) == c.json);
  }
}

TEST_CASE("references inside of blocks that are an attribute are found") {
  SourceTable sources;
  Diagnostics diags;
  auto file = syntax::parse_native(sources, "t.tf",
                                   "rule {\n to {\n cidr = var.a\n }\n }\n dynamic \"tag\" {\n for_each = "
                                   "var.b\n content {\n k = tag.key\n }\n }\n",
                                   diags);
  schema::Block block = firewall(false);
  syntax::Content content = schema::take_apart({&file->body, {}, {}}, block, diags);
  std::vector<const syntax::Traversal*> found;
  schema::collect_traversals(content, block, found);
  CHECK(found.size() == 2);
  CHECK_FALSE(diags.has_errors());
}

// What loading makes of a configuration: merged overrides, resolved references, provider configurations,
// inputs of modules.
#include <catch2/catch.hpp>

#include "core/eval/eval.h"
#include "core/schema/decode.h"
#include "tests/unit/config/fake_schemas.h"

using namespace xplan;
using config::RefKind;

namespace {

using Files = std::map<std::string, std::string>;

struct Loaded {
  MemoryFs fs;
  SourceTable sources;
  Diagnostics diags;
  FakeSchemas schemas;
  std::unique_ptr<config::Config> config;

  explicit Loaded(Files files, bool structure_only = false) {
    fs.files = std::move(files);
    config::LoadOptions options;
    options.structure_only = structure_only;
    config = config::load(fs, sources, options, structure_only ? nullptr : &schemas, diags);
    std::string all;
    for (const Diagnostic& d : diags.all()) all += d.summary + ": " + d.detail + "\n";
    CHECK(all == "");
  }
  const config::Module& root() const { return *config->root->module; }
  const config::Resource& resource(std::string_view type, std::string_view name) const {
    return *config->find(ConfigResource{Module(), {Mode::Managed, Symbol(type), Symbol(name)}});
  }
  std::string text(Range r) const {
    ResolvedRange out;
    return sources.resolve(r, out) ? std::string(out.text) : std::string();
  }
};

// The value of an argument of a resource whose expressions are constants.
Value argument(const config::Resource& r, std::string_view name, Diagnostics& diags) {
  syntax::Content c = syntax::decode_partial(r.body, {{{name}}, {}}, nullptr, diags);
  const syntax::Attribute* a = c.find(name);
  return a ? eval::evaluate_constant(*a->expr, diags) : Value::null();
}

}  // namespace

TEST_CASE("config model: override files change single arguments and whole block types") {
  Loaded c(
      Files{{"main.tf", R"(
variable "v" {
  type    = number
  default = 1
}
locals { l = "base" }
output "o" {
  value       = "base"
  description = "kept"
}
resource "mock_thing" "r" {
  name = "base"
  size = 1
  rule { port = 1 }
  rule { port = 2 }
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = true
  }
  provisioner "local-exec" { command = "base" }
}
module "m" {
  source = "./m"
  a      = "base"
  b      = "base"
}
)"},
            {"a_override.tf.json", R"({"variable": {"v": {"default": "5"}}, "resource": {"mock_thing": {"r": {
  "name": "from json", "dynamic": {"rule": {"for_each": "${[7]}", "content": {"port": 3}}},
  "lifecycle": {"prevent_destroy": false, "ignore_changes": ["size"]}}}}})"},
            {"override.tf", R"(
locals { l = "over" }
output "o" { value = "over" }
module "m" { a = "over" }
resource "mock_thing" "r" {
  size = 9
  provisioner "local-exec" { command = "over 1" }
  provisioner "local-exec" { command = "over 2" }
}
)"},
            {"m/main.tf", "variable \"a\" {}\nvariable \"b\" {}\n"}});
  const config::Module& m = c.root();
  CHECK(m.variables[0].default_value.raw_equal(Value::number(5)));
  CHECK(c.text(m.locals[0].expr->range) == "\"over\"");
  CHECK(c.text(m.outputs[0].expr->range) == "\"over\"");
  CHECK(m.outputs[0].description == "kept");
  const config::Resource& r = c.resource("mock_thing", "r");
  Diagnostics d;
  CHECK(argument(r, "name", d).as_string() == "from json");
  CHECK(argument(r, "size", d).raw_equal(Value::number(9)));
  syntax::Content blocks =
      syntax::decode_partial(r.body, {{}, {{"rule", {}}, {"dynamic", {"type"}}}}, nullptr, d);
  REQUIRE(blocks.blocks.size() == 1);  // generated blocks replaced the written ones
  CHECK(blocks.blocks[0].type.sv() == "dynamic");
  CHECK(r.create_before_destroy);
  CHECK_FALSE(r.prevent_destroy);
  CHECK(r.ignore == config::IgnoreKind::Some);
  REQUIRE(r.provisioners.size() == 2);
  REQUIRE(m.calls[0].arguments.size() == 2);
  CHECK(c.text(m.calls[0].arguments[0].expr->range) == "\"over\"");
  CHECK(c.text(m.calls[0].arguments[1].expr->range) == "\"base\"");
  CHECK(d.empty());
}

TEST_CASE("config model: references are bound to what they mean") {
  Loaded c(Files{{"main.tf", R"(
variable "v" {}
locals { l = var.v.deep[0] }
resource "terraform_data" "one" { input = local.l }
resource "terraform_data" "many" {
  count = 2
  input = count.index
}
data "terraform_remote_state" "d" { backend = "local" }
module "m" {
  source   = "./m"
  for_each = toset(["k"])
}
output "all" {
  value = [terraform_data.one.id, resource.terraform_data.one, terraform_data.many[1].id, terraform_data.many,
    data.terraform_remote_state.d.outputs, module.m["k"].o.x, module.m, path.module, terraform.workspace]
}
)"},
                 {"m/main.tf", "output \"o\" { value = { x = 1 } }\n"}});
  const config::Module& m = c.root();
  std::vector<const syntax::Traversal*> used;
  syntax::collect_traversals(*m.outputs[0].expr, used);
  struct Row {
    RefKind kind;
    uint32_t index, consumed;
    bool has_key;
    const char* output;
  };
  const Row rows[] = {{RefKind::Resource, 0, 1, false, ""},   {RefKind::Resource, 0, 2, false, ""},
                      {RefKind::Resource, 1, 1, true, ""},    {RefKind::Resource, 1, 1, false, ""},
                      {RefKind::Resource, 2, 2, false, ""},   {RefKind::ModuleCall, 0, 1, true, "o"},
                      {RefKind::ModuleCall, 0, 1, false, ""}, {RefKind::PathModule, 0, 1, false, ""},
                      {RefKind::Workspace, 0, 1, false, ""}};
  REQUIRE(used.size() == std::size(rows));
  for (size_t i = 0; i < used.size(); ++i) {
    INFO(c.text(used[i]->range));
    REQUIRE(used[i]->bound > 0);
    const config::Reference& r = m.reference(*used[i]);
    CHECK(r.kind == rows[i].kind);
    CHECK(r.index == rows[i].index);
    CHECK(r.consumed == rows[i].consumed);
    CHECK(r.has_key == rows[i].has_key);
    CHECK(r.output.sv() == rows[i].output);
    CHECK(r.traversal == used[i]);
  }
  CHECK(m.reference(*used[2]).key == InstanceKey::of(1));
  CHECK(m.reference(*used[5]).key == InstanceKey::of(Symbol("k")));
}

TEST_CASE("config model: references of JSON strings are bound on the nodes that are evaluated") {
  Loaded c(Files{
      {"main.tf.json",
       R"({"locals": {"l": 1}, "resource": {"mock_thing": {"r": {"name": "a ${local.l}", "rule": [{"note": "${local.l}"}]}}}})"}});
  const config::Resource& r = c.resource("mock_thing", "r");
  CHECK(r.references.size() == 2);
  Diagnostics d;
  std::vector<const syntax::Traversal*> again;
  schema::collect_traversals(r.content, r.schema->block, again);
  REQUIRE(again.size() == 2);
  for (const syntax::Traversal* t : again) CHECK(c.root().reference(*t).kind == RefKind::Local);
}

TEST_CASE("config model: references of a resource leave out what happens later") {
  Loaded c(Files{{"main.tf", R"(
locals {
  a = 1
  b = 1
}
resource "terraform_data" "x" {}
resource "terraform_data" "r" {
  count = local.a
  input = [local.b, path.module]
  provisioner "local-exec" { command = local.a }
  provisioner "local-exec" {
    when    = destroy
    command = self.id
  }
  lifecycle {
    replace_triggered_by = [terraform_data.x]
    postcondition {
      condition     = self.id != local.b
      error_message = "m"
    }
  }
}
)"}});
  std::vector<std::string> texts;
  for (const syntax::Traversal* t : c.resource("terraform_data", "r").references)
    texts.push_back(c.text(t->range));
  CHECK(texts ==
        std::vector<std::string>{"local.a", "local.b", "path.module", "self.id", "local.b", "local.a"});
}

TEST_CASE("config model: each resource finds its provider configuration") {
  Loaded c(
      Files{{"main.tf", R"(
terraform {
  required_providers {
    alt = { source = "hashicorp/mock" }
  }
}
provider "alt" { region = "r" }
provider "alt" {
  alias  = "w"
  region = "w"
}
resource "mock_thing" "implied" { name = "n" }
resource "mock_thing" "named" {
  provider = alt.w
  name     = "n"
}
resource "terraform_data" "builtin" {}
module "plain" { source = "./plain" }
module "passed" {
  source    = "./passed"
  providers = { mock.peer = alt.w }
}
)"},
            {"plain/main.tf",
             "resource \"mock_thing\" \"x\" { name = \"n\" }\nmodule \"deep\" { source = \"../deep\" }\n"},
            {"deep/main.tf",
             "provider \"mock\" { region = \"deep\" }\nresource \"mock_thing\" \"x\" { name = \"n\" }\n"},
            {"passed/main.tf", R"(
terraform {
  required_providers {
    mock = {
      source                = "hashicorp/mock"
      configuration_aliases = [mock.peer]
    }
  }
}
resource "mock_thing" "x" {
  provider = mock.peer
  name     = "n"
}
resource "mock_thing" "y" { name = "n" }
)"}});
  const std::string mock = "provider[\"registry.terraform.io/hashicorp/mock\"]";
  const auto texts = [&](std::string_view path) {
    std::vector<std::string> out;
    for (const config::Node* n : c.config->nodes) {
      if (n->path.text() != path) continue;
      for (const ProviderConfigAddr& p : n->resource_providers) out.push_back(p.text());
    }
    return out;
  };
  CHECK(texts("") ==
        std::vector<std::string>{mock, mock + ".w", "provider[\"terraform.io/builtin/terraform\"]"});
  CHECK(texts("module.plain") == std::vector<std::string>{mock});
  CHECK(texts("module.plain.module.deep") == std::vector<std::string>{"module.plain.module.deep." + mock});
  CHECK(texts("module.passed") == std::vector<std::string>{mock + ".w", mock});
}

TEST_CASE("config model: a directory that is called twice is read once") {
  Loaded c(Files{{"main.tf", "module \"a\" { source = \"./m\" }\nmodule \"b\" { source = \"./x/../m\" }\n"},
                 {"x/y", ""},
                 {"m/main.tf", "module \"c\" { source = \"../n\" }\n"},
                 {"n/main.tf", "output \"o\" { value = path.module }\n"}});
  CHECK(c.config->modules.size() == 3);
  std::vector<std::string> paths;
  for (const config::Node* n : c.config->nodes) paths.push_back(n->path.text() + "=" + n->module->dir);
  CHECK(paths == std::vector<std::string>{"=.", "module.a=m", "module.a.module.c=n", "module.b=m",
                                          "module.b.module.c=n"});
  CHECK(c.config->find(c.config->nodes[2]->path) == c.config->nodes[2]);
}

TEST_CASE("config model: loading ends soon after the run is to end, with something usable") {
  MemoryFs fs;
  fs.files = {{"main.tf", "module \"a\" {\n  source = \"./m\"\n}\nmodule \"b\" {\n  source = \"./m\"\n}\n"},
              {"m/main.tf", "output \"o\" {\n  value = 1\n}\n"}};
  const std::atomic<bool> stop{true};
  for (bool structure_only : {false, true}) {
    SourceTable sources;
    Diagnostics diags;
    FakeSchemas schemas;
    config::LoadOptions options;
    options.structure_only = structure_only;
    options.stop = &stop;
    auto c = config::load(fs, sources, options, structure_only ? nullptr : &schemas, diags);
    REQUIRE(diags.all().size() == 1);
    CHECK(diags.all()[0].summary == "Loading was interrupted");
    CHECK(c->nodes.size() == 1);
    REQUIRE(c->root->children.size() == 2);
    CHECK_FALSE(c->root->children[0]);
    CHECK_FALSE(c->root->children[1]);
  }
}

TEST_CASE("config model: what does not fit a schema is not reported after the run is to end") {
  struct Stopping : FakeSchemas {
    std::atomic<bool> stop{false};
    schema::ProviderSchemaPtr schema(const ProviderAddr& p, Range used_at, Diagnostics& diags) override {
      stop = true;  // while it is loaded; it may be an outdated one, which is not loaded once more
      return FakeSchemas::schema(p, used_at, diags);
    }
  } schemas;
  MemoryFs fs;
  fs.files = {{"main.tf", "resource \"mock_thing\" \"a\" {\n  name  = \"a\"\n  fresh = 1\n}\n"}};
  SourceTable sources;
  Diagnostics diags;
  config::LoadOptions options;
  options.stop = &schemas.stop;
  auto c = config::load(fs, sources, options, &schemas, diags);
  REQUIRE(diags.all().size() == 1);
  CHECK(diags.all()[0].summary == "Loading was interrupted");
  CHECK(c->nodes.size() == 1);
}

TEST_CASE("config model: the structure alone can be read without providers") {
  Loaded c(
      Files{{"main.tf",
             "resource \"nowhere_thing\" \"x\" { a = local.nothing }\noutput \"o\" { value = var.none }\n"}},
      true);
  CHECK(c.root().resources[0].provider.display() == "hashicorp/nowhere");
  CHECK(c.config->nodes[0]->resource_providers.size() == 1);
}

TEST_CASE("config model: addresses of imports keep their expressions apart") {
  Loaded c(Files{{"main.tf", R"(
import {
  for_each = { a = 1 }
  to       = module.m[each.key].terraform_data.x[each.value]
  id       = "i"
}
module "m" {
  source   = "./m"
  for_each = toset(["a"])
}
)"},
                 {"m/main.tf", "resource \"terraform_data\" \"x\" { count = 2 }\n"}});
  const config::Import& i = c.root().imports[0];
  REQUIRE(i.module_keys.size() == 1);
  CHECK(c.text(i.module_keys[0]->range) == "each.key");
  CHECK(c.text(i.to_key->range) == "each.value");
  CHECK(c.root().reference(*i.to_key->traversal).kind == RefKind::EachValue);
}

TEST_CASE("config model: ten thousand resources load in linear time", "[slow]") {
  std::string text = "locals {\n  all = [\n";
  for (int i = 0; i < 10000; ++i) text += "    terraform_data.r" + std::to_string(i) + ".id,\n";
  text += "  ]\n}\n";
  for (int i = 0; i < 10000; ++i) {
    text += "resource \"terraform_data\" \"r" + std::to_string(i) +
            "\" {\n  input = " + (i ? "terraform_data.r" + std::to_string(i - 1) + ".id" : std::string("1")) +
            "\n}\n";
  }
  Loaded c(Files{{"main.tf", text}});
  CHECK(c.root().resources.size() == 10000);
}

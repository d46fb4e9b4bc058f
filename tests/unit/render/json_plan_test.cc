// The JSON documents. Cases of testdata/show-json: a configuration and what the member "configuration" must
// be.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/config/dialect.h"
#include "core/provider/schemas.h"
#include "render/json_config.h"
#include "render/json_plan.h"
#include "render/json_schemas.h"
#include "render/json_shape.h"
#include "tests/support/folder.h"

using namespace xplan;

namespace {

struct Loaded {
  std::unique_ptr<ProviderFactory> factory = make_builtin_factory();
  std::unique_ptr<ProviderSchemas> schemas = std::make_unique<ProviderSchemas>(*factory);
  SourceTable sources;
  MemoryFs fs;
  Diagnostics diags;
  std::unique_ptr<config::Config> config;
  void load() { config = config::load(fs, sources, {}, schemas.get(), diags); }
};

schema::SchemaPtr builtin(const ProviderAddr&, Mode mode, Symbol type) {
  return schema::find(make_builtin_provider()->schema(), mode, type);
}

Value secret(Value v) {
  return v.with_marks(kSensitive);
}
Value object(std::vector<std::pair<const char*, Value>> attrs) {
  std::vector<std::pair<Symbol, Value>> out;
  for (auto& [k, v] : attrs) out.emplace_back(Symbol(k), std::move(v));
  return Value::object(std::move(out));
}

Value thing(Value id, Value input, Value output, Value triggers = Value::null()) {
  return object({{"id", std::move(id)},
                 {"input", std::move(input)},
                 {"output", std::move(output)},
                 {"triggers_replace", std::move(triggers)}});
}

ResourceChange change(std::string_view addr, Action action, Value before, Value after) {
  ResourceChange c;
  c.addr = c.prev_addr = *parse_abs_instance(addr);
  c.provider = *parse_provider_config_addr("provider[\"terraform.io/builtin/terraform\"]");
  c.schema = builtin({}, Mode::Managed, Symbol("terraform_data"));
  c.change.action = action;
  c.change.before = std::move(before), c.change.after = std::move(after);
  return c;
}

}  // namespace

TEST_CASE("plan json: configurations are described as the reference tools describe them") {
  size_t cases = 0;
  std::vector<std::filesystem::path> dirs;
  for (const auto& d : std::filesystem::directory_iterator(std::string(TESTDATA) + "/show-json"))
    dirs.push_back(d.path());
  std::sort(dirs.begin(), dirs.end());
  for (const std::filesystem::path& dir : dirs) {
    INFO(dir.filename().string());
    Loaded l;
    for (const auto& f : std::filesystem::recursive_directory_iterator(dir))
      if (f.is_regular_file() && f.path().filename() != "expected.json")
        l.fs.files[std::filesystem::relative(f.path(), dir).string()] = test::file_text(f.path());
    l.load();
    for (const Diagnostic& d : l.diags.all())
      if (d.severity == Severity::Error) FAIL_CHECK(d.summary << ": " << d.detail);
    JsonWriter w;
    config::use_dialect(config::Dialect::Terraform);
    render::write_config_json(*l.config, w);
    config::use_dialect(config::Dialect::Xplan);
    CHECK(w.text() + "\n" == test::file_text(dir / "expected.json"));
    ++cases;
  }
  CHECK(cases >= 8);
}

TEST_CASE("plan json: shadows and known parts of values") {
  const Value unknown = Value::unknown(), text = Value::unknown(Type::string());
  const Type shape = Type::object({{Symbol("a"), Type::string()}});
  struct Row {
    Value v;
    const char *known, *unknown, *sensitive;
  };
  const Row rows[] = {
      {Value::null(), "null", "false", "false"},
      {Value::string("<x>"), "\"\\u003cx\\u003e\"", "false", "false"},
      {secret(Value::number(1)), "1", "false", "true"},
      {text, "null", "true", "false"},
      {unknown, "null", "true", "false"},
      {Value::unknown(shape), "null", "true", "{}"},
      {Value::unknown(Type::list(shape)), "null", "true", "[]"},
      {Value::unknown(Type::map(shape)), "null", "true", "{}"},
      {secret(Value::unknown(shape)), "null", "true", "true"},
      {object({}), "{}", "{}", "{}"},
      {Value::tuple({}), "[]", "[]", "[]"},
      {Value::tuple({Value::number(1), text, secret(Value::string("s")), Value::null()}),
       "[1,null,\"s\",null]", "[false,true,false,false]", "[false,false,true,false]"},
      {object({{"a", Value::number(1)},
               {"b", text},
               {"c", secret(Value::string("s"))},
               {"d", object({})},
               {"e", Value::null()}}),
       "{\"a\":1,\"c\":\"s\",\"d\":{},\"e\":null}", "{\"b\":true,\"d\":{}}", "{\"c\":true,\"d\":{}}"},
      {secret(object({{"b", text}})), "{}", "{\"b\":true}", "true"},
      {Value::map(Type::string(), {{"k", text}, {"l", secret(Value::string("v"))}}), "{\"l\":\"v\"}",
       "{\"k\":true}", "{\"l\":true}"},
      {Value::set(Type::string(), {Value::string("b"), Value::string("a")}), "[\"a\",\"b\"]", "[false,false]",
       "[false,false]"},
      {object({{"list", Value::list(shape, {Value::null(shape), object({{"a", text}})})}}),
       "{\"list\":[null,{}]}", "{\"list\":[false,{\"a\":true}]}", "{\"list\":[false,{}]}"},
  };
  for (const Row& row : rows) {
    INFO(row.known << " " << row.unknown);
    JsonWriter known, unknowns, marks;
    render::write_known_part(row.v, known);
    render::write_unknown_shape(row.v, unknowns);
    render::write_sensitive_shape(row.v, marks);
    CHECK(known.text() == row.known);
    CHECK(unknowns.text() == row.unknown);
    CHECK(marks.text() == row.sensitive);
  }
}

TEST_CASE("plan json: a plan with every kind of member") {
  Loaded l;
  l.fs.files["main.tf"] =
      "variable \"v\" { default = 1 }\nvariable \"e\" {\n  default = 2\n  ephemeral = true\n}\n";
  l.load();
  REQUIRE(!l.diags.has_errors());
  Plan p;
  const Value id = Value::string("i"), x = Value::string("x"),
              none = Value::null(builtin({}, Mode::Managed, Symbol("terraform_data"))->block.implied_type());
  p.variables = {{Symbol("g"), Value::string("3"), false, false}};
  p.changes.push_back(change("terraform_data.a[2]", Action::Create, none,
                             thing(Value::unknown(Type::string()), secret(x), Value::unknown())));
  p.changes.push_back(change("terraform_data.a[10]", Action::DeleteThenCreate,
                             thing(id, x, x, Value::number(1)),
                             thing(Value::unknown(Type::string()), x, Value::unknown(), Value::number(2))));
  p.changes.back().reason = Reason::ReplaceBecauseCannotUpdate;
  p.changes.back().required_replace = {{PathStep::of_attr("triggers_replace")},
                                       {PathStep::of_attr("input"), PathStep::of_index(Value::number(0))}};
  p.changes.push_back(change("terraform_data.gone", Action::Delete, thing(id, x, x), none));
  p.changes.back().deposed = "00aa11bb";
  p.changes.push_back(change("module.m[\"k\"].module.n.terraform_data.moved", Action::NoOp, thing(id, x, x),
                             thing(id, x, x)));
  p.changes.back().prev_addr = *parse_abs_instance("terraform_data.old");
  p.changes.back().change.importing = true, p.changes.back().change.import_id = "i";
  p.changes.back().change.generated_config = "resource";
  p.deferred.push_back(
      {change("terraform_data.later", Action::Create, none, thing(Value::unknown(Type::string()), x, x)),
       DeferredReason::InstanceCountUnknown});
  ResourceChange& later = p.deferred.back().change;
  later.addr = later.prev_addr = *parse_partial_instance("module.m[*].terraform_data.later[*]");
  later.change.importing = true;
  p.drift.push_back(change("terraform_data.same", Action::NoOp, thing(id, x, x), thing(id, x, x)));
  p.drift.push_back(change("terraform_data.lost", Action::Delete, thing(id, x, x), none));
  p.outputs.push_back(
      {Symbol("later"), {Action::Create, Value(), Value::unknown(), false, "", ""}, true, false});
  p.outputs.push_back({Symbol("old"), {Action::Delete, x, Value(), false, "", ""}, false, false});
  p.relevant_attributes = {{*parse_abs_instance("terraform_data.a"),
                            {PathStep::of_attr("input"), PathStep::of_index(Value::string("k"))}}};
  CheckResult check;
  check.config_addr = "module.m.terraform_data.c", check.status = CheckStatus::Fail;
  check.resource = *parse_config_resource(check.config_addr);
  check.objects = {{"module.m[0].terraform_data.c[\"k\"]", CheckStatus::Fail, {"z", "a"}}};
  p.checks.push_back(check);
  check = {};
  check.kind = CheckKind::Output, check.config_addr = "output.o", check.name = Symbol("o");
  p.checks.push_back(check);
  p.timestamp = "2026-11-21T06:08:13Z", p.applyable = true;
  JsonWriter w;
  Diagnostics diags;
  render::write_plan_json(p, *l.config, builtin, w, diags);
  CHECK(
      w.text() ==
      R"({"format_version":"1.2","terraform_version":"1.11.4","variables":{"e":{"value":2},"g":{"value":"3"},"v":{"value":1}},)"
      R"("planned_values":{"outputs":{"later":{"sensitive":true}},"root_module":{"resources":[)"
      R"({"address":"terraform_data.a[10]","mode":"managed","type":"terraform_data","name":"a","index":10,"provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":{"input":"x","triggers_replace":2},"sensitive_values":{}},)"
      R"({"address":"terraform_data.a[2]","mode":"managed","type":"terraform_data","name":"a","index":2,"provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":{"input":"x","triggers_replace":null},"sensitive_values":{"input":true}}],)"
      R"("child_modules":[{"address":"module.m[\"k\"]","child_modules":[{"resources":[{"address":"module.m[\"k\"].module.n.terraform_data.moved","mode":"managed","type":"terraform_data","name":"moved","provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":{"id":"i","input":"x","output":"x","triggers_replace":null},"sensitive_values":{}}],"address":"module.m[\"k\"].module.n"}]}]}},)"
      R"("resource_drift":[{"address":"terraform_data.lost","mode":"managed","type":"terraform_data","name":"lost","provider_name":"terraform.io/builtin/terraform","change":{"actions":["delete"],"before":{"id":"i","input":"x","output":"x","triggers_replace":null},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}],)"
      R"("resource_changes":[{"address":"terraform_data.a[2]","mode":"managed","type":"terraform_data","name":"a","index":2,"provider_name":"terraform.io/builtin/terraform","change":{"actions":["create"],"before":null,"after":{"input":"x","triggers_replace":null},"after_unknown":{"id":true,"output":true},"before_sensitive":false,"after_sensitive":{"input":true}}},)"
      R"({"address":"terraform_data.a[10]","mode":"managed","type":"terraform_data","name":"a","index":10,"provider_name":"terraform.io/builtin/terraform","change":{"actions":["delete","create"],"before":{"id":"i","input":"x","output":"x","triggers_replace":1},"after":{"input":"x","triggers_replace":2},"after_unknown":{"id":true,"output":true},"before_sensitive":{},"after_sensitive":{},"replace_paths":[["triggers_replace"],["input",0]]},"action_reason":"replace_because_cannot_update"},)"
      R"({"address":"terraform_data.gone","mode":"managed","type":"terraform_data","name":"gone","provider_name":"terraform.io/builtin/terraform","deposed":"00aa11bb","change":{"actions":["delete"],"before":{"id":"i","input":"x","output":"x","triggers_replace":null},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}},)"
      R"({"address":"module.m[\"k\"].module.n.terraform_data.moved","previous_address":"terraform_data.old","module_address":"module.m[\"k\"].module.n","mode":"managed","type":"terraform_data","name":"moved","provider_name":"terraform.io/builtin/terraform","change":{"actions":["no-op"],"before":{"id":"i","input":"x","output":"x","triggers_replace":null},"after":{"id":"i","input":"x","output":"x","triggers_replace":null},"after_unknown":{},"before_sensitive":{},"after_sensitive":{},"importing":{"id":"i"},"generated_config":"resource"}}],)"
      R"("deferred_changes":[{"reason":"instance_count_unknown","resource_change":{"address":"module.m[*].terraform_data.later[*]","module_address":"module.m[*]","mode":"managed","type":"terraform_data","name":"later","index_unknown":true,"provider_name":"terraform.io/builtin/terraform","change":{"actions":["create"],"before":null,"after":{"input":"x","output":"x","triggers_replace":null},"after_unknown":{"id":true},"before_sensitive":false,"after_sensitive":{},"importing":{"unknown":true}}}}],)"
      R"("output_changes":{"later":{"actions":["create"],"before":null,"after_unknown":true,"before_sensitive":true,"after_sensitive":true},"old":{"actions":["delete"],"before":"x","after":null,"after_unknown":false,"before_sensitive":false,"after_sensitive":false}},)"
      R"("configuration":{"root_module":{"variables":{"e":{"default":2},"v":{"default":1}}}},)"
      R"("relevant_attributes":[{"resource":"terraform_data.a","attribute":["input","k"]}],)"
      R"("checks":[{"address":{"kind":"resource","mode":"managed","module":"module.m","name":"c","to_display":"module.m.terraform_data.c","type":"terraform_data"},"status":"fail","instances":[{"address":{"instance_key":"k","module":"module.m[0]","to_display":"module.m[0].terraform_data.c[\"k\"]"},"status":"fail","problems":[{"message":"a"},{"message":"z"}]}]},)"
      R"({"address":{"kind":"output_value","name":"o","to_display":"output.o"},"status":"unknown"}],)"
      R"("timestamp":"2026-11-21T06:08:13Z","applyable":true,"complete":true,"errored":false})");
  // Moved objects count as drift where there are no changes to tell of them.
  p.mode = PlanMode::RefreshOnly;
  JsonWriter refreshed;
  render::write_plan_json(p, *l.config, builtin, refreshed, diags);
  CHECK(refreshed.text().find("terraform_data.same") != std::string::npos);
}

TEST_CASE("state json: forms of a state") {
  State s;
  auto text = [&](bool good = true) {
    JsonWriter w;
    Diagnostics diags;
    CHECK(render::write_state_json(s, builtin, render::Unreadable::Refused, w, diags) == good);
    CHECK(diags.has_errors() == !good);
    return w.take();
  };
  CHECK(text() == R"({"format_version":"1.0"})");
  s.check_results.emplace(1);  // as a run that destroys everything leaves them
  CHECK(text() == R"({"format_version":"1.0"})");
  s.check_results.reset();
  s.terraform_version = "1.9.0";
  s.outputs[Symbol("o")] = {Value::tuple({Value::number(1), Value::string("&")}), true};
  CHECK(
      text() ==
      R"({"format_version":"1.0","terraform_version":"1.9.0","values":{"outputs":{"o":{"sensitive":true,"value":[1,"\u0026"],"type":["tuple",["number","string"]]}},"root_module":{}}})");
  s.outputs.clear();
  auto o = std::make_shared<Object>();
  o->buffer = std::make_shared<const std::string>(
      R"({"id":"i","input":{"value":{"a":"x"},"type":["object",{"a":"string"}]},"output":null,"triggers_replace":null})");
  o->attributes_json = *o->buffer;
  o->sensitive_paths = {{{PathStep::of_attr("input"), PathStep::of_attr("a")}, kSensitive}};
  o->status = ObjectStatus::Tainted;
  o->dependencies = std::make_shared<const std::vector<ConfigResource>>(std::vector<ConfigResource>{
      *parse_config_resource("terraform_data.z"), *parse_config_resource("module.m.terraform_data.a")});
  const ProviderConfigAddr provider =
      *parse_provider_config_addr("provider[\"terraform.io/builtin/terraform\"]");
  s.ensure(*parse_abs_instance("module.m[1].terraform_data.x[0]"), provider).current = o;
  s.ensure(*parse_abs_instance("module.m[1].terraform_data.x[0]"), provider).deposed["0a0b0c0d"] = o;
  const std::string head =
      R"({"address":"module.m[1].terraform_data.x[0]","mode":"managed","type":"terraform_data","name":"x","index":0,"provider_name":"terraform.io/builtin/terraform","schema_version":0,)"
      R"("values":{"id":"i","input":{"a":"x"},"output":null,"triggers_replace":null},"sensitive_values":{"input":{"a":true}},"depends_on":["module.m.terraform_data.a","terraform_data.z"],"tainted":true)";
  CHECK(
      text() ==
      R"({"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{"child_modules":[{"resources":[)" +
          head + "}," + head + R"(,"deposed_key":"0a0b0c0d"}],"address":"module.m[1]"}]}}})");
  auto newer = std::make_shared<Object>(*o);
  newer->schema_version = 9;
  s.ensure(*parse_abs_instance("terraform_data.n"), provider).current = newer;
  text(false);
  s.remove(*parse_abs_instance("terraform_data.n"));
  s.ensure(*parse_abs_instance("other_thing.n"), provider).current = o;
  text(false);
}

TEST_CASE("schemas json: the built-in provider") {
  JsonWriter w;
  auto provider = make_builtin_provider();
  render::write_schemas_json({{*parse_provider_addr("terraform"), provider->schema()}}, w);
  CHECK(w.text().starts_with(
      R"({"format_version":"1.0","provider_schemas":{"terraform.io/builtin/terraform":{"provider":{"version":0},"resource_schemas":{"terraform_data":{"version":0,"block":{"attributes":{"id":{"type":"string","description_kind":"plain","computed":true},"input":{"type":"dynamic","description_kind":"plain","optional":true})"));
}

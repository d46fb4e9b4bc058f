// The plan that the tests of plan files write, and how two plans are compared.
#include "tests/unit/planfile/planfile_support.h"

#include <fstream>

#include "core/state/state.h"

namespace xplan::planfile_test {
namespace {

schema::Attribute attribute(std::string_view name, Type type) {
  schema::Attribute a;
  a.name = Symbol(name), a.type = type, a.optional = true;
  return a;
}

// A type with something of everything: dynamic, sets, maps, nested blocks.
const schema::SchemaPtr& rich_schema() {
  static const schema::SchemaPtr s = [] {
    schema::Schema s;
    s.version = 3;
    s.block.attributes = {attribute("any", Type::dynamic()),
                          attribute("id", Type::string()),
                          attribute("n", Type::number()),
                          attribute("set", Type::set(Type::string())),
                          attribute("tags", Type::map(Type::string())),
                          attribute("flag", Type::boolean())};
    schema::NestedBlock b;
    b.type_name = Symbol("disk");
    b.block = std::make_shared<schema::Block>();
    b.block->attributes = {attribute("size", Type::number()), attribute("kind", Type::dynamic())};
    s.block.blocks = {b};
    s.block.freeze();
    return std::make_shared<const schema::Schema>(std::move(s));
  }();
  return s;
}

State state(std::string_view id) {
  State s;
  s.terraform_version = "1.11.4", s.serial = 7, s.lineage = "3f0a-1";
  AbsInstance a = *parse_abs_instance("module.m[\"k\"].mock_thing.a[1]");
  auto o = std::make_shared<Object>();
  o->value = rich(id, Value::tuple({Value::number(1), Value::string("x")}), Value::number(4));
  o->private_data = std::string("\0\xff private", 10);
  s.ensure(a, {Module(), *parse_provider_addr("example.com/x/mock"), Symbol()}).current = o;
  s.outputs[Symbol("o")] = {Value::string("v"), true};
  return s;
}

struct Types : TypeSource {
  std::optional<Type> type_of(const ProviderAddr& p, Mode m, Symbol t) const override {
    const schema::SchemaPtr s = lookup(p, m, t);
    return s ? std::optional(s->block.implied_type()) : std::nullopt;
  }
};

void check_change(const Change& a, const Change& b) {
  CHECK(a.action == b.action);
  CHECK(a.before.raw_equal(b.before));
  CHECK(a.after.raw_equal(b.after));
  CHECK(a.importing == b.importing);
  CHECK(a.import_id == b.import_id);
  CHECK(a.generated_config == b.generated_config);
}
void check_changes(const std::vector<ResourceChange>& a, const std::vector<ResourceChange>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    INFO(a[i].addr.text());
    CHECK(a[i].addr == b[i].addr);
    CHECK(a[i].prev_addr == b[i].prev_addr);
    CHECK(a[i].deposed == b[i].deposed);
    CHECK(a[i].provider == b[i].provider);
    CHECK(a[i].schema == b[i].schema);
    check_change(a[i].change, b[i].change);
    CHECK(a[i].reason == b[i].reason);
    CHECK((a[i].required_replace == b[i].required_replace));
    CHECK(a[i].private_data == b[i].private_data);
    CHECK(a[i].create_before_destroy == b[i].create_before_destroy);
  }
}

}  // namespace

std::string temp_path(const std::string& name) {
  static const test::Folder folder;
  return folder / name;
}
void spit(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

schema::SchemaPtr lookup(const ProviderAddr& p, Mode, Symbol type) {
  if (type.sv() == "mock_thing") return rich_schema();
  if (!p.is_builtin()) return nullptr;
  for (Mode m : {Mode::Managed, Mode::Data})
    if (auto s = schema::find(make_builtin_provider()->schema(), m, type)) return s;
  return nullptr;
}

Value rich(std::string_view id, Value any, Value n) {
  std::vector<std::pair<Symbol, Value>> disk{{Symbol("kind"), Value::number(2)}, {Symbol("size"), n}};
  Value d = Value::object(std::move(disk));
  return Value::object(
      {{Symbol("any"), std::move(any)},
       {Symbol("disk"), Value::list(d.type(), {d})},
       {Symbol("flag"), Value::boolean(true)},
       {Symbol("id"), id.empty() ? Value::unknown(Type::string()) : Value::string(id)},
       {Symbol("n"), n},
       {Symbol("set"), Value::set(Type::string(), {Value::string("b"), Value::string("a")})},
       {Symbol("tags"), Value::map(Type::string(), {{"k\n", Value::string("é").with_marks(kSensitive)}})}});
}

ResourceChange change(std::string_view addr, Action action, Value before, Value after) {
  ResourceChange c;
  c.addr = c.prev_addr = *parse_abs_instance(addr);
  c.provider = {Module(), *parse_provider_addr("example.com/x/mock"), Symbol()};
  c.schema = rich_schema();
  c.change.action = action;
  const Type type = rich_schema()->block.implied_type();
  c.change.before = before.is_null() ? Value::null(type) : std::move(before);
  c.change.after = after.is_null() ? Value::null(type) : std::move(after);
  return c;
}

Plan rich_plan() {
  Plan p;
  p.mode = PlanMode::Normal;
  p.variables = {{Symbol("z"), Value::string("given"), false, false},
                 {Symbol("a"), Value::tuple({Value::number(1), Value::null()}), false, false},
                 {Symbol("token"), Value(), true, false},
                 {Symbol("d"), Value::boolean(true), false, true}};
  const Value any =
      Value::object({{Symbol("deep"), Value::list(Type::string(), {Value::string("s").with_marks(kSensitive),
                                                                   Value::unknown(Type::string())})}});
  const Value third = Value::number(*Number::parse("0.333333333333333333333333333333333333333333333"));
  const Value big = Value::number(*Number::parse("123456789012345678901234567890"));
  p.changes.push_back(change("mock_thing.created", Action::Create, Value(), rich("", any, third)));
  p.changes.push_back(change("mock_thing.deleted", Action::Delete, rich("1", Value::null(), big), Value()));
  p.changes.push_back(
      change("mock_thing.forgotten[\"a.b\"]", Action::Forget, rich("1", Value::number(1), big), Value()));
  p.changes.push_back(
      change("mock_thing.kept[0]", Action::NoOp, rich("1", any, third), rich("1", any, third)));
  p.changes.push_back(change("mock_thing.read", Action::Read, Value(), rich("", Value::unknown(), third)));
  p.changes.push_back(change("mock_thing.replaced", Action::CreateThenDelete,
                             rich("1", Value::string("x"), third), rich("", any, big)));
  p.changes.push_back(change("module.m[\"k\"].mock_thing.updated", Action::Update, rich("1", any, third),
                             rich("2", Value::null(), big)));
  p.changes[1].reason = Reason::DeleteBecauseNoMoveTarget;
  p.changes[1].deposed = "00aa11bb";
  p.changes[3].change.importing = true, p.changes[3].change.import_id = "the id";
  p.changes[3].change.generated_config = "resource {}\n";
  p.changes[3].prev_addr = *parse_abs_instance("mock_thing.old");
  p.changes[4].reason = Reason::ReadBecauseConfigUnknown;
  p.changes[5].reason = Reason::ReplaceBecauseCannotUpdate, p.changes[5].create_before_destroy = true;
  p.changes[5].private_data = std::string("a\0b", 3);
  p.changes[5].required_replace = {
      {PathStep::of_attr("disk"), PathStep::of_index(Value::number(0)), PathStep::of_attr("size")},
      {PathStep::of_attr("tags"), PathStep::of_index(Value::string("k"))},
      {PathStep::of_attr("set"), PathStep::of_index(Value::string("a"))}};
  p.changes[5].change.after = p.changes[5].change.after.with_marks(kSensitive);
  p.drift.push_back(
      change("mock_thing.drifted", Action::Update, rich("1", any, third), rich("1", Value::null(), third)));
  OutputChange o;
  o.name = Symbol("secret"), o.sensitive = true, o.was_sensitive = false;
  o.change = {Action::Update, Value::number(1), any.unmark_deep(), false, "", ""};
  p.outputs.push_back(o);
  o.name = Symbol("gone"), o.sensitive = o.was_sensitive = false;
  o.change = {Action::Delete, Value::set(Type::number(), {Value::number(1)}), Value::null(), false, "", ""};
  p.outputs.push_back(o);
  p.targets = {"mock_thing.a", "module.m"}, p.excludes = {"mock_thing.b"},
  p.force_replace = {"mock_thing.c[0]"};
  p.relevant_attributes = {{*parse_abs_instance("mock_thing.a"), {}},
                           {*parse_abs_instance("mock_thing.b[\"x\"]"), {PathStep::of_attr("id")}}};
  CheckResult check;
  check.kind = CheckKind::Check, check.config_addr = "module.m.check.c", check.status = CheckStatus::Fail;
  check.module = Module().child(Symbol("m")), check.name = Symbol("c");
  check.objects = {{"module.m[\"k\"].check.c", CheckStatus::Fail, {"no", "never"}}};
  p.checks = {check};
  check = {};
  check.kind = CheckKind::Resource, check.config_addr = "mock_thing.a", check.expanded = false;
  check.resource = *parse_config_resource("mock_thing.a");
  p.checks.push_back(check);
  p.deferral_allowed = true;
  p.deferred.push_back({change("mock_thing.later", Action::Create, Value(), rich("", any, third)),
                        DeferredReason::InstanceCountUnknown});
  p.deferred[0].change.addr = p.deferred[0].change.prev_addr =
      *parse_partial_instance("module.m[*].module.n[\"x\"].mock_thing.later[*]");
  p.deferred.push_back(
      {change("mock_thing.still", Action::NoOp, rich("1", any, third), rich("1", any, third)),
       DeferredReason::DeferredPrereq});
  p.deferred[1].change.change.importing = true;
  p.variables[0].origin = "prod.tfvars", p.variables[0].place = "prod.tfvars:3:8";
  const ModuleInstance m = *parse_module_instance("module.m[\"k\"]");
  p.named = {{NamedKind::Local, {}, Symbol("l"), any.unmark_deep(), Value::number(1)},
             {NamedKind::Variable, m, Symbol("v"), Value::unknown(Type::string()), {}},
             {NamedKind::Output, m, Symbol("o"), Value::null(Type::string()).with_marks(kSensitive), {}}};
  p.call_results = {{"a digest", "another one"}, {"b", ""}};
  p.repeated = {{*parse_abs_instance("mock_thing.a"), {PathStep::of_attr("id")}, Value::string("1")}};
  p.errored = false, p.complete = false, p.applyable = true;
  p.timestamp = "2026-11-21T06:08:13Z";
  p.workspace = "staging";
  p.backend_config_json = "{\"path\":\"x.tfstate\"}";
  p.prev_run_state = state("old"), p.prior_state = state("new");
  p.build_index();
  return p;
}

planfile::ConfigSnapshot snapshot() {
  return {{{"", ".", "", "", {{"main.tf", "locals {}\n"}, {"x.tf.json", "{}"}}},
           {"a", "mods/a", "./mods/a", "", {{"main.tf", "# a"}}},
           {"a.b", "mods/empty", "example.com/ns/b/sys", "1.2.0", {}}},
          ""};
}

void check_plan(const Plan& a, const Plan& b) {
  CHECK(a.mode == b.mode);
  REQUIRE(a.variables.size() == b.variables.size());
  for (size_t i = 0; i < a.variables.size(); ++i) {
    CHECK(a.variables[i].name == b.variables[i].name);
    CHECK(a.variables[i].value.raw_equal(b.variables[i].value));
    CHECK(a.variables[i].ephemeral == b.variables[i].ephemeral);
    CHECK(a.variables[i].from_default == b.variables[i].from_default);
    CHECK(a.variables[i].origin == b.variables[i].origin);
    CHECK(a.variables[i].place == b.variables[i].place);
  }
  REQUIRE(a.named.size() == b.named.size());
  for (size_t i = 0; i < a.named.size(); ++i) {
    CHECK(a.named[i].kind == b.named[i].kind);
    CHECK(a.named[i].module == b.named[i].module);
    CHECK(a.named[i].name == b.named[i].name);
    CHECK(a.named[i].value.raw_equal(b.named[i].value));
    REQUIRE(a.named[i].before.has_value() == b.named[i].before.has_value());
    if (a.named[i].before) CHECK(a.named[i].before->raw_equal(*b.named[i].before));
  }
  REQUIRE(a.call_results.size() == b.call_results.size());
  for (size_t i = 0; i < a.call_results.size(); ++i) {
    CHECK(a.call_results[i].call == b.call_results[i].call);
    CHECK(a.call_results[i].result == b.call_results[i].result);
  }
  REQUIRE(a.repeated.size() == b.repeated.size());
  for (size_t i = 0; i < a.repeated.size(); ++i) {
    CHECK(a.repeated[i].addr == b.repeated[i].addr);
    CHECK((a.repeated[i].path == b.repeated[i].path));
    CHECK(a.repeated[i].returned.raw_equal(b.repeated[i].returned));
  }
  check_changes(a.changes, b.changes);
  check_changes(a.drift, b.drift);
  CHECK(a.deferral_allowed == b.deferral_allowed);
  REQUIRE(a.deferred.size() == b.deferred.size());
  for (size_t i = 0; i < a.deferred.size(); ++i) {
    check_changes({a.deferred[i].change}, {b.deferred[i].change});
    CHECK(a.deferred[i].reason == b.deferred[i].reason);
  }
  REQUIRE(a.outputs.size() == b.outputs.size());
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    CHECK(a.outputs[i].name == b.outputs[i].name);
    check_change(a.outputs[i].change, b.outputs[i].change);
    CHECK(a.outputs[i].sensitive == b.outputs[i].sensitive);
    CHECK(a.outputs[i].was_sensitive == b.outputs[i].was_sensitive);
  }
  CHECK(a.targets == b.targets);
  CHECK(a.excludes == b.excludes);
  CHECK(a.force_replace == b.force_replace);
  REQUIRE(a.relevant_attributes.size() == b.relevant_attributes.size());
  for (size_t i = 0; i < a.relevant_attributes.size(); ++i) {
    CHECK(a.relevant_attributes[i].addr == b.relevant_attributes[i].addr);
    CHECK((a.relevant_attributes[i].path == b.relevant_attributes[i].path));
  }
  REQUIRE(a.checks.size() == b.checks.size());
  for (size_t i = 0; i < a.checks.size(); ++i) {
    const CheckResult &x = a.checks[i], &y = b.checks[i];
    CHECK(x.kind == y.kind);
    CHECK(x.config_addr == y.config_addr);
    CHECK(x.status == y.status);
    CHECK(x.expanded == y.expanded);
    CHECK(x.module == y.module);
    CHECK(x.name == y.name);
    CHECK(x.resource == y.resource);
    REQUIRE(x.objects.size() == y.objects.size());
    for (size_t k = 0; k < x.objects.size(); ++k) {
      CHECK(x.objects[k].object_addr == y.objects[k].object_addr);
      CHECK(x.objects[k].status == y.objects[k].status);
      CHECK(x.objects[k].failure_messages == y.objects[k].failure_messages);
    }
  }
  CHECK(a.errored == b.errored);
  CHECK(a.complete == b.complete);
  CHECK(a.applyable == b.applyable);
  CHECK(a.timestamp == b.timestamp);
  CHECK(a.workspace == b.workspace);
  CHECK(a.backend_type == b.backend_type);
  CHECK(a.backend_config_json == b.backend_config_json);
  CHECK(write_state(a.prior_state, Types()) == write_state(b.prior_state, Types()));
  CHECK(write_state(a.prev_run_state, Types()) == write_state(b.prev_run_state, Types()));
  CHECK(a.current_index.size() == b.current_index.size());
}

std::string written(const std::string& name) {
  std::string path = temp_path(name);
  auto ok = planfile::write(path, rich_plan(), snapshot(), lookup);
  INFO((ok ? std::string() : ok.error().message));
  REQUIRE(ok);
  return path;
}

void check_error(const Result<planfile::Opened>& r, const std::string& path) {
  REQUIRE(!r);
  CHECK(r.error().message.find(path) != std::string::npos);
  CHECK(r.error().message.find(". ") != std::string::npos);
  CHECK(r.error().message.back() != '.');
}

}  // namespace xplan::planfile_test

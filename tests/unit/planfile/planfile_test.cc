// Plan files: round trips, determinism, entry names, plans of the reference, and damage of every kind (cut
// off, flipped bits, repacked, zip bombs).
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core/base/fs.h"
#include "core/provider/provider.h"
#include "core/value/json.h"
#include "planfile/container.h"
#include "planfile/planfile.h"
#include "planfile/seal.h"
#include "tests/support/folder.h"

using namespace xplan;

namespace {

std::string temp_path(const std::string& name) {
  static const test::Folder folder;
  return folder / name;
}
void spit(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

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

void check_plan(const Plan& a, const Plan& b) {
  CHECK(a.mode == b.mode);
  REQUIRE(a.variables.size() == b.variables.size());
  for (size_t i = 0; i < a.variables.size(); ++i) {
    CHECK(a.variables[i].name == b.variables[i].name);
    CHECK(a.variables[i].value.raw_equal(b.variables[i].value));
    CHECK(a.variables[i].ephemeral == b.variables[i].ephemeral);
    CHECK(a.variables[i].from_default == b.variables[i].from_default);
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

// An error is one sentence that names the file and says what to do.
void check_error(const Result<planfile::Opened>& r, const std::string& path) {
  REQUIRE(!r);
  CHECK(r.error().message.find(path) != std::string::npos);
  CHECK(r.error().message.find(". ") != std::string::npos);
  CHECK(r.error().message.back() != '.');
}

}  // namespace

TEST_CASE("plan file: what is written is read back, field by field") {
  std::string path = written("round.plan");
  CHECK(planfile::is_plan_file(path));
  auto opened = planfile::read(path, lookup);
  INFO((opened ? std::string() : opened.error().message));
  REQUIRE(opened);
  check_plan(rich_plan(), opened->plan);
  CHECK(opened->terraform_version == "1.11.4");
}

TEST_CASE("plan file: the configuration lies where it lay") {
  auto opened = planfile::read(written("config.plan"), lookup);
  REQUIRE(opened);
  CHECK(opened->root_dir == ".");
  CHECK(*opened->fs.read("main.tf") == "locals {}\n");
  CHECK(*opened->fs.read("mods/a/main.tf") == "# a");
  CHECK(opened->fs.is_dir("mods/empty"));
  auto list = opened->fs.read(opened->data_dir + "/modules/modules.json");
  REQUIRE(list);
  CHECK(*list == R"({"Modules":[{"Key":"","Dir":"."},{"Key":"a","Source":"./mods/a","Dir":"mods/a"},)"
                 R"({"Key":"a.b","Source":"example.com/ns/b/sys","Version":"1.2.0","Dir":"mods/empty"}]})");
}

TEST_CASE("plan file: equal plans give equal files") {
  CHECK(test::file_text(written("one.plan")) == test::file_text(written("two.plan")));
}

TEST_CASE("plan file: the entries have the names other tools look for") {
  planfile::ZipReader zip;
  REQUIRE(zip.open(written("names.plan")));
  std::vector<std::string> names = zip.names();
  CHECK(names == std::vector<std::string>{"tfplan", "tfstate", "tfstate-prev", "tfconfig/m-/main.tf",
                                          "tfconfig/m-/x.tf.json", "tfconfig/m-a/main.tf",
                                          "tfconfig/modules.json", ".terraform.lock.hcl", "xplan/plan",
                                          "xplan/deferred"});
  auto text = zip.read("tfstate");
  REQUIRE(text);
  CHECK(text->find("\"serial\": 7") != std::string::npos);
}

TEST_CASE("plan file: plans of the reference can be read") {
  struct Row {
    const char* file;
    size_t changes;
    const char* address;
    Action action;
  };
  const Row rows[] = {
      {"sensitive-diffs-3", 5, "terraform_data.db", Action::Update},
      {"deposed-after-failed-create-3", 3, "terraform_data.cluster", Action::CreateThenDelete},
      {"import-block-1", 3, "terraform_data.adopted", Action::Update},
      {"removed-forget-2", 5, "terraform_data.fleet[0]", Action::Forget},
      {"module-ephemeral-values-1", 1, nullptr, Action::NoOp},
      {"modules-three-deep-1", 1, "module.company.module.site.module.rack.terraform_data.rack",
       Action::Create},
      {"moved-rename-2", 2, "terraform_data.store", Action::Update},
      {"check-blocks-1", 1, "terraform_data.svc", Action::Create},
  };
  for (const Row& row : rows) {
    INFO(row.file);
    auto opened = planfile::read(std::string(TESTDATA) + "/planfile/" + row.file + ".plan", lookup);
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    if (row.address) {
      CHECK(opened->plan.changes.size() == row.changes);
      const ResourceChange* c = opened->plan.find(*parse_abs_instance(row.address));
      REQUIRE(c);
      CHECK(c->change.action == row.action);
    }
    CHECK(opened->plan.workspace == "default");
    CHECK(opened->plan.backend_type == "local");
    CHECK(!opened->fs.files.empty());
    // And once more through our own form.
    std::string path = temp_path("again.plan");
    REQUIRE(planfile::write(path, opened->plan, snapshot(), lookup));
    auto again = planfile::read(path, lookup);
    REQUIRE(again);
    check_plan(opened->plan, again->plan);
  }
}

TEST_CASE("plan file: a file that is cut off anywhere is refused") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("cut.plan");
  for (size_t n = 0; n < whole.size(); ++n) {
    spit(path, std::string_view(whole).substr(0, n));
    check_error(planfile::read(path, lookup), path);
  }
}

TEST_CASE("plan file: every flipped bit is found") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("flipped.plan");
  std::string damaged = whole;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    spit(path, damaged);
    auto opened = planfile::read(path, lookup);
    INFO("bit " << bit);
    check_error(opened, path);
    damaged[bit / 8] = whole[bit / 8];
  }
}

TEST_CASE("plan file: without its seal a plan is none of ours, and not taken for another program's") {
  const std::string whole = test::file_text(written("whole.plan"));
  const std::string path = temp_path("unsealed.plan");
  const size_t mark = whole.rfind("xplan plan file");
  REQUIRE(mark != std::string::npos);
  auto refused = [&](std::string bytes) {
    spit(path, bytes);
    check_error(planfile::read(path, lookup), path);
  };
  refused(whole + std::string(1, '\0'));            // something behind it
  refused(whole + whole);                           // twice
  refused(std::string(whole.size(), ' ') + whole);  // something before it
  std::string bare = whole.substr(0, mark);
  bare[bare.size() - 2] = bare[bare.size() - 1] = 0;  // a zip without a comment, whole in itself
  refused(bare);
  // The same when one bit more is wrong in it: nothing takes it for a plan of the reference.
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = bare;
    const size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    refused(damaged);
  }
}

TEST_CASE("plan file: garbage is refused with one error") {
  const std::string path = temp_path("garbage.plan");
  std::mt19937 random(11);
  for (size_t size : {size_t{0}, size_t{1}, size_t{22}, size_t{1000}, size_t{100000}}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    spit(path, bytes);
    CHECK(!planfile::is_plan_file(path));
    check_error(planfile::read(path, lookup), path);
  }
  spit(path, "{\"version\": 4}");
  CHECK(!planfile::is_plan_file(path));
  check_error(planfile::read(temp_path("missing.plan"), lookup), temp_path("missing.plan"));
  CHECK(!planfile::is_plan_file(temp_path("missing.plan")));
  check_error(planfile::read("/tmp", lookup), "/tmp");
}

TEST_CASE("plan file: archives that are no plans, or mean harm, are refused") {
  struct Row {
    const char* about;
    std::vector<std::pair<std::string, std::string>> entries;
  };
  const std::string modules = R"([{"Key":"","Dir":"."}])";
  const std::string state =
      R"({"version":4,"terraform_version":"1.11.4","serial":0,"lineage":"","outputs":{},"resources":[]})";
  const std::string body = std::string("\x08\x03\x72\x06") + "1.11.4";
  auto plan = [&](std::string tfplan, std::string tfstate, std::string list) {
    return std::vector<std::pair<std::string, std::string>>{{"tfplan", std::move(tfplan)},
                                                            {"tfstate", tfstate},
                                                            {"tfstate-prev", state},
                                                            {"tfconfig/m-/main.tf", ""},
                                                            {"tfconfig/modules.json", std::move(list)}};
  };
  const Row rows[] = {
      {"no entry tfplan", {{"readme.txt", "hello"}}},
      {"a name that leads out", {{"../../etc/passwd", "x"}, {"tfplan", body}}},
      {"an absolute name", {{"/tfplan", body}}},
      {"no states", {{"tfplan", body}}},
      {"a later format", plan("\x08\x04", state, modules)},
      {"a later program", plan(std::string("\x08\x03\x72\x06") + "1.12.0", state, modules)},
      {"no version", plan("", state, modules)},
      {"a message that ends early", plan(body + "\x1a\x50" + "abc", state, modules)},
      {"a field of four gigabytes", plan(body + "\x1a\xff\xff\xff\xff\x0f", state, modules)},
      {"a tag without end", plan(body + std::string(20, '\xff'), state, modules)},
      {"a change without an address", plan(body + std::string("\x1a\x00", 2), state, modules)},
      {"a state that is none", plan(body, "{}", modules)},
      {"modules that are not JSON", plan(body, state, "[")},
      {"no root module", plan(body, state, "[]")},
      {"a module twice", plan(body, state, R"([{"Key":"","Dir":"."},{"Key":"","Dir":"x"}])")},
      {"modules.json with an odd member", plan(body, state, R"([1])")},
  };
  const std::string path = temp_path("odd.plan");
  for (const Row& row : rows) {
    INFO(row.about);
    ::unlink(path.c_str());
    planfile::ZipWriter zip(path, 0);
    for (const auto& [name, text] : row.entries) zip.add_text(name, text);
    REQUIRE(zip.close(false));
    check_error(planfile::read(path, lookup),
                row.about[0] == 'm' || row.about[0] == 'n' || row.about[0] == 'a' ? "plan" : path);
  }
  // The same without a flaw.
  ::unlink(path.c_str());
  planfile::ZipWriter zip(path, 0);
  for (const auto& [name, text] : plan(body, state, modules)) zip.add_text(name, text);
  REQUIRE(zip.close(false));
  CHECK(planfile::read(path, lookup));
}

TEST_CASE("plan file: what another tool packed again is refused, whatever it did") {
  const std::string path = written("exchanged.plan");
  std::vector<std::pair<std::string, std::string>> entries;
  {
    planfile::ZipReader in;
    REQUIRE(in.open(path));
    for (const std::string& n : in.names()) entries.emplace_back(n, *in.read(n));
  }
  auto packed = [&](bool sealed, auto edit) {
    auto copy = entries;
    edit(copy);
    planfile::ZipWriter zip(path, 0);
    for (const auto& [n, t] : copy) zip.add_text(n, t);
    REQUIRE(zip.close(sealed));
    return planfile::read(path, lookup);
  };
  auto nothing = [](auto&) {};
  CHECK(packed(true, nothing));
  check_error(packed(false, nothing), path);
  check_error(packed(false, [](auto& e) { std::swap(e[1].second, e[2].second); }), path);  // the states
  check_error(packed(false, [](auto& e) { e.erase(e.begin() + 5); }), path);
  check_error(packed(false, [](auto& e) { e.push_back({"tfconfig/m-/more.tf", "locals {}"}); }), path);
  check_error(packed(false, [](auto& e) { e[3].second += "#"; }), path);
  // What makes it ours is missing from a plan that is sealed.
  check_error(
      packed(true, [](auto& e) { std::erase_if(e, [](auto& x) { return x.first == "xplan/plan"; }); }), path);
}

TEST_CASE("plan file: messages with any content and right checksums are read or refused") {
  std::mt19937 random(3);
  const std::string path = temp_path("mutated.plan");
  size_t refused = 0;
  for (const char* file : {"sensitive-diffs-3", "import-block-1", "check-blocks-1"}) {
    planfile::ZipReader in;
    REQUIRE(in.open(std::string(TESTDATA) + "/planfile/" + file + ".plan"));
    std::vector<std::pair<std::string, std::string>> entries;
    for (const std::string& n : in.names()) entries.emplace_back(n, *in.read(n));
    for (int i = 0; i < 300; ++i) {
      auto copy = entries;
      std::string& text = copy[random() % 3 ? 0 : random() % copy.size()].second;
      for (int k = 0; k < 1 + i % 4 && !text.empty(); ++k) {
        size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 9);
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 40));
            break;
          case 3:
            text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
            break;
        }
      }
      planfile::ZipWriter zip(path, 0);
      for (const auto& [n, t] : copy) zip.add_text(n, t);
      REQUIRE(zip.close(false));
      auto opened = planfile::read(path, lookup);
      if (opened) {
        CHECK(planfile::write(temp_path("mutated2.plan"), opened->plan, snapshot(), lookup));
      } else {
        ++refused;
        CHECK(!opened.error().message.empty());
      }
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("plan file: an archive that inflates beyond measure is refused") {
  const std::string path = temp_path("bomb.plan");
  planfile::ZipWriter zip(path, 0);
  zip.add("tfplan", [] {
    return [n = 0](std::string& piece) mutable {
      piece.assign(1 << 20, '\0');
      return ++n < 66;
    };
  });
  REQUIRE(zip.close());
  check_error(planfile::read(path, lookup), path);
}

TEST_CASE("plan file: it is for its owner, or for those who could read the file that it replaces") {
  struct stat st;
  const std::string path = written("secret.plan");
  REQUIRE(::stat(path.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  written("secret.plan");
  REQUIRE(::stat(path.c_str(), &st) == 0);
  CHECK((st.st_mode & 0777) == 0640);
}

TEST_CASE("plan file: a codec stands between it and the disk") {
  static constexpr std::string_view kEnvelope = "{\"meta\":";
  struct Backwards : crypt::Codec {
    bool encrypts() const override { return true; }
    Result<void> prepare() override { return {}; }
    Result<std::string> encrypt(std::string_view bytes) override {
      if (broken) return Error{"there is no key"};
      return std::string(kEnvelope) + std::string(bytes.rbegin(), bytes.rend());
    }
    Result<crypt::Decrypted> decrypt(std::string bytes) override {
      if (broken || !bytes.starts_with(kEnvelope)) return Error{"there is no key. Get one"};
      return crypt::Decrypted{std::string(bytes.rbegin(), bytes.rend() - kEnvelope.size()), false};
    }
    Result<std::unique_ptr<crypt::RecordWriter>> write_records() override { return Error{"none"}; }
    Result<crypt::RecordReader> read_records(std::string_view) override { return Error{"none"}; }
    bool broken = false;
  } codec;
  const std::string path = temp_path("encrypted.plan");
  REQUIRE(planfile::write(path, rich_plan(), snapshot(), lookup, codec));
  const std::string bytes = test::file_text(path);
  CHECK(bytes.starts_with(kEnvelope));
  CHECK(bytes.ends_with("KP"));
  CHECK(planfile::is_plan_file(path));
  CHECK(planfile::check_destination(path));
  auto opened = planfile::read(path, lookup, codec);
  REQUIRE(opened);
  check_plan(rich_plan(), opened->plan);
  check_error(planfile::read(path, lookup), path);  // encrypted, without a codec
  check_error(planfile::read(written("plain.plan"), lookup, codec), temp_path("plain.plan"));
  for (size_t n = 0; n < bytes.size(); n += 50) {  // what is decrypted is as hostile as what is not
    std::ofstream(path, std::ios::binary) << bytes.substr(0, n);
    check_error(planfile::read(path, lookup, codec), path);
  }
  codec.broken = true;
  std::filesystem::remove(path);
  auto failed = planfile::write(path, rich_plan(), snapshot(), lookup, codec);
  REQUIRE(!failed);
  CHECK(failed.error().message.find("there is no key") != std::string::npos);
  CHECK(!std::filesystem::exists(path));
}

TEST_CASE("plan file: files of the configuration may have any name") {
  const std::string path = temp_path("names2.plan");
  const std::vector<std::string> names = {"main.tf",        "m\x1b[1min.tf",   "\x01\x7f\xc3\xa9.tf",
                                          "caf\xc3\xa9.tf", "cafe\xcc\x81.tf", "a b.tf"};
  planfile::ConfigSnapshot s = snapshot();
  s.modules[0].files.clear();
  for (const std::string& n : names) s.modules[0].files.emplace_back(n, "# " + n);
  REQUIRE(planfile::write(path, rich_plan(), s, lookup));
  auto opened = planfile::read(path, lookup);
  INFO((opened ? std::string() : opened.error().message));
  REQUIRE(opened);
  for (const std::string& n : names) CHECK(*opened->fs.read(n) == "# " + n);
}

TEST_CASE("plan file: a failed write leaves nothing behind") {
  std::string path = temp_path("no/such/directory/x.plan");
  auto r = planfile::write(path, rich_plan(), snapshot(), lookup);
  REQUIRE(!r);
  CHECK(r.error().message.find(path) != std::string::npos);
  std::filesystem::create_directories(temp_path("dir.plan"));
  CHECK(!planfile::write(temp_path("dir.plan"), rich_plan(), snapshot(), lookup));
  CHECK(!planfile::write("/dev/null", rich_plan(), snapshot(), lookup));
  CHECK(std::filesystem::is_directory(temp_path("dir.plan")));
}

TEST_CASE("plan file: types without a schema are an error that names them") {
  auto r = planfile::read(written("unknown.plan"),
                          [](const ProviderAddr&, Mode, Symbol) -> schema::SchemaPtr { return nullptr; });
  REQUIRE(!r);
  CHECK(r.error().message.find("mock_thing") != std::string::npos);
}

TEST_CASE("plan file: a hundred thousand changes", "[slow]") {
  Plan p = rich_plan();
  p.changes.clear();
  for (int i = 0; i < 100000; ++i)
    p.changes.push_back(change("mock_thing.many[" + std::to_string(i) + "]", Action::Update,
                               rich("id-" + std::to_string(i), Value::string("x"), Value::number(i)),
                               rich("id-" + std::to_string(i), Value::string("y"), Value::number(i))));
  std::string path = temp_path("large.plan");
  REQUIRE(planfile::write(path, p, snapshot(), lookup));
  auto opened = planfile::read(path, lookup);
  REQUIRE(opened);
  CHECK(opened->plan.changes.size() == p.changes.size());
  CHECK(opened->plan.changes.back().change.after.raw_equal(p.changes.back().change.after));
}

TEST_CASE("plan file: the seal closes in whatever pieces the bytes come") {
  const std::string zip = std::string(1000, 'z') + planfile::open_seal();
  std::string whole = zip;
  planfile::SealCloser(whole.size()).pass(whole);
  const std::string path = temp_path("sealed");
  REQUIRE(write_atomic(path, whole));
  std::FILE* file = std::fopen(path.c_str(), "r");
  REQUIRE(file);
  CHECK(planfile::check_seal(file) == planfile::Seal::Good);
  std::fclose(file);
  for (size_t size : {1, 7, 63, 64, 65, 500, 2000}) {
    planfile::SealCloser closer(zip.size());
    std::string out;
    for (size_t i = 0; i < zip.size(); i += size) {
      std::string piece = zip.substr(i, size);
      closer.pass(piece);
      out += piece;
    }
    CHECK(out == whole);
  }
}

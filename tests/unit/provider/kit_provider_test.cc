// A provider made with the kit, called as the engine calls it; and the provider fs on a real directory.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/provider/fs/fs_provider.h"
#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/provider.h"
#include "core/provider/kit/validators.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

class Thing : public kit::Resource {
 public:
  kit::Schema schema() const override {
    return {
        {kit::string("name").required().modify(kit::requires_replace()).validate(kit::length_between(1, 5)),
         kit::string("color").optional().validate(kit::one_of({"red", "blue"})),
         kit::string("id").computed().modify(kit::use_state_for_unknown()),
         kit::string("old").optional().deprecated("Use color."),
         kit::nested("part", schema::Nesting::List,
                     {kit::string("n").required(), kit::string("made").computed()})
             .optional()},
        2,
        "",
        ""};
  }
  void create(const kit::ChangeRequest& r, kit::StateResponse& out) override {
    if (kit::Object(r.planned).text("name") == "none") return;
    kit::Object o(r.planned);
    o.set("id", "1");
    out.state = o.value();
    out.private_data.set("token", "t");
    if (o.text("name") == "half") kit::add_error(out.diags, "half-way", "");
  }
  void read(const Value&, const Value&, kit::StateResponse& out) override {
    if (!out.private_data.find("token")) kit::add_error(out.diags, "no token", "");
  }
  void update(const kit::ChangeRequest&, kit::StateResponse& out) override {
    kit::add_error(out.diags, "not now", "");
  }
  void remove(const kit::ChangeRequest&, kit::StateResponse&) override {}
  Value upgrade(uint64_t version, std::string_view json, ProviderDiags& diags) override {
    if (version != 1) return kit::Resource::upgrade(version, json, diags);
    kit::Object o = kit::Object::blank(type_);
    o.set("name", "upgraded");
    return o.value();
  }
};

class Wait : public kit::DataSource {
 public:
  kit::Schema schema() const override { return {{kit::string("v").computed()}, 0, "", ""}; }
  void read(const Value& config, const Value&, kit::StateResponse& out) override {
    kit::Object o(config);
    o.set("v", "read");
    out.state = o.value();
  }
};

std::shared_ptr<kit::Provider> things() {
  auto p = std::make_shared<kit::Provider>();
  p->set_config({{kit::string("url").optional()}, 0, "", ""}, [](const ConfigureRequest& r) {
    kit::ConfigureResult out;
    if (r.config.find_attr("url")->is_unknown()) out.deferred = Deferral::ProviderConfigUnknown;
    return out;
  });
  p->add("t_thing", std::make_unique<Thing>());
  p->add("t_wait", std::make_unique<Wait>());
  return p;
}

Value of(Provider& p, const char* type, const char* json, Mode mode = Mode::Managed) {
  const schema::Schema* s = p.schema()->find(mode, Symbol(type));
  REQUIRE(s);
  if (!json) return Value::null(s->block.implied_type());
  Result<Value> v = parse_json_as(json, s->block.implied_type());
  REQUIRE(v);
  return *v;
}

std::string diags(const ProviderDiags& list) {
  std::string out;
  for (const ProviderDiag& d : list) out += (out.empty() ? "" : "; ") + d.summary + "@" + path_text(d.path);
  return out;
}

}  // namespace

TEST_CASE("a change goes to create, update or remove, and what they leave is kept") {
  auto p = things();
  Symbol type("t_thing");
  auto apply = [&](const char* prior, const char* planned) {
    ApplyRequest r;
    r.type = type;
    r.prior = of(*p, "t_thing", prior), r.planned = of(*p, "t_thing", planned), r.config = r.planned;
    return p->apply(r);
  };
  ApplyResponse made = apply(nullptr, R"({"name":"a"})");
  CHECK(made.diags.empty());
  CHECK(made.new_state.find_attr("id")->as_string() == "1");
  CHECK(made.private_data == R"({"token":"t"})");
  ApplyResponse half = apply(nullptr, R"({"name":"half"})");
  CHECK(diags(half.diags) == "half-way@");
  CHECK_FALSE(half.new_state.is_null());
  CHECK(diags(apply(nullptr, R"({"name":"none"})").diags) == "Provider returned no object@");
  ApplyResponse kept = apply(R"({"name":"a","id":"1"})", R"({"name":"b","id":"1"})");
  CHECK(diags(kept.diags) == "not now@");
  CHECK(kept.new_state.find_attr("name")->as_string() == "a");
  CHECK(apply(R"({"name":"a","id":"1"})", nullptr).new_state.is_null());

  ReadRequest r;
  r.type = type, r.current = made.new_state, r.private_data = made.private_data;
  CHECK(p->read(r).diags.empty());
  r.private_data = "\x01 not ours";
  ReadResponse foreign = p->read(r);
  CHECK(diags(foreign.diags) == "no token@");
  CHECK(foreign.private_data == "\x01 not ours");
}

TEST_CASE("states of older versions are upgraded, of this version read, others refused") {
  auto p = things();
  Symbol type("t_thing");
  CHECK(p->upgrade(type, 2, R"({"name":"a","gone":1})", {}).state.find_attr("name")->as_string() == "a");
  CHECK(p->upgrade(type, 1, "{}", {}).state.find_attr("name")->as_string() == "upgraded");
  CHECK(diags(p->upgrade(type, 0, "{}", {}).diags) == "State cannot be upgraded@");
  CHECK(diags(p->upgrade(type, 2, "[", {}).diags) == "Invalid object in state@");
  CHECK(diags(p->upgrade(type, 0, "", {{"name", "a"}}).diags) == "Unsupported state@");
  CHECK(diags(p->import({type, "x", {}}).diags) == "Import is not supported@");
  ProviderAddr from = *parse_provider_addr("a/b");
  CHECK(diags(p->move({from, Symbol("b_x"), 0, "{}", "", "", 0, type}).diags) == "Unsupported move@");
  CHECK(diags(p->import({Symbol("t_other"), "x", {}}).diags) == "Unsupported type@");
}

TEST_CASE("validation reports every problem with its path") {
  auto p = things();
  auto check = [&](const char* json) {
    return diags(p->validate_resource(Mode::Managed, Symbol("t_thing"), of(*p, "t_thing", json)));
  };
  CHECK(check(R"({"name":"a","color":"red"})") == "");
  CHECK(check(R"({"name":"a","old":"x"})") == "Deprecated attribute@.old");
  CHECK(check(R"({"name":"too long","color":"green"})") ==
        "Invalid attribute value@.name; Invalid attribute value@.color");
  CHECK(check(R"({"name":"a","part":[{"made":"x"}]})") ==
        "Missing attribute value@.part[0].n; Attribute cannot be set@.part[0].made");
}

TEST_CASE("what is not known yet conflicts with nothing") {
  auto conflicts = [](Value other) {
    ProviderDiags found;
    const Value config = Value::object({{Symbol("a"), Value::string("x")}, {Symbol("b"), std::move(other)}});
    kit::conflicts_with({"b"}).run({kit::at("a"), Value::string("x"), config, config}, found);
    return !found.empty();
  };
  CHECK(conflicts(Value::string("y")));
  CHECK_FALSE(conflicts(Value::null(Type::string())));
  CHECK_FALSE(conflicts(Value::unknown(Type::string())));
}

TEST_CASE("with an unknown provider configuration everything is deferred, where that is allowed") {
  auto p = things();
  Value unknown = Value::object({{Symbol("url"), Value::unknown(Type::string())}});
  for (bool allowed : {true, false}) {
    CHECK(p->configure({unknown, allowed}).empty());
    PlanRequest r;
    r.type = Symbol("t_thing");
    r.prior = of(*p, "t_thing", nullptr), r.config = r.proposed = of(*p, "t_thing", R"({"name":"a"})");
    PlanResponse out = p->plan(r);
    CHECK(out.deferred == (allowed ? Deferral::ProviderConfigUnknown : Deferral::None));
    CHECK(out.planned.find_attr("id")->is_unknown());
    ReadDataRequest d;
    d.type = Symbol("t_wait"), d.config = of(*p, "t_wait", "{}", Mode::Data);
    CHECK(p->read_data(d).state.find_attr("v")->is_unknown() == allowed);
  }
}

TEST_CASE("private data keeps texts, and knows what is not its own") {
  kit::PrivateData d;
  CHECK(d.encode() == "");
  d.set("b", "\"x\"\n");
  d.set("a", "1");
  CHECK(*kit::PrivateData::decode(d.encode()) == d);
  d.remove("a");
  CHECK_FALSE(d.find("a"));
  for (const char* bad : {"{", "[]", R"({"a":1})", "\x80"}) CHECK_FALSE(kit::PrivateData::decode(bad));
}

TEST_CASE("files are made, drift, change and go") {
  std::string root = (std::filesystem::temp_directory_path() / "xplan-fs-XXXXXX").string();
  REQUIRE(mkdtemp(root.data()));
  auto p = make_fs_provider();
  REQUIRE(p->configure({Value::object({{Symbol("root"), Value::string(root)}}), false}).empty());
  Symbol type("fs_file");
  auto content = [&](const std::string& name) {
    std::ostringstream out;
    out << std::ifstream(root + "/" + name).rdbuf();
    return out.str();
  };
  auto plan = [&](const Value& prior, const std::string& json) {
    PlanRequest r;
    r.type = type;
    r.prior = prior;
    r.config = of(*p, "fs_file", json.c_str());
    r.proposed = schema::proposed_new(p->schema()->find(Mode::Managed, type)->block, prior, r.config);
    return p->plan(r);
  };
  auto apply = [&](const Value& prior, const Value& planned) {
    ApplyRequest r;
    r.type = type, r.prior = prior, r.planned = planned, r.config = planned;
    return p->apply(r);
  };
  auto read = [&](const Value& current) {
    ReadRequest r;
    r.type = type, r.current = current;
    return p->read(r);
  };
  Value none = of(*p, "fs_file", nullptr);

  PlanResponse planned = plan(none, R"({"path":"a/b","content":"hello"})");
  REQUIRE(planned.diags.empty());
  CHECK(planned.planned.is_wholly_known());
  Value made = apply(none, planned.planned).new_state;
  CHECK(made.raw_equal(planned.planned));
  CHECK(content("a/b") == "hello");
  CHECK(read(made).new_state.raw_equal(made));
  CHECK(diags(apply(none, planned.planned).diags) == "File cannot be written@.path");  // exists already

  std::ofstream(root + "/a/b") << "edited";
  Value drifted = read(made).new_state;
  CHECK(drifted.find_attr("content")->as_string() == "edited");
  planned = plan(drifted, R"({"path":"a/b","content":"hello"})");
  CHECK(planned.requires_replace.empty());
  CHECK(planned.planned.raw_equal(made));
  CHECK(plan(made, R"({"path":"a/b","content":"hello","mode":"644"})").planned.raw_equal(made));
  CHECK(plan(made, R"({"path":"c","content":"hello"})").requires_replace.size() == 1);

  Value imported = read(p->import({type, "a/b", {}}).objects.at(0).state).new_state;
  CHECK(imported.find_attr("content")->as_string() == "edited");
  CHECK(apply(made, none).new_state.is_null());
  CHECK_FALSE(std::filesystem::exists(root + "/a/b"));
  CHECK(read(made).new_state.is_null());

  std::filesystem::create_directory_symlink("/etc", root + "/link");
  std::filesystem::create_directory_symlink("a", root + "/inner");
  struct Case {
    const char* path;
    bool allowed;
  };
  for (const Case& c :
       {Case{"../x", false}, Case{"/etc/x", false}, Case{"link/x", false}, Case{"a/../../x", false},
        Case{"", false}, Case{"inner/x", true}, Case{"a/../x", true}, Case{"..x", true}}) {
    INFO(c.path);
    CHECK(plan(none, std::string(R"({"content":"","path":")") + c.path + "\"}").diags.empty() == c.allowed);
  }
  std::filesystem::remove_all(root);
}

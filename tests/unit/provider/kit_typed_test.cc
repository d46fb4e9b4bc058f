// Structs mapped to schemas: declared once, read, written, upgraded; resources that stand on them.
#include <catch2/catch.hpp>

#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/typed.h"
#include "core/provider/kit/validators.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

struct Port {
  int64_t number = 0;
  kit::Attr<std::string> protocol;
  static kit::Fields<Port> fields() {
    return {
        {{"number", &Port::number, kit::required()}, {"protocol", &Port::protocol, kit::defaults_to("tcp")}}};
  }
};
struct Disk {
  kit::Attr<double> size;
  static kit::Fields<Disk> fields() { return {{{"size", &Disk::size, kit::optional()}}}; }
};
struct Machine {
  std::string name;
  kit::Attr<bool> on;
  kit::Attr<std::vector<std::string>> tags;
  kit::Set<std::string> zones;
  std::map<std::string, int64_t> weights;
  kit::Attr<std::vector<Port>> ports;
  std::vector<Disk> disk;
  kit::Attr<Value> extra;
  kit::Attr<std::string> id, secret;
  static kit::Fields<Machine> fields() {
    return {{{"name", &Machine::name, kit::required().modify(kit::requires_replace())},
             {"on", &Machine::on, kit::defaults_to(true)},
             {"tags", &Machine::tags, kit::optional()},
             {"zones", &Machine::zones, kit::required()},
             {"weights", &Machine::weights, kit::required()},
             {"ports", &Machine::ports, kit::optional()},
             {"disk", &Machine::disk, kit::block()},
             {"extra", &Machine::extra, kit::optional()},
             {"id", &Machine::id, kit::computed().modify(kit::use_state_for_unknown())},
             {"secret", &Machine::secret, kit::optional().write_only().sensitive()}}};
  }
};

struct MachineV0 {
  kit::Attr<std::string> title;
  static kit::Fields<MachineV0> fields() { return {{{"title", &MachineV0::title}}}; }
};
struct MachineV1 {
  std::string name;
  static kit::Fields<MachineV1> fields() { return {{{"name", &MachineV1::name}}}; }
};

class Machines : public kit::ResourceOf<Machine> {
 public:
  kit::About about() const override { return {.description = "A machine."}; }
  kit::Upgrades<Machine> upgrades() const override {
    return kit::chain<Machine>([](const MachineV0& v) { return MachineV1{v.title.value()}; },
                               [](const MachineV1& v) {
                                 Machine m;
                                 m.name = v.name;
                                 return m;
                               });
  }
  void create(Machine& m, kit::Call& call) override {
    if (m.name == "refused") throw kit::Failure("Refused", "No.", kit::at(&Machine::name));
    if (call.config_as<Machine>().secret.has_value()) call.private_data.set("secret", "given");
    if (m.name == "half") call.keep();
    if (m.name == "half" || m.name == "none") throw std::runtime_error("the line went dead");
    m.id = "m-" + m.name;
  }
  void read(Machine& m, kit::Call& call) override {
    if (m.name == "gone") call.gone();
    m.tags = std::vector<std::string>{"read"};
  }
  void update(Machine& m, const Machine& prior, kit::Call&) override { m.id = prior.id.value() + "+"; }
  void remove(const Machine& m, kit::Call&) override {
    if (m.name == "stuck") throw kit::Failure("Stuck");
  }
  void import(const std::string& id, Machine& m, kit::Call&) override { m.name = id; }
};

std::shared_ptr<kit::Provider> machines() {
  auto p = std::make_shared<kit::Provider>();
  p->add<Machines>("m_machine");
  p->add_function("repeat", {"Repeats a text.", {"text", "count"}},
                  [](const std::string& text, int64_t count) {
                    std::string out;
                    for (int64_t i = 0; i < count; ++i) out += text;
                    return out;
                  });
  return p;
}

Value value_of(Provider& p, const char* text) {
  const Type t = p.schema()->find(Mode::Managed, Symbol("m_machine"))->block.implied_type();
  if (!text) return Value::null(t);
  Result<Value> v = parse_json_as(text, t);
  INFO((v ? "" : v.error().message));
  REQUIRE(v);
  return transform_value(*v, [](const Path&, const Value& x) {
    return x.is_string() && x.as_string() == "?" ? Value::unknown(x.type()) : x;
  });
}
std::string diags_text(const ProviderDiags& list) {
  std::string out;
  for (const ProviderDiag& d : list) out += (out.empty() ? "" : "; ") + d.summary + "@" + path_text(d.path);
  return out;
}
std::string attr_text(const Value& object, const char* name) {
  const Value* v = object.kind() == Kind::Obj ? object.find_attr(name) : nullptr;
  return v ? to_json(*v) : "none";
}

constexpr const char* kWhole = R"({"name":"a","on":false,"tags":["x"],"zones":["q","b"],"weights":{"w":3},
  "ports":[{"number":80,"protocol":"udp"}],"disk":[{"size":1.5}],"extra":{"value":{"k":[1]},"type":["object",{"k":["tuple",["number"]]}]}})";

}  // namespace

TEST_CASE("a struct's fields are the schema, with types from its members") {
  auto p = machines();
  const schema::Schema* s = p->schema()->find(Mode::Managed, Symbol("m_machine"));
  REQUIRE(s);
  CHECK(s->version == 2);
  CHECK(s->block.description == "A machine.");
  struct Expected {
    const char *name, *type;
  };
  for (const Expected& e :
       {Expected{"name", "string"}, Expected{"on", "bool"}, Expected{"tags", "list(string)"},
        Expected{"zones", "set(string)"}, Expected{"weights", "map(number)"},
        Expected{"ports", "list(object({number=number, protocol=string}))"}, Expected{"extra", "any"}}) {
    INFO(e.name);
    const schema::Attribute* a = s->block.find_attribute(e.name);
    REQUIRE(a);
    std::string type = a->type.constraint_text();
    std::erase(type, '\n');
    CHECK(type == e.type);
  }
  REQUIRE(s->block.find_block("disk"));
  CHECK(s->block.find_block("disk")->nesting == schema::Nesting::List);
}

TEST_CASE("an object goes into its struct and back unchanged") {
  auto p = machines();
  for (const char* text :
       {kWhole, R"({"name":"a","zones":[],"weights":{},"disk":[],"id":"?","tags":null,"on":"true"})"}) {
    const Value v = value_of(*p, text);
    ProviderDiags diags;
    std::optional<Machine> m = kit::from_value<Machine>(v, diags);
    INFO(diags_text(diags));
    REQUIRE(m);
    CHECK(kit::to_value(*m).raw_equal(v));
  }
}

TEST_CASE("what a member cannot hold is an error with its path") {
  auto p = machines();
  struct Case {
    const char *text, *said;
  };
  const Case cases[] = {
      {R"({"name":"?","zones":[],"weights":{},"disk":[]})", "Value cannot be read@.name"},
      {R"({"zones":[],"weights":{},"disk":[]})", "Value cannot be read@.name"},
      {R"({"name":"a","zones":[],"weights":{"w":1.5},"disk":[]})", R"(Number out of range@.weights["w"])"},
      {R"({"name":"a","zones":[],"weights":{"w":1},"disk":[],"ports":[{"number":1},{}]})",
       "Value cannot be read@.ports[1].number"},
      {R"({"name":"a","weights":{},"disk":[]})", "Value cannot be read@.zones"},
  };
  for (const Case& c : cases) {
    ProviderDiags diags;
    CHECK_FALSE(kit::from_value<Machine>(value_of(*p, c.text), diags));
    CHECK(diags_text(diags) == c.said);
  }
}

TEST_CASE("typed calls: what they leave, and what of it is kept when they fail") {
  auto p = machines();
  struct Case {
    const char *name, *diags, *id;  // id: of the new state
  };
  auto apply = [&](const Value& prior, const Value& planned, const Value& config) {
    ApplyRequest r;
    r.type = Symbol("m_machine"), r.prior = prior, r.planned = planned, r.config = config;
    return p->apply(r);
  };
  const Value none = value_of(*p, nullptr);
  auto object = [&](const std::string& name, const char* rest) {
    return value_of(*p,
                    (R"({"zones":[],"weights":{},"disk":[],"name":")" + name + "\"" + rest + "}").c_str());
  };
  for (const Case& c : {Case{"a", "", "\"m-a\""}, Case{"refused", "Refused@.name", "none"},
                        Case{"half", "Unexpected failure of the provider@", "null"},
                        Case{"none", "Unexpected failure of the provider@", "none"}}) {
    INFO(c.name);
    const Value planned = object(c.name, R"(,"id":"?")");
    ApplyResponse out = apply(none, planned, object(c.name, R"(,"secret":"s")"));
    CHECK(diags_text(out.diags) == c.diags);
    CHECK(attr_text(out.new_state, "id") == c.id);
    if (c.name == std::string("a")) CHECK(out.private_data == R"({"secret":"given"})");
  }
  ApplyResponse failed = apply(none, object("none", R"(,"id":"?")"), object("none", ""));
  REQUIRE(failed.diags.size() == 1);
  CHECK(failed.diags[0].detail ==
        "The provider failed while creating m_machine: the line went dead. This is a bug in the provider.");
  const Value there = object("a", R"(,"id":"1")");
  CHECK(attr_text(apply(there, object("a", R"(,"id":"?")"), none).new_state, "id") == "\"1+\"");
  CHECK(apply(there, none, none).new_state.is_null());
  const Value stuck = object("stuck", R"(,"id":"1")");
  ApplyResponse kept = apply(stuck, none, none);
  CHECK(diags_text(kept.diags) == "Stuck@");
  CHECK(kept.new_state.raw_equal(stuck));

  ReadRequest r;
  r.type = Symbol("m_machine"), r.current = there;
  CHECK(attr_text(p->read(r).new_state, "tags") == R"(["read"])");
  r.current = object("gone", "");
  CHECK(p->read(r).new_state.is_null());
  CHECK(attr_text(p->import({Symbol("m_machine"), "x", {}}).objects.at(0).state, "name") == "\"x\"");
}

TEST_CASE("states of older versions go through each step") {
  auto p = machines();
  struct Case {
    uint64_t version;
    const char *json, *name, *said;
  };
  for (const Case& c : {Case{0, R"({"title":"old","more":1})", "\"old\"", ""},
                        Case{1, R"({"name":"newer"})", "\"newer\"", ""}, Case{2, kWhole, "\"a\"", ""},
                        Case{0, "[", "none", "State cannot be upgraded@"},
                        Case{0, "{}", "none", "Unexpected failure of the provider@"},
                        Case{1, "{}", "none", "Value cannot be read@.name"},
                        Case{7, "{}", "none", "State cannot be upgraded@"}}) {
    INFO(c.version << " " << c.json);
    UpgradeResponse out = p->upgrade(Symbol("m_machine"), c.version, c.json, {});
    CHECK(attr_text(out.state, "name") == c.name);
    CHECK(diags_text(out.diags) == c.said);
  }
}

TEST_CASE("functions have the signature of their C++ function") {
  auto p = machines();
  const schema::FunctionSignature& s = p->schema()->functions.at(0).second;
  REQUIRE(s.params.size() == 2);
  CHECK(s.params[1].name == "count");
  CHECK(s.params[1].type == Type::number());
  CHECK(s.returns == Type::string());
  auto call = [&](Value text, Value count) { return p->call_function(Symbol("repeat"), {text, count}); };
  CHECK(call(Value::string("ab"), Value::number(2)).result.as_string() == "abab");
  CHECK(call(Value::string("ab"), Value::number(Number::from_double(1.5))).argument == 1);
}

TEST_CASE("mistakes in fields that no compiler sees are told when the program starts") {
  using Rows = kit::Fields<Port>;
  auto twice = [] { Rows({{"number", &Port::number}, {"number", &Port::protocol}}); };
  auto other = [] {
    Rows({{"number", &Port::number, kit::defaults_to("x")}, {"protocol", &Port::protocol}});
  };
  CHECK_THROWS_WITH(twice(), "two rows of fields() are named \"number\"");
  CHECK_THROWS_WITH(other(), "the default of \"number\" is of type string, not number");
}

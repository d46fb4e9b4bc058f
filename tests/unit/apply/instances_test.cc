// Every view of the instances of a resource or a module: whatever leaves or joins, a key gives its own
// instance or none.
#include <catch2/catch.hpp>
#include <random>

#include "core/plan/world.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

const std::vector<std::string> kKeys = {"a", "b", "c", "d", "10", "9", "Z", "é"};

std::vector<std::string> some(std::mt19937& random) {
  std::vector<std::string> out;
  for (const std::string& k : kKeys)
    if (random() % 2) out.push_back(k);
  return out;
}

std::string set_of(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& k : keys) out += "\"" + k + "\", ";
  return "toset([" + out + "])";
}

// A resource over the keys, a resource counted, a module over the keys; each read by key and as a whole.
std::string configuration(const std::vector<std::string>& keys, size_t count) {
  std::string out =
      "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n"
      "resource \"fickle_thing\" \"r\" {\n for_each = " +
      set_of(keys) +
      "\n name = each.key\n}\nresource \"fickle_thing\" \"n\" {\n count = " + std::to_string(count) +
      "\n name = tostring(count.index)\n}\nmodule \"m\" {\n source = \"./m\"\n for_each = " + set_of(keys) +
      "\n name = each.key\n}\n"
      "output \"r\" { value = { for k, r in fickle_thing.r : k => r.name } }\n"
      "output \"n\" { value = { for k, r in fickle_thing.n : k => r.name } }\n"
      "output \"m\" { value = { for k, m in module.m : k => m.name } }\n";
  for (size_t i = 0; i < kKeys.size(); ++i)
    for (const char* of : {"fickle_thing.r", "module.m", "fickle_thing.n"}) {
      std::string key = of == std::string("fickle_thing.n") ? std::to_string(i) : "\"" + kKeys[i] + "\"";
      out += std::string("output \"") + of[0] + of[of[0] == 'm' ? 7 : 13] + std::to_string(i) +
             "\" { value = try(" + of + "[" + key + "].name, \"none\") }\n";
    }
  return out;
}

// What is wrong with the outputs of a plan: a key that gives another's name, or a look-up that disagrees with
// the object of all.
std::string mistakes(const Plan& p) {
  std::string out;
  std::map<std::string, Value> values;
  for (const OutputChange& o : p.outputs) values.emplace(o.name.sv(), o.change.after);
  for (const char* of : {"r", "n", "m"}) {
    const Value& all = values.at(of);
    if (!all.is_known() || all.is_null()) continue;
    auto names = all.type().attr_names();
    for (Symbol k : names)
      if (const Value& v = all.attr(k.sv()); v.is_known() && v.as_string() != k.sv())
        out += std::string(of) + "." + std::string(k.sv()) + " is " + std::string(v.as_string()) + "\n";
    for (size_t i = 0; i < kKeys.size(); ++i) {
      std::string key = *of == 'n' ? std::to_string(i) : kKeys[i];
      const Value& one = values.at((*of == 'm' ? "mm" : "f" + std::string(of)) + std::to_string(i));
      const Value* whole = all.find_attr(key);
      if (!one.is_known()) continue;
      if (one.as_string() != (whole ? key : "none"))
        out += std::string(of) + "[" + key + "] is " + std::string(one.as_string()) + "\n";
    }
  }
  return out;
}

}  // namespace

TEST_CASE("instances: whatever leaves or joins, a key gives its own instance or none") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    FickleScript script;
    TestWorld w(configuration(some(random), random() % 8));
    w.make_factory = [&] { return std::make_unique<FickleFactory>(script); };
    w.fs.files["m/main.tf"] =
        "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n"
        "variable \"name\" {}\nresource \"fickle_thing\" \"x\" { name = var.name }\n"
        "output \"name\" { value = fickle_thing.x.name }\n";
    for (int step = 0; step < 6; ++step) {
      if (random() % 2) w.fs.files["main.tf"] = configuration(some(random), random() % 8);
      PlanOptions o;
      o.mode = random() % 2 ? PlanMode::RefreshOnly : PlanMode::Normal;
      script.gone.clear();
      for (const std::string& k : some(random)) script.gone.insert(k);
      for (size_t i = random() % 8; i < 8; ++i) script.gone.insert(std::to_string(i));
      Plan p = w.plan(o);
      script.gone.clear();
      INFO("step " << step << "\n" << w.fs.files["main.tf"] << w.problems());
      REQUIRE(!w.diags.has_errors());
      REQUIRE(mistakes(p) == "");
      w.apply(p);
      REQUIRE(!w.diags.has_errors());
    }
  }
}

TEST_CASE("instances: a slot shows what it was filled with, and nothing before") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    ResourceSlot slot;
    auto take = [](const std::vector<std::string>& keys, Expanded& e, std::vector<Value>& values) {
      e.kind = Expansion::ForEach;
      for (const std::string& k : keys) e.instances.push_back({InstanceKey::of(Symbol(k)), Value()});
      std::sort(e.instances.begin(), e.instances.end(),
                [](const Repetition& a, const Repetition& b) { return less(a.key, b.key); });
      for (const Repetition& r : e.instances) values.push_back(Value::string(r.key.string.sv()));
    };
    std::vector<std::string> declared = some(random), existing = some(random);
    std::vector<Value> values, state_values;
    Expanded in_state;
    take(declared, slot.declared, values);
    take(existing, in_state, state_values);
    REQUIRE(slot.kind() == Expansion::Unknown);
    for (const std::string& k : kKeys) {
      bool is = std::find(declared.begin(), declared.end(), k) != declared.end();
      REQUIRE(slot.declared.index_of(InstanceKey::of(Symbol(k))).has_value() == is);
      REQUIRE(slot.find(InstanceKey::of(Symbol(k))) == nullptr);
    }
    bool from_state = seed % 2;
    if (from_state)
      slot.fill(in_state, state_values);
    else
      slot.fill(values);
    for (const std::string& k : kKeys) {
      const std::vector<std::string>& keys = from_state ? existing : declared;
      bool is = std::find(keys.begin(), keys.end(), k) != keys.end();
      const Value* v = slot.find(InstanceKey::of(Symbol(k)));
      REQUIRE((v != nullptr) == is);
      if (v) REQUIRE(v->as_string() == k);
      REQUIRE((slot.whole().find_attr(k) != nullptr) == is);
    }
  }
}

TEST_CASE("instances: modules are counted before they are made") {
  TestWorld w("module \"m\" {\n source = \"./m\"\n count = 2000\n}\n");
  w.fs.files["m/main.tf"] = "module \"n\" {\n source = \"./n\"\n count = 2001\n}\n";
  w.fs.files["m/n/main.tf"] = "";
  w.fs.files[".terraform/modules/modules.json"] =
      "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},"
      "{\"Key\":\"m\",\"Source\":\"./m\",\"Dir\":\"m\"},{\"Key\":\"m.n\",\"Source\":\"./n\",\"Dir\":\"m/"
      "n\"}]}";
  CHECK(w.plan().errored);
  REQUIRE(w.diags.error_count() == 1);
  CHECK(w.diags.all()[0].summary == "Too many instances");
}

TEST_CASE("instances: more than there is room for are one error, which says where, and nothing is planned") {
  const std::string call = "module \"m\" {\n source = \"./m\"\n count = 3000\n}\n";
  struct {
    std::string root, module, detail;
    int line;
  } const rows[] = {
      {"resource \"terraform_data\" \"a\" {\n count = 4000001\n}\n", "", "4000001 instances", 2},
      {call, "resource \"terraform_data\" \"a\" {\n\n count = 3000\n}\n", "3000 instances", 3},
      {"module \"m\" {\n source = \"./m\"\n count = 5000000\n}\n", "", "5000000 instances", 3}};
  for (const auto& r : rows) {
    CAPTURE(r.root, r.module);
    TestWorld w(r.root);
    w.fs.files["m/main.tf"] = r.module;
    w.fs.files[".terraform/modules/modules.json"] =
        "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},"
        "{\"Key\":\"m\",\"Source\":\"./m\",\"Dir\":\"m\"}]}";
    Plan p = w.plan();
    CHECK(p.errored);
    REQUIRE(w.diags.error_count() == 1);
    const Diagnostic& d = w.diags.all()[0];
    CHECK(d.summary == "Too many instances");
    CHECK_THAT(d.detail, Catch::Contains(r.detail) && Catch::Contains("at most 4000000"));
    ResolvedRange where;
    REQUIRE(w.sources->resolve(d.subject, where));
    CHECK(where.start.line == r.line);
  }
}

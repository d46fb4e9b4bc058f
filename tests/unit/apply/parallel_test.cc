// Whatever ends first: plans, their problems and the states they lead to are the same, byte for byte, as when
// everything is done one after the other.
#include <catch2/catch.hpp>
#include <random>

#include "core/value/msgpack.h"
#include "tests/support/busy_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

const std::string kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";

// Resources, data, ephemeral values, imports and modules in modules, counted or not, which read earlier ones;
// some refuse themselves.
std::string configuration(std::mt19937& random) {
  std::string out = kHead;
  auto some = [&](unsigned n) { return random() % n; };
  auto repeated = [&](const std::string& i) -> std::pair<std::string, std::string> {
    switch (some(3)) {
      case 0:
        return {" count = " + std::to_string(some(6)) + "\n", i + "-${count.index}"};
      case 1:
        return {" for_each = toset([for i in range(" + std::to_string(some(6)) + ") : \"k${i}\"])\n",
                i + "-${each.key}"};
    }
    return {"", i};
  };
  std::vector<std::string> earlier;
  for (unsigned n = 6 + some(8), i = 0; i < n; ++i) {
    auto [repetition, name] = repeated("n" + std::to_string(i));
    const std::string label = "\"r" + std::to_string(i) + "\"";
    const std::string reads =
        earlier.empty() || some(2) ? "" : earlier[some(static_cast<unsigned>(earlier.size()))];
    const std::string needs = reads.empty() ? "" : " needs = jsonencode(" + reads + ")\n";
    switch (some(6)) {
      case 0:
        out += "data \"fickle_data\" " + label + " {\n" + repetition + " name = \"" + name + "\"\n" +
               (reads.empty() ? "" : " depends_on = [" + reads + "]\n") + "}\n";
        break;
      case 1:
        out += "ephemeral \"fickle_secret\" " + label + " {\n" + repetition + " name = \"" + name + "\"\n}\n";
        break;
      case 2:
        out += "module " + label + " {\n source = \"./m\"\n" + repetition + " name = \"" + name + "\"\n}\n";
        break;
      case 3:
        out += "import {\n for_each = toset([\"x\", \"y\", \"z\"])\n to = fickle_thing.r" +
               std::to_string(i) + "[each.key]\n id = each.key\n}\nresource \"fickle_thing\" " + label +
               " {\n for_each = toset([\"x\", \"y\"" + (some(4) ? ", \"z\"" : "") +
               "])\n name = each.key\n}\n";
        break;
      default:
        out += "resource \"fickle_thing\" " + label + " {\n" + repetition + " name = \"" + name + "\"\n" +
               needs +
               (some(8) ? ""
                        : " lifecycle {\n  precondition {\n   condition = length(\"" + name +
                              "\") % 3 == 0\n   error_message = \"no ${\"" + name + "\"}\"\n  }\n }\n") +
               "}\n";
        earlier.push_back("fickle_thing.r" + std::to_string(i));
    }
  }
  return out;
}

std::string modules(const std::string& text) {
  std::string out = "{\"Key\":\"none\",\"Source\":\"./k\",\"Dir\":\"k\"}";
  for (size_t at = 0; (at = text.find("module \"", at)) != std::string::npos; at += 8) {
    std::string name = text.substr(at + 8, text.find('"', at + 8) - at - 8);
    out += ",{\"Key\":\"" + name + "\",\"Source\":\"./m\",\"Dir\":\"m\"},{\"Key\":\"" + name +
           ".inner\",\"Source\":\"./k\",\"Dir\":\"k\"}";
  }
  return "{\"Modules\":[" + out + "]}";
}

std::string bytes(const Value& v) {
  Value bare = v.unmark_deep();
  return to_msgpack(bare, bare.type());
}

std::string everything(const Plan& p, const State& s, const TestWorld& w) {
  std::string out = actions(p);
  for (const auto* list : {&p.changes, &p.drift})
    for (const ResourceChange& c : *list)
      out += c.addr.text() + bytes(c.change.before) + bytes(c.change.after) + "\n";
  for (const CheckResult& c : p.checks)
    for (const CheckObject& o : c.objects)
      out += c.config_addr + o.object_addr + std::to_string(int(o.status)) + "\n";
  for (const State* state : {&p.prior_state, &s})
    for (const auto& [addr, r] : state->resources)
      for (const auto& [key, i] : r.instances) {
        out += addr.text() + key.text() + (i.current ? bytes(*i.current->value) : "none") + "\n";
        if (i.current && i.current->dependencies)
          for (const ConfigResource& d : *i.current->dependencies) out += " " + d.text();
      }
  return out + w.problems();
}

// Three runs, each from the state of the one before, with another configuration or without, in any mode.
std::string life(uint32_t seed, int parallelism) {
  std::mt19937 random(seed);
  Meter meter;
  meter.disturb = parallelism > 1;
  std::string out;
  State state;
  std::string text = configuration(random);
  for (int step = 0; step < 3; ++step) {
    if (step && random() % 2) text = configuration(random);
    std::set<std::string> gone;
    for (int i = 0; i < 20; ++i)
      if (random() % 4 == 0) gone.insert("n" + std::to_string(i % 5) + "-" + std::to_string(i / 5));
    PlanOptions o;
    const unsigned mode = random() % 5;
    if (step) o.mode = mode == 0 ? PlanMode::RefreshOnly : mode == 1 ? PlanMode::Destroy : PlanMode::Normal;
    TestWorld w(text);
    w.parallelism = parallelism;
    w.make_factory = [&] { return std::make_unique<BusyFactory>(meter, gone); };
    w.state = state;
    w.fs.files["m/main.tf"] =
        kHead +
        "variable \"name\" {}\nresource \"fickle_thing\" \"x\" {\n count = 2\n name = "
        "\"${var.name}-${count.index}\"\n}\nmodule \"inner\" {\n source = \"../k\"\n for_each = "
        "toset([\"a\", \"b\"])\n name = \"${var.name}-${each.key}\"\n}\n";
    w.fs.files["k/main.tf"] =
        kHead + "variable \"name\" {}\nresource \"fickle_thing\" \"y\" { name = var.name }\n";
    w.fs.files[".terraform/modules/modules.json"] = modules(text);
    Plan p = w.plan(o);
    if (!p.errored && w.config) w.apply(p), state = w.state, out += "applied\n";
    out += everything(p, state, w);
  }
  return out;
}

}  // namespace

TEST_CASE("parallel: plans, problems and states are those of one thing after the other") {
  size_t applied = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    const std::string serial = life(seed, 1);
    for (size_t at = 0; (at = serial.find("applied\n", at)) != std::string::npos; ++at) ++applied;
    for (int parallelism : {3, 10}) REQUIRE(life(seed, parallelism) == serial);
  }
  CHECK(applied > 60);
}

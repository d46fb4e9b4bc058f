// How many calls of providers are under way at once: as many as allowed whenever there is work for so many,
// for every kind of call and however the work is written down, and never more.
#include <catch2/catch.hpp>

#include <algorithm>

#include "core/value/json.h"
#include "tests/support/busy_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

constexpr int kParallelism = 5;
const std::string kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";

std::string repeated(int n, const std::function<std::string(const std::string&)>& f) {
  std::string out;
  for (int i = 0; i < n; ++i) out += f(std::to_string(i));
  return out;
}

// The same dozen of objects, written down in several ways.
struct Shape {
  const char* name;
  std::string text;  // uses module "m" for those in a module
};
std::vector<Shape> shapes() {
  return {
      {"count", "resource \"fickle_thing\" \"a\" {\n count = 12\n name = \"n${count.index}\"\n}\n"},
      {"for_each",
       "resource \"fickle_thing\" \"a\" {\n for_each = toset([for i in range(12) : \"k${i}\"])\n name = "
       "each.key\n}\n"},
      {"resources", repeated(12,
                             [](const std::string& i) {
                               return "resource \"fickle_thing\" \"a" + i + "\" { name = \"" + i + "\" }\n";
                             })},
      {"counted module", "module \"m\" {\n source = \"./m\"\n count = 12\n name = \"n${count.index}\"\n}\n"},
      {"modules", repeated(12,
                           [](const std::string& i) {
                             return "module \"m" + i + "\" {\n source = \"./m\"\n name = \"" + i + "\"\n}\n";
                           })},
      {"two each",
       "resource \"fickle_thing\" \"a\" {\n count = 2\n name = \"n${count.index}\"\n}\nmodule \"m\" {\n "
       "source = "
       "\"./m\"\n for_each = toset([\"a\", \"b\", \"c\"])\n name = each.key\n}\n"
       "resource \"fickle_thing\" \"b\" {\n count = 2\n name = \"n${count.index}\"\n}\n"}};
}

class Bench {
 public:
  explicit Bench(const std::string& text) : w(kHead + text) {
    w.parallelism = kParallelism;
    w.make_factory = [this] { return std::make_unique<BusyFactory>(meter); };
    w.fs.files["m/main.tf"] =
        kHead + "variable \"name\" {}\nresource \"fickle_thing\" \"x\" { name = var.name }\n";
    w.fs.files[".terraform/modules/modules.json"] = modules(text);
  }
  void set(const std::string& text) { w.fs.files["main.tf"] = kHead + text; }
  // Plans with this kind of call watched.
  Plan plan(const std::string& kind, PlanMode mode = PlanMode::Normal, std::vector<Target> excludes = {}) {
    meter.watched = kind, meter.expected = kParallelism;
    PlanOptions o;
    o.mode = mode;
    o.excludes = std::move(excludes);
    Plan p = w.plan(o);
    settle(kind);
    return p;
  }
  void apply(const Plan& p, const std::string& kind) {
    meter.watched = kind, meter.expected = kParallelism;
    w.apply(p);
    settle(kind);
  }
  // As if the state had been read from a file.
  void forget_values() {
    for (auto& [addr, r] : w.state.resources)
      for (auto& [key, i] : r.instances) {
        auto o = std::make_shared<Object>(*i.current);
        auto text =
            std::make_shared<const std::string>(to_json_as(o->value->unmark_deep(), o->value->type()));
        o->buffer = text, o->attributes_json = *text, o->value.reset();
        i.current = o;
      }
  }
  TestWorld w;

 private:
  static std::string modules(const std::string& text) {
    std::string out;
    for (size_t at = 0; (at = text.find("module \"", at)) != std::string::npos; at += 8) {
      std::string name = text.substr(at + 8, text.find('"', at + 8) - at - 8);
      out += (out.empty() ? "" : ",") + ("{\"Key\":\"" + name) + "\",\"Source\":\"./m\",\"Dir\":\"m\"}";
    }
    return "{\"Modules\":[" + out + "]}";
  }
  void settle(const std::string& kind) {
    INFO(kind << "\n" << w.fs.files["main.tf"] << w.problems());
    CHECK_FALSE(w.diags.has_errors());
    CHECK(meter.peak(kind) == kParallelism);
    CHECK(meter.peak() == kParallelism);
    meter.reset();
  }
  Meter meter;
};

}  // namespace

TEST_CASE("waiting: a life of objects, whatever way they are written down") {
  for (const Shape& s : shapes()) {
    INFO(s.name);
    for (const char* kind : {"validate", "plan"}) Bench(s.text).plan(kind);
    Bench b(s.text);
    Plan p = b.plan("plan");
    b.apply(p, "apply");
    b.plan("read");
    b.plan("read", PlanMode::RefreshOnly);
    b.forget_values();
    b.plan("upgrade");
    b.plan("upgrade", PlanMode::RefreshOnly);
    b.plan("plan destroy", PlanMode::Destroy);
    b.plan("read", PlanMode::Destroy);
    State kept = b.w.state;
    b.apply(b.plan("plan destroy", PlanMode::Destroy), "destroy");
    CHECK(b.w.state.empty());
    b.w.state = kept;
    b.set("");
    b.plan("read");
    b.apply(b.plan("plan destroy"), "destroy");
    CHECK(b.w.state.empty());
  }
}

TEST_CASE("waiting: validation looks at everything at once") {
  Meter meter;
  Bench b(shapes()[2].text);
  b.plan("plan");
  meter.watched = "validate", meter.expected = kParallelism;
  BusyFactory factory(meter);
  Diagnostics diags;
  validate(*b.w.config, factory, AskProviders::Yes, kParallelism, "", nullptr, diags);
  CHECK(meter.peak("validate") == kParallelism);
  CHECK(meter.peak() == kParallelism);
}

TEST_CASE("waiting: instances that are no longer declared, deposed ones, and a destroy without refresh") {
  const std::string many = "resource \"fickle_thing\" \"a\" {\n count = 12\n name = \"n${count.index}\"\n}\n";
  Bench b(many);
  b.apply(b.plan("plan"), "apply");
  b.forget_values();
  PlanOptions o;
  State kept = b.w.state;
  b.set("resource \"fickle_thing\" \"a\" {\n count = 1\n name = \"n${count.index}\"\n}\n");
  b.plan("upgrade", PlanMode::RefreshOnly);
  b.apply(b.plan("plan destroy"), "destroy");
  b.w.state = kept;
  for (auto& [addr, r] : b.w.state.resources)
    for (auto& [key, i] : r.instances) i.deposed["0a0a0a0a"] = i.current;
  b.set(many);
  b.apply(b.plan("plan destroy"), "destroy");
}

TEST_CASE("waiting: deposed objects of one instance") {
  const std::string one = "resource \"fickle_thing\" \"a\" {\n count = 1\n name = \"n\"\n}\n";
  std::vector<std::string> keys;
  for (const std::string i : {"9", "1", "8", "2", "7", "3", "6", "4", "5"}) keys.push_back("0a0a0a0" + i);
  // An instance of the configuration; one that only the state has; one of a resource that is gone.
  for (auto [index, text] : {std::pair(0, one), {1, one}, {0, std::string()}}) {
    INFO(index << " " << text);
    Bench b(one);
    b.w.parallelism = 1;
    b.w.apply(b.w.plan());
    b.w.parallelism = kParallelism;
    auto& instances = b.w.state.resources.begin()->second.instances;
    InstanceState& s = instances[InstanceKey::of(int64_t{index})];
    for (const std::string& key : keys) s.deposed[key] = instances.begin()->second.current;
    b.set(text);
    b.plan("read", PlanMode::RefreshOnly);
    Plan p = b.plan("plan destroy");
    b.plan("read");
    std::vector<std::string> planned;
    for (const ResourceChange& c : p.changes)
      if (!c.deposed.empty()) planned.push_back(c.deposed);
    CHECK(std::is_sorted(planned.begin(), planned.end()));
    CHECK(planned.size() == keys.size());
    b.apply(p, "destroy");
    CHECK((text.empty() ? b.w.state.empty() : b.w.state.resources.begin()->second.instances.size() == 1));
  }
}

TEST_CASE("waiting: objects that a refresh leaves out are upgraded for those who read them") {
  Bench b(
      "resource \"fickle_thing\" \"a\" {\n count = 12\n name = \"n${count.index}\"\n}\noutput \"o\" {\n "
      "value = "
      "fickle_thing.a[*].name\n}\n");
  b.apply(b.plan("plan"), "apply");
  b.forget_values();
  std::vector<Target> excludes;
  for (int i = 1; i < 12; ++i) excludes.push_back(*parse_target("fickle_thing.a[" + std::to_string(i) + "]"));
  b.plan("upgrade", PlanMode::RefreshOnly, excludes);
  // Those that are not declared any more, too.
  b.set(
      "resource \"fickle_thing\" \"a\" {\n count = 1\n name = \"n${count.index}\"\n}\noutput \"o\" {\n value "
      "= "
      "fickle_thing.a[*].name\n}\n");
  b.plan("upgrade", PlanMode::RefreshOnly, excludes);
}

TEST_CASE("waiting: data, ephemeral values, imports and configurations of providers") {
  Bench(R"(data "fickle_data" "d" {
 count = 12
 name = "n${count.index}"
}
)")
      .plan("read data");
  const std::string secrets = R"(ephemeral "fickle_secret" "s" {
 count = 12
 name = "n${count.index}"
}
)";
  Bench(secrets).plan("open");
  Bench(secrets).plan("close");
  const std::string imports = R"(import {
 for_each = toset([for i in range(12) : "k${i}"])
 to = fickle_thing.a[each.key]
 id = each.key
}
resource "fickle_thing" "a" {
 for_each = toset([for i in range(12) : "k${i}"])
 name = each.key
}
)";
  Bench(imports).plan("import");
  Bench(repeated(12, [](const std::string& i) {
    return "provider \"fickle\" {\n alias = \"p" + i + "\"\n url = \"" + i +
           "\"\n}\nresource \"fickle_thing\" \"a" + i + "\" {\n provider = fickle.p" + i + "\n}\n";
  })).plan("configure");
}

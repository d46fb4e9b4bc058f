// What becomes of a run when the program itself is in trouble: something throws in a worker, or the machine
// gives no threads. Nothing that was done is lost.
#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/support/few_threads.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

const std::string kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";
const std::string kMany =
    kHead +
    "resource \"fickle_thing\" \"a\" {\n count = 12\n name = \"n${count.index}\"\n}\n"
    "resource \"fickle_thing\" \"b\" {\n for_each = toset([\"x\", \"y\"])\n name = each.key\n needs = "
    "fickle_thing.a[0].id\n}\n"
    "module \"m\" {\n source = \"./m\"\n count = 3\n}\n";

// Throws in one kind of call.
struct Throwing : FickleProvider {
  Throwing(FickleScript& s, std::string in) : FickleProvider(s), where(std::move(in)) {}
  void trouble(const std::string& in, const Value& v) {
    const Value* name = v.is_null() ? nullptr : v.find_attr("name");
    if (where == in && name && name->is_string() && name->as_string() == "n3")
      throw std::runtime_error("no more");
  }
  PlanResponse plan(const PlanRequest& r) override {
    trouble("plan", r.config);
    return FickleProvider::plan(r);
  }
  ApplyResponse apply(const ApplyRequest& r) override {
    trouble("apply", r.config);
    ApplyResponse out = FickleProvider::apply(r);
    std::lock_guard guard(lock);
    applied.insert(std::string(r.config.attr("name").as_string()));
    return out;
  }
  const std::string where;
  static inline std::mutex lock;
  static inline std::set<std::string> applied;
};

struct Factory : ProviderFactory {
  explicit Factory(std::string in) : where(std::move(in)) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<Throwing>(script, where);
    return builtin->start(p, diags);
  }
  FickleScript script;
  const std::string where;
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
};

TestWorld world(const std::string& where) {
  TestWorld w(kMany);
  w.make_factory = [where] { return std::make_unique<Factory>(where); };
  w.fs.files["m/main.tf"] = kHead + "resource \"fickle_thing\" \"c\" { name = \"c\" }\n";
  w.fs.files[".terraform/modules/modules.json"] = R"({"Modules":[{"Key":"m","Source":"./m","Dir":"m"}]})";
  return w;
}

size_t instances(const State& s) {
  size_t n = 0;
  for (const auto& [addr, r] : s.resources) n += r.instances.size();
  return n;
}

}  // namespace

TEST_CASE("trouble: an exception while planning is an error, and nothing is planned to be applied") {
  for (int parallelism : {1, 4}) {
    TestWorld w = world("plan");
    w.parallelism = parallelism;
    Plan p = w.plan();
    CHECK(p.errored);
    CHECK_FALSE(p.applyable);
    CHECK_THAT(w.problems(), Catch::Contains("error: Planning failed") && Catch::Contains("no more"));
  }
}

TEST_CASE("trouble: an exception while applying is an error, and what was done is in the state") {
  for (int parallelism : {1, 4, 10}) {
    Throwing::applied.clear();
    TestWorld w = world("apply");
    w.parallelism = parallelism;
    Plan p = w.plan();
    REQUIRE_FALSE(w.diags.has_errors());
    REQUIRE(p.changes.size() == 17);
    ApplyOutcome o = w.apply(p);
    CHECK_THAT(w.problems(), Catch::Contains("error: Apply ended early") && Catch::Contains("no more"));
    CHECK(size_t(o.added) == instances(w.state));
    for (const auto& [addr, r] : w.state.resources)
      for (const auto& [key, i] : r.instances) CHECK(i.current);
    size_t of_a = 0;
    for (const std::string& name : Throwing::applied) of_a += name.starts_with("n");
    const auto a = w.state.resources.find(p.changes.front().addr.abs_resource());
    CHECK((a == w.state.resources.end() ? 0 : a->second.instances.size()) == of_a);
    // The next run finds exactly the rest to do, and does it.
    w.diags.clear();
    w.make_factory = [] { return std::make_unique<Factory>(""); };
    Plan rest = w.plan();
    INFO(w.problems());
    size_t creations = 0;
    for (const ResourceChange& c : rest.changes) creations += c.change.action == Action::Create;
    CHECK(creations == 17 - instances(w.state));
    w.apply(rest);
    CHECK_FALSE(w.diags.has_errors());
    CHECK(instances(w.state) == 17);
  }
}

TEST_CASE("trouble: a machine without threads plans and applies all the same") {
  for (int threads : {0, 1, 2, 5}) {
    TestWorld w = world("");
    w.parallelism = 10;
    std::atomic<bool> stop = false;
    PlanOptions po;
    po.stop = &stop;
    FewThreads few(threads);
    Plan p = w.plan(po);
    INFO(threads << w.problems());
    REQUIRE_FALSE(w.diags.has_errors());
    ApplyOutcome o = w.apply(p, &stop);
    CHECK(o.added == 17);
    CHECK(instances(w.state) == 17);
    CHECK_FALSE(w.diags.has_errors());
  }
}

TEST_CASE("trouble: nothing is made whose provisioners cannot run") {
  TestWorld w(
      "resource \"terraform_data\" \"a\" {\n  provisioner \"remote-exec\" {\n    inline = [\"true\"]\n  "
      "}\n}\n"
      "resource \"terraform_data\" \"b\" {\n  provisioner \"remote-exec\" {\n    when   = destroy\n    "
      "inline = "
      "[\"true\"]\n  }\n}\n");
  const Plan p = w.plan();
  CHECK(p.errored);
  CHECK_THAT(w.problems(), Catch::Contains("Missing connection"));
  REQUIRE(w.diags.error_count() == 1);
  CHECK(w.diags.all()[0].address == "terraform_data.a");
}

TEST_CASE(
    "an object of the state with more elements than a value may have is one error, without reading it") {
  TestWorld w("resource \"terraform_data\" \"a\" {}\n");
  w.apply(w.plan());
  std::string list = "1";
  list.reserve(40 << 20);
  while (list.size() < 34 << 20) list += ",1";
  for (auto& [addr, r] : w.state.resources)
    for (auto& [key, i] : r.instances) {
      auto o = std::make_shared<Object>(*i.current);
      auto text = std::make_shared<const std::string>(
          R"({"id":"x","input":{"type":["list","number"],"value":[)" + list + "]}}");
      o->buffer = text, o->attributes_json = *text, o->value.reset();
      i.current = o;
    }
  CHECK(w.plan().errored);
  REQUIRE(w.diags.error_count() == 1);
  CHECK_THAT(w.diags.all()[0].detail,
             Catch::Contains("terraform_data.a cannot be read: they have more than 16777216 elements"));
}

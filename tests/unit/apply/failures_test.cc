// What a failed instance keeps back, and what OnError makes of a failure.
#include <catch2/catch.hpp>
#include <condition_variable>

#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

const std::string kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";

// Fails where the script says so. The others begin only when `wait` (if there is one) lets them.
struct Failing : FickleProvider {
  Failing(FickleScript& s, std::function<void(const std::string&)> w)
      : FickleProvider(s), script(s), wait(std::move(w)) {}
  ApplyResponse apply(const ApplyRequest& r) override {
    const Value& v = r.planned.is_null() ? r.prior : r.config;
    const std::string name(v.attr("name").as_string());
    if (wait) wait(name);
    if (!script.failing.contains("apply " + name)) return FickleProvider::apply(r);
    script.note("apply " + name);
    ApplyResponse out;
    out.new_state = r.prior;
    out.diags.push_back({Severity::Error, "Not applied", "The test wants it.", {}});
    return out;
  }
  void stop() override { ++stopped; }
  FickleScript& script;
  const std::function<void(const std::string&)> wait;
  static inline std::atomic<int> stopped = 0;
};

struct Factory : ProviderFactory {
  Factory(FickleScript& s, std::function<void(const std::string&)> w) : script(s), wait(std::move(w)) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<Failing>(script, wait);
    return builtin->start(p, diags);
  }
  FickleScript& script;
  const std::function<void(const std::string&)> wait;
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
};

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& l : lines) out += (out.empty() ? "" : " ") + l;
  return out;
}

// Beside a resource fickle_thing.a with the instances x and y, of which x fails.
struct Row {
  const char* config;
  const char* skipped;
};
const Row kRows[] = {
    {R"(resource "fickle_thing" "b" { name = fickle_thing.a["y"].id })", ""},
    {R"(resource "fickle_thing" "b" { name = fickle_thing.a["x"].id })", "fickle_thing.b"},
    {R"(resource "fickle_thing" "b" {
          for_each = toset(["x", "y"])
          name     = fickle_thing.a[each.key].id
        })",
     "fickle_thing.b[\"x\"]"},
    {R"(resource "fickle_thing" "b" {
          for_each = fickle_thing.a
          name     = each.value.id
        })",
     "fickle_thing.b[\"x\"] fickle_thing.b[\"y\"]"},
    {R"(resource "fickle_thing" "b" {
          for_each = toset(["x", "y"])
          name     = each.key
          needs    = join("", [for k in [each.key] : fickle_thing.a[k].id])
        })",
     "fickle_thing.b[\"x\"] fickle_thing.b[\"y\"]"},
    {R"(resource "fickle_thing" "b" {
          count = 2
          name  = fickle_thing.a[element(["x", "y"], count.index)].id
        })",
     "fickle_thing.b[0]"},
    {R"(locals { l = fickle_thing.a["y"].id }
        resource "fickle_thing" "b" { name = local.l })",
     ""},
    {R"(locals { l = { for k, v in fickle_thing.a : k => v.id } }
        resource "fickle_thing" "b" { name = local.l["y"] })",
     "fickle_thing.b"},
    {R"(resource "fickle_thing" "b" {
          name       = "b"
          depends_on = [fickle_thing.a["y"]]
        })",
     ""},
    {R"(resource "fickle_thing" "b" {
          name       = "b"
          depends_on = [fickle_thing.a]
        })",
     "fickle_thing.b"},
    {R"(resource "fickle_thing" "b" {
          for_each = toset(["x", "y"])
          name     = fickle_thing.a[each.key].id
        }
        resource "fickle_thing" "c" {
          for_each = toset(["x", "y"])
          name     = fickle_thing.b[each.key].id
        })",
     "fickle_thing.b[\"x\"] fickle_thing.c[\"x\"]"},
    {R"(resource "fickle_thing" "b" {
          for_each = toset(["x", "y"])
          name     = each.key
          lifecycle {
            precondition {
              condition     = fickle_thing.a[each.key].id != ""
              error_message = "It is empty."
            }
          }
        })",
     "fickle_thing.b[\"x\"]"},
    {R"(module "m" {
          source   = "./m"
          for_each = toset(["x", "y"])
          given    = fickle_thing.a[each.key].id
        })",
     "module.m[\"x\"].fickle_thing.inner"},
    {R"(module "m" {
          source = "./m"
          given  = "g"
          depends_on = [fickle_thing.a["x"]]
        })",
     "module.m.fickle_thing.beside module.m.fickle_thing.inner"},
    {R"(module "m" {
          source   = "./m"
          for_each = toset(["x", "y"])
          given    = fickle_thing.a[each.key].id
        }
        resource "fickle_thing" "b" { name = module.m["y"].made }
        resource "fickle_thing" "c" { name = module.m["x"].made }
        resource "fickle_thing" "d" { name = join("", values(module.m)[*].made) }
        resource "fickle_thing" "e" {
          name       = "e"
          depends_on = [module.m]
        })",
     "fickle_thing.c fickle_thing.d fickle_thing.e module.m[\"x\"].fickle_thing.inner"},
    {R"(resource "fickle_thing" "b" {
          name = "b"
          lifecycle { enabled = fickle_thing.a["x"].name == "a x" }
        }
        resource "fickle_thing" "c" {
          name = "c"
          lifecycle { enabled = fickle_thing.a["y"].name == "a y" }
        })",
     "fickle_thing.b"},
    {R"(module "m" {
          source = "./m"
          given  = "g"
          lifecycle { enabled = fickle_thing.a["x"].name == "a x" }
        })",
     "module.m.fickle_thing.beside module.m.fickle_thing.inner"},
    {R"(provider "fickle" {
          alias = "other"
          url   = fickle_thing.a["x"].id
        }
        resource "fickle_thing" "b" {
          provider = fickle.other
          name     = "b"
        })",
     "fickle_thing.b"},
    {R"(provider "fickle" {
          alias = "other"
          url   = fickle_thing.a["y"].id
        }
        resource "fickle_thing" "b" {
          provider = fickle.other
          name     = "b"
        })",
     ""},
    {R"(check "c" {
          data "fickle_data" "d" { name = fickle_thing.a["y"].id }
          assert {
            condition     = fickle_thing.a["y"].name == "a y"
            error_message = "It is empty."
          }
        })",
     ""},
};

const std::string kA = kHead + R"(resource "fickle_thing" "a" {
  for_each = toset(["x", "y"])
  name     = "a ${each.key}"
}
)";
const std::string kM = kHead + R"(variable "given" {}
resource "fickle_thing" "inner" { name = var.given }
resource "fickle_thing" "beside" { name = "beside" }
output "made" { value = fickle_thing.inner.id }
)";

}  // namespace

TEST_CASE("failures: an instance keeps back what reads it, and nothing else") {
  for (const Row& row : kRows) {
    for (int parallelism : {1, 4}) {
      INFO(row.config);
      FickleScript script;
      TestWorld w(kA + row.config);
      w.parallelism = parallelism;
      w.fs.files["m/main.tf"] = kM;
      w.fs.files[".terraform/modules/modules.json"] = R"({"Modules":[{"Key":"m","Source":"./m","Dir":"m"}]})";
      w.make_factory = [&] { return std::make_unique<Factory>(script, nullptr); };
      const Plan p = w.plan();
      REQUIRE(w.problems() == "");
      script.failing = {"apply a x"};
      const ApplyOutcome out = w.apply(p);
      CHECK(joined(out.skipped) == row.skipped);
      CHECK(w.problems() == "error: Not applied: The test wants it.\n");
      CHECK(out.failed == 1);
      CHECK(out.done + out.failed + out.skipped.size() == p.changes.size());
      // The next run makes the rest.
      script.failing.clear();
      w.diags = {};
      CHECK(w.apply(w.plan()).skipped.empty());
      CHECK(actions(w.plan()).find(" create") == std::string::npos);
      CHECK(w.problems() == "");
    }
  }
}

namespace {

// Twelve things, of which n0 fails; with more than one at once, n1 is under way then, and ends after that.
ApplyOutcome apply_twelve(OnError on_error, int parallelism, std::atomic<bool>& stop, std::string& problems) {
  struct Told : Hooks {
    void apply_failed(const AbsInstance&, std::string_view, Action, double) override {
      std::lock_guard guard(lock);
      failed = true, changed.notify_all();
    }
    std::mutex lock;
    std::condition_variable changed;
    bool begun = false, failed = false;
  } told;
  auto wait = [&](const std::string& name) {
    std::unique_lock guard(told.lock);
    if (parallelism == 1) return;
    if (name == "n1") told.begun = true, told.changed.notify_all();
    if (name == "n0") told.changed.wait(guard, [&] { return told.begun; });
    if (name == "n1") told.changed.wait(guard, [&] { return told.failed; });
  };
  FickleScript script;
  TestWorld w(kHead + "resource \"fickle_thing\" \"a\" {\n count = 12\n name = \"n${count.index}\"\n}\n");
  w.parallelism = parallelism;
  w.make_factory = [&] { return std::make_unique<Factory>(script, wait); };
  const Plan p = w.plan();
  REQUIRE(w.problems() == "");
  script.failing = {"apply n0"};
  ApplyOptions o;
  o.variables = w.values;
  o.now = "2026-01-02T03:04:05Z";
  o.parallelism = parallelism;
  o.stop = o.stops = &stop;
  o.on_error = on_error;
  o.hooks = &told;
  ApplyOutcome out = apply_plan(*w.config, p, o, *w.factory, w.diags);
  problems = w.problems();
  return out;
}

}  // namespace

TEST_CASE("failures: what comes after a failure is begun, or not, as OnError says") {
  for (OnError on_error : {OnError::Continue, OnError::Drain, OnError::Stop}) {
    for (int parallelism : {1, 2}) {
      std::atomic<bool> stop = false;
      std::string problems;
      const ApplyOutcome out = apply_twelve(on_error, parallelism, stop, problems);
      const bool goes_on = on_error == OnError::Continue;
      CHECK(out.failed == 1);
      CHECK(out.halted == !goes_on);
      CHECK(stop == (on_error == OnError::Stop));
      CHECK(problems == "error: Not applied: The test wants it.\n");
      CHECK(out.done + out.failed + out.skipped.size() == 12);
      const InstanceState* n1 = out.state.find(*parse_abs_instance("fickle_thing.a[1]"));
      CHECK((n1 && n1->current) == (goes_on || parallelism == 2));
      if (goes_on || parallelism == 1) CHECK(out.skipped.size() == (goes_on ? 0 : 11));
    }
  }
}

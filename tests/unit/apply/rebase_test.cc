// Rebase: a plan on top of a state that has moved on does exactly what was planned, or is refused with the
// place where it no longer holds.
#include "core/review/rebase.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/value/json.h"
#include "tests/support/test_world.h"

using namespace xplan;

namespace {

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& l : lines) out += l + "\n";
  return out;
}

// The objects of a state, each as text; what the provider chose is left out.
std::map<std::string, std::string> objects(const State& s) {
  std::map<std::string, std::string> out;
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, instance] : r.instances)
      if (instance.current) {
        const Value& v = *instance.current->value;
        out[AbsInstance{addr.module, addr.resource, key}.text()] =
            to_json(v.attr("input")) + to_json(v.attr("triggers_replace"));
      }
  return out;
}
std::map<std::string, std::string> ids(const State& s) {
  std::map<std::string, std::string> out;
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, instance] : r.instances)
      if (instance.current)
        out[AbsInstance{addr.module, addr.resource, key}.text()] =
            to_json(instance.current->value->attr("id"));
  return out;
}

}  // namespace

TEST_CASE("rebase: what has changed, and whether the plan still holds") {
  const std::string base = R"(
resource "terraform_data" "net" { input = { cidr = "10.0.0.0/8", note = "n" } }
resource "terraform_data" "app" { input = "${terraform_data.net.input.cidr} v1" }
resource "terraform_data" "other" { input = 1 }
resource "terraform_data" "old" { input = 1 }
output "o" { value = 1 }
)";
  // The plan: updates app, destroys old, creates new, changes an output.
  const std::string planned = R"(
resource "terraform_data" "net" { input = { cidr = "10.0.0.0/8", note = "n" } }
resource "terraform_data" "app" { input = "${terraform_data.net.input.cidr} v2" }
resource "terraform_data" "other" { input = 1 }
resource "terraform_data" "new" { input = 1 }
output "o" { value = 2 }
)";
  struct Row {
    std::string from, to, obstacles;
  };
  const Row rows[] = {
      {"note = \"n\"", "note = \"m\"", ""},
      {"cidr = \"10", "cidr = \"11",
       "terraform_data.app now has a different input (and 1 more change), and the plan changes it\n"
       "terraform_data.net.input.cidr was \"10.0.0.0/8\" when the plan read it, and is now \"11.0.0.0/8\"\n"},
      {"\"other\" { input = 1 }", "\"other\" { input = 2 }", ""},
      {"resource \"terraform_data\" \"other\" { input = 1 }", "", ""},
      {" v1", " v1.1",
       "terraform_data.app now has a different input (and 1 more change), and the plan changes it\n"},
      {"resource \"terraform_data\" \"old\" { input = 1 }", "",
       "terraform_data.old no longer exists, and the plan changes it\n"},
      {"output", "resource \"terraform_data\" \"more\" {}\noutput", ""},
      {"output", "resource \"terraform_data\" \"new\" {}\noutput",
       "terraform_data.new was created since then, and the plan changes it\n"},
      {"output", "resource \"terraform_data\" \"more\" { input = terraform_data.old.id }\noutput",
       "terraform_data.more was created since then, and depends on terraform_data.old, which the plan "
       "destroys, "
       "replaces or forgets\n"},
      {"\"old\" { input = 1 }", "\"old\" {\n  input = 1\n  depends_on = [terraform_data.other]\n}",
       "terraform_data.old now has different dependencies in the state, and the plan changes it\n"},
      {"\"old\" { input = 1 }", "\"old\" {\n  input = 1\n  lifecycle { create_before_destroy = true }\n}",
       "terraform_data.old now has a different create_before_destroy in the state, and the plan changes "
       "it\n"},
      {"value = 1", "value = 3", "output.o has changed since then, and the plan changes it\n"},
  };
  for (const Row& r : rows) {
    INFO(r.from << " -> " << r.to);
    test::TestWorld a(base);
    a.apply(a.plan());
    test::TestWorld b(base);
    b.state = a.state;
    a.fs.files["main.tf"] = planned;
    Plan plan = a.plan();
    std::string text = base;
    text.replace(text.find(r.from), r.from.size(), r.to);
    b.fs.files["main.tf"] = text;
    b.apply(b.plan());
    b.state.serial = 99;
    INFO(a.problems() << b.problems());
    CHECK(joined_lines(review::rebase(plan, *a.config, b.state)) == r.obstacles);
    if (!r.obstacles.empty()) continue;
    auto expected = objects(b.state);
    const ApplyOutcome done = a.apply(plan);
    CHECK_FALSE(a.diags.has_errors());
    expected["terraform_data.app"] = "\"10.0.0.0/8 v2\"null", expected["terraform_data.new"] = "1null";
    expected.erase("terraform_data.old");
    CHECK(objects(done.state) == expected);
    CHECK(done.state.serial == 99);
    CHECK(done.state.outputs.at(Symbol("o")).value.raw_equal(Value::number(2)));
  }
}

// Two plans from the same state; one is applied, then the other one on top of it.
TEST_CASE("rebase: never another effect than planned") {
  std::mt19937 rng(11);
  struct Thing {
    int size = 0, trigger = 0;
    bool there = true;
    int reads = -1;      // another thing's size
    bool whole = false;  // all of that thing
  };
  auto text_of = [](const std::vector<Thing>& things) {
    std::string out;
    for (size_t i = 0; i < things.size(); ++i) {
      const Thing& t = things[i];
      if (!t.there) continue;
      const bool reads = t.reads >= 0 && things[static_cast<size_t>(t.reads)].there;
      out += fmt::format(
          "resource \"terraform_data\" \"t{}\" {{\n  input = {{ size = {}, read = {} }}\n"
          "  triggers_replace = \"{}\"\n}}\n",
          i, t.size,
          !reads    ? "null"
          : t.whole ? fmt::format("length(jsonencode(terraform_data.t{}))", t.reads)
                    : fmt::format("terraform_data.t{}.input.size", t.reads),
          t.trigger);
      if (i % 4 == 0) out += fmt::format("output \"t{0}\" {{ value = terraform_data.t{0}.input }}\n", i);
    }
    return out;
  };
  auto edit = [&](std::vector<Thing> things) {
    for (unsigned n = 1 + rng() % 2; n > 0; --n) {
      Thing& t = things[rng() % things.size()];
      switch (rng() % 4) {
        case 0:
          t.size += static_cast<int>(1 + rng() % 5);
          break;
        case 1:
          t.trigger += static_cast<int>(1 + rng() % 5);
          break;
        default:
          t.there = !t.there;
      }
    }
    return things;
  };
  size_t accepted = 0, refused = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<Thing> things(8);
    for (size_t i = 0; i < things.size(); ++i) {
      things[i].size = static_cast<int>(rng() % 100), things[i].there = rng() % 5 != 0;
      if (i && rng() % 2) things[i].reads = static_cast<int>(rng() % i), things[i].whole = rng() % 3 == 0;
    }
    const std::vector<Thing> mine = edit(things), theirs = edit(things);
    test::TestWorld a(text_of(things));
    a.apply(a.plan());
    const State start = a.state;
    test::TestWorld b(text_of(theirs));
    b.state = start;
    b.apply(b.plan());
    a.fs.files["main.tf"] = text_of(mine);
    Plan plan = a.plan();
    const Plan unmoved = plan;
    REQUIRE_FALSE(a.diags.has_errors());
    REQUIRE_FALSE(b.diags.has_errors());
    INFO("start\n" << text_of(things) << "mine\n" << text_of(mine) << "theirs\n" << text_of(theirs));
    const std::vector<std::string> obstacles = review::rebase(plan, *a.config, b.state);
    std::set<std::string> touched;
    for (const ResourceChange& c : plan.changes)
      if (c.change.action != Action::NoOp) touched.insert(c.addr.text());
    if (!obstacles.empty()) {
      ++refused;
      CHECK(plan.prior_state.serial == unmoved.prior_state.serial);
      continue;
    }
    ++accepted;
    a.apply(plan);
    INFO(a.problems());
    CHECK_FALSE(a.diags.has_errors());
    const State merged = a.state;
    a.apply(unmoved);  // what was planned, where it was planned
    const auto done = objects(merged), planned = objects(a.state), present = objects(b.state);
    auto at = [](const std::map<std::string, std::string>& m, const std::string& name) {
      const auto it = m.find(name);
      return it == m.end() ? std::string("absent") : it->second;
    };
    std::set<std::string> names;
    for (const auto* m : {&done, &planned, &present})
      for (const auto& [name, text] : *m) names.insert(name);
    for (const std::string& name : names)
      CHECK(at(done, name) == (touched.contains(name) ? at(planned, name) : at(present, name)));
    const auto ids_now = ids(merged), ids_present = ids(b.state);
    for (const auto& [name, id] : ids_present)
      if (!touched.contains(name)) CHECK(at(ids_now, name) == id);
  }
  CHECK(accepted > 20);
  CHECK(refused > 20);
}

// Targets by instance over random graphs, 400 lives of four runs each: a plan changes only what was asked for
// and what that reads, and its apply does what the plan says, nothing more and nothing less.
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

namespace {

constexpr int kWhole = -1;  // instead of a key: all instances
struct Read {
  int resource, key;
};
struct Declared {
  int count = kWhole;  // kWhole: not counted
  int version = 0;
  std::vector<Read> reads;
};
using Graph = std::vector<Declared>;
using Chosen = std::map<int, std::set<int>>;  // by resource: keys, or kWhole

int below(std::mt19937& random, size_t n) {
  return static_cast<int>(random() % n);
}

Graph random_graph(std::mt19937& random) {
  Graph g(4 + random() % 6);
  for (size_t i = 0; i < g.size(); ++i) {
    g[i].count = random() % 3 ? below(random, 5) : kWhole;
    g[i].version = below(random, 3);
    for (size_t n = i ? random() % 3 : 0; n > 0; --n) {
      const int to = below(random, i), of = g[static_cast<size_t>(to)].count;
      g[i].reads.push_back({to, of > 0 && random() % 4 ? below(random, static_cast<size_t>(of)) : kWhole});
    }
  }
  return g;
}

std::string address(int resource, int key) {
  return "fickle_thing.r" + std::to_string(resource) + (key == kWhole ? "" : "[" + std::to_string(key) + "]");
}

std::string configuration(const Graph& g) {
  std::string out =
      "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";
  for (size_t i = 0; i < g.size(); ++i) {
    const bool counted = g[i].count != kWhole;
    std::string reads;
    for (const Read& r : g[i].reads) reads += address(r.resource, r.key) + ", ";
    out += "resource \"fickle_thing\" \"r" + std::to_string(i) + "\" {\n" +
           (counted ? " count = " + std::to_string(g[i].count) + "\n" : "") + " name = \"r" +
           std::to_string(i) + (counted ? "[${count.index}]" : "") + " v" + std::to_string(g[i].version) +
           "\"\n" + (reads.empty() ? "" : " needs = jsonencode([" + reads + "])\n") + "}\n";
  }
  return out;
}

Chosen random_targets(std::mt19937& random, const Graph& g) {
  Chosen out;
  for (size_t n = 1 + random() % 2; n > 0; --n) {
    const int i = below(random, g.size());
    const bool counted = g[static_cast<size_t>(i)].count != kWhole;
    out[i].insert(counted && random() % 3 ? below(random, 6) : kWhole);
  }
  return out;
}

// An instance that count gives another address, or takes it away, is moved: targets have to take in both.
void add_moved(const State& s, const Graph& g, Chosen& asked) {
  for (size_t i = 0; i < g.size(); ++i) {
    auto r = s.resources.find(parse_abs_instance(address(static_cast<int>(i), kWhole))->abs_resource());
    if (r == s.resources.end()) continue;
    const InstanceKey moved = g[i].count == kWhole ? InstanceKey::of(int64_t{0}) : InstanceKey();
    if (r->second.instances.contains(moved)) asked[static_cast<int>(i)].insert(kWhole);
  }
}

// What is asked for and what that reads. The expressions of a resource are those of each of its instances.
Chosen with_reads(Chosen chosen, const Graph& g) {
  for (int i = static_cast<int>(g.size()); i-- > 0;) {  // a resource reads earlier ones only
    if (!chosen.contains(i)) continue;
    for (const Read& r : g[static_cast<size_t>(i)].reads) chosen[r.resource].insert(r.key);
  }
  return chosen;
}

std::set<std::string> objects(const State& s) {
  std::set<std::string> out;
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, i] : r.instances)
      if (i.current)
        out.insert(AbsInstance{addr.module, addr.resource, key}.text() + " is " +
                   std::string(i.current->value->find_attr("name")->as_string()));
  return out;
}

// What the plan leaves of the objects before, and makes.
std::set<std::string> promised(const Plan& p) {
  std::set<std::string> out = objects(p.prior_state);
  auto text = [](const ResourceChange& c, const Value& v) {
    return c.addr.text() + " is " + std::string(v.find_attr("name")->as_string());
  };
  for (const ResourceChange& c : p.changes) {
    if (!c.change.before.is_null()) out.erase(text(c, c.change.before));
    if (!c.change.after.is_null()) out.insert(text(c, c.change.after));
  }
  return out;
}

// The provider's calls that the changes of a plan amount to.
std::set<std::string> expected_calls(const Plan& p) {
  std::set<std::string> out;
  auto name = [](const Value& v) { return std::string(v.find_attr("name")->as_string()); };
  for (const ResourceChange& c : p.changes) {
    if (c.change.action == Action::NoOp) continue;
    const bool destroys = c.change.action == Action::Delete;
    out.insert((destroys ? "destroy " : "apply ") + name(destroys ? c.change.before : c.change.after));
  }
  return out;
}

std::set<std::string> changing_calls(FickleScript& script) {
  std::set<std::string> out;
  for (const std::string& c : script.calls)
    if (c.starts_with("apply ") || c.starts_with("destroy ")) out.insert(c);
  return out;
}

}  // namespace

TEST_CASE("targets: a plan changes what was asked for and what it reads, and its apply does just that") {
  size_t changed = 0, left = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    FickleScript script;
    TestWorld w("");
    w.make_factory = [&] { return std::make_unique<FickleFactory>(script); };
    for (int step = 0; step < 4; ++step) {
      const Graph g = random_graph(random);
      Chosen asked = random_targets(random, g);
      add_moved(w.state, g, asked);
      const Chosen chosen = with_reads(asked, g);
      w.fs.files["main.tf"] = configuration(g);
      PlanOptions o;
      for (const auto& [resource, keys] : asked)
        for (int key : keys) o.target_texts.push_back(address(resource, key));
      for (const std::string& text : o.target_texts) o.targets.push_back(*parse_target(text));
      Plan p = w.plan(o);
      std::string targets;
      for (const std::string& text : o.target_texts) targets += text + " ";
      INFO("seed " << seed << " step " << step << " targets " << targets << "\n"
                   << w.fs.files["main.tf"] << actions(p) << w.problems());
      REQUIRE(!w.diags.has_errors());

      for (const ResourceChange& c : p.changes) {
        if (c.change.action == Action::NoOp) continue;
        const int resource = std::stoi(std::string(c.addr.resource.name.sv()).substr(1));
        INFO(c.addr.text());
        REQUIRE(chosen.contains(resource));
        const std::set<int>& keys = chosen.at(resource);
        const int key =
            c.addr.key.kind == InstanceKey::Kind::Int ? static_cast<int>(c.addr.key.number) : kWhole;
        REQUIRE((keys.contains(kWhole) || keys.contains(key) ||
                 g[static_cast<size_t>(resource)].count == kWhole));
        ++changed;
      }
      for (const auto& [resource, keys] : chosen)  // and all of that is there afterwards
        for (int key : keys) {
          const int count = g[static_cast<size_t>(resource)].count;
          if (key == kWhole ? count != kWhole : key >= count) continue;
          REQUIRE(p.find(*parse_abs_instance(address(resource, key))));
        }
      for (const std::string& text : objects(p.prior_state)) left += promised(p).contains(text);

      const std::set<std::string> promise = promised(p);
      script.calls.clear();
      w.apply(p);
      REQUIRE(!w.diags.has_errors());
      REQUIRE(changing_calls(script) == expected_calls(p));
      REQUIRE(objects(w.state) == promise);
      Plan again = w.plan(o);
      for (const ResourceChange& c : again.changes) REQUIRE(c.change.action == Action::NoOp);
    }
  }
  CHECK(changed > 1000);
  CHECK(left > 1000);
}

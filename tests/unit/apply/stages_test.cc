// The stages of changing one object, each without a world around it: records and the state, final plans and
// results, the order of destruction.
#include <fmt/format.h>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "core/apply/destroy_order.h"
#include "core/apply/provider_work.h"
#include "core/apply/recorder.h"
#include "core/plan/objects.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::applying;
using namespace xplan::test;

namespace {

// Answers as it was told to.
struct Scripted : FickleProvider {
  explicit Scripted(FickleScript& s) : FickleProvider(s) {}
  PlanResponse planned;
  std::string told;
  PlanResponse plan(const PlanRequest& r) override { return told = r.planned_private, planned; }
};

struct RecordingJournal : Journal {
  std::vector<JournalRecord> records;
  bool full = false;
  Result<void> append(const JournalRecord& r) override {
    if (full) return Error{"the disk is full"};
    records.push_back(r);
    return {};
  }
};

Value text(const char* s) {
  return s ? Value::string(s) : Value::null(Type::string());
}
Value thing(Value name, Value id) {
  return Value::object({{Symbol("name"), name}, {Symbol("needs"), text(nullptr)}, {Symbol("id"), id}});
}
const Value kUnknown = Value::unknown(Type::string());

struct OneObject {
  FickleScript script;
  Scripted provider{script};
  schema::SchemaPtr schema = schema::find(provider.schema(), Mode::Managed, Symbol("fickle_thing"));
  ResourceChange change;
  Diagnostics diags;

  OneObject(Action action, Value before, Value after) {
    change.addr = parse_instance("fickle_thing.a");
    change.change = {.action = action, .before = std::move(before), .after = std::move(after)};
    change.schema = schema;
  }
  static AbsInstance parse_instance(const char* s) { return *parse_abs_instance(s); }
  ProviderWork work(bool creating, Value config) {
    Value nothing = Value::null(schema->block.implied_type());
    ObjectPtr old =
        creating ? nullptr : make_object(change.change.before, *schema, "old private", nullptr, {});
    return {.change = change,
            .resource = nullptr,
            .block = schema->block,
            .provider = provider,
            .creating = creating,
            .old = old,
            .prior = creating ? nothing : change.change.before,
            .config = std::move(config),
            .meta = {},
            .prior_identity = {}};
  }
  std::string problems() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += d.summary + "\n";
    return out;
  }
};

}  // namespace

TEST_CASE("stages: a final plan keeps what was reviewed, or there is none") {
  struct Row {
    const char* what;
    Value planned;
    Deferral deferred;
    bool fails;
    std::vector<Path> replace;
    const char* problem;
  };
  const Value a = thing(text("a"), text("1"));
  const Row rows[] = {
      {"as promised", thing(text("b"), text("1")), Deferral::None, false, {}, ""},
      {"another value",
       thing(text("c"), text("1")),
       Deferral::None,
       false,
       {},
       "Provider produced inconsistent final plan\n"},
      {"another type", text("b"), Deferral::None, false, {}, "Provider produced inconsistent final plan\n"},
      {"a replacement",
       thing(text("b"), text("1")),
       Deferral::None,
       false,
       {Path{PathStep::of_attr("name")}},
       "Provider produced inconsistent final plan\n"},
      {"deferred",
       thing(text("b"), text("1")),
       Deferral::AbsentPrereq,
       false,
       {},
       "Provider deferred changes\n"},
      {"an error", thing(text("b"), text("1")), Deferral::None, true, {}, "no\n"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o(Action::Update, a, thing(text("b"), text("1")));
    o.provider.planned.planned = row.planned;
    o.provider.planned.deferred = row.deferred;
    o.provider.planned.requires_replace = row.replace;
    if (row.fails) o.provider.planned.diags.push_back({Severity::Error, "no", "", {}});
    const Value config = thing(text("b"), text(nullptr));
    o.change.private_data = "of the first plan";
    CHECK(make_final_plan(o.work(false, config), config, o.diags).has_value() == (*row.problem == 0));
    CHECK(o.problems() == row.problem);
    CHECK(o.provider.told == "of the first plan");
  }
}

TEST_CASE("stages: a result is never dropped, whatever is wrong with it") {
  const Value before = thing(text("a"), text("1")), planned = thing(text("b"), kUnknown);
  const Value none = Value::null(before.type()), nothing;
  struct Row {
    const char* what;
    bool creating;
    Value answer;
    bool fails;
    bool ok;
    Value object;
    const char* problems;
  };
  const Row rows[] = {
      {"as planned", true, thing(text("b"), text("2")), false, true, thing(text("b"), text("2")), ""},
      {"half made", true, thing(text("b"), text("2")), true, false, thing(text("b"), text("2")), "no\n"},
      {"not made", true, nothing, true, false, none, "no\n"},
      {"said to be made", true, none, false, false, none,
       "Provider produced inconsistent result after apply\n"},
      {"lost in an update", false, none, false, false, before,
       "Provider produced inconsistent result after apply\n"},
      {"no answer, with an error", false, nothing, true, false, before, "no\n"},
      {"of another type", false, text("b"), false, false, before, "Provider produced invalid object\n"},
      {"another value", true, thing(text("c"), text("2")), false, false, thing(text("c"), text("2")),
       "Provider produced inconsistent result after apply\n"},
      {"unknown", true, thing(text("b"), kUnknown), false, false, thing(text("b"), text(nullptr)),
       "Provider returned invalid result object after apply\n"},
      {"unknown as a whole", true, Value::unknown(before.type()), false, false, none,
       "Provider returned invalid result object after apply\n"},
      {"made as something else", true, text("b"), false, false, none, "Provider produced invalid object\n"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o(row.creating ? Action::Create : Action::Update, row.creating ? none : before, planned);
    ProviderWork w = o.work(row.creating, thing(text("b"), text(nullptr)));
    ApplyResponse answer;
    answer.new_state = row.answer;
    if (row.fails) answer.diags.push_back({Severity::Error, "no", "", {}});
    PlanResponse plan;
    plan.planned = planned;
    const WorkResult r = settle_result(w, plan, answer, o.diags);
    CHECK(r.ok == row.ok);
    CHECK(r.object.raw_equal(row.object));
    CHECK(o.problems() == row.problems);
    // Where there is no object, either the provider says so, or nobody knows.
    if (!row.creating || !row.object.is_null()) continue;
    const std::string& told = o.diags.all().back().detail;
    INFO(told);
    CHECK(row.fails == (told.find("may exist that is not in the state") == std::string::npos));
  }
}

TEST_CASE("stages: a broken promise names both values, if the plan shows them") {
  for (const bool secret : {false, true}) {
    INFO("sensitive: " << secret);
    const Value planned = thing(text("b"), kUnknown);
    const Value shown = secret ? thing(text("b").with_marks(kSensitive), kUnknown) : planned;
    OneObject o(Action::Create, Value::null(planned.type()), shown);
    ApplyResponse answer;
    answer.new_state = thing(text("c"), text("2"));
    PlanResponse plan;
    plan.planned = planned;
    CHECK_FALSE(settle_result(o.work(true, thing(text("b"), text(nullptr))), plan, answer, o.diags).ok);
    const std::string& told = o.diags.all().back().detail;
    INFO(told);
    CHECK((told.find(".name: the value has changed from \"b\" to \"c\".") == std::string::npos) == secret);
    CHECK((told.find(".name: the value has changed.") == std::string::npos) != secret);
  }
}

TEST_CASE("stages: the journal comes first, and what it does not take does not happen") {
  for (const bool full : {false, true}) {
    OneObject o(Action::CreateThenDelete, thing(text("a"), text("1")), thing(text("b"), kUnknown));
    State state;
    const ObjectPtr object = make_object(o.change.change.before, *o.schema, "", nullptr, {});
    InstanceState& instance = state.ensure(o.change.addr, o.change.provider);
    instance.current = object;
    RecordingJournal journal;
    journal.full = full;
    Recorder recorder(state, &journal);
    const std::optional<std::string> key = recorder.depose(o.change, o.diags);
    CHECK(key.has_value() == !full);
    CHECK(recorder.deposed_key(o.change.addr) == key);
    CHECK(o.problems() == (full ? "Failed to write the journal\n" : ""));
    if (full) {
      CHECK(instance.current == object);
      CHECK(instance.deposed.empty());
      continue;
    }
    CHECK(instance.current == nullptr);
    CHECK(instance.deposed.at(*key) == object);
    journal.full =
        true;  // the successor was not made: the object is current again even if nobody can note it
    recorder.restore(o.change, *key, o.diags);
    CHECK(instance.current == object);
    CHECK(instance.deposed.empty());
    REQUIRE(journal.records.size() == 1);
    CHECK(journal.records[0].kind == JournalRecord::Kind::Depose);
  }
}

TEST_CASE("stages: who failed is known by address, and deposed objects apart") {
  State state;
  Recorder recorder(state, nullptr);
  const AbsInstance a = OneObject::parse_instance("fickle_thing.a[0]"),
                    b = OneObject::parse_instance("fickle_thing.a[1]");
  recorder.fail(a, "00000001");
  CHECK_FALSE(recorder.has_failed(a));
  recorder.fail(a);
  CHECK(recorder.has_failed(a));
  CHECK_FALSE(recorder.has_failed(b));
}

TEST_CASE("stages: dependents are destroyed before what they depend on, around creations as asked") {
  for (const bool create_first : {false, true}) {
    INFO("create_before_destroy: " << create_first);
    const std::string rule = create_first ? "  lifecycle {\n    create_before_destroy = true\n  }\n" : "";
    TestWorld w("resource \"terraform_data\" \"a\" {\n  triggers_replace = [1]\n" + rule +
                "}\nresource \"terraform_data\" \"b\" {\n  triggers_replace = [terraform_data.a.id]\n" +
                rule + "}\n");
    w.apply(w.plan());
    REQUIRE(w.problems() == "");
    std::string& file = w.fs.files["main.tf"];
    file.replace(file.find("[1]"), 3, "[2]");
    const Plan plan = w.plan();
    ConfigGraph cg;
    cg.build(*w.config, &w.state);
    DestroyOrder order;
    order.connect(cg, *w.config, plan, w.state, {});
    cg.graph.freeze();
    REQUIRE(order.check(cg, w.diags));
    std::vector<std::string> steps;
    for (uint32_t n : cg.graph.topological_order()) {
      const GraphNode& g = cg.nodes[n];
      if (g.kind == NodeKind::Extra) steps.push_back("-" + order.at(g.index).resource.text());
      if (g.kind == NodeKind::Resource) steps.push_back("+" + g.node->module->resources[g.index].addr.text());
    }
    const std::vector<std::string> destroyed_first = {"-terraform_data.b", "-terraform_data.a",
                                                      "+terraform_data.a", "+terraform_data.b"};
    const std::vector<std::string> created_first = {"+terraform_data.a", "+terraform_data.b",
                                                    "-terraform_data.b", "-terraform_data.a"};
    CHECK(steps == (create_first ? created_first : destroyed_first));
  }
}

TEST_CASE("stages: what checks read comes after all changes, and edges are as many as both together") {
  constexpr int kMany = 200;
  std::string config;
  for (int i = 0; i < kMany; ++i)
    config += fmt::format(
        "resource \"terraform_data\" \"r{0}\" {{}}\n"
        "check \"c{0}\" {{\n  data \"terraform_remote_state\" \"d{0}\" {{\n    backend = \"local\"\n"
        "    config = {{ path = terraform_data.r{0}.id }}\n  }}\n"
        "  assert {{\n    condition = terraform_data.r{0}.input == null\n    error_message = \"No.\"\n  "
        "}}\n}}\n",
        i);
  TestWorld w(config);
  const Plan plan = w.plan();
  ConfigGraph cg;
  cg.build(*w.config, &w.state);
  DestroyOrder order;
  order.connect(cg, *w.config, plan, w.state, {});
  cg.graph.freeze();
  REQUIRE(order.check(cg, w.diags));
  size_t edges = 0, changes = 0, reads = 0;
  for (uint32_t n = 0; n < cg.graph.size(); ++n) edges += cg.graph.dependencies(n).size();
  CHECK(edges < 20 * kMany);
  for (uint32_t n : cg.graph.topological_order()) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind != NodeKind::Resource) continue;
    const bool read = g.node->module->resources[g.index].addr.mode == Mode::Data;
    read ? ++reads : ++changes;
    if (read) CHECK(changes == kMany);
  }
  CHECK(reads == kMany);
}

namespace {

using Pairs = std::set<std::pair<uint32_t, uint32_t>>;

// Resources in a random order of dependencies, some with fewer instances than before, some with more, some
// with changes.
std::string random_resources(std::mt19937& random, int resources, bool before) {
  std::mt19937 same(random);  // what is the same before and afterwards
  std::string out;
  for (int i = 0; i < resources; ++i) {
    const bool first = same() % 3 == 0;
    std::string needs;
    for (int j = 0; j < i; ++j)
      if (same() % 4 == 0) needs += fmt::format("{}terraform_data.r{}", needs.empty() ? "" : ", ", j);
    const unsigned what = same() % 5;
    const int count = what == 0 ? (before ? 2 : 1) : what == 1 ? (before ? 1 : 2) : 1;
    out += fmt::format(
        "resource \"terraform_data\" \"r{}\" {{\n  count = {}\n  input = \"{}\"\n  depends_on = [{}]\n{}}}\n",
        i, count, what == 2 && !before ? "changed" : "same", needs,
        first ? "  lifecycle {\n    create_before_destroy = true\n  }\n" : "");
  }
  return out;
}

// Who waits for whom: destroyed objects and nodes of the configuration, as the rules say it.
Pairs expected_waits(const TestWorld& w, const Plan& plan, const ConfigGraph& cg, const DestroyOrder& order) {
  ConfigGraph configured;
  configured.build(*w.config, &w.state);
  configured.graph.freeze();
  const config::Node* root = w.config->root.get();
  auto node_of = [&](const AbsInstance& a) {
    const int i = root->module->find_resource(a.resource);
    return configured.node_of(NodeKind::Resource, root, static_cast<uint32_t>(i));
  };
  std::set<uint32_t> changed, made;
  for (const ResourceChange& c : plan.changes) {
    if (c.change.action == Action::Create) made.insert(node_of(c.addr));
    if (c.change.action == Action::Create || c.change.action == Action::Update || is_replace(c.change.action))
      changed.insert(node_of(c.addr));
  }
  Pairs out;
  for (uint32_t n = 0; n < cg.graph.size(); ++n) {
    if (cg.nodes[n].kind != NodeKind::Extra || order.at(cg.nodes[n].index).is_gate()) continue;
    const Destroy& d = order.at(cg.nodes[n].index);
    if (!d.create_first && d.replaces) continue;
    std::vector<uint32_t> next{node_of(d.changes[0]->addr)};
    std::set<uint32_t> seen(next.begin(), next.end());
    while (!next.empty()) {
      const uint32_t at = next.back();
      next.pop_back();
      for (const uint32_t dependent : configured.graph.dependents(at)) {
        if (!seen.insert(dependent).second) continue;
        const bool waits = (d.create_first ? made : changed).contains(dependent);
        if (waits) out.insert(d.create_first ? std::pair(n, dependent) : std::pair(dependent, n));
        if (d.create_first || !waits) next.push_back(dependent);
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("stages: what dependents wait for is what each would find behind itself") {
  std::mt19937 random(7);
  size_t through_gates = 0;
  for (int round = 0; round < 60; ++round, random.discard(1000)) {
    constexpr int kResources = 14;
    TestWorld w(random_resources(random, kResources, true));
    w.apply(w.plan());
    REQUIRE(w.problems() == "");
    w.fs.files["main.tf"] = random_resources(random, kResources, false);
    const Plan plan = w.plan();
    ConfigGraph cg;
    cg.build(*w.config, &w.state);
    DestroyOrder order;
    order.connect(cg, *w.config, plan, w.state, {});
    cg.graph.freeze();
    if (!cg.graph.cycles().empty()) continue;  // then not all is granted
    const Pairs expected = expected_waits(w, plan, cg, order);
    auto is_gate = [&](uint32_t n) {
      return cg.nodes[n].kind == NodeKind::Extra && order.at(cg.nodes[n].index).is_gate();
    };
    Pairs found;
    for (uint32_t n = 0; n < cg.graph.size(); ++n) {
      if (is_gate(n)) continue;
      std::vector<uint32_t> gates;
      for (const uint32_t to : cg.graph.dependencies(n))
        is_gate(to) ? gates.push_back(to) : (void)found.emplace(n, to);
      while (!gates.empty()) {
        const uint32_t gate = gates.back();
        gates.pop_back();
        for (const uint32_t to : cg.graph.dependencies(gate)) {
          if (is_gate(to)) {
            gates.push_back(to);
            continue;
          }
          ++through_gates;
          found.emplace(n, to);
          CHECK(expected.contains({n, to}));
        }
      }
    }
    for (const auto& pair : expected) CHECK(found.contains(pair));
  }
  CHECK(through_gates > 20);
}

TEST_CASE("stages: a long chain takes as many edges as it has resources, and not their square") {
  constexpr int kMany = 300;
  auto chain = [](int count) {
    std::string out;
    for (int i = 0; i < kMany; ++i)
      out += fmt::format(
          "resource \"terraform_data\" \"r{}\" {{\n  for_each = toset([\"{}\"])\n{}  lifecycle {{\n"
          "    create_before_destroy = true\n  }}\n}}\n",
          i, count, i ? fmt::format("  depends_on = [terraform_data.r{}]\n", i - 1) : "");
    return out;
  };
  TestWorld w(chain(1));
  w.apply(w.plan());
  REQUIRE(w.problems() == "");
  w.fs.files["main.tf"] = chain(2);
  const Plan plan = w.plan();
  for (const auto& [addr, r] : w.state.resources)  // so that the order comes from the configuration
    for (const auto& [key, i] : r.instances) const_cast<Object&>(*i.current).dependencies.reset();
  ConfigGraph cg;
  cg.build(*w.config, &w.state);
  DestroyOrder order;
  order.connect(cg, *w.config, plan, w.state, {});
  cg.graph.freeze();
  REQUIRE(order.check(cg, w.diags));
  size_t edges = 0;
  for (uint32_t n = 0; n < cg.graph.size(); ++n) edges += cg.graph.dependencies(n).size();
  CHECK(edges < 20 * kMany);
}

TEST_CASE("stages: many deposed objects of one instance go at once") {
  TestWorld w("");
  Diagnostics diags;
  auto p = make_builtin_factory()->start(*parse_provider_addr("terraform"), diags);
  const schema::SchemaPtr schema = schema::find(p->schema(), Mode::Managed, Symbol("terraform_data"));
  const AbsInstance addr = OneObject::parse_instance("terraform_data.a");
  InstanceState& instance = w.state.ensure(addr, {{}, *parse_provider_addr("terraform"), {}});
  std::vector<std::pair<Symbol, Value>> attributes;
  for (const schema::Attribute& a : schema->block.attributes)
    attributes.emplace_back(a.name, a.name == Symbol("id") ? text("1") : Value::null(a.type));
  const ObjectPtr object = make_object(Value::object(attributes), *schema, "", nullptr, {});
  for (int i = 0; i < 2000; ++i) instance.deposed.emplace(fmt::format("{:08x}", i), object);
  w.parallelism = 32;
  PlanOptions options;
  options.refresh = false;
  const ApplyOutcome out = w.apply(w.plan(options));
  CHECK(w.problems() == "");
  CHECK(out.destroyed == 2000);
  CHECK(w.state.resources.empty());
}

TEST_CASE("stages: an object whose successor may not begin stays the current one") {
  const std::string rule = "  lifecycle {\n    create_before_destroy = true\n  }\n}\n";
  TestWorld w("resource \"terraform_data\" \"a\" {\n  triggers_replace = 1\n" + rule);
  w.apply(w.plan());
  const AbsInstance addr = OneObject::parse_instance("terraform_data.a");
  const ObjectPtr object = w.state.find(addr)->current;
  w.fs.files["main.tf"] = "resource \"terraform_data\" \"a\" {\n  triggers_replace = 2\n" + rule;
  const Plan plan = w.plan();
  REQUIRE(actions(plan) == "terraform_data.a create/delete (replace_because_cannot_update)\n");
  struct NoIntents : RecordingJournal {
    Result<void> append(const JournalRecord& r) override {
      full = r.kind == JournalRecord::Kind::Intent;
      return RecordingJournal::append(r);
    }
  } journal;
  ApplyOptions o;
  o.variables = w.values;
  o.now = "2026-01-02T03:04:05Z";
  o.journal = &journal;
  const ApplyOutcome out = apply_plan(*w.config, plan, o, *w.factory, w.diags);
  CHECK(w.problems().starts_with("error: Failed to write the journal"));
  CHECK(out.added + out.destroyed == 0);
  const InstanceState& left = *out.state.find(addr);
  CHECK(left.current == object);
  CHECK(left.deposed.empty());
  REQUIRE(journal.records.size() == 2);
  CHECK(journal.records[1].kind == JournalRecord::Kind::Restore);
}

TEST_CASE("stages: a destruction that may not begin has not failed") {
  TestWorld w("resource \"terraform_data\" \"a\" {\n}\n");
  w.apply(w.plan());
  w.fs.files["main.tf"] = "";
  const Plan plan = w.plan();
  struct NoIntents : RecordingJournal {
    Result<void> append(const JournalRecord& r) override {
      full = r.kind == JournalRecord::Kind::Intent;
      return RecordingJournal::append(r);
    }
  } journal;
  ApplyOptions o;
  o.variables = w.values;
  o.now = "2026-01-02T03:04:05Z";
  o.journal = &journal;
  const ApplyOutcome out = apply_plan(*w.config, plan, o, *w.factory, w.diags);
  CHECK(w.problems().starts_with("error: Failed to write the journal"));
  CHECK(out.failed == 0);
  CHECK(out.done == 0);
  CHECK(out.skipped.size() == 1);
}

TEST_CASE(
    "stages: a change that was made is done also if nothing can be recorded any more, and no other begins") {
  const char* config = "resource \"terraform_data\" \"a\" {\n  count = 5\n}\n";
  struct SecondResultFails : RecordingJournal {
    int results = 0;
    Result<void> append(const JournalRecord& r) override {
      const bool ends = r.kind == JournalRecord::Kind::Result || r.kind == JournalRecord::Kind::Remove;
      full = full || (ends && ++results == 2);
      return RecordingJournal::append(r);
    }
  };
  TestWorld w(config);
  w.parallelism = 1;
  for (const char* step : {"create", "destroy"}) {
    INFO(step);
    SecondResultFails journal;
    ApplyOptions o;
    o.variables = w.values;
    o.now = "2026-01-02T03:04:05Z";
    o.journal = &journal;
    o.parallelism = 1;
    const Plan plan = w.plan();  // loads the configuration anew
    const ApplyOutcome out = apply_plan(*w.config, plan, o, *w.factory, w.diags);
    CHECK(w.problems().starts_with("error: Failed to write the journal"));
    w.diags = Diagnostics();
    CHECK(out.added + out.destroyed == 2);
    CHECK(out.done == 2);
    CHECK(out.failed == 0);
    CHECK(out.skipped.size() == 3);
    CHECK(out.state.resources.begin()->second.instances.size() ==
          (std::string_view(step) == "create" ? 2 : 3));
    w.fs.files["main.tf"] = config;
    w.apply(w.plan());  // all of them
    w.diags = Diagnostics();
    w.fs.files["main.tf"] = "";
  }
}

TEST_CASE("stages: no provisioner starts after an interrupt, whatever may happen when one fails") {
  for (const char* on_failure : {"fail", "continue"}) {
    INFO(on_failure);
    TestWorld w(
        "resource \"terraform_data\" \"a\" {\n  provisioner \"local-exec\" {\n    command = \"exit 0\"\n    "
        "on_failure = " +
        std::string(on_failure) + "\n  }\n}\n");
    std::atomic<bool> stop = false;
    struct StopsAtResult : RecordingJournal {
      std::atomic<bool>& stop;
      explicit StopsAtResult(std::atomic<bool>& s) : stop(s) {}
      Result<void> append(const JournalRecord& r) override {
        stop = stop || r.kind == JournalRecord::Kind::Result;
        return RecordingJournal::append(r);
      }
    } journal(stop);
    ApplyOptions o;
    o.variables = w.values;
    o.now = "2026-01-02T03:04:05Z";
    o.journal = &journal;
    o.stop = &stop;
    const Plan plan = w.plan();  // loads the configuration anew
    const ApplyOutcome out = apply_plan(*w.config, plan, o, *w.factory, w.diags);
    INFO(w.problems());
    CHECK(w.problems().find("error: local-exec provisioner not started") != std::string::npos);
    CHECK(out.failed == 1);
    CHECK(out.state.find(OneObject::parse_instance("terraform_data.a"))->current->status ==
          ObjectStatus::Tainted);
  }
}

TEST_CASE("stages: a replacement whose new object is not finished counts as failed") {
  auto file = [](const char* code) {
    return std::string("resource \"terraform_data\" \"a\" {\n  triggers_replace = ") + code +
           "\n  lifecycle {\n    create_before_destroy = true\n  }\n  provisioner \"local-exec\" {\n    "
           "command = \"exit " +
           code + "\"\n  }\n}\n";
  };
  TestWorld w(file("0"));
  w.apply(w.plan());
  REQUIRE(w.problems() == "");
  w.fs.files["main.tf"] = file("1");
  const ApplyOutcome out = w.apply(w.plan());
  CHECK(out.done == 0);
  CHECK(out.failed == 1);
  CHECK(out.skipped.empty());  // the end of the old object is a part of it
}

TEST_CASE("stages: what a failed replacement left can be completed") {
  const std::string rule = "  lifecycle {\n    create_before_destroy = true\n  }\n}\n";
  auto file = [&](const char* version) {
    return std::string("resource \"terraform_data\" \"a\" {\n  triggers_replace = ") + version +
           "\n}\nresource \"terraform_data\" \"b\" {\n  count = 2\n  input = terraform_data.a.id\n  "
           "triggers_replace = " +
           version + "\n" + rule;
  };
  TestWorld w(file("1"));
  w.apply(w.plan());
  const State before = w.state;
  w.fs.files["main.tf"] = file("2");
  w.apply(w.plan());
  REQUIRE(w.problems() == "");
  // As if a provisioner of b[1] had failed: it is tainted, and it and a still have their old objects.
  for (const char* address : {"terraform_data.a", "terraform_data.b[1]"}) {
    const AbsInstance addr = OneObject::parse_instance(address);
    w.state.find(addr)->deposed.emplace("0000000a", before.find(addr)->current);
  }
  InstanceState& b = *w.state.find(OneObject::parse_instance("terraform_data.b[1]"));
  Object tainted = *b.current;
  tainted.status = ObjectStatus::Tainted;
  b.current = std::make_shared<Object>(tainted);
  const ApplyOutcome out = w.apply(w.plan());
  CHECK(w.problems() == "");
  CHECK(out.added == 1);
  CHECK(out.destroyed == 3);
}

TEST_CASE("stages: a replacement has begun as long as one of its halves has") {
  State state;
  Recorder recorder(state, nullptr);
  ResourceChange replaced, other;
  recorder.begin(replaced);
  recorder.begin(replaced);
  recorder.withdraw(replaced);
  CHECK(recorder.has_begun(replaced));
  CHECK_FALSE(recorder.has_begun(other));
  recorder.withdraw(replaced);
  CHECK_FALSE(recorder.has_begun(replaced));
  recorder.withdraw(other);  // which nobody has begun
  recorder.begin(other);
  CHECK(recorder.has_begun(other));
}

TEST_CASE("apply: what goes on after a record keeps its place meanwhile") {
  struct SlowJournal : Journal {
    Result<void> append(const JournalRecord&) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return {};
    }
  } journal;
  State state;
  Recorder recorder(state, &journal);
  constexpr int kParallelism = 2;
  std::atomic<int> inside{0};
  std::atomic<bool> crowded{false};
  const auto done = parallel_for(8, {kParallelism, nullptr, &recorder.pauses()}, [&](size_t) {
    if (++inside > kParallelism) crowded = true;
    Diagnostics diags;
    recorder.record_durably({}, diags, true);  // then come provisioners
    --inside;
  });
  CHECK(done.complete);
  CHECK_FALSE(crowded);
}

// The stages of planning one object, each without a world around it: what core makes of a provider's answers,
// and what it decides.
#include <catch2/catch.hpp>

#include "core/plan/decision.h"
#include "core/plan/objects.h"
#include "core/plan/provider_answers.h"
#include "tests/support/fickle_provider.h"

using namespace xplan;
using namespace xplan::planning;
using namespace xplan::test;

namespace {

// Answers as it was told to.
struct Scripted : FickleProvider {
  explicit Scripted(FickleScript& s) : FickleProvider(s) {}
  ReadResponse found;
  PlanResponse planned;
  ReadDataResponse data;
  bool plans_end = true;
  ReadResponse read(const ReadRequest&) override { return found; }
  PlanResponse plan(const PlanRequest&) override { return planned; }
  ReadDataResponse read_data(const ReadDataRequest&) override { return data; }
  bool plans_destroy() const override { return plans_end; }
};

// What the hooks heard, a letter each.
struct Heard : Hooks {
  std::string all;
  void refresh_start(const AbsInstance&, std::string_view, const ObjectId&) override { all += "r"; }
  void refresh_done(const AbsInstance&, const ObjectId&) override { all += "R"; }
  void read_start(const AbsInstance&) override { all += "d"; }
  void read_done(const AbsInstance&, const ObjectId&, double) override { all += "D"; }
  void read_ended(const AbsInstance&) override { all += "E"; }
  void apply_failed(const AbsInstance&, std::string_view, Action, double) override { all += "F"; }
};

Value text(const char* s) {
  return s ? Value::string(s) : Value::null(Type::string());
}
Value thing(Value name, Value id) {
  return Value::object({{Symbol("name"), name}, {Symbol("needs"), text(nullptr)}, {Symbol("id"), id}});
}
Value data(Value name, Value value) {
  return Value::object({{Symbol("name"), name}, {Symbol("value"), value}});
}
const Value kUnknown = Value::unknown(Type::string());
const ProviderDiags kFailure = {{Severity::Error, "no", "", {}}};

struct OneObject {
  FickleScript script;
  Scripted provider{script};
  Diagnostics diags;
  Heard heard;
  const AbsInstance addr;
  const ProviderAddr provider_addr = *parse_provider_addr("test/fickle");
  const bool deferral_allowed;

  explicit OneObject(const char* address, bool allowed = false)
      : addr(*parse_abs_instance(address)), deferral_allowed(allowed) {}
  Subject subject() {
    return {.addr = addr,
            .schema = schema::find(provider.schema(), addr.resource.mode, addr.resource.type),
            .provider = provider,
            .provider_addr = provider_addr,
            .deferral_allowed = deferral_allowed};
  }
  std::string problems() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += d.summary + "\n";
    return out;
  }
};

constexpr const char *kInvalidPlan = "Provider produced invalid plan\n",
                     *kInvalidObject = "Provider produced invalid object\n",
                     *kDeferred = "Provider deferred changes\n";

}  // namespace

TEST_CASE("stages: an object is replaced for the first reason that applies") {
  const Reason fired = Reason::ReplaceByTriggers, none = Reason::None;
  const Action first = Action::CreateThenDelete, last = Action::DeleteThenCreate;
  struct Row {
    const char* what;
    Situation in;
    Action action;
    Reason reason;
    bool plan_again;
  };
  const Row rows[] = {
      {"nothing differs", {}, Action::NoOp, none, false},
      {"something differs", {.differs = true}, Action::Update, none, false},
      {"there is none", {.exists = false, .differs = true}, Action::Create, none, false},
      {"there is none, and a trigger fires",
       {.exists = false, .trigger = fired},
       Action::Create,
       fired,
       false},
      {"it cannot be updated",
       {.must_replace = true, .differs = true},
       last,
       Reason::ReplaceBecauseCannotUpdate,
       true},
      {"it is asked for", {.requested = true, .must_replace = true}, last, Reason::ReplaceByRequest, true},
      {"a trigger fires", {.trigger = fired, .requested = true}, last, fired, true},
      {"it is tainted", {.tainted = true, .requested = true}, last, Reason::ReplaceBecauseTainted, false},
      {"it is tainted, and a trigger fires", {.tainted = true, .trigger = fired}, last, fired, false},
      {"the successor comes first",
       {.requested = true, .create_before_destroy = true},
       first,
       Reason::ReplaceByRequest,
       true},
      {"the old object is not to be destroyed",
       {.must_replace = true, .create_before_destroy = true, .may_destroy = false},
       Action::ForgetThenCreate,
       Reason::ReplaceBecauseCannotUpdate,
       true},
      {"create_before_destroy is no change", {.create_before_destroy = true}, Action::NoOp, none, false},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const Decision d = decide(row.in);
    CHECK(d.action == row.action);
    CHECK(d.reason == row.reason);
    CHECK(d.plan_again == row.plan_again);
  }
}

TEST_CASE("stages: a plan keeps to the configuration, or there is none") {
  const Value config = thing(text("b"), text(nullptr)), proposed = thing(text("b"), kUnknown);
  const Value none = Value::null(config.type());
  struct Row {
    const char* what;
    PlanResponse answer;
    bool allowed;
    Value planned;  // the outcome; a C++ null value: none
    const char* problems;
  };
  auto answer = [](Value planned, Deferral d = Deferral::None, bool legacy = false) {
    PlanResponse r;
    r.planned = std::move(planned), r.deferred = d, r.legacy_type_system = legacy;
    return r;
  };
  PlanResponse failed = answer(proposed);
  failed.diags = kFailure;
  const Row rows[] = {
      {"as proposed", answer(proposed), false, proposed, ""},
      {"the id known", answer(thing(text("b"), text("1"))), false, thing(text("b"), text("1")), ""},
      {"not as configured", answer(thing(text("c"), kUnknown)), false, {}, kInvalidPlan},
      {"not as configured, but long so", answer(thing(text("c"), kUnknown), Deferral::None, true), false,
       thing(text("c"), kUnknown), ""},
      {"of another type", answer(text("b")), false, {}, kInvalidPlan},
      {"null", answer(none), false, {}, kInvalidPlan},
      {"an error", failed, false, {}, "no\n"},
      {"deferred where that is not allowed", answer(proposed, Deferral::AbsentPrereq), false, {}, kDeferred},
      {"deferred", answer(proposed, Deferral::AbsentPrereq), true, proposed, ""},
      {"deferred without a plan", answer(none, Deferral::AbsentPrereq), true, proposed, ""},
      {"deferred, of another type", answer(text("b"), Deferral::AbsentPrereq), true, {}, kInvalidPlan},
  };
  const std::string no_private;
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o("fickle_thing.a", row.allowed);
    o.provider.planned = row.answer;
    const auto r = ask_plan(o.subject(), {none, proposed, config, no_private}, o.diags);
    CHECK(o.problems() == row.problems);
    REQUIRE(r.has_value() == (*row.problems == 0));
    if (r) CHECK(r->planned.raw_equal(row.planned));
  }
}

TEST_CASE("stages: what the state has of an object is what was read, unless the answer is wrong") {
  const Value before = thing(text("a"), text("1")), after = thing(text("b"), text("1"));
  const Value none = Value::null(before.type());
  struct Row {
    const char* what;
    ReadResponse answer;
    bool allowed, read;
    Value value;  // the outcome
    bool changed;
    const char *problems, *heard;
  };
  auto answer = [](Value v, Deferral d = Deferral::None) {
    ReadResponse r;
    r.new_state = std::move(v), r.private_data = "private", r.deferred = d;
    return r;
  };
  ReadResponse failed = answer(before);
  failed.diags = kFailure;
  const Row rows[] = {
      {"as before", answer(before), false, true, before, false, "", "rR"},
      {"changed", answer(after), false, true, after, true, "", "rR"},
      {"gone", answer(none), false, true, none, true, "", "rR"},
      {"not read", answer(after), false, false, before, false, "", ""},
      {"an error", failed, false, true, {}, false, "no\n", "r"},
      {"of another type", answer(text("a")), false, true, {}, false, kInvalidObject, "r"},
      {"unknown", answer(thing(kUnknown, text("1"))), false, true, {}, false, kInvalidObject, "r"},
      {"deferred where that is not allowed",
       answer(after, Deferral::AbsentPrereq),
       false,
       true,
       {},
       false,
       kDeferred,
       "r"},
      {"deferred", answer(after, Deferral::AbsentPrereq), true, true, before, false, "", "r"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o("fickle_thing.a", row.allowed);
    o.provider.found = row.answer;
    const Subject s = o.subject();
    const ObjectPtr recorded = make_object(before, *s.schema, "private", nullptr, {});
    ObjectPtr object = recorded;
    const auto r = refresh_object(s, object, row.read, "", o.heard, o.diags);
    CHECK(o.problems() == row.problems);
    CHECK(o.heard.all == row.heard);
    REQUIRE(r.has_value() == (*row.problems == 0));
    if (!r || !row.changed) CHECK(object == recorded);
    if (!r) continue;
    CHECK(r->after.raw_equal(row.value));
    CHECK(r->changed == row.changed);
    CHECK((object == nullptr) == row.value.is_null());
    CHECK(r->deferral == (row.allowed ? Deferral::AbsentPrereq : Deferral::None));
  }
}

TEST_CASE("stages: private data of a provider replaces what the state has, without a change") {
  OneObject o("fickle_thing.a");
  const Subject s = o.subject();
  const Value value = thing(text("a"), text("1"));
  ObjectPtr object =
      make_object(value, *s.schema, "old", nullptr, {.create_before_destroy = true}, ObjectStatus::Tainted);
  o.provider.found.new_state = value;
  o.provider.found.private_data = "new";
  const auto r = refresh_object(s, object, true, "", o.heard, o.diags);
  REQUIRE(r);
  CHECK_FALSE(r->changed);
  CHECK(object->private_data == "new");
  CHECK(object->create_before_destroy);
  CHECK(object->status == ObjectStatus::Tainted);
}

TEST_CASE("stages: a provider may plan the end of an object, and nothing else instead") {
  const Value before = thing(text("a"), text("1")), none = Value::null(before.type());
  struct Row {
    const char* what;
    bool asked;
    Value planned;
    Deferral deferred;
    bool allowed, ok;
    const char* private_data;
    const char* problems;
  };
  const Row rows[] = {
      {"not asked", false, before, Deferral::None, false, true, "old", ""},
      {"it agrees", true, none, Deferral::None, false, true, "new", ""},
      {"it does not", true, before, Deferral::None, false, false, "old", kInvalidPlan},
      {"deferred", true, before, Deferral::AbsentPrereq, true, true, "new", ""},
      {"deferred where that is not allowed", true, before, Deferral::AbsentPrereq, false, false, "old",
       kDeferred},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o("fickle_thing.a", row.allowed);
    o.provider.plans_end = row.asked;
    o.provider.planned.planned = row.planned;
    o.provider.planned.planned_private = "new";
    o.provider.planned.deferred = row.deferred;
    ResourceChange c;
    c.addr = o.addr;
    c.change = {.action = Action::Delete, .before = before, .after = none};
    c.private_data = "old";
    Deferral deferral = Deferral::None;
    CHECK(ask_destroy(o.subject(), c, deferral, o.diags) == row.ok);
    CHECK(c.private_data == row.private_data);
    CHECK(deferral == row.deferred);
    CHECK(o.problems() == row.problems);
  }
}

TEST_CASE("stages: the reading of a data source gives all of it, and ends whatever happens") {
  const Value config = data(text("a"), text(nullptr)), read = data(text("a"), text("1"));
  struct Row {
    const char* what;
    Value answer;
    Deferral deferred;
    bool fails, allowed;
    const char *problems, *heard;
  };
  const Row rows[] = {
      {"read", read, Deferral::None, false, false, "", "dD"},
      {"an error", read, Deferral::None, true, false, "no\n", "dE"},
      {"null", Value::null(read.type()), Deferral::None, false, false, kInvalidObject, "dF"},
      {"not all of it", data(text("a"), kUnknown), Deferral::None, false, false, kInvalidObject, "dF"},
      {"of another type", text("a"), Deferral::None, false, false, kInvalidObject, "dF"},
      {"deferred", read, Deferral::AbsentPrereq, false, true, "", "dE"},
      {"deferred where that is not allowed", read, Deferral::AbsentPrereq, false, false, kDeferred, "dE"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    OneObject o("data.fickle_data.a", row.allowed);
    o.provider.data.state = row.answer;
    o.provider.data.deferred = row.deferred;
    if (row.fails) o.provider.data.diags = kFailure;
    const auto r = ask_data(o.subject(), config, o.heard, o.diags);
    CHECK(o.problems() == row.problems);
    CHECK(o.heard.all == row.heard);
    REQUIRE(r.has_value() == (*row.problems == 0));
    if (r && r->deferral == Deferral::None) CHECK(r->value.raw_equal(read));
  }
}

// What a run finds of another one beside a state on a server: journals of runs that may still be at work,
// that were only half removed, whose clock was ahead, or that cannot be written to the state.
#include "core/state/remote_store.h"

#include <cstdio>

#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"
#include "tests/unit/state/test_codec.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

struct Beside {
  std::unique_ptr<StateStore> store;
  State state;
  Diagnostics diags;
  std::string error;
  explicit Beside(MemoryServer& s, RemoteOptions o = {}, int calls = INT_MAX) {
    if (o.local_journal.empty()) o.local_journal = "local.journal";
    store = open_remote_store(std::make_unique<MemoryPlace>(s, calls), o);
    if (auto r = store->lock("OperationTypePlan", 0); !r.ok()) error = r.error().message;
    if (!error.empty()) return;
    auto r = store->read(diags);
    if (r)
      state = std::move(*r);
    else
      error = r.error().message;
  }
  std::string told() const {
    std::string out = error;
    for (const Diagnostic& d : diags.all()) out += d.summary + ": " + d.detail + "\n";
    return out;
  }
};

void make(MemoryServer& s, const std::vector<std::string>& names, const RemoteOptions& o = {}) {
  Beside run(s, o);
  REQUIRE(run.error.empty());
  for (const std::string& name : names)
    run.state.ensure(at(name), provider()).current = object("old-" + name);
  REQUIRE(run.store->write(run.state, no_types));
}

// As if the clock of whoever wrote them had been two days ahead.
void move_ahead(MemoryServer& s) {
  std::map<std::string, std::string> later;
  for (auto& [name, bytes] : s.segments) {
    const uint64_t then = std::stoull(name.substr(0, 12), nullptr, 16) + uint64_t{48} * 3600 * 1000;
    char digits[13];
    std::snprintf(digits, sizeof digits, "%012llx", static_cast<unsigned long long>(then));
    later[digits + name.substr(12)] = bytes;
  }
  s.segments = later;
}

// A run that dies while it replaces t.a, after the new object was made.
void die_while_replacing(MemoryServer& s) {
  Beside run(s);
  auto journal = run.store->start_journal(no_types);
  REQUIRE(journal);
  REQUIRE((*journal)->append(record(Kind_::Depose, "t.a", nullptr, "", "00000001")));
  REQUIRE((*journal)->append(record(Kind_::Intent, "t.a", nullptr, "create")));
  REQUIRE((*journal)->append(record(Kind_::Result, "t.a", object("new"))));
  s.lock.reset();
}

}  // namespace

TEST_CASE("left journals: without locks, who only reads leaves a run alone that is at work") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  make(server, {"t.a"});
  Beside at_work(server);
  auto journal = at_work.store->start_journal(no_types);
  REQUIRE(journal);
  REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
  const auto segments = server.segments;
  const int version = server.version;
  {
    const Beside plan(server);
    CHECK(plan.error == "");
    CHECK(server.segments == segments);
    CHECK(server.version == version);
  }
  REQUIRE((*journal)->append(record(Kind_::Result, "t.b", object("b"))));
  at_work.state.ensure(at("t.b"), provider()).current = object("b");
  const Result<void> written = at_work.store->write(at_work.state, no_types);
  CHECK((written ? "" : written.error().message) == "");
  CHECK(server.segments.empty());
  CHECK(shown(Beside(server).state) == R"(t.a={"id":"old-t.a"};t.b={"id":"b"};)");
}

TEST_CASE("left journals: without locks, who changes something folds them first") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  make(server, {"t.a"});
  die_while_replacing(server);
  Beside next(server);
  CHECK(next.told().find("Interrupted run") != std::string::npos);
  auto journal = next.store->start_journal(no_types);
  REQUIRE(journal);
  REQUIRE(next.store->write(next.state, no_types));
  CHECK(server.segments.empty());
  CHECK(shown(Beside(server).state) == R"(t.a={"id":"new"};t.a/00000001={"id":"old-t.a"};)");
}

TEST_CASE("left journals: the clock of who wrote one does not matter, wherever folding it ends") {
  WorkFolder folder;
  for (int calls = 1; calls < 20; ++calls) {
    MemoryServer server;
    make(server, {"t.a"});
    die_while_replacing(server);
    move_ahead(server);
    { const Beside folds(server, {}, calls); }
    server.lock.reset();
    const Beside next(server);
    INFO(calls);
    CHECK(next.error == "");
    CHECK(shown(next.state) == R"(t.a={"id":"new"};t.a/00000001={"id":"old-t.a"};)");
    CHECK(server.segments.empty());
  }
}

TEST_CASE("left journals: creations of unknown outcome are kept whatever the clock says") {
  WorkFolder folder;
  for (int calls = 1; calls < 20; ++calls) {
    MemoryServer server;
    make(server, {"t.a"});
    {
      Beside run(server);
      auto journal = run.store->start_journal(no_types);
      REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
      REQUIRE((*journal)->append(record(Kind_::Intent, "t.c", nullptr, "create")));
      REQUIRE((*journal)->append(record(Kind_::Result, "t.c", object("c"))));
      server.lock.reset();
    }
    move_ahead(server);
    { const Beside folds(server, {}, calls); }
    server.lock.reset();
    for (int n = 0; n < 2; ++n) {
      const Beside next(server);
      INFO(calls);
      CHECK(next.error == "");
      CHECK(next.told().find("The creation of t.b may have begun, and its outcome is unknown") !=
            std::string::npos);
      CHECK(shown(next.state) == R"(t.a={"id":"old-t.a"};t.c={"id":"c"};)");
    }
  }
}

TEST_CASE("left journals: a commit in front of what it was to follow is an error") {
  const JournalBase base{"lineage", 4};
  const std::string begin = encode_begin(base), commit = encode_commit({"lineage", 5, 77}),
                    made = encode_record(record(Kind_::Result, "t.a", object("a")), no_types);
  const auto read = [](const std::string& text) {
    return read_journal(std::make_shared<const std::string>(text));
  };
  CHECK_FALSE(read(commit + begin + made));
  const auto goes_on = read(commit + encode_begin({"lineage", 5}) + made);
  REQUIRE(goes_on);
  CHECK(goes_on->commits.empty());
  const auto only = read(commit);  // what it was about is removed already
  REQUIRE(only);
  CHECK(only->empty);
}

TEST_CASE("left journals: of one that is half removed, nothing is told that the state has") {
  WorkFolder folder;
  MemoryServer server;
  make(server, {});
  Beside run(server);
  auto journal = run.store->start_journal(no_types);
  for (const char* name : {"t.a", "t.b", "t.c"}) {
    REQUIRE((*journal)->append(record(Kind_::Intent, name, nullptr, "create")));
    REQUIRE((*journal)->append(record(Kind_::Result, name, object(name))));
    run.state.ensure(at(name), provider()).current = object(name);
  }
  server.kept = std::next(server.segments.begin())->first;  // an intent
  const Result<void> written = run.store->write(run.state, no_types);
  CHECK((written ? "" : written.error().message) == "");
  REQUIRE(run.store->not_ended());
  CHECK(run.store->not_ended()->message.find("cannot be removed") != std::string::npos);
  server.lock.reset();
  server.segments.erase(std::next(server.segments.begin()));  // the result that answers it
  {
    const Beside next(server);  // which cannot remove it either
    CHECK(next.error == "");
    CHECK(next.told().starts_with("Journal not removed: "));
    CHECK(next.told().find("unknown") == std::string::npos);
    server.lock.reset();
  }
  server.kept.clear();
  CHECK(Beside(server).told() == "");
  CHECK(server.segments.empty());
}

TEST_CASE("left journals: however often writing the state fails, they stay as large as they are") {
  WorkFolder folder;
  MemoryServer server;
  RemoteOptions sealed;
  sealed.codec = codec("k");
  make(server, {"t.a"}, sealed);
  {
    Beside run(server, sealed);
    auto journal = run.store->start_journal(no_types);
    REQUIRE((*journal)->append(record(Kind_::Result, "t.b", object("b"))));
    server.lock.reset();
  }
  server.refuses_put = true;
  size_t segments = 0;
  for (int n = 0; n < 70; ++n) {
    const Beside plan(server, sealed);
    REQUIRE(plan.error == "");
    if (n == 0) segments = server.segments.size();
    server.lock.reset();
  }
  CHECK(server.segments.size() == segments);
  server.refuses_put = false;
  CHECK(shown(Beside(server, sealed).state) == R"(t.a={"id":"old-t.a"};t.b={"id":"b"};)");
  CHECK(server.segments.empty());
}

TEST_CASE("left journals: none is taken in by another state of the same serial") {
  WorkFolder folder;
  MemoryServer server, sibling;
  make(server, {"t.a"});
  sibling.state = server.state;
  sibling.version = 1;
  const auto change = [](MemoryServer& s, const std::string& id) {
    Beside run(s);
    run.state.ensure(at("t.a"), provider()).current = object(id);
    REQUIRE(run.store->write(run.state, no_types));
  };
  change(server, "one");
  change(sibling, "another");
  die_while_replacing(server);
  server.state = sibling.state;
  const Beside next(server);
  CHECK(next.error.find("belongs to a different version of the state") != std::string::npos);
  CHECK(next.error.find("with the same serial") != std::string::npos);
}

TEST_CASE("left journals: with the journal on this machine, only a list that cannot be had means none") {
  WorkFolder folder;
  MemoryServer server;
  make(server, {"t.a"});
  die_while_replacing(server);
  const auto problem = [&] {
    RemoteOptions here;
    here.remote_journal = false;
    const Beside run(server, here);
    server.lock.reset();
    return run.error;
  };
  server.list_problem = "no permission";
  CHECK(problem() == "");
  server.list_problem = kInterrupted;
  CHECK(problem() == kInterrupted);
  server.list_problem.clear();
  server.refuses_segments = true;
  CHECK(problem().find("cannot be read: the server refuses") != std::string::npos);
}

TEST_CASE("left journals: who may only read the state looks at it, and changes nothing") {
  const std::string forbidden = "the list cannot be had: the server answered 403 Forbidden",
                    advice = "set the environment variable XPLAN_REMOTE_JOURNAL to off";
  WorkFolder folder;
  MemoryServer server;
  make(server, {"t.a"});
  server.list_problem = forbidden;
  {
    Beside run(server);
    CHECK(run.error.empty());
    CHECK(id_of(run.state, "t.a") != "none");
    REQUIRE(run.diags.all().size() == 1);
    CHECK(run.diags.all()[0].summary == "Journals cannot be looked for");
    CHECK(run.told().find(advice) != std::string::npos);
    for (const auto& refused : {run.store->can_start_journal(), run.store->write(run.state, no_types)}) {
      REQUIRE(!refused);
      CHECK(refused.error().message.starts_with(
          "The list cannot be had: the server answered 403 Forbidden. So"));
      CHECK(refused.error().message.find(advice) != std::string::npos);
    }
    CHECK(!run.store->start_journal(no_types));
  }
  {
    RemoteOptions here;
    here.remote_journal = false;
    Beside run(server, here);
    CHECK(run.told().empty());
    CHECK(run.store->start_journal(no_types));
  }
  server.lock.reset();
  server.list_problem.clear(), server.segment_problem = forbidden;
  Beside run(server);
  const auto begun = run.store->start_journal(no_types);
  REQUIRE(!begun);
  CHECK(begun.error().message.find(advice) != std::string::npos);
  server.segment_problem = "the server is away";
  CHECK(run.store->start_journal(no_types).error().message.find(advice) == std::string::npos);
}

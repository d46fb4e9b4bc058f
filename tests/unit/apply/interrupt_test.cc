// What a run does when it is told to stop, or loses its lock, while intents are on their way to the journal:
// what was not asked of the provider yet is not asked any more, and the journal says so.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <thread>
#include <unordered_map>

#include "core/state/journal.h"
#include "tests/support/fickle_provider.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;
using RecordKind = JournalRecord::Kind;

namespace {

constexpr int kParallelism = 3;
constexpr int kMilliseconds = 20;

void pause_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// Takes its time for each record, and counts them.
struct SlowJournal : Journal {
  Result<void> append(const JournalRecord& r) override {
    pause_for(kMilliseconds);
    std::lock_guard guard(lock);
    records.push_back(r);
    return {};
  }
  Result<void> may_begin() const override {
    return lost ? Error{"the lock of the state was lost"} : Result<void>();
  }
  size_t count(RecordKind k) const {
    size_t n = 0;
    for (const JournalRecord& r : records) n += r.kind == k;
    return n;
  }
  // Intents that nothing answers.
  size_t open() {
    std::lock_guard guard(lock);
    std::unordered_map<AbsInstance, int> left;
    for (const JournalRecord& r : records) {
      if (r.kind == RecordKind::Intent) ++left[r.addr];
      if (place_answered(r)) left.erase(r.addr);
    }
    return left.size();
  }
  std::mutex lock;
  std::vector<JournalRecord> records;
  std::atomic<bool> lost = false;
};

// Works until `over`, which the last of the first calls brings about after a while, and then until `settled`,
// for a while.
struct Working : FickleProvider {
  Working(FickleScript& s, std::atomic<bool>*& o, std::atomic<size_t>& c, std::function<bool()>& t)
      : FickleProvider(s), over(o), calls(c), settled(t) {}
  ApplyResponse apply(const ApplyRequest& r) override {
    if (!over) return FickleProvider::apply(r);
    if (++calls == kParallelism) pause_for(10 * kMilliseconds), *over = true;
    while (!*over) pause_for(1);
    for (int i = 0; i < 500 && settled && !settled(); ++i) pause_for(10);
    return FickleProvider::apply(r);
  }
  std::atomic<bool>*& over;
  std::atomic<size_t>& calls;
  std::function<bool()>& settled;
};

struct Factory : ProviderFactory {
  Factory(std::atomic<bool>*& o, std::atomic<size_t>& c, std::function<bool()>& t)
      : over(o), calls(c), settled(t) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<Working>(script, over, calls, settled);
    return builtin->start(p, diags);
  }
  FickleScript script;
  std::atomic<bool>*& over;
  std::atomic<size_t>& calls;
  std::function<bool()>& settled;
  std::unique_ptr<ProviderFactory> builtin = make_builtin_factory();
};

const std::string kHead =
    "terraform {\n required_providers {\n  fickle = { source = \"example.com/test/fickle\" }\n }\n}\n";
std::string things(const std::string& needs) {
  return kHead + "resource \"fickle_thing\" \"a\" {\n count = 60\n name = \"n${count.index}\"\n needs = \"" +
         needs + "\"\n}\n";
}

}  // namespace

TEST_CASE("interrupt: what waits for its intent is not begun any more, and is not of unknown outcome") {
  const struct {
    const char* name;
    std::string before, after;
    bool lost;
  } rows[] = {
      {"create", "", things("x"), false},
      {"create, lock lost", "", things("x"), true},
      {"update", things("x"), things("y"), false},
      {"destroy", things("x"), kHead, false},
      {"destroy, lock lost", things("x"), kHead, true},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    std::atomic<bool>* over = nullptr;
    std::atomic<size_t> calls = 0;
    std::function<bool()> settled;
    TestWorld w(row.before.empty() ? row.after : row.before);
    w.make_factory = [&] { return std::make_unique<Factory>(over, calls, settled); };
    if (!row.before.empty()) {
      w.apply(w.plan());
      REQUIRE(w.problems() == "");
      w.fs.files["main.tf"] = row.after;
    }
    const Plan p = w.plan();
    REQUIRE(w.problems() == "");
    REQUIRE(p.changes.size() == 60);
    SlowJournal journal;
    std::atomic<bool> stop = false;
    over = row.lost ? &journal.lost : &stop;
    // While the provider is still at work, so that a second interrupt finds nothing else in doubt.
    std::atomic<bool> withdrawn = false;
    if (!row.lost) settled = [&] { return withdrawn = withdrawn || journal.open() == kParallelism; };
    ApplyOptions o;
    o.variables = w.values;
    o.now = "2026-01-02T03:04:05Z";
    o.parallelism = kParallelism;
    o.stop = &stop;
    o.journal = &journal;
    const ApplyOutcome out = apply_plan(*w.config, p, o, *w.factory, w.diags);
    CHECK(calls == kParallelism);
    CHECK(journal.count(RecordKind::Intent) > kParallelism);
    CHECK(journal.count(RecordKind::Intent) <= 3 * kParallelism);
    CHECK(journal.open() == 0);
    CHECK(withdrawn == !row.lost);
    CHECK(out.added + out.changed + out.destroyed == kParallelism);
    const char* said = row.lost ? "The lock of the state was lost" : "execution halted";
    const std::string problems = w.problems();
    const size_t first = problems.find(said);
    CHECK(first != std::string::npos);
    if (!row.lost) CHECK(problems.find(said, first + 1) == std::string::npos);
    const std::vector<Diagnostic>& all = w.diags.all();
    CHECK(std::count_if(all.begin(), all.end(),
                        [](const Diagnostic& d) { return d.summary == "execution halted"; }) <= 1);
    size_t there = 0;
    for (const auto& [addr, r] : out.state.resources)
      for (const auto& [key, i] : r.instances) there += i.current != nullptr;
    CHECK(there == (row.before.empty() ? kParallelism : row.after == kHead ? 60 - kParallelism : 60));
  }
}

TEST_CASE("interrupt: where all changes were made by then, none is said to be left") {
  std::atomic<bool> stop = false;
  std::atomic<bool>* over = &stop;
  std::atomic<size_t> calls = 0;
  std::function<bool()> settled;
  TestWorld w(kHead + "resource \"fickle_thing\" \"a\" {\n count = 3\n name = \"n${count.index}\"\n}\n" +
              "output \"ids\" {\n value = fickle_thing.a[*].id\n}\n");
  w.make_factory = [&] { return std::make_unique<Factory>(over, calls, settled); };
  const Plan p = w.plan();
  REQUIRE(w.problems() == "");
  ApplyOptions o;
  o.variables = w.values;
  o.now = "2026-01-02T03:04:05Z";
  o.parallelism = kParallelism;
  o.stop = &stop;
  const ApplyOutcome out = apply_plan(*w.config, p, o, *w.factory, w.diags);
  CHECK(out.added == 3);
  CHECK_THAT(w.problems(),
             Catch::Contains("execution halted: The run was interrupted. All changes were made") &&
                 !Catch::Contains("not started"));
}

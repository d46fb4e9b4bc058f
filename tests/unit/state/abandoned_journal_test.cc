// What is left of a run that ends at once while a server has not answered: nothing that only that process
// knew is lost.
#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "core/state/journal.h"
#include "core/state/remote_store.h"
#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

std::unique_ptr<StateStore> open(MemoryServer& server, const State* successor = nullptr) {
  auto store = open_remote_store(std::make_unique<MemoryPlace>(server),
                                 {.local_journal = "local.journal", .successor = successor});
  REQUIRE(store->lock("OperationTypeApply", 0));
  return store;
}

std::string names(const std::vector<JournalRecord>& records) {
  std::vector<std::string> sorted;
  for (const JournalRecord& r : records) sorted.push_back(r.addr.text() + " ");
  std::sort(sorted.begin(), sorted.end());
  std::string out;
  for (const std::string& s : sorted) out += s;
  return out;
}

std::string told(const Diagnostics& diags) {
  std::string out;
  for (const Diagnostic& d : diags.all()) out += d.detail + "\n";
  return out;
}

// One object is recorded; then the server falls silent, and the providers answer for three others. Whether
// the last records arrive after all is for the caller to say, before the run is gone.
StateStore::Abandoned end_at_once(MemoryServer& server, bool arrives) {
  std::map<std::string, std::string> there;
  StateStore::Abandoned out;
  {
    const auto store = open(server);
    Diagnostics diags;
    REQUIRE(store->read(diags));
    const auto begun = store->start_journal(no_types);
    REQUIRE(begun);
    Journal& journal = **begun;
    for (const char* name : {"t.early", "t.made", "t.idle", "t.failed", "t.asked"})
      REQUIRE(journal.append(record(Kind_::Intent, name, nullptr, "create")));
    REQUIRE(journal.append(record(Kind_::Result, "t.early", object("early"), "create")));
    server.silent = true;
    JournalRecord idle = record(Kind_::Remove, "t.idle", nullptr, "create");
    idle.withdraws = true;
    std::vector<std::thread> threads;
    for (const JournalRecord& r : {record(Kind_::Result, "t.made", object("made"), "create"), idle,
                                   record(Kind_::Remove, "t.failed", nullptr, "create")})
      threads.emplace_back([&journal, r] { (void)journal.append(r); });
    while (journal.unanswered().size() > 1) std::this_thread::yield();
    out = store->abandon();
    there = server.segments;
    server.silent = false;
    for (std::thread& t : threads) t.join();
  }
  if (!arrives) server.segments = there;
  server.lock.reset();
  return out;
}

}  // namespace

TEST_CASE("abandoned journal: what no server has recorded is named, and rescued if something was changed") {
  WorkFolder folder;
  MemoryServer server;
  const StateStore::Abandoned left = end_at_once(server, false);
  CHECK(names(left.unanswered) == "t.asked ");
  CHECK(names(left.unrecorded) == "t.made ");
  CHECK(names(left.idle) == "t.failed t.idle ");
  CHECK(left.rescue == "errored.tfstate");
  CHECK(left.problem == "");

  // Nothing is planned without it.
  {
    Diagnostics diags;
    const Result<State> read = open(server)->read(diags);
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().message, Catch::Contains("state push errored.tfstate"));
  }
  server.lock.reset();
  State rescued = *read_state(std::make_shared<const std::string>(text_of("errored.tfstate")));
  CHECK(shown(rescued) == "t.early={\"id\":\"early\"};t.made={\"id\":\"made\"};");
  // Whoever pushes it hears of all that is unknown, and of nothing else.
  {
    const auto store = open(server, &rescued);
    Diagnostics diags;
    const Result<State> read = store->read(diags);
    REQUIRE(read);
    CHECK(read->serial < rescued.serial);
    CHECK(read->lineage == rescued.lineage);
    for (const char* name : {"t.asked", "t.idle", "t.failed"}) CHECK_THAT(told(diags), Catch::Contains(name));
    CHECK_THAT(told(diags), !Catch::Contains("t.made"));
    REQUIRE(store->replace(rescued, no_types));
  }
  server.lock.reset();
  Diagnostics diags;
  const Result<State> next = open(server)->read(diags);
  REQUIRE(next);
  CHECK(shown(*next) == shown(rescued));
}

TEST_CASE("abandoned journal: records that arrive after all need no rescue, though there is one") {
  WorkFolder folder;
  MemoryServer server;
  end_at_once(server, true);
  REQUIRE(std::filesystem::exists("errored.tfstate"));
  Diagnostics diags;
  const Result<State> next = open(server)->read(diags);
  REQUIRE(next);
  CHECK(shown(*next) == "t.early={\"id\":\"early\"};t.made={\"id\":\"made\"};");
  CHECK_THAT(told(diags), Catch::Contains("t.asked") && !Catch::Contains("is a later version"));
}

TEST_CASE("abandoned journal: nothing is rescued where all that is known is recorded") {
  WorkFolder folder;
  MemoryServer server;
  const auto store = open(server);
  Diagnostics diags;
  REQUIRE(store->read(diags));
  CHECK(store->abandon().unanswered.empty());  // there is no journal yet
  const auto begun = store->start_journal(no_types);
  REQUIRE(begun);
  Journal& journal = **begun;
  for (const char* name : {"t.a", "t.asked"})
    REQUIRE(journal.append(record(Kind_::Intent, name, nullptr, "create")));
  REQUIRE(journal.append(record(Kind_::Result, "t.a", object("a"), "create")));
  const StateStore::Abandoned left = store->abandon();
  CHECK(names(left.unanswered) == "t.asked ");
  CHECK(left.unrecorded.empty());
  CHECK(left.idle.empty());
  CHECK(left.rescue == "");
  CHECK_FALSE(std::filesystem::exists("errored.tfstate"));
}

namespace {

// A server that takes as long as the test wants.
struct Gate {
  std::mutex lock;
  std::condition_variable opened;
  bool open = true;
  void set(bool now) {
    std::lock_guard guard(lock);
    open = now;
    opened.notify_all();
  }
};

class GatedMedium : public JournalMedium {
 public:
  explicit GatedMedium(Gate& g) : gate_(g) {}
  int write(std::string_view) override { return 0; }
  int sync(const Cut&) override {
    std::unique_lock guard(gate_.lock);
    gate_.opened.wait(guard, [&] { return gate_.open; });
    return 0;
  }
  Error problem(int code) const override { return Error{std::to_string(code)}; }

 private:
  Gate& gate_;
};

}  // namespace

TEST_CASE("abandoned journal: what has begun may end later, and what has not, never begins") {
  auto& gate = *new Gate;  // threads that wait for the end of the process have it and the journal
  const auto begun = JournalWriter::begin(std::make_unique<GatedMedium>(gate), "x", {"l", 1}, no_types);
  REQUIRE(begun);
  const std::shared_ptr<JournalWriter> journal = *begun;
  for (const char* name : {"t.asked", "t.made"})
    REQUIRE(journal->append(record(Kind_::Intent, name, nullptr, "create")));
  gate.set(false);
  static std::atomic<bool> goes_on = false;
  std::thread([journal] {
    (void)journal->append(record(Kind_::Intent, "t.slow", nullptr, "create"));
    goes_on = true;
  }).detach();
  while (journal->unanswered().size() < 3) std::this_thread::yield();
  CHECK(journal->abandon(std::chrono::milliseconds(1)).kept.empty());
  CHECK(names(journal->remaining().counting) == "t.asked t.made ");
  CHECK(names(journal->remaining().idle) == "t.slow ");

  std::thread([journal] {
    (void)journal->append(record(Kind_::Result, "t.made", object("made"), "create"));
  }).detach();
  while (journal->remaining().late.empty()) std::this_thread::yield();
  gate.set(true);  // its record arrives after all
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(goes_on);
  const JournalWriter::Remaining left = journal->remaining();
  CHECK(names(left.late) == "t.made ");
  CHECK(names(left.counting) == "t.asked ");
  CHECK(names(left.idle) == "t.slow ");
}

TEST_CASE("abandoned journal: nobody waits for a server where it is a file of this machine") {
  WorkFolder folder;
  MemoryServer server;
  for (const bool remote : {false, true}) {
    const auto store = open_remote_store(std::make_unique<MemoryPlace>(server),
                                         {.local_journal = "local.journal", .remote_journal = remote});
    Diagnostics diags;
    REQUIRE(store->read(diags));
    const auto begun = store->start_journal(no_types);
    REQUIRE(begun);
    CHECK((*begun)->place() == (remote ? store->path() : ""));
    State s;
    REQUIRE(store->write(s, no_types));
  }
}

TEST_CASE("a run in doubt: an interrupt while it looks does not say that another one is there") {
  WorkFolder folder;
  for (const bool told_to_stop : {true, false}) {
    INFO(told_to_stop);
    MemoryServer server;
    server.has_locks = false;
    const std::atomic<bool> stop = told_to_stop;
    RemoteOptions o;
    o.local_journal = "local.journal", o.stop = &stop;
    o.beats = std::chrono::hours(1), o.doubt = std::chrono::milliseconds(50);
    const auto store = open_remote_store(std::make_unique<MemoryPlace>(server), o);
    Diagnostics diags;
    REQUIRE(store->read(diags));
    const auto journal = store->start_journal(no_types);
    REQUIRE(journal);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    server.stopped = true;
    CHECK((*journal)->may_begin().ok() == told_to_stop);
    CHECK((*journal)->lost().empty() == told_to_stop);
  }
}

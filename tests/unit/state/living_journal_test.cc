// Journals beside a state whose lock nobody holds: of runs that are at work, on this machine or elsewhere.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/cloud/time.h"
#include "core/state/journal_life.h"
#include "core/state/left_journal.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"
#include "core/state/remote_store.h"
#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

struct Other {
  std::unique_ptr<StateStore> store;
  State state;
  std::string told;  // the error and the warnings
  explicit Other(MemoryServer& s, bool locks = true, std::chrono::milliseconds beats = kBeat,
                 std::chrono::milliseconds doubt = kDoubt) {
    RemoteOptions o;
    o.local_journal = "local.journal";
    o.beats = beats, o.doubt = doubt;
    store = open_remote_store(std::make_unique<MemoryPlace>(s), o);
    if (locks) REQUIRE(store->lock("OperationTypeApply", 0));
    Diagnostics diags;
    Result<State> r = store->read(diags);
    told = r ? "" : r.error().message;
    for (const Diagnostic& d : diags.all()) told += d.summary + ": " + d.detail + "\n";
    if (r) state = std::move(*r);
  }
  std::string refused() {
    const auto journal = store->start_journal(no_types);
    return journal ? "" : journal.error().message;
  }
};

void has(const std::string& text, const std::string& part) {
  INFO(text);
  INFO(part);
  CHECK(text.find(part) != std::string::npos);
}

// A state with t.a, and the journal of somebody who has made t.b and makes t.c and t.d.
void make(MemoryServer& server, const JournalPart& part) {
  {
    Other run(server);
    run.state.ensure(at("t.a"), provider()).current = object("a");
    REQUIRE(run.store->write(run.state, no_types));
  }
  const auto state = read_state(std::make_shared<const std::string>(*server.state));
  REQUIRE(state);
  auto half = std::make_shared<Object>(*object("c"));
  half->status = ObjectStatus::Tainted;
  server.segments[part.run + "-000001"] =
      encode_begin({state->lineage, state->serial}, part) +
      encode_record(record(Kind_::Intent, "t.b", nullptr, "create"), no_types) +
      encode_record(record(Kind_::Result, "t.b", object("b")), no_types) +
      encode_record(record(Kind_::Intent, "t.c", nullptr, "create"), no_types) +
      encode_record(record(Kind_::Result, "t.c", half), no_types) +
      encode_record(record(Kind_::Intent, "t.d", nullptr, "create"), no_types);
}

JournalPart part_of(const std::string& who, const std::string& process, int64_t age) {
  JournalPart part;
  part.key = "memory://state", part.run = "000000000001aaaaaaaa", part.number = 1;
  part.who = who, part.process = process, part.time = cloud::timestamp(cloud::unix_now() - age);
  return part;
}

// A process of this machine that does nothing until it ends.
struct Process {
  pid_t pid = ::fork();
  Process() {
    if (pid == 0) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (pid == 0) ::pause();
  }
  ~Process() { end(); }
  void end() {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    pid = -1;
  }
  std::string note() const {
    const std::string own = process_note();
    return "process " + std::to_string(pid) + own.substr(own.find(" of "));
  }
};

constexpr const char* kComplete = R"(t.a={"id":"a"};t.b={"id":"b"};)";

}  // namespace

TEST_CASE("living journals: without a lock, nothing is changed beside a process of this machine") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  Process process;
  make(server, part_of(new_lock_info("", "").who, process.note(), 0));
  const auto segments = server.segments;
  {
    Other next(server);
    has(next.told, "Another run is in progress: ");
    has(next.told, "\n  - t.c\n  - t.d");
    CHECK(next.told.find("Interrupted run") == std::string::npos);
    CHECK(shown(next.state) == kComplete);
    has(next.refused(), "another run is changing the state");
    has(next.refused(), "on this machine in process " + std::to_string(process.pid));
    next.state.remove(at("t.a"));
    CHECK_FALSE(next.store->write(next.state, no_types));
    const auto journal = next.store->left_journal();
    REQUIRE((journal && *journal));
    CHECK((*journal)->fit == LeftJournal::Fit::InUse);
    has((*journal)->why, "still in progress: ");
  }
  CHECK(server.segments == segments);
  process.end();
  Other next(server);
  has(next.told, "Interrupted run");
  has(next.told, "t.c");
  CHECK(shown(next.state) == std::string(kComplete) + R"(t.c={"id":"c"};)");
  CHECK(next.refused() == "");
}

TEST_CASE("living journals: a lock says nothing of runs that did not have to take it") {
  CHECK(share_word("a b", "b c"));
  CHECK_FALSE(share_word("a  ab", "b bc"));
  for (const char* locks : {kNoLock, "object", "object lock", "lock"}) {
    INFO(locks);
    const bool free = share_word(locks, "lock");
    WorkFolder folder;
    MemoryServer server;
    Process process;
    JournalPart part = part_of(new_lock_info("", "").who, process.note(), 0);
    part.locks = locks;
    make(server, part);
    const auto segments = server.segments;
    {
      Other next(server);
      has(next.told, free ? "Interrupted run" : "Another run is in progress: ");
      CHECK((next.refused() == "") == free);
    }
    if (free) continue;
    CHECK(server.segments == segments);
    process.end();
    has(Other(server).told, "Interrupted run");
  }
}

TEST_CASE("living journals: a run that has just begun without a lock is left alone by who has one") {
  WorkFolder folder;
  MemoryServer server;
  const Process process;
  JournalPart part = part_of(new_lock_info("", "").who, process.note(), 0);
  part.locks = kNoLock;
  make(server, part);
  std::string& text = server.segments.begin()->second;
  text.resize(text.find('\n') + 1);  // nothing is recorded yet
  const auto segments = server.segments;
  has(Other(server).refused(), "another run is changing the state");
  CHECK(server.segments == segments);
}

TEST_CASE("living journals: a segment says which locks its run holds") {
  WorkFolder folder;
  for (const bool locks : {true, false}) {
    MemoryServer server;
    Other run(server, locks);
    REQUIRE(run.refused() == "");
    const auto read = read_journal(std::make_shared<const std::string>(server.segments.begin()->second));
    REQUIRE(read);
    CHECK(read->part.locks == (locks ? "lock" : kNoLock));
  }
}

TEST_CASE("living journals: whoever has the lock goes on, as a run that has lost it begins nothing more") {
  WorkFolder folder;
  MemoryServer server;
  const Process process;
  make(server, part_of(new_lock_info("", "").who, process.note(), 0));
  has(Other(server).told, "Interrupted run");
}

TEST_CASE("living journals: what somebody elsewhere wrote a short time ago may be of a run at work") {
  WorkFolder folder;
  for (const bool locks : {false, true}) {
    MemoryServer server;
    server.has_locks = locks;
    make(server, part_of("ann@elsewhere", "process 7 of 1", 50));
    {
      Other next(server, !locks);
      has(next.told, "Another run may be in progress: ");
      has(next.told, "ann@elsewhere wrote to it in process 7 ");
      CHECK(shown(next.state) == kComplete);
      has(next.refused(), "run the command again in ");
    }
    Other holder(server);  // who had the lock was asked about
    if (locks) has(holder.told, "Interrupted run");
  }
  MemoryServer ahead;  // by its clock
  ahead.has_locks = false;
  make(ahead, part_of("ann@elsewhere", "process 7 of 1", -kQuiet / 2));
  has(Other(ahead).refused(), "run the command again in ");
  MemoryServer far_ahead;  // which no waiting would end
  far_ahead.has_locks = false;
  make(far_ahead, part_of("ann@elsewhere", "process 7 of 1", -kQuiet - 60));
  Other stuck(far_ahead);
  has(stuck.refused(), "by a clock that is ahead");
  has(stuck.refused(), "discard the journal with \"");
  CHECK(stuck.store->left_journal().value()->no_time_tells);
  MemoryServer server;
  server.has_locks = false;
  make(server, part_of("ann@elsewhere", "process 7 of 1", kQuiet + 1));
  Other next(server);
  has(next.told, "Interrupted run");
  CHECK(next.refused() == "");
}

TEST_CASE("living journals: one that does not fit the state is told of, whether or not its run is at work") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  make(server, part_of("ann@elsewhere", "process 7 of 1", 50));
  has(Other(server).refused(), " seconds, which then adds its changes to the state");
  // Something else has written it, and the run what it could not write.
  const size_t at_serial = server.state->find("\"serial\": 1");
  REQUIRE(at_serial != std::string::npos);
  server.state->replace(at_serial, 11, "\"serial\": 2");
  ++server.version;
  for (const bool rescued : {false, true}) {
    if (rescued) {
      std::string text = *server.state;
      text.replace(at_serial, 11, "\"serial\": 3");
      put("errored.tfstate", text);
    }
    Other next(server);
    has(next.told, "Journal does not fit the state: ");
    has(next.told, "These objects are only in the journal:\n  - t.b");
    has(next.told, "The journal may belong to a run that is still in progress: ann@elsewhere wrote to it");
    has(next.told, rescued ? "The file \"errored.tfstate\" in" : "of a run that may still be in progress");
    const std::string refused = next.refused();
    has(refused, "run the command again in ");
    CHECK(refused.find("adds its changes") == std::string::npos);
  }
}

TEST_CASE("living journals: that of a dead holder of the lock is no journal of a run in progress") {
  WorkFolder folder;
  MemoryServer server;
  Process process;
  make(server, part_of(new_lock_info("", "").who, process.note(), 0));
  server.lock = new_lock_info("OperationTypeApply", "");
  server.lock->info = process.note();
  const auto fit = [&] {
    const auto journal = Other(server, false).store->left_journal();
    REQUIRE((journal && *journal));
    return (*journal)->fit;
  };
  CHECK(fit() == LeftJournal::Fit::InUse);
  process.end();
  CHECK(fit() == LeftJournal::Fit::Fits);
}

TEST_CASE("living journals: a run that waits shows that it is at work where no lock does") {
  WorkFolder folder;
  for (const auto& [has_locks, locks] :
       {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
    MemoryServer server;
    server.has_locks = has_locks;
    const bool locked = has_locks && locks;  // -lock=false: it is not
    INFO(has_locks << locks);
    const auto count = [&] {
      std::lock_guard guard(server.mutex);
      return server.segments.size();
    };
    Other run(server, locks, std::chrono::milliseconds(1));
    {
      const auto journal = run.store->start_journal(no_types);
      REQUIRE(journal);
      for (int n = 0; n < (locked ? 20 : 20'000) && count() < 4; ++n) ::usleep(1000);
      CHECK((count() >= 4) == !locked);
      REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
      REQUIRE((*journal)->append(record(Kind_::Result, "t.b", object("b"))));
    }
    std::string all;
    {
      std::lock_guard guard(server.mutex);
      for (const auto& [name, text] : server.segments) all += text;
    }
    const auto read = read_journal(std::make_shared<const std::string>(all));
    REQUIRE(read);
    CHECK(read->records.size() == 2);
    CHECK_FALSE(read->damaged);
    run.state.ensure(at("t.b"), provider()).current = object("b");
    REQUIRE(run.store->write(run.state, no_types));
    CHECK(count() == 0);
  }
}

TEST_CASE("living journals: what shows that a run is at work ends before the place that it writes to") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  std::thread later;
  {
    Other run(server, true, std::chrono::milliseconds(1));
    const auto journal = run.store->start_journal(no_types);
    REQUIRE(journal);
    server.silent = true;
    for (int n = 0; n < 20'000 && server.waiting == 0; ++n) ::usleep(1000);
    CHECK(server.waiting == 1);
    later = std::thread([&] { ::usleep(100'000), server.silent = false; });
  }  // with its journal, as after a state that could not be written
  later.join();
  CHECK_FALSE(server.gone_in_use);
}

TEST_CASE("living journals: what only shows that a run is at work does not hold up its end") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  Other run(server, true, std::chrono::milliseconds(1));
  {
    const auto journal = run.store->start_journal(no_types);
    REQUIRE(journal);
    REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
    REQUIRE((*journal)->append(record(Kind_::Result, "t.b", object("b"))));
    server.silent_to_beats = true;  // until the end
    for (int n = 0; n < 20'000 && server.waiting == 0; ++n) ::usleep(1000);
    CHECK(server.waiting == 1);
    run.state.ensure(at("t.b"), provider()).current = object("b");
  }
  REQUIRE(run.store->write(run.state, no_types));
  CHECK(server.waiting == 0);
  CHECK(server.segments.empty());
}

TEST_CASE("living journals: what shows that a run is at work comes in time, from the first on") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  Other run(server, true, std::chrono::milliseconds(2000));
  const auto begin = std::chrono::steady_clock::now();
  const auto journal = run.store->start_journal(no_types);
  REQUIRE(journal);
  const auto count = [&] {
    std::lock_guard guard(server.mutex);
    return server.segments.size();
  };
  for (int n = 0; n < 20'000 && count() < 2; ++n) ::usleep(1000);
  CHECK(count() == 2);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(3500));
}

// Not what did not arrive when it was due, whose time says that the run was at work then.
TEST_CASE("living journals: what did not arrive is followed by what says that the run is at work now") {
  WorkFolder folder;
  MemoryServer server;
  server.has_locks = false;
  Other run(server, true, std::chrono::milliseconds(1));
  server.lost_beats = INT_MAX;
  const auto journal = run.store->start_journal(no_types);
  REQUIRE(journal);
  ::usleep(2'100'000);
  server.lost_beats = 0;
  const int64_t now = cloud::unix_now();
  const auto written = [&] {
    std::lock_guard guard(server.mutex);
    std::string all;
    for (const auto& [name, text] : server.segments) all += text;
    return read_journal(std::make_shared<const std::string>(all));
  };
  const auto is_recent = [&] { return cloud::parse_timestamp(written()->part.time).value_or(0) >= now; };
  for (int n = 0; n < 20'000 && !is_recent(); ++n) ::usleep(1000);  // one may be under way since before
  CHECK(is_recent());
  CHECK(written()->part.number > 2);
  // What is missing follows.
  for (int n = 0; n < 20'000 && written()->part.after < 2; ++n) ::usleep(1000);
  CHECK(written()->part.after >= 2);
  CHECK_FALSE(written()->damaged);
}

TEST_CASE("living journals: a run that could not show that it is at work looks before it goes on") {
  struct Meanwhile {
    void (*happens)(MemoryServer&);
    const char* told;  // null: it goes on
  };
  const Meanwhile kAll[] = {
      {[](MemoryServer&) {}, nullptr},
      {[](MemoryServer& s) { s.segments.clear(); },
       "and its journal \"memory://state.journal\" is no longer"},
      {[](MemoryServer& s) { ++s.version; }, "and something else has changed the state \"memory://state\""},
      {[](MemoryServer& s) { s.list_problem = "the server is away"; }, "whether one has: the server is away"},
  };
  for (const bool thread : {true, false})
    for (const Meanwhile& m : kAll) {
      INFO(thread << (m.told ? m.told : "nothing"));
      WorkFolder folder;
      MemoryServer server;
      server.has_locks = false;
      constexpr std::chrono::milliseconds kDoubtful(300);
      Other run(server, true, thread ? std::chrono::milliseconds(1) : std::chrono::hours(1), kDoubtful);
      run.state.ensure(at("t.a"), provider()).current = object("a");
      REQUIRE(run.store->write(run.state, no_types));
      const auto journal = run.store->start_journal(no_types);
      REQUIRE(journal);
      REQUIRE((*journal)->append(record(Kind_::Intent, "t.b", nullptr, "create")));
      CHECK((*journal)->may_begin());
      server.lost_beats = INT_MAX;
      std::this_thread::sleep_for(kDoubtful + std::chrono::milliseconds(100));
      {
        std::lock_guard guard(server.mutex);
        m.happens(server);
      }
      server.lost_beats = 0;
      if (thread) ::usleep(20'000);  // what arrives now comes too late
      const Result<void> may = (*journal)->may_begin();
      CHECK(may.ok() == !m.told);
      // What is put behind a journal that was taken in is in the way of the next one.
      const bool gone = m.told && std::string(m.told).find("no longer") != std::string::npos;
      CHECK((*journal)->append(record(Kind_::Result, "t.b", object("b"))).ok() == !gone);
      const auto count = [&] {
        std::lock_guard guard(server.mutex);
        return server.segments.size();
      };
      for (int n = 0; n < 20'000 && gone && count() > 0; ++n) ::usleep(1000);
      if (gone) ::usleep(20'000);  // nothing more comes
      CHECK((count() == 0) == gone);
      const Result<void> next = (*journal)->append(record(Kind_::Intent, "t.c", nullptr, "create"));
      CHECK(next.ok() == !m.told);
      CHECK((*journal)->lost() == (m.told ? "Another run may have taken over" : ""));
      if (!m.told) continue;
      has(may.error().message, " seconds that this run is at work, ");
      has(may.error().message, m.told);
      CHECK(next.error().message == may.error().message);
    }
}

// It was paused, and goes on as it finds that its journal is still there and the state is the same.
TEST_CASE("living journals: a run that goes on while the plan waits for approval keeps its journal") {
  WorkFolder folder;
  for (const bool taken : {false, true}) {
    MemoryServer server;
    server.has_locks = false;
    const JournalPart part = part_of("ann@elsewhere", "process 7 of 1", kQuiet + 1);
    make(server, part);
    Other next(server);
    has(next.told, "Interrupted run");
    if (taken) {
      server.segments.clear();  // by a third one
    } else {
      JournalPart second = part_of("ann@elsewhere", "process 7 of 1", 0);
      second.number = 2, second.after = 1;
      const auto state = read_state(std::make_shared<const std::string>(*server.state));
      REQUIRE(state);
      server.segments[part.run + "-000002"] =
          encode_begin({state->lineage, state->serial}, second) +
          encode_record(record(Kind_::Result, "t.d", object("d")), no_types);
    }
    const auto segments = server.segments;
    const std::string before = *server.state;
    has(next.refused(), "has changed since it was read");
    next.state.remove(at("t.a"));
    const Result<void> written = next.store->write(next.state, no_types);
    REQUIRE_FALSE(written);
    has(written.error().message, "has changed since it was read");
    CHECK(server.segments == segments);
    CHECK(*server.state == before);
  }
}

TEST_CASE("living journals: their segments say who writes them") {
  WorkFolder folder;
  MemoryServer server;
  Other run(server);
  REQUIRE(run.refused() == "");
  REQUIRE(server.segments.size() == 1);
  const auto read = read_journal(std::make_shared<const std::string>(server.segments.begin()->second));
  REQUIRE(read);
  CHECK(read->part.who == new_lock_info("", "").who);
  CHECK(read->part.process == process_note());
  CHECK_FALSE(life_of(read->part, cloud::unix_now()).alive());  // this process is no other run
}

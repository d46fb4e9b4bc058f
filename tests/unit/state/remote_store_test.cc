// The store above a place on a server: compare-and-swap, locks, and a journal that outlives the machine.
#include "core/state/remote_store.h"

#include <sys/stat.h>

#include <filesystem>

#include "core/base/command_line.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"
#include "tests/unit/state/memory_place.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

struct RemoteRun {
  Place* place;
  std::unique_ptr<StateStore> store;
  State state;
  Diagnostics diags;
  std::string error;
  explicit RemoteRun(MemoryServer& s, int calls = INT_MAX, bool answer_lost = false, bool locked = true,
                     bool remote_journal = true) {
    auto p = std::make_unique<MemoryPlace>(s, calls, answer_lost);
    place = p.get();
    store = open_remote_store(std::move(p), {.local_journal = "local.journal",
                                             .remote_journal = remote_journal,
                                             .snapshots = std::chrono::milliseconds(0)});
    if (locked)
      if (auto r = store->lock("OperationTypeApply", 0); !r.ok()) error = r.error().message;
    if (!error.empty()) return;
    auto r = store->read(diags);
    if (r)
      state = std::move(*r);
    else
      error = r.error().message;
  }
};

std::string told(const Diagnostics& diags) {
  std::string out;
  for (const Diagnostic& d : diags.all()) out += d.summary + ": " + d.detail + "\n";
  return out;
}

// Creates n objects one after the other.
struct Created {
  int begun = 0, done = 0;  // as far as the journal has them
};
Created create(RemoteRun& run, Journal& journal, int n) {
  Created out;
  for (; out.done < n; ++out.done) {
    const std::string name = "t.n" + std::to_string(out.done);
    if (!journal.append(record(Kind_::Intent, name, nullptr, "create"))) break;
    ++out.begun;
    if (!journal.append(record(Kind_::Result, name, object(name)))) break;
    run.state.ensure(at(name), provider()).current = object(name);
  }
  return out;
}

}  // namespace

TEST_CASE("remote store: serial, lineage, and nothing written that is the same") {
  MemoryServer server;
  std::string lineage;
  for (int serial = 1; serial <= 3; ++serial) {
    RemoteRun run(server);
    REQUIRE(run.error.empty());
    run.state.ensure(at("t.a"), provider()).current = object(std::to_string(serial));
    REQUIRE(run.store->write(run.state, no_types));
    CHECK(run.state.serial == static_cast<uint64_t>(serial));
    if (serial == 1) lineage = run.state.lineage;
    CHECK(run.state.lineage == lineage);
    const int version = server.version;
    REQUIRE(run.store->write(run.state, no_types));
    CHECK(server.version == version);
  }
  CHECK_FALSE(server.lock);
}

TEST_CASE("remote store: another writer's changes are not overwritten") {
  WorkFolder folder;
  MemoryServer server;
  RemoteRun first(server), second(server, INT_MAX, false, false);
  first.state.ensure(at("t.a"), provider()).current = object("first");
  second.state.ensure(at("t.b"), provider()).current = object("second");
  REQUIRE(first.store->write(first.state, no_types));
  const std::string there = *server.state;
  const Result<void> refused = second.store->write(second.state, no_types);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("something else has changed the state") != std::string::npos);
  CHECK(*server.state == there);
  CHECK(text_of("errored.tfstate").find("second") != std::string::npos);
  struct stat st;
  REQUIRE(::stat("errored.tfstate", &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
}

TEST_CASE("remote store: a rescued state is newer than what the next run makes of the journal") {
  WorkFolder folder;
  MemoryServer server;
  {
    RemoteRun run(server);
    auto journal = run.store->start_journal(no_types);
    REQUIRE(create(run, **journal, 1).done == 1);
    server.state = "";
    ++server.version;
    CHECK_FALSE(run.store->write(run.state, no_types));
  }
  RemoteRun next(server);  // to push it, for example
  CHECK(told(next.diags).find("Interrupted run") != std::string::npos);
  const auto rescued = read_state(std::make_shared<const std::string>(text_of("errored.tfstate")));
  REQUIRE(rescued);
  CHECK(rescued->serial > next.state.serial);
}

TEST_CASE("remote store: a rescued state does not take the place of an earlier one") {
  WorkFolder folder;
  const auto rescue = [&](const std::string& name) {  // of another state each
    MemoryServer server;
    server.state = R"({"version":4,"serial":1,"lineage":")" + name + R"(","outputs":{},"resources":[]})";
    RemoteRun run(server, INT_MAX, false, false);
    run.state.ensure(at(name), provider()).current = object(name);
    server.refuses_put = true;
    const Result<void> refused = run.store->write(run.state, no_types);
    server.refuses_put = false;
    REQUIRE_FALSE(refused);
    return refused.error().message;
  };
  CHECK(rescue("t.first").find("earlier run") == std::string::npos);
  const std::string first = text_of("errored.tfstate");
  const std::string said = rescue("t.second");
  CHECK(text_of("errored.tfstate").find("\"t.second\"") != std::string::npos);
  const size_t from = said.find("errored.tfstate.");
  REQUIRE(from != std::string::npos);
  const std::string kept = said.substr(from, said.find('"', from) - from);
  CHECK(text_of(kept) == first);
  CHECK(rescue("t.third").find(kept) == std::string::npos);  // which has a name of its own, too
  CHECK(text_of(kept) == first);
}

TEST_CASE("remote store: nothing is done without a rescued state that has more than the journal") {
  WorkFolder folder;
  MemoryServer server;
  {
    RemoteRun run(server);
    auto journal = run.store->start_journal(no_types);
    REQUIRE(create(run, **journal, 1).done == 1);
    run.state.ensure(at("t.unrecorded"), provider()).current = object("unrecorded");
    server.refuses_put = true;
    CHECK_FALSE(run.store->write(run.state, no_types));
    server.refuses_put = false;
  }
  const auto segments = server.segments;
  for (const bool folded : {false, true}) {  // with the journal, and after a run elsewhere has taken that in
    INFO(folded);
    if (folded) std::filesystem::rename("errored.tfstate", "elsewhere.tfstate");
    if (folded) CHECK(RemoteRun(server).error.empty());
    if (folded) std::filesystem::rename("elsewhere.tfstate", "errored.tfstate");
    CHECK(RemoteRun(server).error.find("state push errored.tfstate") != std::string::npos);
    CHECK((server.segments == segments) == !folded);
    RemoteRun looks(server, INT_MAX, false, false);
    CHECK(looks.error == "");
    CHECK(told(looks.diags).find("State in errored.tfstate is newer") != std::string::npos);
  }
  std::filesystem::remove("errored.tfstate");
  CHECK(RemoteRun(server).error == "");
}

namespace {

// What a run could not write to a server whose state does not exist yet, or has one object.
std::string rescue_of(MemoryServer& server, const std::string& name) {
  RemoteRun run(server);
  REQUIRE(run.error == "");
  run.state.ensure(at(name), provider()).current = object(name);
  server.refuses_put = true;
  CHECK_FALSE(run.store->write(run.state, no_types));
  server.refuses_put = false;
  return text_of("errored.tfstate");
}

}  // namespace

TEST_CASE("remote store: nothing is changed without a rescued first state, with a lock or without") {
  WorkFolder folder;
  MemoryServer server;
  rescue_of(server, "t.made");
  REQUIRE_FALSE(server.state);
  const std::string error = RemoteRun(server).error;
  CHECK(error.find("there is no state") != std::string::npos);
  CHECK(error.find("\n  - t.made (ID t.made)") != std::string::npos);
  CHECK(error.find("state push errored.tfstate") != std::string::npos);
  for (const bool locks : {true, false}) {  // -lock=false, and none to have
    server.has_locks = locks;
    RemoteRun run(server, INT_MAX, false, !locks);
    CHECK(run.error == "");
    CHECK(told(run.diags).find("State in errored.tfstate is newer: ") != std::string::npos);
    CHECK_FALSE(run.store->can_start_journal());
    CHECK_FALSE(run.store->start_journal(no_types));
    CHECK_FALSE(run.store->write(run.state, no_types));
    CHECK_FALSE(server.state);
  }
}

TEST_CASE("remote store: a rescued state counts for as long as the state lacks its objects") {
  WorkFolder folder;
  MemoryServer server;
  const auto write = [&](const std::string& name) {
    RemoteRun run(server);
    REQUIRE(run.error == "");
    run.state.ensure(at(name), provider()).current = object(name);
    REQUIRE(run.store->write(run.state, no_types));
  };
  write("t.a");
  const std::string rescued = rescue_of(server, "t.made");
  std::filesystem::remove("errored.tfstate");
  for (const char* other : {"t.b", "t.c"}) {  // elsewhere; first to the same serial
    write(other);
    put("errored.tfstate", rescued);
    const std::string error = RemoteRun(server).error;
    CHECK(error.find("Something else has written the state since") != std::string::npos);
    CHECK(error.find("\n  - t.made (ID t.made)\n") != std::string::npos);
    CHECK(error.find("state push -force errored.tfstate") != std::string::npos);
    std::filesystem::remove("errored.tfstate");
  }
  write("t.made");
  put("errored.tfstate", rescued);
  {
    RemoteRun run(server);  // of what it has no more, later, nobody is told
    CHECK(run.error == "");
    CHECK(told(run.diags) == "");
    run.state.resources.clear();
    REQUIRE(run.store->write(run.state, no_types));
  }
  CHECK_FALSE(std::filesystem::exists("errored.tfstate"));
  RemoteRun next(server);
  CHECK(next.error == "");
  CHECK(told(next.diags) == "");
}

TEST_CASE(
    "remote store: a rescued state that cannot be read is told of once, and one of another state is not") {
  WorkFolder folder;
  MemoryServer server;
  const std::string whole = rescue_of(server, "t.made");
  for (const bool locked : {true, false})
    for (const std::string& text : {std::string(), whole.substr(0, 40), whole.substr(0, whole.size() - 20)}) {
      put("errored.tfstate", text);
      const RemoteRun run(server, INT_MAX, false, locked);
      CHECK(run.error == "");
      CHECK(run.diags.all().size() == 1);
      CHECK(told(run.diags).find("State in errored.tfstate cannot be read: ") == 0);
      CHECK(run.store->can_start_journal());
    }
  put("errored.tfstate", whole);
  server.state = R"({"version":4,"serial":1,"lineage":"other","outputs":{},"resources":[]})";
  const RemoteRun run(server);
  CHECK(run.error == "");
  CHECK(told(run.diags) == "");
}

TEST_CASE("remote store: a rescued state whose objects the journal has, too, keeps nobody back") {
  WorkFolder folder;
  MemoryServer server;
  {
    RemoteRun run(server);
    auto journal = run.store->start_journal(no_types);
    REQUIRE(create(run, **journal, 2).done == 2);
    run.state.outputs[Symbol("o")].value = Value::string("only the state would have had it");
    server.refuses_put = true;
    CHECK_FALSE(run.store->write(run.state, no_types));
    server.refuses_put = false;
  }
  REQUIRE(std::filesystem::exists("errored.tfstate"));
  RemoteRun next(server);
  CHECK(next.error == "");
  CHECK(told(next.diags).find("errored.tfstate") == std::string::npos);
  CHECK(next.state.resources.size() == 2);
}

TEST_CASE("remote store: nothing begins under a lock that was broken before the plan was approved") {
  for (const bool broken : {false, true})
    for (const bool expires : {false, true}) {
      INFO(broken << expires);
      WorkFolder folder;
      MemoryServer server;
      server.expires = expires;
      const auto store =
          open_remote_store(std::make_unique<MemoryPlace>(server),
                            {.local_journal = "local.journal", .looks = std::chrono::milliseconds(1)});
      REQUIRE(store->lock("OperationTypeApply", 0));
      Diagnostics diags;
      REQUIRE(store->read(diags));
      ::usleep(2000);
      if (broken) {
        std::lock_guard guard(server.mutex);
        server.lock->id = "another";
      }
      const int before = server.looks;
      for (int n = 0; n < 2000 && expires && server.looks < before + 2; ++n) ::usleep(1000);
      const auto journal = store->start_journal(no_types);
      CHECK(journal.ok() == !broken);
      if (broken) CHECK(journal.error().message.find("no longer holds the lock") != std::string::npos);
      if (broken) CHECK(server.segments.empty());
    }
}

TEST_CASE("remote store: where nothing tells of a lock, the state is looked at before changes begin") {
  for (const bool locks : {false, true})
    for (const bool changed : {false, true}) {
      INFO(locks << changed);
      WorkFolder folder;
      MemoryServer server;
      server.has_locks = locks, server.tells = false;
      RemoteRun first(server);
      REQUIRE(first.store->write(first.state, no_types));
      REQUIRE(first.store->unlock());
      const auto store = open_remote_store(
          std::make_unique<MemoryPlace>(server),
          {.local_journal = "local.journal", .looks = std::chrono::milliseconds(locks ? 1 : 1'000'000)});
      REQUIRE(store->lock("OperationTypeApply", 0));
      Diagnostics diags;
      REQUIRE(store->read(diags));
      ::usleep(2000);
      if (changed) ++server.version;
      const int gets = server.gets;
      const auto journal = store->start_journal(no_types);
      CHECK(server.gets == gets);  // a look is enough
      CHECK(journal.ok() == !changed);
      CHECK(store->stale() == changed);
      if (changed)
        CHECK(journal.error().message.find("was changed by something else since") != std::string::npos);
      if (changed) CHECK(server.segments.empty());
    }
}

TEST_CASE("remote store: what the state that is pushed has is not told of as unknown") {
  WorkFolder folder;
  MemoryServer server;
  {
    RemoteRun run(server);
    auto journal = run.store->start_journal(no_types);
    for (const char* name : {"t.known", "t.unknown"})
      REQUIRE((*journal)->append(record(Kind_::Intent, name, nullptr, "create")));
  }
  State pushed;
  pushed.ensure(at("t.known"), provider()).current = object("known");
  const auto store = open_remote_store(std::make_unique<MemoryPlace>(server),
                                       {.local_journal = "local.journal", .successor = &pushed});
  REQUIRE(store->lock("state-push", 0));
  Diagnostics diags;
  REQUIRE(store->read(diags));
  CHECK(told(diags).find("t.unknown") != std::string::npos);
  CHECK(told(diags).find("t.known") == std::string::npos);
  REQUIRE(store->replace(pushed, no_types));
}

TEST_CASE("remote store: who has the lock is named, and waiting for it ends") {
  MemoryServer server;
  RemoteRun first(server);
  RemoteRun second(server);
  CHECK(second.error.find("memory://state") != std::string::npos);
  CHECK(second.error.find(server.lock->id) != std::string::npos);
  CHECK(second.error.find("force-unlock") == std::string::npos);
  CHECK(
      second.error.find(" acquired it just now, on this machine, in process " + std::to_string(::getpid()) +
                        ", which is still running. It may be changing the state: wait until it has finished, "
                        "or use -lock-timeout to wait for it") != std::string::npos);
  CHECK(second.store->locked_elsewhere());
  std::atomic<bool> stop{true};
  const Result<void> stopped = second.store->lock("OperationTypePlan", 3600000, &stop);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().message.find("interrupted") != std::string::npos);
  CHECK(stopped.error().message.find("-lock-timeout") == std::string::npos);
  // Of a process that has ended, and of one of which nothing is known.
  const std::string advice = "elease the lock with:\n  " + std::string(program_name()) + " force-unlock " +
                             server.lock->id,
                    space = process_note().substr(process_note().find(" of "));
  server.lock->info = "process 99999999" + space;
  CHECK(second.store->lock("OperationTypePlan", 0)
            .error()
            .message.ends_with(", which has ended. That run ended without releasing the lock. R" + advice +
                               "\n\nThen run the command again"));
  server.lock->info = "";
  const std::string unknown = second.store->lock("OperationTypePlan", 0).error().message;
  CHECK(unknown.find("If that run ended without releasing the lock, r" + advice + "\n\nOtherwise, wait") !=
        std::string::npos);
  REQUIRE(first.store->unlock());
  CHECK(second.store->lock("OperationTypePlan", 0));
}

TEST_CASE("remote store: where the backend is being changed, messages say where their commands are run") {
  WorkFolder folder;
  MemoryServer server;
  RemoteRun first(server);
  server.lock->info = "process 99999999" + process_note().substr(process_note().find(" of "));
  for (const auto& [workspace, says] :
       {std::pair("", "with the backend block of \"memory://state\", after \""),
        std::pair("w1",
                  "\"memory://state\" and the environment variable TF_WORKSPACE set to \"w1\", after \"")}) {
    const auto store =
        open_remote_store(std::make_unique<MemoryPlace>(server),
                          {.local_journal = "local.journal", .elsewhere = true, .workspace = workspace});
    const std::string locked = store->lock("init", 0).error().message;
    INFO(locked);
    CHECK(locked.find("that must be run in another directory") != std::string::npos);
    CHECK(locked.find(says) != std::string::npos);
  }
  server.lock.reset();
  server.segments["000000000001deadbeef-000001"] = "damaged";
  const auto store = open_remote_store(std::make_unique<MemoryPlace>(server),
                                       {.local_journal = "local.journal", .elsewhere = true});
  REQUIRE(store->lock("init", 0));
  Diagnostics diags;
  const Result<State> read = store->read(diags);
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("state journal -discard") != std::string::npos);
  CHECK(read.error().message.find("that must be run in another directory") != std::string::npos);
}

TEST_CASE("remote store: a journal of this directory is not looked for on another machine") {
  WorkFolder folder;
  MemoryServer server;
  RemoteRun first(server, INT_MAX, false, true, false);
  REQUIRE(server.lock);
  const auto of = [&](const char* journal) {
    return open_remote_store(std::make_unique<MemoryPlace>(server), {.local_journal = journal});
  };
  CHECK(of("local.journal")->journal_of(&*server.lock).ends_with("must be in this directory"));
  CHECK(of("another.journal")->journal_of(&*server.lock).ends_with("in the directory of that run"));
  server.lock->who = "somebody@elsewhere";
  CHECK(of("local.journal")->journal_of(&*server.lock).ends_with("in the directory of that run"));
  CHECK(of("local.journal")->journal_of(nullptr).empty());
  const LockInfo unknown;  // that there is one is all that some servers say
  const auto here = open_remote_store(std::make_unique<MemoryPlace>(server),
                                      {.local_journal = "local.journal", .remote_journal = false});
  CHECK(here->journal_of(&unknown).ends_with("in the directory of that run"));
}

TEST_CASE("remote store: a lock whose answer was lost is ours") {
  MemoryServer server;
  server.lost_locks = 1;
  RemoteRun run(server);
  CHECK(run.error.empty());
  REQUIRE(server.lock);
  REQUIRE(run.store->unlock());
  CHECK_FALSE(server.lock);
  server.lost_locks = 2;  // the next one, too
  RemoteRun unlucky(server);
  CHECK(unlucky.error == "the answer is lost");
}

TEST_CASE("remote store: a lock that was not released is named, with what releases it") {
  MemoryServer server;
  RemoteRun run(server);
  const std::string id = server.lock->id;
  server.refuses_unlock = true;
  const Result<void> stays = run.store->unlock();
  REQUIRE_FALSE(stays);
  CHECK(stays.error().message.find("The state stays locked, with the lock ID " + id) != std::string::npos);
  CHECK(stays.error().message.find("force-unlock " + id) != std::string::npos);
  server.expires = true;
  RemoteRun expiring(server);
  CHECK(!expiring.error.empty());
  server.lock.reset();
  REQUIRE(expiring.store->lock("OperationTypePlan", 0));
  CHECK(expiring.store->unlock().error().message.find(
            ", for about a minute after this run has ended. If it is locked later, too, release the lock") !=
        std::string::npos);
  server.expires = false;
  server.lock.reset();
  RemoteRun next(server);
  server.lock->id = "other";
  const Result<void> others = next.store->unlock();
  REQUIRE_FALSE(others);
  CHECK(others.error().message == "the server refuses");
}

// Of what has a journal, the answer is waited for.
TEST_CASE("remote store: a run that is to stop, and has changed nothing, leaves a silent server alone") {
  using std::chrono::milliseconds;
  WorkFolder folder;
  for (const bool expires : {false, true}) {
    MemoryServer server;
    server.expires = expires;
    const std::atomic<bool> stop{true};
    const auto store =
        open_remote_store(std::make_unique<MemoryPlace>(server), {.local_journal = "local.journal",
                                                                  .stop = &stop,
                                                                  .looks = milliseconds(1),
                                                                  .release = milliseconds(200)});
    REQUIRE(store->lock("OperationTypePlan", 0));
    server.deaf = true;
    std::this_thread::sleep_for(milliseconds(20));  // the lock is being looked after
    const auto start = std::chrono::steady_clock::now();
    const Result<void> released = store->unlock();
    const auto took = std::chrono::steady_clock::now() - start;
    REQUIRE(!released);
    CHECK(released.error().message.starts_with("it was interrupted. The state may stay locked"));
    CHECK(took >= milliseconds(150));
    CHECK(took < milliseconds(5000));
  }
}

TEST_CASE(
    "remote store: a lock that is gone is not told as one that stays, in a run that is to stop either") {
  MemoryServer server;
  RemoteRun run(server);
  server.stopped = server.refuses_unlock = true, server.refusal = "the lock is gone: there is none";
  server.lock.reset();
  CHECK(run.store->unlock().error().message == server.refusal);
}

TEST_CASE("remote store: what is not a state says so, without advice for a damaged one") {
  const std::pair<const char*, const char*> rows[] = {
      {"\n<!DOCTYPE html><html>Log in</html>",
       "there is a web page at \"memory://state\" instead of a state"},
      {"<?xml version=\"1.0\"?><Error/>", "there is a document at \"memory://state\" instead of a state"},
      {R"({"version":9})", "newer"},
  };
  for (const auto& [content, says] : rows) {
    MemoryServer server;
    server.state = content;
    const RemoteRun run(server);
    INFO(run.error);
    CHECK(run.error.find(says) != std::string::npos);
    CHECK(run.error.find("damaged") == std::string::npos);
  }
  MemoryServer server;
  server.state = "{}";
  CHECK(RemoteRun(server).error.find("If it is damaged") != std::string::npos);
}

// However many calls a run gets to make, and whether or not it hears the last answer: what it knew to be
// finished is in the next run's state, and of everything else that was begun the next run tells.
TEST_CASE("remote store: a run that ends at any call loses nothing") {
  WorkFolder folder;
  constexpr int kObjects = 4;
  const bool remote = GENERATE(true, false);  // the journal; without it there are snapshots
  int lasted = 0;
  for (bool answer_lost : {false, true})
    for (int calls = 1; calls < 60; ++calls) {
      std::filesystem::remove("errored.tfstate");  // of another server
      MemoryServer server;
      Created made;
      bool written = false;
      {
        RemoteRun run(server, calls, answer_lost, true, remote);
        auto journal = run.error.empty() ? run.store->start_journal(no_types) : Error{"not locked"};
        if (journal) made = create(run, **journal, kObjects);
        written = made.done == kObjects && run.store->write(run.state, no_types).ok();
      }
      lasted += written;
      server.lock.reset();  // force-unlock
      RemoteRun next(server, INT_MAX, false, true, remote);
      INFO("calls " << calls << ", answer lost " << answer_lost << ", done " << made.done << "\n"
                    << next.error);
      REQUIRE(next.error.empty());
      const std::string said = told(next.diags);
      int there = 0;
      for (int i = 0; i < kObjects; ++i) {
        const std::string name = "t.n" + std::to_string(i);
        const bool known = id_of(next.state, name) != "none";
        there += known;
        if (i < made.done) CHECK(known);
        if (i < made.begun && !known) CHECK(said.find(name) != std::string::npos);
      }
      CHECK(there >= made.done);
      REQUIRE(next.store->write(next.state, no_types));
      CHECK(server.segments.empty());
      CHECK_FALSE(real_fs().exists("local.journal"));
      RemoteRun last(server, INT_MAX, false, false, remote);
      CHECK(shown(last.state) == shown(next.state));
      CHECK(told(last.diags).empty());
    }
  CHECK(lasted > 2);
}

TEST_CASE("remote store: what a run begins is told by the next one, on any machine") {
  MemoryServer server;
  {
    RemoteRun run(server);
    auto journal = run.store->start_journal(no_types);
    REQUIRE(journal);
    REQUIRE((*journal)->append(record(Kind_::Intent, "t.a", nullptr, "create")));
    RemoteRun reader(server, INT_MAX, false, false);  // while it is under way
    CHECK(told(reader.diags).find("Another run is in progress") == 0);
    CHECK(told(reader.diags).find("Outcome of changes is unknown") == std::string::npos);
  }
  RemoteRun reader(server, INT_MAX, false, false);
  CHECK(told(reader.diags).find("t.a") != std::string::npos);
  CHECK(told(reader.diags)
            .find("\n\nThe run was that of " + new_lock_info("", "").who +
                  ". If it left the file \"errored.tfstate\"") != std::string::npos);
  CHECK_FALSE(server.segments.empty());
}

TEST_CASE("remote store: a run whose lock was broken neither begins more nor overwrites") {
  WorkFolder folder;
  MemoryServer server;
  RemoteRun zombie(server);
  auto journal = zombie.store->start_journal(no_types);
  REQUIRE(journal);
  REQUIRE(create(zombie, **journal, 1).done == 1);
  REQUIRE((*journal)->append(record(Kind_::Intent, "t.late", nullptr, "create")));
  server.lock.reset();
  RemoteRun next(server);
  REQUIRE(next.error.empty());
  CHECK(id_of(next.state, "t.n0") != "none");
  const std::string there = *server.state;
  CHECK((*journal)->append(record(Kind_::Result, "t.late", object("late"))));
  zombie.state.ensure(at("t.late"), provider()).current = object("late");
  CHECK_FALSE(zombie.store->write(zombie.state, no_types));
  CHECK(*server.state == there);
  REQUIRE(zombie.store->unlock());
  CHECK(server.lock);  // not the zombie's
  REQUIRE(next.store->unlock());
  // What it wrote into its journal after that is not folded into a state that it does not belong to.
  RemoteRun later(server, INT_MAX, false, false);
  CHECK(later.error.find("records of two runs") != std::string::npos);
}

TEST_CASE("remote store: where the journal is on this machine, the state is written while changes are made") {
  WorkFolder folder;
  MemoryServer server;
  RemoteRun run(server, INT_MAX, false, true, false);
  auto journal = run.store->start_journal(no_types);
  REQUIRE(journal);
  for (int n = 1; n <= 3; ++n) {
    const std::string name = "t.n" + std::to_string(n);
    REQUIRE((*journal)->append(record(Kind_::Intent, name, nullptr, "create")));
    REQUIRE((*journal)->append(record(Kind_::Result, name, object(name))));
    run.state.ensure(at(name), provider()).current = object(name);
    CHECK(server.version == n);
    CHECK(server.state->find("\"" + name + "\"") != std::string::npos);
  }
  REQUIRE(run.store->write(run.state, no_types));
  CHECK(server.version == 3);  // all of it was there
  CHECK(server.segments.empty());
  CHECK_FALSE(real_fs().exists("local.journal"));
}

TEST_CASE("remote store: a write that failed for this run alone is not somebody else's") {
  for (const bool others : {false, true}) {
    WorkFolder folder;
    MemoryServer server;
    RemoteRun run(server, INT_MAX, false, true, false);
    auto journal = run.store->start_journal(no_types);
    REQUIRE(journal);
    server.lost_puts = 3;  // the snapshots
    REQUIRE(create(run, **journal, 3).done == 3);
    CHECK(server.version == 1);
    if (others) server.state = "{}", ++server.version;
    server.stopped = true;  // the run, which still has to save what it did
    const Result<void> written = run.store->write(run.state, no_types);
    CHECK(written.ok() != others);
    CHECK((server.state == "{}") == others);
    CHECK(real_fs().exists("errored.tfstate") == others);
  }
}

TEST_CASE(
    "remote store: a lock that expires is looked after before there is a journal, and while it is held") {
  for (const bool expires : {false, true}) {
    MemoryServer server;
    server.expires = expires;
    const auto store =
        open_remote_store(std::make_unique<MemoryPlace>(server),
                          {.local_journal = "local.journal", .looks = std::chrono::milliseconds(1)});
    REQUIRE(store->lock("OperationTypeApply", 0));
    for (int n = 0; n < 2000 && expires && server.looks < 3; ++n) ::usleep(1000);
    CHECK((server.looks > 0) == expires);
    Diagnostics diags;
    REQUIRE(store->read(diags));
    if (expires) {
      {
        std::lock_guard guard(server.mutex);
        server.lock.reset();  // lost while there is nothing to record
      }
      const int before = server.looks;
      for (int n = 0; n < 2000 && server.looks == before; ++n) ::usleep(1000);
      ::usleep(20000);
      const auto journal = store->start_journal(no_types);
      REQUIRE_FALSE(journal);
      CHECK(journal.error().message.find("no longer holds the lock") != std::string::npos);
    }
    REQUIRE(store->unlock());
    const int looks = server.looks;
    ::usleep(10000);
    CHECK(server.looks == looks);
  }
}

TEST_CASE("remote store: nobody looks after a lock that was released, though a journal is still open") {
  WorkFolder folder;
  MemoryServer server;
  const auto store =
      open_remote_store(std::make_unique<MemoryPlace>(server),
                        {.local_journal = "local.journal", .looks = std::chrono::milliseconds(1)});
  REQUIRE(store->lock("OperationTypeApply", 0));
  Diagnostics diags;
  REQUIRE(store->read(diags));
  const auto journal = store->start_journal(no_types);
  REQUIRE(journal);
  for (int n = 0; n < 2000 && server.looks < 3; ++n) ::usleep(1000);
  REQUIRE(store->unlock());
  const int looks = server.looks;
  ::usleep(20000);
  CHECK(server.looks == looks);
}

TEST_CASE("remote store: a state that cannot be read is replaced by force, and by nothing else") {
  for (const bool damaged : {false, true}) {
    WorkFolder folder;
    MemoryServer server;
    server.state = damaged ? "{ damaged" : "{}";
    server.unreadable = !damaged;
    State pushed;
    pushed.ensure(at("t.a"), provider()).current = object("a");
    for (const bool forced : {false, true}) {
      const auto store = open_remote_store(
          std::make_unique<MemoryPlace>(server),
          {.local_journal = "local.journal", .successor = &pushed, .forced = forced, .keeps_copy = true});
      REQUIRE(store->lock("state-push", 0));
      Diagnostics diags;
      REQUIRE(store->read(diags).ok() == forced);
      if (!forced) continue;
      CHECK(told(diags).find("State could not be read") != std::string::npos);
      REQUIRE(store->replace(pushed, no_types));
      CHECK(server.state->find("\"t\"") != std::string::npos);
      CHECK(store->kept().empty() != damaged);
      if (damaged) CHECK(text_of(store->kept()) == "{ damaged");
    }
  }
}

TEST_CASE("remote store: a replacement by force keeps a copy where reading failed for a moment") {
  WorkFolder folder;
  MemoryServer server;
  server.state = "{ damaged";
  server.failing_gets = 1;
  State pushed;
  const auto store = open_remote_store(
      std::make_unique<MemoryPlace>(server),
      {.local_journal = "local.journal", .successor = &pushed, .forced = true, .keeps_copy = true});
  REQUIRE(store->lock("state-push", 0));
  Diagnostics diags;
  REQUIRE(store->read(diags));
  REQUIRE(store->replace(pushed, no_types));
  CHECK(text_of(store->kept()) == "{ damaged");
}

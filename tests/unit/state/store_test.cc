#include <catch2/catch.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "core/base/fs.h"
#include "core/state/journal.h"
#include "core/state/lock.h"
#include "core/state/store.h"

using namespace xplan;

namespace {

struct NoTypes : TypeSource {
  std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override { return std::nullopt; }
};
const NoTypes no_types;
using Kind_ = JournalRecord::Kind;

// A folder of its own, made the working directory.
struct Folder {
  std::string path, before;
  Folder() {
    // In memory where there is such a place: these tests wait for the disk hundreds of times.
    std::string name =
        ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/xplan-state-XXXXXX" : "/tmp/xplan-state-XXXXXX";
    path = ::mkdtemp(name.data());
    char cwd[4096];
    before = ::getcwd(cwd, sizeof cwd);
    REQUIRE(::chdir(path.c_str()) == 0);
  }
  ~Folder() {
    (void)!::chdir(before.c_str());
    (void)!std::system(("rm -rf " + path).c_str());
  }
};

std::string text_of(const std::string& path) {
  auto r = real_fs().read(path);
  return r.ok() ? *r : "(" + r.error().message + ")";
}
void put(const std::string& path, const std::string& text) {
  REQUIRE(write_atomic(path, text).ok());
}

AbsInstance at(const std::string& s) {
  auto a = parse_abs_instance(s);
  REQUIRE(a);
  return *a;
}
ProviderConfigAddr provider() {
  return *parse_provider_config_addr("provider[\"hashicorp/t\"]");
}
ObjectPtr object(const std::string& id) {
  auto o = std::make_shared<Object>();
  std::string plain;
  for (char c : id)
    if (c != '"') plain += c;
  o->buffer = std::make_shared<const std::string>("{\"id\":\"" + plain + "\"}");
  o->attributes_json = *o->buffer;
  return o;
}
std::string id_of(const State& s, const std::string& addr) {
  const InstanceState* i = s.find(at(addr));
  return i && i->current ? std::string(i->current->attributes_json) : "none";
}
std::string shown(const State& s) {  // one line each, as far as the tests need it
  std::string out;
  for (auto& [r, rs] : s.resources)
    for (auto& [k, i] : rs.instances) {
      AbsInstance a{r.module, r.resource, k};
      auto line = [&](const std::string& what, const Object& o) {
        std::string json;
        for (char c : o.attributes_json)
          if (c != ' ' && c != '\n') json += c;
        out += a.text() + what + "=" + json + ";";
      };
      if (i.current) line("", *i.current);
      for (auto& [d, o] : i.deposed) line("/" + d, *o);
    }
  return out;
}

struct Run {  // one run of the program on terraform.tfstate
  std::unique_ptr<StateStore> store;
  State state;
  Diagnostics diags;
  std::string error;
  explicit Run(bool locked = true, StatePaths paths = {}) : store(open_local_store(paths)) {
    if (locked) {
      auto r = store->lock("OperationTypeApply", 0);
      if (!r.ok()) {
        error = r.error().message;
        return;
      }
    }
    auto s = store->read(diags);
    if (s.ok())
      state = std::move(*s);
    else
      error = s.error().message;
  }
  ~Run() { store->unlock(); }
};

JournalRecord record(Kind_ k, const std::string& addr, ObjectPtr o = nullptr, const std::string& action = "",
                     const std::string& deposed = "") {
  JournalRecord r;
  r.kind = k;
  r.addr = at(addr);
  r.object = std::move(o);
  r.action = action;
  r.deposed = deposed;
  r.provider = provider();
  return r;
}

void make_state(const std::vector<std::string>& addrs) {
  Run run;
  REQUIRE(run.error.empty());
  for (auto& a : addrs) run.state.ensure(at(a), provider()).current = object("old-" + a);
  auto w = run.store->write(run.state, no_types);
  REQUIRE(w.ok());
}

}  // namespace

TEST_CASE("a state comes into being, changes and keeps its backup") {
  Folder folder;
  std::string lineage;
  {
    Run run;
    CHECK(run.error.empty());
    CHECK(run.state.empty());
    CHECK_FALSE(run.store->exists());
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(run.state.serial == 1);
    lineage = run.state.lineage;
    CHECK(lineage.size() == 36);
  }
  CHECK_FALSE(real_fs().exists("terraform.tfstate.backup"));
  std::string first = text_of("terraform.tfstate");
  {
    Run run;
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(run.state.serial == 1);
    CHECK(text_of("terraform.tfstate") == first);
    run.state.ensure(at("t.a"), provider()).current = object("1");
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(run.state.serial == 2);
    run.state.ensure(at("t.b"), provider()).current = object("2");
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(run.state.serial == 3);
    CHECK(run.state.lineage == lineage);
    CHECK(text_of("terraform.tfstate.backup") == first);
  }
  Run run;
  CHECK(run.state.serial == 3);
  CHECK(shown(run.state) == "t.a={\"id\":\"1\"};t.b={\"id\":\"2\"};");
  CHECK(run.state.terraform_version == "1.11.4");
}

TEST_CASE("only lock and state stay in the folder, and an empty lock file goes") {
  Folder folder;
  {
    Run run;
    CHECK(real_fs().exists(".terraform.tfstate.lock.info"));
    struct stat st;
    REQUIRE(::stat(".terraform.tfstate.lock.info", &st) == 0);
    CHECK((st.st_mode & 0777) == 0600);
  }
  CHECK(real_fs().list(".")->empty());
  make_state({"t.a"});
  CHECK(*real_fs().list(".") == std::vector<std::string>{"terraform.tfstate"});
}

TEST_CASE("paths of state, state-out and backup") {
  Folder folder;
  make_state({"t.a"});
  StatePaths p;
  p.state_out = "sub/dir/out.tfstate";
  {
    Run run(true, p);
    CHECK(run.error.empty());
    CHECK(shown(run.state).starts_with("t.a"));
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(text_of("sub/dir/out.tfstate").find("\"serial\": 2") != std::string::npos);
    CHECK(real_fs().exists("sub/dir/.out.tfstate.lock.info"));
    CHECK(real_fs().exists("sub/dir/out.tfstate.backup"));
  }
  StatePaths q;
  q.backup = "-";
  Run run(false, q);
  run.state.ensure(at("t.b"), provider()).current = object("2");
  REQUIRE(run.store->write(run.state, no_types).ok());
  CHECK_FALSE(real_fs().exists("terraform.tfstate.backup"));
}

TEST_CASE("a locked state names its holder") {
  Folder folder;
  make_state({"t.a"});
  Run first, second;
  CHECK(first.error.empty());
  for (auto* part : {"terraform.tfstate", "resource temporarily unavailable", "Lock Info:", "  ID:        ",
                     "  Operation: OperationTypeApply", "  Version:   1.11.4", " +0000 UTC"}) {
    INFO(second.error);
    CHECK(second.error.find(part) != std::string::npos);
  }
  first.store->unlock();
  Run third;
  CHECK(third.error.empty());
}

TEST_CASE("waiting for the lock") {
  Folder folder;
  make_state({"t.a"});
  auto first = std::make_unique<Run>();
  std::thread later([&] {
    ::usleep(200000);
    first->state.ensure(at("t.b"), provider()).current = object("new");
    (void)first->store->write(first->state, no_types);
    first->store->unlock();
  });
  auto store = open_local_store({});
  auto got = store->lock("OperationTypePlan", 5000);
  later.join();
  REQUIRE(got.ok());
  Diagnostics d;
  auto s = store->read(d);
  REQUIRE(s.ok());
  CHECK(s->serial == 2);
  store->unlock();
}

TEST_CASE("the fcntl locks of other programs are respected and respect ours") {
  Folder folder;
  make_state({"t.a"});
  int to_child[2], to_us[2];
  REQUIRE(::pipe(to_child) == 0);
  REQUIRE(::pipe(to_us) == 0);
  pid_t pid = ::fork();
  if (pid == 0) {
    char c;
    struct flock fl = {};
    fl.l_type = F_WRLCK;
    int fd = ::open("terraform.tfstate", O_RDWR);
    auto say = [&](bool ok) { (void)!::write(to_us[1], ok ? "y" : "n", 1); };
    say(::fcntl(fd, F_SETLK, &fl) == 0);  // takes it
    (void)!::read(to_child[0], &c, 1);
    fl.l_type = F_UNLCK;
    ::fcntl(fd, F_SETLK, &fl);
    say(true);
    (void)!::read(to_child[0], &c, 1);
    fl.l_type = F_WRLCK;
    say(::fcntl(fd, F_SETLK, &fl) == 0);  // ours now
    (void)!::read(to_child[0], &c, 1);
    // The file was replaced meanwhile; this descriptor, opened long before, must still be the state.
    say(::fcntl(fd, F_SETLK, &fl) == 0);
    char text[100000] = {};
    ssize_t n = ::pread(fd, text, sizeof text - 1, 0);
    say(n > 0 && std::strstr(text, "\"serial\": 2") && std::strstr(text, "t2"));
    (void)!::write(fd, " ", 1);
    ::_exit(0);
  }
  char c = 0;
  auto answer = [&] {
    (void)!::read(to_us[0], &c, 1);
    return c;
  };
  CHECK(answer() == 'y');
  {
    Run run;
    CHECK(run.error.find("locked") != std::string::npos);
  }
  (void)!::write(to_child[1], "x", 1);
  CHECK(answer() == 'y');
  {
    Run run;
    CHECK(run.error.empty());
    (void)!::write(to_child[1], "x", 1);
    CHECK(answer() == 'n');
    run.state.ensure(at("t.b"), provider()).current = object("t2");
    REQUIRE(run.store->write(run.state, no_types).ok());
  }
  (void)!::write(to_child[1], "x", 1);
  CHECK(answer() == 'y');
  CHECK(answer() == 'y');
  int status;
  ::waitpid(pid, &status, 0);
  CHECK(real_fs().list(".")->size() == 2);
}

TEST_CASE("the lock and leftovers of a killed process do not block") {
  Folder folder;
  make_state({"t.a"});
  put(".terraform.tfstate.lock.info", "{\"ID\":\"stale\"}");
  put("terraform.tfstate.swap-1", "half of a state");
  pid_t pid = ::fork();
  if (pid == 0) {
    auto store = open_local_store({});
    if (!store->lock("OperationTypeApply", 0).ok()) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  int status;
  ::waitpid(pid, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(real_fs().exists(".terraform.tfstate.lock.info"));
  Run run;
  CHECK(run.error.empty());
  CHECK(text_of(".terraform.tfstate.lock.info").find("stale") == std::string::npos);
  CHECK_FALSE(real_fs().exists("terraform.tfstate.swap-1"));
}

TEST_CASE("links and permissions of the state file are kept") {
  Folder folder;
  REQUIRE(::mkdir("real", 0755) == 0);
  REQUIRE(::symlink("real/s.tfstate", "terraform.tfstate") == 0);
  put("real/s.tfstate", "");
  REQUIRE(::chmod("real/s.tfstate", 0640) == 0);
  for (bool locked : {true, false}) {
    Run run(locked);
    run.state.ensure(at(locked ? "t.a" : "t.b"), provider()).current = object("1");
    REQUIRE(run.store->write(run.state, no_types).ok());
    struct stat st;
    REQUIRE(::lstat("terraform.tfstate", &st) == 0);
    CHECK(S_ISLNK(st.st_mode));
    REQUIRE(::stat("real/s.tfstate", &st) == 0);
    CHECK((st.st_mode & 0777) == 0640);
    CHECK(st.st_size > 100);
  }
}

TEST_CASE("a state that cannot be read is left alone, and the error says what to do") {
  Folder folder;
  for (std::string text : {"{ not json", "{}", " ", "{\"version\":9}"}) {
    put("terraform.tfstate", text);
    put("terraform.tfstate.backup", "x");
    Run run;
    INFO(run.error);
    CHECK(run.error.find("\"terraform.tfstate\"") != std::string::npos);
    CHECK(run.error.find("terraform.tfstate.backup") != std::string::npos);
    CHECK(text_of("terraform.tfstate") == text);
  }
  put("terraform.tfstate", "");
  Run run;
  CHECK(run.error.empty());
}

TEST_CASE("a state that cannot be written is saved elsewhere") {
  Folder folder;
  make_state({"t.a"});
  StatePaths p;
  p.backup = "no/such/folder/backup";
  Run run(true, p);
  run.state.ensure(at("t.b"), provider()).current = object("2");
  auto r = run.store->write(run.state, no_types);
  REQUIRE_FALSE(r.ok());
  CHECK(r.error().message.find("errored.tfstate") != std::string::npos);
  CHECK(text_of("errored.tfstate").find("\"serial\": 2") != std::string::npos);
}

// What a run records, with the state as it is after each record.
TEST_CASE("a run killed at any byte of its journal loses no completed change") {
  Folder folder;
  make_state({"t.a", "t.b", "t.c", "module.m[0].t.d[\"x\"]"});
  const std::string before = text_of("terraform.tfstate");
  struct Step {
    JournalRecord r;
    std::string after;
  };
  std::vector<JournalRecord> records = {
      record(Kind_::Intent, "t.a", nullptr, "update"),
      record(Kind_::Result, "t.a", object("new é")),
      record(Kind_::Intent, "t.b", nullptr, "delete"),
      record(Kind_::Intent, "t.n[7]", nullptr, "create"),
      record(Kind_::Remove, "t.b"),
      record(Kind_::Result, "t.n[7]", object("n")),
      record(Kind_::Depose, "t.c", nullptr, "", "0000000a"),
      record(Kind_::Intent, "t.c", nullptr, "create"),
      record(Kind_::Result, "t.c", object("c2")),
      record(Kind_::Intent, "t.c", nullptr, "delete", "0000000a"),
      record(Kind_::Remove, "t.c", nullptr, "", "0000000a"),
      record(Kind_::Move, "t.e"),
      record(Kind_::Depose, "t.e", nullptr, "", "0000000b"),
      record(Kind_::Restore, "t.e", nullptr, "", "0000000b"),
  };
  records[11].moves = {{at("module.m[0].t.d[\"x\"]"), at("t.e")}, {at("t.gone"), at("t.nowhere")}};
  std::vector<size_t> ends;
  std::vector<std::string> states, flights;
  auto note = [&](size_t n) {
    auto s = read_state(std::make_shared<const std::string>(before));
    REQUIRE(s.ok());
    FoldReport f = fold_journal(*s, {records.begin(), records.begin() + static_cast<long>(n)});
    states.push_back(shown(*s));
    std::string names;
    for (auto& r : f.in_flight) names += r.action + " " + r.addr.text() + r.deposed + ";";
    flights.push_back(names);
  };
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    struct stat st;
    auto size = [&] {
      REQUIRE(::stat("terraform.tfstate.journal", &st) == 0);
      return static_cast<size_t>(st.st_size);
    };
    ends.push_back(size());
    note(0);
    for (size_t n = 0; n < records.size(); ++n) {
      REQUIRE((*j)->append(records[n]).ok());
      ends.push_back(size());
      note(n + 1);
    }
  }
  CHECK(flights[1] == "update t.a;");
  CHECK(flights[4] == "delete t.b;create t.n[7];");
  CHECK(flights.back().empty());
  INFO(states.back());
  CHECK(states.back().find("t.b=") == std::string::npos);
  CHECK(states.back().find("t.c={\"id\":\"c2\"};t.e=") != std::string::npos);
  {
    State s;
    s.ensure(at("t.a"), provider()).current = object("a");
    FoldReport f = fold_journal(s, {record(Kind_::Depose, "t.a", nullptr, "", "0000000a"),
                                    record(Kind_::Intent, "t.a", nullptr, "create"),
                                    record(Kind_::Restore, "t.a", nullptr, "", "0000000a")});
    CHECK(f.in_flight.empty());
    CHECK(shown(s) == "t.a={\"id\":\"a\"};");
  }
  const std::string whole = text_of("terraform.tfstate.journal");
  REQUIRE(whole.size() == ends.back());
  ::unlink("terraform.tfstate.backup");
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    put("terraform.tfstate", before);
    put("terraform.tfstate.journal", whole.substr(0, cut));
    size_t n = 0;
    while (n + 1 < ends.size() && ends[n + 1] <= cut) ++n;
    INFO("cut at " << cut << ", " << n << " records");
    if (cut % 7 == 0) {  // without the lock: folded in memory, nothing touched
      Run look(false);
      if (!look.error.empty() ||
          shown(look.state) !=
              [&] {
                auto s = read_state(std::make_shared<const std::string>(before));
                fold_journal(*s, {records.begin(), records.begin() + static_cast<long>(n)});
                return shown(*s);
              }() ||
          text_of("terraform.tfstate") != before)
        FAIL("look: " << look.error << shown(look.state));
    }
    Run run;
    if (!run.error.empty()) FAIL(run.error);
    auto expected = read_state(std::make_shared<const std::string>(before));
    FoldReport f = fold_journal(*expected, {records.begin(), records.begin() + static_cast<long>(n)});
    if (shown(run.state) != shown(*expected)) FAIL(shown(run.state));
    if (real_fs().exists("terraform.tfstate.journal")) FAIL("the journal is still there");
    if (run.diags.size() != (n ? 1 + f.in_flight.size() : 0)) FAIL("diagnostics: " << run.diags.size());
    // And the file says the same.
    auto file = read_state(std::make_shared<const std::string>(text_of("terraform.tfstate")));
    if (!file.ok() || shown(*file) != shown(*expected)) FAIL("the file differs");
    if (file->serial != (n ? 2 : 1)) FAIL("serial " << file->serial);
  }
}

TEST_CASE("moves of a chain and a swap are recorded as one") {
  State s;
  for (auto* a : {"t.a", "t.b", "t.c", "t.x", "t.y"}) s.ensure(at(a), provider()).current = object(a);
  JournalRecord r;
  r.kind = Kind_::Move;
  for (auto [from, to] :
       {std::pair("t.a", "t.b"), {"t.b", "t.c"}, {"t.c", "t.d"}, {"t.x", "t.y"}, {"t.y", "t.x"}})
    r.moves.emplace_back(at(from), at(to));
  fold_journal(s, {r});
  CHECK(shown(s) ==
        "t.b={\"id\":\"t.a\"};t.c={\"id\":\"t.b\"};t.d={\"id\":\"t.c\"};t.x={\"id\":\"t.y\"};t.y={\"id\":\"t."
        "x\"};");
}

TEST_CASE("what was in flight is named with what to do") {
  Folder folder;
  make_state({"t.a", "t.b"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.n[\"k\"]", nullptr, "create")).ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.a", nullptr, "update")).ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.b", nullptr, "delete")).ok());
  }
  Run run;
  REQUIRE(run.diags.size() == 4);
  CHECK_FALSE(run.diags.has_errors());
  const char* says[] = {"could finish any change",
                        "creation of t.n[\"k\"] was started and its outcome is unknown", "update of t.a",
                        "destruction of t.b"};
  for (size_t i = 0; i < 4; ++i) {
    INFO(run.diags.all()[i].detail);
    CHECK(run.diags.all()[i].detail.find(says[i]) != std::string::npos);
  }
  CHECK(run.diags.all()[1].address == "t.n[\"k\"]");
}

TEST_CASE("a journal is only ever applied to its own state") {
  Folder folder;
  make_state({"t.a"});
  const std::string before = text_of("terraform.tfstate");
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.n", object("n"))).ok());
  }
  const std::string journal = text_of("terraform.tfstate.journal");
  auto replaced = [](std::string s, const std::string& from, const std::string& to) {
    size_t i = s.find(from);
    REQUIRE(i != std::string::npos);
    return s.replace(i, from.size(), to);
  };
  size_t lineage = before.find("\"lineage\": \"") + 12;
  std::string other = before;
  other[lineage] = other[lineage] == 'a' ? 'b' : 'a';
  struct {
    const char* what;
    std::string state, journal;
    bool refused;
  } rows[] = {
      {"its own", before, journal, false},
      {"next serial", replaced(before, "\"serial\": 1", "\"serial\": 2"), journal, true},
      {"other lineage", other, journal, true},
      {"no state", "", journal, true},
      {"not a journal", before, "garbage\n", true},
      {"zeros", before, std::string(100, '\0'), false},
      {"first record damaged", before, "x" + journal, true},
  };
  for (auto& r : rows)
    for (bool locked : {false, true}) {
      INFO(r.what << (locked ? " with lock" : " without lock"));
      put("terraform.tfstate", r.state);
      put("terraform.tfstate.journal", r.journal);
      Run run(locked);
      INFO(run.error);
      CHECK(run.error.empty() != r.refused);
      if (!r.refused) continue;
      CHECK(run.error.find("terraform.tfstate.journal") != std::string::npos);
      CHECK(text_of("terraform.tfstate.journal") == r.journal);
      CHECK(text_of("terraform.tfstate") == r.state);
    }
}

TEST_CASE("a run killed between state and journal does not apply the journal twice") {
  Folder folder;
  make_state({"t.a"});
  std::string before = text_of("terraform.tfstate"), journal, after;
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.n", object("n"))).ok());
    run.state.ensure(at("t.n"), provider()).current = object("n");
    // The journal as it is when the state is about to be replaced.
    journal = text_of("terraform.tfstate.journal");
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK_FALSE((*j)->append(record(Kind_::Remove, "t.n")).ok());
    after = text_of("terraform.tfstate");
    CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
  }
  put("terraform.tfstate.journal", journal);
  auto s = read_state(std::make_shared<const std::string>(after));
  REQUIRE(JournalFile::append_commit("terraform.tfstate.journal", {s->lineage, s->serial, text_digest(after)})
              .ok());
  const std::string committed = text_of("terraform.tfstate.journal");
  {
    Run run;
    CHECK(run.error.empty());
    CHECK(run.diags.empty());
    CHECK(text_of("terraform.tfstate") == after);
    CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
  }
  // The state was not replaced after all.
  put("terraform.tfstate", before);
  put("terraform.tfstate.journal", committed);
  Run run;
  CHECK(run.error.empty());
  CHECK(id_of(run.state, "t.n") != "none");
  CHECK(run.state.serial == 2);
}

TEST_CASE("records of many threads are all in the journal, and share their syncs") {
  Folder folder;
  make_state({"t.a"});
  std::vector<std::thread> threads;
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    std::atomic<int> failures{0};
    for (int t = 0; t < 16; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          JournalRecord r;
          r.kind = Kind_::Result;
          r.addr.resource = {Mode::Managed, Symbol("t"), Symbol("n")};
          r.addr.key = InstanceKey::of(t * 50 + i);
          r.provider.provider = default_provider(Symbol("t"));
          r.object = object("x");
          if (!(*j)->append(r).ok()) ++failures;
        }
      });
    for (auto& t : threads) t.join();
    CHECK(failures == 0);
  }
  Run run;
  CHECK(run.error.empty());
  auto it = run.state.resources.find({{}, {Mode::Managed, Symbol("t"), Symbol("n")}});
  REQUIRE(it != run.state.resources.end());
  CHECK(it->second.instances.size() == 800);
}

TEST_CASE("a journal is folded although a place in it is damaged, and the warning says so") {
  Folder folder;
  make_state({"t.a"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    for (auto* a : {"t.one", "t.two", "t.three"})
      REQUIRE((*j)->append(record(Kind_::Result, a, object("x"))).ok());
  }
  std::string journal = text_of("terraform.tfstate.journal");
  journal[journal.find("t.two") == std::string::npos ? journal.find("\"two\"") : journal.find("t.two")] = 'X';
  put("terraform.tfstate.journal", journal);
  Run run;
  CHECK(run.error.empty());
  CHECK(id_of(run.state, "t.one") != "none");
  CHECK(id_of(run.state, "t.two") == "none");
  CHECK(id_of(run.state, "t.three") != "none");
  REQUIRE(run.diags.size() == 1);
  CHECK(run.diags.all()[0].detail.find("damaged") != std::string::npos);
}

TEST_CASE("outputs and checks go through the journal") {
  Folder folder;
  make_state({"t.a"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    JournalRecord r;
    r.kind = Kind_::Outputs;
    r.outputs[Symbol("o")] = {Value::tuple({Value::number(1), Value::string("s")}), true};
    REQUIRE((*j)->append(r).ok());
    JournalRecord c;
    c.kind = Kind_::Checks;
    c.checks.emplace();
    c.checks->push_back(
        {CheckKind::Check, "check.c", CheckStatus::Fail, true, {{"check.c", CheckStatus::Fail, {"why"}}}});
    REQUIRE((*j)->append(c).ok());
  }
  Run run;
  CHECK(run.state.outputs.at(Symbol("o")).sensitive);
  CHECK(run.state.outputs.at(Symbol("o")).value.length() == 2);
  REQUIRE(run.state.check_results);
  CHECK(run.state.check_results->at(0).objects.at(0).failure_messages.at(0) == "why");
}

TEST_CASE("whoever reads while a run is going on sees what it has done so far, without warnings") {
  Folder folder;
  make_state({"t.a"});
  Run run;
  auto j = run.store->start_journal(no_types);
  REQUIRE(j.ok());
  REQUIRE((*j)->append(record(Kind_::Result, "t.n", object("n"))).ok());
  REQUIRE((*j)->append(record(Kind_::Intent, "t.a", nullptr, "delete")).ok());
  Run look(false);
  CHECK(look.error.empty());
  CHECK(look.diags.empty());
  CHECK(id_of(look.state, "t.n") != "none");
  CHECK(real_fs().exists("terraform.tfstate.journal"));
}

TEST_CASE("workspaces") {
  Folder folder;
  ::unsetenv("TF_WORKSPACE");
  Workspaces w;
  using Names = std::vector<std::string>;
  CHECK(w.current() == "default");
  CHECK(w.list() == Names{"default"});
  CHECK_FALSE(w.select("staging").ok());
  REQUIRE(w.create("staging").ok());
  CHECK(text_of(".terraform/environment") == "staging");
  CHECK(w.current() == "staging");
  CHECK_FALSE(w.create("staging").ok());
  CHECK_FALSE(w.create("default").ok());
  REQUIRE(w.create("A_b").ok());
  CHECK(w.list() == Names{"default", "A_b", "staging"});
  CHECK_FALSE(w.remove("A_b").ok());
  REQUIRE(w.select("default").ok());
  CHECK_FALSE(w.remove("default").ok());
  CHECK_FALSE(w.remove("nope").ok());
  REQUIRE(w.remove("A_b").ok());
  CHECK(w.list() == Names{"default", "staging"});
  CHECK(w.state_path("default", "x.tfstate") == "x.tfstate");
  CHECK(w.state_path("staging", "x.tfstate") == "terraform.tfstate.d/staging/terraform.tfstate");
  put(".terraform/environment", "staging\n\n");
  CHECK(w.current() == "staging");
  ::setenv("TF_WORKSPACE", "zzz", 1);
  CHECK(w.current() == "zzz");
  CHECK(w.overridden());
  CHECK_FALSE(w.select("default").ok());
  ::unsetenv("TF_WORKSPACE");
  for (auto* bad : {"", ".", "..", "a/b", "a b", "é", "a%b", "a?b", "a;b"}) {
    CHECK_FALSE(valid_workspace_name(bad));
    CHECK_FALSE(w.create(bad).ok());
  }
  for (auto* good : {"a", "x.y", "A_b", "a-b~c", "a$&+:=@"}) CHECK(valid_workspace_name(good));
}

TEST_CASE("force-unlock says whether there is a lock") {
  Folder folder;
  put(".terraform.tfstate.lock.info", "{\"ID\":\"stale\"}");
  auto r = force_unlock("terraform.tfstate", "stale");
  CHECK(r.error().message.find("not locked") != std::string::npos);
  CHECK_FALSE(real_fs().exists(".terraform.tfstate.lock.info"));
  Run run;
  r = force_unlock("terraform.tfstate", "wrong");
  CHECK(r.error().message.find("cannot be unlocked by another process") != std::string::npos);
  CHECK(r.error().message.find("not wrong") != std::string::npos);
  CHECK(real_fs().exists(".terraform.tfstate.lock.info"));
}

TEST_CASE("random ids have their form and differ") {
  std::string a = new_uuid(), b = new_uuid();
  CHECK(a != b);
  CHECK(a.size() == 36);
  CHECK(a[14] == '4');
  std::map<std::string, ObjectPtr> taken;
  for (int i = 0; i < 100; ++i) taken[new_deposed_key(taken)] = nullptr;
  CHECK(taken.size() == 100);
  CHECK(taken.begin()->first.size() == 8);
}

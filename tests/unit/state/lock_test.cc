// The lock of a state: between runs, processes, programs; what it leaves behind.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/base/leftovers.h"
#include "core/cloud/time.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

TEST_CASE("only lock and state stay in the folder, and an empty lock file goes") {
  WorkFolder folder;
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

TEST_CASE("a locked state names its holder") {
  WorkFolder folder;
  make_state({"t.a"});
  Run first, second;
  CHECK(first.error.empty());
  for (auto* part : {"terraform.tfstate", "is locked by another process", "Lock Info:", "  ID:        ",
                     "  Operation: OperationTypeApply", "  Version:   1.11.4", " +0000 UTC"}) {
    INFO(second.error);
    CHECK(second.error.find(part) != std::string::npos);
  }
  (void)first.store->unlock();
  Run third;
  CHECK(third.error.empty());
}

TEST_CASE("what others have written about their lock is shown with escapes") {
  const std::pair<const char*, const char*> rows[] = {
      {"\"C:\\a b\" ünï 日本", "\"C:\\a b\" ünï 日本"},
      {"\x1b[2Jme@host", "\\x1b[2Jme@host"},
      {"a\nError: b\r\t\b", "a\\nError: b\\r\\t\\b"},
      {"\u202egnp", "\\u202egnp"},
      {"\xc2\x9b"
       "31m \xff",
       "\\u009b31m \\xff"},
  };
  for (const auto& [text, shown] : rows) {
    CHECK(shown_foreign(text) == shown);
    LockInfo info;
    for (std::string* field :
         {&info.id, &info.path, &info.operation, &info.who, &info.version, &info.created, &info.info})
      *field = text;
    const std::string block = lock_info_text(info), line = shown;
    CHECK(block == "Lock Info:\n  ID:        " + line + "\n  Path:      " + line + "\n  Operation: " + line +
                       "\n  Who:       " + line + "\n  Version:   " + line + "\n  Created:   " + line +
                       "\n  Info:      " + line + "\n");
    CHECK(lock_holder_text(info, 0).starts_with(line + " acquired it"));
  }
  CHECK(shown_foreign(std::string(5000, 'x')).size() == 1000 + std::string_view("…").size());
}

TEST_CASE("the age of a lock, and where its holder is") {
  CHECK(ago_text(0) == "just now");
  CHECK(ago_text(-3) == "just now");
  CHECK(ago_text(59) == "59 seconds ago");
  CHECK(ago_text(60) == "1 minute ago");
  CHECK(ago_text(3 * 3600 + 1800) == "3 hours ago");
  CHECK(ago_text(86400 * 2) == "2 days ago");
  LockInfo info;
  CHECK(lock_holder_text(info, 0) == "");
  info.who = "me@\x1b[1mfar", info.created = "1970-01-01T01:00:00.5Z";
  CHECK(lock_holder_text(info, 7200) == "me@\\x1b[1mfar acquired it 1 hour ago");
  CHECK(lock_holder_text(info, 0) == "me@\\x1b[1mfar acquired it");  // by a clock that is ahead
  info.created = "0001-01-01T00:00:00Z";
  CHECK(lock_holder_text(info, 7200) == "me@\\x1b[1mfar acquired it");
  const LockInfo own = new_lock_info("plan", "x");
  CHECK(lock_holder_text(own, cloud::unix_now()) == own.who + " acquired it just now, on this machine");
}

TEST_CASE("what became of the process that holds a lock") {
  LockInfo info = new_lock_info("apply", "x");
  const std::string head = info.who + " acquired it just now, on this machine", here = process_note();
  const std::string space = here.substr(here.rfind(' ') + 1), own = std::to_string(::getpid());
  REQUIRE(here == "process " + own + " of " + space);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);  // it stays a zombie
  const std::string zombie = std::to_string(child);
  const std::pair<std::string, std::string> rows[] = {
      {here, ", in process " + own + ", which is still running"},
      {here + "; journal: /x, me@here", ", in process " + own + ", which is still running"},
      {"consul session: x; " + here, ", in process " + own + ", which is still running"},
      {"x process 1 of " + space, ""},
      {"process " + zombie + " of " + space, ", in process " + zombie + ", which has ended"},
      {"process 999999999 of " + space, ", in process 999999999, which has ended"},
      {"process " + own + " of " + space + "0", ""},
      {"process " + own + " of " + space.substr(0, space.find('-')), ""},  // of some machine of this name
      {"process " + own, ""},
      {"process of " + space, ""},
      {"process 9999999999 of " + space, ""},
      {"process ../../1 of " + space, ""},
      {"by hand", ""},
      {"", ""},
  };
  for (const auto& [note, text] : rows) {
    info.info = note;
    CHECK(lock_holder_text(info, cloud::unix_now()) == head + text);
  }
  ::waitpid(child, nullptr, 0);
  info.info = here, info.created = "2001-01-01T00:00:00Z";  // the number is of another process by now
  CHECK(lock_holder_text(info, cloud::unix_now()).ends_with("process " + own + ", which has ended"));
  info.created = "unknown";
  CHECK(lock_holder_text(info, cloud::unix_now()) == info.who + " acquired it, on this machine");
  info.who = "me@elsewhere";
  CHECK(lock_holder_text(info, cloud::unix_now()) == "me@elsewhere acquired it");
}

TEST_CASE("waiting for the lock") {
  WorkFolder folder;
  make_state({"t.a"});
  auto first = std::make_unique<Run>();
  std::thread later([&] {
    ::usleep(200000);
    first->state.ensure(at("t.b"), provider()).current = object("new");
    (void)first->store->write(first->state, no_types);
    (void)first->store->unlock();
  });
  auto store = open_local_store({});
  auto got = store->lock("OperationTypePlan", 5000);
  later.join();
  REQUIRE(got.ok());
  Diagnostics d;
  auto s = store->read(d);
  REQUIRE(s.ok());
  CHECK(s->serial == 2);
  (void)store->unlock();
}

TEST_CASE("the fcntl locks of other programs are respected and respect ours") {
  WorkFolder folder;
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
    CHECK(run.error.find("holds the lock (PID " + std::to_string(pid) + ") is still running") !=
          std::string::npos);
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
  WorkFolder folder;
  make_state({"t.a"});
  put(".terraform.tfstate.lock.info", "{\"ID\":\"stale\"}");
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
  const std::string dead = std::to_string(pid);
  const std::string state = temporary_of("terraform.tfstate", pid, 0),
                    backup = temporary_of("terraform.tfstate.backup", pid, 3),
                    link = temporary_of("terraform.tfstate", pid, 1);
  put(state, "half of a state");
  put(backup, "half of a backup");
  // Of the living, of another file, or somebody else's, whose sum is wrong.
  const std::vector<std::string> kept = {temporary_of("terraform.tfstate", ::getppid(), 0),
                                         temporary_of("terraform.tfstate", 0, 0),
                                         temporary_of("other", pid, 0),
                                         "terraform.tfstate.tmp-" + dead + "-",
                                         "terraform.tfstate.tmp-" + dead + "-0",
                                         "terraform.tfstate.tmp-" + dead + "-0-00000000",
                                         state + "x"};
  for (const std::string& name : kept) put(name, "not ours, or not dead");
  ::symlink("terraform.tfstate", link.c_str());
  Run run;
  CHECK(run.error.empty());
  CHECK(text_of(".terraform.tfstate.lock.info").find("stale") == std::string::npos);
  CHECK_FALSE(real_fs().exists(state));
  CHECK_FALSE(real_fs().exists(backup));
  for (const std::string& name : kept) CHECK(real_fs().exists(name));
  CHECK(real_fs().exists(link));  // a link is none of ours
  CHECK(real_fs().exists("terraform.tfstate"));
}

TEST_CASE("backups are as open to others as the state, and temporary files to nobody") {
  WorkFolder folder;
  make_state({"t.a"});
  for (const mode_t mode : {0600, 0664, 0640}) {
    REQUIRE(::chmod("terraform.tfstate", mode) == 0);
    Run run;
    run.state.ensure(at("t.b" + std::to_string(mode)), provider()).current = object("t2");
    REQUIRE(run.store->write(run.state, no_types).ok());
    for (const char* name : {"terraform.tfstate", "terraform.tfstate.backup"}) {
      struct stat st;
      REQUIRE(::stat(name, &st) == 0);
      CHECK((st.st_mode & 0777) == mode);
    }
  }
}

TEST_CASE("a link in the place of a file of the lock is not followed") {
  WorkFolder folder;
  make_state({"t.a"});
  put("victim", "precious");
  ::unlink(".terraform.tfstate.lock.info");
  ::symlink("victim", ".terraform.tfstate.lock.info");
  Run run;
  CHECK(run.error.empty());
  // The next temporary names of this process.
  const std::string next = temporary_beside("terraform.tfstate");
  const size_t sum = next.rfind('-'), number = next.rfind('-', sum - 1);
  for (unsigned n = 1; n < 5; ++n)
    ::symlink("victim", temporary_of("terraform.tfstate", ::getpid(),
                                     static_cast<unsigned>(std::stoi(next.substr(number + 1))) + n)
                            .c_str());
  run.state.ensure(at("t.b"), provider()).current = object("t2");
  CHECK_FALSE(run.store->write(run.state, no_types).ok());
  CHECK(text_of("victim") == "precious");
}

TEST_CASE("a wait for the lock ends when the run is to stop") {
  WorkFolder folder;
  make_state({"t.a"});
  Run holder;
  std::atomic<bool> stop{false};
  std::thread later([&] {
    ::usleep(100'000);
    stop = true;
  });
  const auto start = std::chrono::steady_clock::now();
  auto r = open_local_store({})->lock("OperationTypePlan", 1'800'000, &stop);
  later.join();
  REQUIRE_FALSE(r.ok());
  CHECK(r.error().message.find("waiting for it was interrupted") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(900));
}

TEST_CASE("what others say of a lock has no control characters") {
  LockInfo info;
  info.who = "somebody\x1b[2J@\nhost";
  CHECK(lock_info_text(info).find("Who:       somebody\\x1b[2J@\\nhost\n") != std::string::npos);
}

TEST_CASE("force-unlock says whether there is a lock") {
  WorkFolder folder;
  put(".terraform.tfstate.lock.info", "{\"ID\":\"stale\"}");
  auto r = open_local_store({})->break_lock("stale");
  CHECK(r.error().message.find("not locked") != std::string::npos);
  CHECK_FALSE(real_fs().exists(".terraform.tfstate.lock.info"));
  Run run;
  r = open_local_store({})->break_lock("wrong");
  CHECK(r.error().message.find("cannot be released by another one") != std::string::npos);
  CHECK(r.error().message.find("not wrong") != std::string::npos);
  CHECK(real_fs().exists(".terraform.tfstate.lock.info"));
}

// A disk that fills up while an apply runs: what was made is in the journal, in the state, or handed to the
// caller.
#include <sys/resource.h>

#include <csignal>

#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

// Files may not grow beyond this, as on a disk that is full.
class Room {
 public:
  explicit Room(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    struct rlimit now = old_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~Room() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  struct rlimit old_ {};
  void (*before_)(int);
};

std::string name(int i) {
  return "t.n[" + std::to_string(i) + "]";
}

}  // namespace

TEST_CASE("where an intent is recorded there is room for the results") {
  // On a disk with plenty of room, and on a small one, where less can be kept free.
  for (auto [bytes, at_least] : {std::pair<rlim_t, int>(1000 * 1000, 80), {300 * 1000, 20}, {50 * 1000, 3}}) {
    INFO(bytes);
    WorkFolder folder;
    make_state({"t.a"});
    int made = 0;
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      Room room(bytes);
      // Ten at once, as the provider is asked: first all intents, then all results.
      for (bool asked = true; asked;) {
        const int from = made;
        int several = 0;
        while (several < 10 && asked) {
          asked = (*j)->append(record(Kind_::Intent, name(from + several), nullptr, "create")).ok();
          several += asked;
        }
        for (; made < from + several; ++made) {
          ObjectPtr o = object("made-" + std::to_string(made) + std::string(10000, 'x'));
          REQUIRE((*j)->append(record(Kind_::Result, name(made), o)).ok());
          run.state.ensure(at(name(made)), provider()).current = o;
        }
      }
      CHECK(made >= at_least);
    }
    Run next;
    CHECK(next.error.empty());
    for (int i = 0; i < made; ++i) CHECK(id_of(next.state, name(i)) != "none");
  }
}

TEST_CASE("a state that fits nowhere is handed to the caller, unless the journal has everything") {
  for (bool lacking : {false, true}) {
    INFO(lacking);
    WorkFolder folder;
    make_state({"t.a"});
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.b", nullptr, "create")).ok());
    ObjectPtr big = object("big" + std::string(50000, 'x'));
    Room room(lacking ? 20000 : 52000);
    CHECK((*j)->append(record(Kind_::Result, "t.b", big)).ok() == !lacking);
    run.state.ensure(at("t.b"), provider()).current = big;
    // Longer than the journal: it has the old object as well.
    run.state.ensure(at("t.a"), provider()).current = object("old" + std::string(5000, 'y'));
    auto w = run.store->write(run.state, no_types);
    REQUIRE_FALSE(w.ok());
    CHECK(run.store->unsaved().empty() == !lacking);
    CHECK((w.error().message.find("lacks") != std::string::npos) == lacking);
    if (!lacking) continue;
    auto kept = read_state(std::make_shared<const std::string>(run.store->unsaved()));
    REQUIRE(kept.ok());
    CHECK(id_of(*kept, "t.b").find("big" + std::string(50000, 'x')) != std::string::npos);
  }
}

TEST_CASE("a journal that lacks something does not keep the state from being written") {
  WorkFolder folder;
  make_state({"t.a"});
  Run run;
  auto j = run.store->start_journal(no_types);
  REQUIRE(j.ok());
  {
    Room room(1000);
    REQUIRE_FALSE((*j)->append(record(Kind_::Result, "t.b", object(std::string(2000, 'x')))).ok());
  }
  run.state.ensure(at("t.b"), provider()).current = object("b");
  CHECK(run.store->write(run.state, no_types).ok());
  CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
}

TEST_CASE("a state that only a journal has exists") {
  WorkFolder folder;
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
  }
  Run look(false);
  CHECK(look.store->exists());
  CHECK(id_of(look.state, "t.b") != "none");
}

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
  struct Disk {
    rlim_t bytes;
    int at_least;
    bool provisioners = false;
  };
  for (const auto& [bytes, at_least, provisioners] : std::initializer_list<Disk>{{1000 * 1000, 80},
                                                                                 {300 * 1000, 20},
                                                                                 {50 * 1000, 3},
                                                                                 {1000 * 1000, 40, true},
                                                                                 {300 * 1000, 10, true},
                                                                                 {50 * 1000, 1, true}}) {
    INFO(bytes << " bytes, provisioners: " << provisioners);
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
          JournalRecord intent = record(Kind_::Intent, name(from + several), nullptr, "create");
          intent.results = provisioners ? 2 : 1;
          asked = (*j)->append(intent).ok();
          several += asked;
        }
        for (; made < from + several; ++made) {
          // With provisioners it is recorded before they run, and after.
          ObjectPtr o = object("made-" + std::to_string(made) + std::string(10000, 'x'));
          if (provisioners) {
            auto unfinished = std::make_shared<Object>(*o);
            unfinished->status = ObjectStatus::Tainted;
            REQUIRE((*j)->append(record(Kind_::Result, name(made), unfinished)).ok());
          }
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

TEST_CASE("room is given back however a change ends") {
  struct End {
    const char* what;
    std::vector<JournalRecord> (*records)(int);
  };
  static const auto tainted = [](int i) {
    auto o = std::make_shared<Object>(*object("x"));
    o->status = ObjectStatus::Tainted;
    return record(Kind_::Result, name(i), o);
  };
  static const auto intent = [](int i, int results) {
    JournalRecord r = record(Kind_::Intent, name(i), nullptr, "create");
    r.results = results;
    return r;
  };
  const End ends[] = {
      {"well",
       [](int i) {
         return std::vector{intent(i, 1), record(Kind_::Result, name(i), object("x"))};
       }},
      {"in the middle",
       [](int i) {
         return std::vector{intent(i, 1), tainted(i)};
       }},
      {"by a provisioner",
       [](int i) {
         return std::vector{intent(i, 2), tainted(i), tainted(i)};
       }},
      {"before provisioners",
       [](int i) {
         return std::vector{intent(i, 2), record(Kind_::Remove, name(i))};
       }},
      {"with nothing made",
       [](int i) {
         return std::vector{intent(i, 1), record(Kind_::Remove, name(i))};
       }},
      {"with the old object current again",
       [](int i) {
         return std::vector{record(Kind_::Depose, name(i), nullptr, "", "aaaaaaaa"), intent(i, 1),
                            record(Kind_::Restore, name(i), nullptr, "create", "aaaaaaaa")};
       }},
  };
  for (const End& end : ends) {
    INFO(end.what);
    WorkFolder folder;
    make_state({"t.a"});
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    Room room(200 * 1000);
    for (int i = 0; i < 100; ++i)
      for (const JournalRecord& r : end.records(i)) REQUIRE((*j)->append(r).ok());
    CHECK((*j)->unanswered().empty());
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

TEST_CASE("a journal that was left over can be read where it cannot be taken in") {
  WorkFolder folder;
  make_state({"t.a"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.n", nullptr, "create")).ok());
  }
  const std::string journal = text_of("terraform.tfstate.journal");
  {
    Room room(journal.size() + 50);  // for a part of a line
    Run run;
    CHECK(run.error.empty());
    CHECK(run.diags.size() == 2);
    CHECK(id_of(run.state, "t.b") != "none");
    auto begun = run.store->start_journal(no_types);
    REQUIRE_FALSE(begun.ok());
    CHECK(begun.error().message.find("could not be written") != std::string::npos);
    CHECK(begun.error().message.find("the next run will pick them up") != std::string::npos);
    CHECK(text_of("terraform.tfstate.journal") == journal);
    CHECK_FALSE(real_fs().exists("errored.tfstate"));
  }
  Run run;  // there is room again
  CHECK(run.error.empty());
  CHECK(run.diags.size() == 2);
  CHECK(run.store->start_journal(no_types).ok());
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
  WorkFolder other;  // while the run is still under way, without the lock that makes the file
  Run run(false);
  auto j = run.store->start_journal(no_types);
  REQUIRE(j.ok());
  REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
  Run beside(false);
  CHECK(beside.store->exists());
}

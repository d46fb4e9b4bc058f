// A local state that another program writes, which does not ask for the lock: nothing of it is lost.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

// Without the lock, as an editor, a copy or a version control system does.
void rename_over(const std::string& text) {
  put("terraform.tfstate", text);
}
void write_into(const std::string& text) {
  std::ofstream("terraform.tfstate", std::ios::trunc) << text;
}

std::string changed(std::string state) {
  state.replace(state.find("old-t.a"), 7, "other");
  return state;
}

void add(Run& run, const std::string& addr, Journal* journal = nullptr) {
  if (journal) {
    REQUIRE(journal->append(record(Kind_::Intent, addr, nullptr, "create")));
    REQUIRE(journal->append(record(Kind_::Result, addr, object("new"))));
  }
  run.state.ensure(at(addr), provider()).current = object("new");
}

}  // namespace

TEST_CASE("a local state that another program has changed is not overwritten") {
  for (const auto& overwrite : {rename_over, write_into})
    for (const bool locked : {true, false})
      for (const bool journaled : {true, false}) {
        INFO("in place " << (overwrite == write_into) << ", locked " << locked << ", journal " << journaled);
        WorkFolder folder;
        make_state({"t.a"});
        put("terraform.tfstate.backup", "before");
        const std::string other = changed(text_of("terraform.tfstate"));
        {
          Run run(locked);
          std::unique_ptr<Journal> journal;
          if (journaled) {
            auto begun = run.store->start_journal(no_types);
            REQUIRE(begun);
            journal = std::move(*begun);
          }
          add(run, "t.b", journal.get());
          overwrite(other);
          const Result<void> refused = run.store->write(run.state, no_types);
          REQUIRE_FALSE(refused);
          for (const char* says :
               {"something else has changed the state \"terraform.tfstate\" since it was read",
                "It was written to \"errored.tfstate\" instead. Compare that with the state",
                "state push -force errored.tfstate"})
            CHECK(refused.error().message.find(says) != std::string::npos);
        }
        CHECK(text_of("terraform.tfstate") == other);
        CHECK(text_of("terraform.tfstate.backup") == "before");
        CHECK(text_of("errored.tfstate").find("\"new\"") != std::string::npos);
        CHECK(real_fs().exists("terraform.tfstate.journal") == journaled);
      }
}

TEST_CASE("a first state that another program writes meanwhile is not overwritten") {
  WorkFolder folder, elsewhere;
  make_state({"t.a"});
  const std::string other = text_of("terraform.tfstate");
  std::filesystem::current_path(folder.path);
  Run run;
  add(run, "t.b");
  rename_over(other);
  CHECK_FALSE(run.store->write(run.state, no_types));
  CHECK(text_of("terraform.tfstate") == other);
}

TEST_CASE("a local state that was touched, or written again as it was, can be replaced") {
  for (const bool renamed : {true, false}) {
    WorkFolder folder;
    make_state({"t.a"});
    const std::string before = text_of("terraform.tfstate");
    Run run;
    add(run, "t.b");
    renamed ? rename_over(before) : write_into(before);
    REQUIRE(run.store->write(run.state, no_types));
    add(run, "t.c");  // after that, it is our own that is replaced
    REQUIRE(run.store->write(run.state, no_types));
    Run next(false);
    CHECK(id_of(next.state, "t.c") != "none");
  }
}

TEST_CASE("a local state that is gone is written again") {
  WorkFolder folder;
  make_state({"t.a"});
  Run run;
  add(run, "t.b");
  ::unlink("terraform.tfstate");
  REQUIRE(run.store->write(run.state, no_types));
  Run next(false);
  CHECK(shown(next.state) == shown(run.state));
}

// The path is another file then than the one that is locked.
TEST_CASE("a local state that was replaced between locking and reading can be written") {
  WorkFolder folder;
  make_state({"t.a"});
  const auto store = open_local_store({});
  REQUIRE(store->lock("OperationTypeApply", 0));
  rename_over(text_of("terraform.tfstate"));
  Diagnostics diags;
  auto state = store->read(diags);
  REQUIRE(state);
  state->ensure(at("t.b"), provider()).current = object("new");
  REQUIRE(store->write(*state, no_types));
  CHECK(text_of("terraform.tfstate").find("\"new\"") != std::string::npos);
  CHECK(open_local_store({})->locked_elsewhere());
  REQUIRE(store->unlock());
  CHECK_FALSE(open_local_store({})->locked_elsewhere());
}

TEST_CASE("what another program writes where the state is to go is not overwritten") {
  WorkFolder folder;
  make_state({"t.a"});
  for (const bool there : {false, true}) {
    StatePaths p;
    p.state_out = "out.tfstate";
    if (there) put("out.tfstate", "{\"version\": 4}");
    Run run(true, p);
    REQUIRE(run.error.empty());
    put("out.tfstate", "{\"other\": 4}");
    CHECK_FALSE(run.store->write(run.state, no_types));
    CHECK(text_of("out.tfstate") == "{\"other\": 4}");
    ::unlink("out.tfstate");
  }
}

// Runs that were killed, at any moment: no change that was completed is lost, none is made twice.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "core/state/journal_home.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

// What a run records, with the state as it is after each record.
TEST_CASE("a run killed at any byte of its journal loses no completed change") {
  WorkFolder folder;
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
    // It stays for creations of which nobody knows whether they happened, and then has nothing else.
    const auto open = static_cast<size_t>(
        std::count_if(f.in_flight.begin(), f.in_flight.end(), [](auto& r) { return r.action == "create"; }));
    const std::string left = open ? text_of("terraform.tfstate.journal") : "";
    if (real_fs().exists("terraform.tfstate.journal") != (open > 0)) FAIL("the journal is still there");
    auto rest = read_journal(std::make_shared<const std::string>(left));
    if (!rest.ok() || rest->records.size() != open) FAIL("the journal has something else");
    if (run.diags.size() != (n ? 1 + !f.in_flight.empty() : 0u)) FAIL("diagnostics: " << run.diags.size());
    // And the file says the same.
    auto file = read_state(std::make_shared<const std::string>(text_of("terraform.tfstate")));
    if (!file.ok() || shown(*file) != shown(*expected)) FAIL("the file differs");
    const bool folded = std::any_of(records.begin(), records.begin() + static_cast<long>(n),
                                    [](auto& r) { return r.kind != Kind_::Intent; });
    if (file->serial != (folded ? 2 : 1)) FAIL("serial " << file->serial);
  }
}

TEST_CASE("a run killed between state and journal does not apply the journal twice") {
  WorkFolder folder;
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
  REQUIRE(append_commit("terraform.tfstate.journal", {s->lineage, s->serial, text_digest(after)}).ok());
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

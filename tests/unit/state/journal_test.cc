// The journal of a run: which state it belongs to, what is in it, what is told of it.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/state/journal_home.h"
#include "core/state/journal_line.h"
#include "core/state/left_journal.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

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
  WorkFolder folder;
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
  REQUIRE(run.diags.size() == 2);
  CHECK_FALSE(run.diags.has_errors());
  CHECK(run.diags.all()[0].detail.find("finished its changes") != std::string::npos);
  const std::string& all = run.diags.all()[1].detail;
  INFO(all);
  for (const char* says :
       {"under way or about to begin, so some may not have begun. Their outcome is unknown",
        "Creations:\n  - t.n[\"k\"]\nAn object may exist", "Updates:\n  - t.a\nThe state has the object",
        "Destructions:\n  - t.b\nThe state"})
    CHECK(all.find(says) != std::string::npos);
  CHECK(run.diags.all()[1].address.empty());
}

TEST_CASE("operations that failed are not counted as changes") {
  WorkFolder folder;
  make_state({"t.a", "t.b"});
  {
    Run run;
    const ObjectPtr same = run.state.find(*parse_abs_instance("t.a"))->current;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.a", same)).ok());
    REQUIRE((*j)->append(record(Kind_::Remove, "t.n")).ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("new"))).ok());
  }
  Run run;
  REQUIRE(run.diags.size() == 1);
  INFO(run.diags.all()[0].detail);
  CHECK(run.diags.all()[0].detail.find("changes to one object ") != std::string::npos);
}

TEST_CASE("a creation whose outcome is unknown is told of until the state is written") {
  for (bool more : {false, true}) {  // whether something was completed as well
    INFO(more);
    WorkFolder folder;
    make_state({"t.a", "t.b"});
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      REQUIRE((*j)->append(record(Kind_::Intent, "t.n", nullptr, "create")).ok());
      REQUIRE((*j)->append(record(Kind_::Intent, "t.b", nullptr, "delete")).ok());
      if (more) REQUIRE((*j)->append(record(Kind_::Result, "t.a", object("new"))).ok());
    }
    auto told = [](const Run& run, std::string_view addr) {
      return std::any_of(run.diags.all().begin(), run.diags.all().end(), [&](const Diagnostic& d) {
        return (d.address == addr || d.detail.find("- " + std::string(addr)) != std::string::npos) &&
               d.detail.find("outcome is unknown") != std::string::npos;
      });
    };
    for (int i = 0; i < 3; ++i) {
      Run run;
      CHECK(run.error.empty());
      CHECK(told(run, "t.n"));
      CHECK(told(run, "t.b") == (i == 0));  // it is in the state, and the plan looks at it
      CHECK((id_of(run.state, "t.a").find("new") != std::string::npos) == more);
      auto file = read_state(std::make_shared<const std::string>(text_of("terraform.tfstate")));
      REQUIRE(file.ok());
      CHECK(file->serial == (more ? 2 : 1));  // what was only begun changes no state
      CHECK(shown(*file) == shown(run.state));
    }
    // Somebody else has written the state: nothing in the journal is missing from it.
    std::string state = text_of("terraform.tfstate");
    state.replace(state.find(more ? "\"serial\": 2" : "\"serial\": 1"), 11, "\"serial\": 7");
    put("terraform.tfstate", state);
    {
      Run run;
      CHECK(told(run, "t.n"));
      REQUIRE(run.store->start_journal(no_types).ok());  // an apply
      REQUIRE(run.store->write(run.state, no_types).ok());
    }
    Run last;
    CHECK(last.diags.empty());
    CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
  }
}

TEST_CASE("a run without the lock takes over a journal that is in the state already") {
  for (bool applies : {false, true}) {
    INFO(applies);
    WorkFolder folder;
    make_state({"t.a"});
    std::string left;
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
      left = text_of("terraform.tfstate.journal");
      run.state.ensure(at("t.b"), provider()).current = object("b");
      REQUIRE(run.store->write(run.state, no_types).ok());
    }
    // As if the run had been killed just before it removed the journal.
    const auto file = read_state(std::make_shared<const std::string>(text_of("terraform.tfstate")));
    REQUIRE(file.ok());
    put("terraform.tfstate.journal", left);
    REQUIRE(append_commit("terraform.tfstate.journal",
                          {file->lineage, file->serial, text_digest(text_of("terraform.tfstate"))})
                .ok());
    {
      Run run(false);
      REQUIRE(run.error.empty());
      CHECK(run.diags.empty());
      if (applies) REQUIRE(run.store->start_journal(no_types).ok());
      run.state.ensure(at("t.c"), provider()).current = object("c");
      REQUIRE(run.store->write(run.state, no_types).ok());
    }
    CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
    Run next;
    CHECK(next.error.empty());
    CHECK(next.diags.empty());
    for (const char* addr : {"t.a", "t.b", "t.c"}) CHECK(id_of(next.state, addr) != "none");
  }
}

TEST_CASE("what a journal has as complete, and the state as tainted, is named") {
  JournalContent j;
  j.records = {record(Kind_::Result, "t.b", object("b")), record(Kind_::Result, "t.c", object("c")),
               record(Kind_::Result, "t.d", object("d"))};
  State now;
  auto tainted = [](const char* id) {
    auto o = std::make_shared<Object>(*object(id));
    o->status = ObjectStatus::Tainted;
    return o;
  };
  now.ensure(at("t.b"), provider()).current = tainted("b");
  now.ensure(at("t.c"), provider()).current = object("c");
  now.ensure(at("t.d"), provider()).current = tainted("other");
  CHECK(complete_in_journal(j, now) == std::vector<std::string>{"t.b"});
}

TEST_CASE("who sets a journal aside that cannot be used goes on") {
  struct Row {
    const char* what;
    const char* from;
    const char* to;
  };
  for (const Row& row :
       {Row{"its first record is damaged", "begin", "bogin"}, Row{"it is not a journal", "", "garbage\n"},
        Row{"belongs to a different state (an empty state)", "\"serial\":\"0\"", ""}}) {
    INFO(row.what);
    WorkFolder folder;
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
    }
    std::string left = text_of("terraform.tfstate.journal");
    if (!*row.from)
      left = row.to;
    else if (*row.to)
      left.replace(left.find(row.from), std::string(row.from).size(), row.to);
    ::unlink("terraform.tfstate.journal");
    make_state({"t.a"});
    put("terraform.tfstate.journal", left);
    {
      Run run;
      INFO(run.error);
      CHECK(run.error.find("state journal -discard") != std::string::npos);
      const auto found = run.store->left_journal();
      REQUIRE(found);
      REQUIRE(*found);
      CHECK((*found)->fit ==
            (*row.to || !*row.from ? LeftJournal::Fit::Unreadable : LeftJournal::Fit::Misfit));
      REQUIRE(run.store->discard_journal("kept").ok());
      CHECK(text_of("kept") == left);
    }
    Run run;
    CHECK(run.error.empty());
    CHECK(id_of(run.state, "t.a") != "none");
  }
}

TEST_CASE("a creation without an outcome outlives the run that has begun it") {
  for (bool more : {false, true}) {  // whether something was completed as well
    INFO(more);
    WorkFolder folder;
    make_state({"t.a"});
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      REQUIRE((*j)->append(record(Kind_::Intent, "t.n", nullptr, "create")).ok());
      if (more) REQUIRE((*j)->append(record(Kind_::Intent, "t.known", nullptr, "create")).ok());
      if (more) REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
      if (more) run.state.ensure(at("t.b"), provider()).current = object("b");
      if (more) run.state.ensure(at("t.known"), provider()).current = object("known");
      REQUIRE(run.store->write(run.state, no_types).ok());
    }
    Run next;
    CHECK(next.error.empty());
    REQUIRE(next.diags.size() == 2);
    CHECK(next.diags.all()[1].address == "t.n");
    CHECK((id_of(next.state, "t.known") != "none") == more);
  }
}

// The three moments at which a run can be killed that takes in a journal: before the state is replaced,
// between that and the end of the journal, after it.
TEST_CASE("a creation whose outcome is unknown is told of after a run that was killed while taking it in") {
  for (bool locked : {true, false}) {
    INFO(locked);
    WorkFolder folder;
    make_state({"t.a"});
    {
      Run run;
      auto j = run.store->start_journal(no_types);
      REQUIRE(j.ok());
      REQUIRE((*j)->append(record(Kind_::Intent, "t.n", nullptr, "create")).ok());
      REQUIRE((*j)->append(record(Kind_::Intent, "t.m", nullptr, "create")).ok());
      REQUIRE((*j)->append(record(Kind_::Result, "t.m", object("m"))).ok());
    }
    const std::string path = "terraform.tfstate.journal", old_journal = text_of(path),
                      old_state = text_of("terraform.tfstate");
    { Run run; }
    const std::string new_journal = text_of(path), new_state = text_of("terraform.tfstate");
    REQUIRE(new_state != old_state);
    auto s = read_state(std::make_shared<const std::string>(new_state));
    put(path, old_journal);
    REQUIRE(append_commit(path, {s->lineage, s->serial, text_digest(new_state)}).ok());
    const std::string committed = text_of(path);
    for (auto& [state, journal] : {std::pair(old_state, old_journal),
                                   {old_state, committed},
                                   {new_state, committed},
                                   {new_state, new_journal}}) {
      put("terraform.tfstate", state);
      put(path, journal);
      for (int i = 0; i < 2; ++i) {
        Run run(locked);
        CHECK(run.error.empty());
        CHECK(id_of(run.state, "t.m") != "none");
        const auto& all = run.diags.all();
        CHECK(std::any_of(all.begin(), all.end(), [](auto& d) { return d.address == "t.n"; }));
        CHECK(std::none_of(all.begin(), all.end(), [](auto& d) { return d.address == "t.m"; }));
      }
    }
    for (const auto& e : std::filesystem::directory_iterator("."))
      CHECK(e.path().string().find(".tmp-") == std::string::npos);
  }
}

TEST_CASE("a journal is only ever applied to its own state") {
  WorkFolder folder;
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
  std::string one_line = journal;
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
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
      {"more zeros than a first record has bytes", before, std::string(5000, '\0'), true},
      {"a first record that was not completed", before, journal.substr(0, 40), false},
      {"the same, its end as zeros", before, journal.substr(0, 40) + std::string(60, '\0'), false},
      {"other text without lines", before, "garbage", true},
      {"a journal without its line breaks", before, one_line, true},
      {"first record damaged", before, "x" + journal, true},
  };
  for (auto& r : rows)
    for (bool locked : {false, true}) {
      INFO(r.what << (locked ? " with lock" : " without lock"));
      put("terraform.tfstate", r.state);
      put("terraform.tfstate.journal", r.journal);
      Run run(locked);
      INFO(run.error);
      const bool warned = !run.diags.empty() && run.diags.all()[0].summary == kMisfit;
      CHECK((warned || !run.error.empty()) == r.refused);
      CHECK((!locked || !warned));
      if (!r.refused) continue;
      const std::string& told = warned ? run.diags.all()[0].detail : run.error;
      CHECK(told.find("terraform.tfstate.journal") != std::string::npos);
      CHECK(text_of("terraform.tfstate.journal") == r.journal);
      CHECK(text_of("terraform.tfstate") == r.state);
    }
}

TEST_CASE("records of many threads are all in the journal, and share their syncs") {
  WorkFolder folder;
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
  WorkFolder folder;
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

TEST_CASE("a record that lacks what its kind needs is refused") {
  const std::string begin = R"({"kind":"begin","journal":1,"lineage":"l","serial":"1"})";
  const std::string provider = R"(,"provider":"provider[\"hashicorp/t\"]")", object = R"(,"instance":{})";
  struct {
    std::string record;
    bool ok;
  } rows[] = {
      {R"({"kind":"result","address":["","managed","t","a"])" + provider + object + "}", true},
      {R"({"kind":"result","address":["","managed","t","a",null])" + provider + object + "}", true},
      {R"({"kind":"result","address":["","managed","t","a",0,1])" + provider + object + "}", false},
      {R"({"kind":"result","address":["","managed","t","a",1.5])" + provider + object + "}", false},
      {R"({"kind":"result","address":["","managed","t"])" + provider + object + "}", false},
      {R"({"kind":"result","address":["","managed","","a"])" + provider + object + "}", false},
      {R"({"kind":"result")" + provider + object + "}", false},
      {R"({"kind":"result","address":["","managed","t","a"])" + object + "}", false},
      {R"({"kind":"remove","address":["","managed","t","a"]})", true},
      {R"({"kind":"remove","address":["","managed","t","a"],"deposed":"old"})", false},
      {R"({"kind":"depose","address":["","managed","t","a"],"deposed":"0a1b2c3d"})", true},
      {R"({"kind":"depose","address":["","managed","t","a"]})", false},
      {R"({"kind":"move","moves":[[["","managed","t","a"],["","managed","t","b"]]]})", true},
      {R"({"kind":"move","moves":[[["","managed","t","a"]]]})", false},
      {R"({"kind":"unheard of"})", false},
  };
  for (auto& r : rows) {
    INFO(r.record);
    auto text = std::make_shared<const std::string>(journal_line(begin) + journal_line(r.record));
    CHECK(read_journal(text).ok() == r.ok);
  }
}

TEST_CASE("the warning counts objects, and names those that were not created to the end") {
  WorkFolder folder;
  make_state({"t.a"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    auto half = std::make_shared<Object>(*object("half"));
    half->status = ObjectStatus::Tainted;
    for (auto& o : {std::shared_ptr<const Object>(half), object("whole")})
      REQUIRE((*j)->append(record(Kind_::Result, "t.one", o)).ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.two", half)).ok());
  }
  Run run;
  REQUIRE(run.diags.size() == 1);
  const std::string& detail = run.diags.all()[0].detail;
  INFO(detail);
  CHECK(detail.find("2 objects") != std::string::npos);
  CHECK(detail.find("The creation of t.two was not completed, so it is tainted and will be replaced.") !=
        std::string::npos);
  CHECK(detail.find("t.one") == std::string::npos);
}

TEST_CASE("what a journal adds is told by the run that adds it to the state") {
  WorkFolder folder;
  make_state({"t.a"});
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    auto half = std::make_shared<Object>(*object("half"));
    half->status = ObjectStatus::Tainted;
    REQUIRE((*j)->append(record(Kind_::Result, "t.two", half)).ok());
  }
  for (int i = 0; i < 2; ++i) {
    Run reader(/*locked=*/false);
    CHECK(reader.diags.empty());
    CHECK(reader.state.find(at("t.two")));
  }
  {
    StatePaths replacing;
    const State next;
    replacing.successor = &next;
    Run push(true, replacing);
    REQUIRE(push.diags.size() == 1);
    CHECK(push.diags.all()[0].detail.find("tainted") == std::string::npos);
    REQUIRE(push.store->folded_tainted().size() == 1);
    CHECK(push.store->folded_tainted()[0] == at("t.two"));
  }
  CHECK(Run().diags.empty());
}

TEST_CASE("a line that was not completed is gone when the journal is committed") {
  WorkFolder folder;
  const std::string whole =
      encode_begin({"lineage", 4}) + encode_record(record(Kind_::Result, "t.a", object("a")), no_types);
  for (const std::string& torn : {std::string(), std::string("0000004"), std::string(9000, '\0')}) {
    put("x.journal", whole + torn);
    for (int n = 0; n < 2; ++n) REQUIRE(append_commit("x.journal", {"lineage", 5, 77}));
    const auto j = read_journal(std::make_shared<const std::string>(text_of("x.journal")));
    REQUIRE(j);
    CHECK_FALSE(j->damaged);
    CHECK(j->records.size() == 1);
    CHECK(j->commits.size() == 2);
  }
}

TEST_CASE("whoever reads while a run is going on sees what it has done so far, without warnings") {
  WorkFolder folder;
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

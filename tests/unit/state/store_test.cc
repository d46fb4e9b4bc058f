// Reading and writing the state file: serials, backups, paths, links, what goes wrong.
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/state/store_support.h"

using namespace xplan;
using namespace xplan::store_test;

TEST_CASE("a state comes into being, changes and keeps its backup") {
  WorkFolder folder;
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

TEST_CASE("paths of state, state-out and backup") {
  WorkFolder folder;
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
    CHECK_FALSE(real_fs().exists("sub/dir/out.tfstate.backup"));  // nothing was written over
  }
  {
    put("sub/dir/out.tfstate", text_of("terraform.tfstate") + "  \n");
    const std::string former = text_of("sub/dir/out.tfstate");
    Run run(true, p);
    REQUIRE(run.store->write(run.state, no_types).ok());
    CHECK(text_of("sub/dir/out.tfstate.backup") == former);
    CHECK(shown(Run(false, p).state).starts_with("t.a"));
  }
  StatePaths q;
  q.backup = "-";
  Run run(false, q);
  run.state.ensure(at("t.b"), provider()).current = object("2");
  REQUIRE(run.store->write(run.state, no_types).ok());
  CHECK_FALSE(real_fs().exists("terraform.tfstate.backup"));
}

TEST_CASE("a backup does not take the place of a state, a journal or a lock file") {
  WorkFolder folder;
  REQUIRE(::mkdir("d", 0755) == 0);
  REQUIRE(::symlink("terraform.tfstate.journal", "to-the-journal") == 0);
  REQUIRE(::symlink("o.tfstate", "to-o") == 0);
  put("o.tfstate", "");
  struct Row {
    StatePaths first, second;
    const char* why;  // null: there is none
  };
  const auto here = std::filesystem::current_path().string();
  const Row rows[] = {
      {{.backup = "x"}, {.state = "o.tfstate", .backup = "y"}, nullptr},
      {{.backup = "-"}, {.state = "o.tfstate", .backup = "-"}, nullptr},
      {{.backup = "terraform.tfstate"}, {.state = "o.tfstate"}, nullptr},
      {{.state = "o.tfstate", .state_out = "new", .backup = "./new"}, {.state = "z"}, nullptr},
      {{.state = "o.tfstate", .state_out = "new", .backup = "o.tfstate"},
       {.state = "z"},
       "state \"o.tfstate\""},
      {{.backup = "d/../terraform.tfstate.journal"}, {.state = "o.tfstate"}, "journal"},
      {{.backup = "to-the-journal"}, {.state = "o.tfstate"}, "journal"},
      {{.backup = here + "/.terraform.tfstate.lock.info"}, {.state = "o.tfstate"}, "lock file"},
      {{.backup = "to-o"}, {.state = "o.tfstate"}, "state \"o.tfstate\""},
      {{}, {.state = "o.tfstate", .backup = "terraform.tfstate"}, "state \"terraform.tfstate\""},
      {{.backup = "b"}, {.state = "o.tfstate", .backup = here + "/b"}, "cannot both be kept"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.first.backup, row.second.backup);
    const Result<void> ok = check_backups({files_of(row.first), files_of(row.second)});
    CHECK(ok.ok() == !row.why);
    if (!ok && row.why) CHECK_THAT(ok.error().message, Catch::Contains(row.why));
  }
  make_state({"t.a"});
  StatePaths itself;
  itself.backup = "./terraform.tfstate";
  Run run(true, itself);
  run.state.ensure(at("t.b"), provider()).current = object("2");
  REQUIRE(run.store->write(run.state, no_types).ok());
  CHECK(text_of("terraform.tfstate").find("\"serial\": 2") != std::string::npos);
}

TEST_CASE("links and permissions of the state file are kept") {
  WorkFolder folder;
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
  WorkFolder folder;
  for (std::string text : {"{ not json", "{}", " ", "{\"version\":9}"}) {
    put("terraform.tfstate", text);
    put("terraform.tfstate.backup", "x");
    Run run;
    INFO(run.error);
    CHECK(run.error.find("\"terraform.tfstate\"") != std::string::npos);
    const bool newer = text.find('9') != std::string::npos;  // nothing is wrong with it
    CHECK((run.error.find("terraform.tfstate.backup") != std::string::npos) == !newer);
    CHECK(text_of("terraform.tfstate") == text);
  }
  put("terraform.tfstate", "");
  Run run;
  CHECK(run.error.empty());
}

TEST_CASE("a state that cannot be written is saved elsewhere") {
  WorkFolder folder;
  make_state({"t.a"});
  StatePaths p;
  p.backup = "no/such/folder/backup";
  Run run(true, p);
  run.state.ensure(at("t.b"), provider()).current = object("2");
  auto r = run.store->write(run.state, no_types);
  REQUIRE_FALSE(r.ok());
  CHECK(r.error().message.find("errored.tfstate") != std::string::npos);
  CHECK(text_of("errored.tfstate").find("\"serial\": 2") != std::string::npos);
  struct stat st;
  REQUIRE(::stat("errored.tfstate", &st) == 0);
  CHECK((st.st_mode & 0777) == 0600);
}

TEST_CASE("a state with a serial that cannot be counted on is not changed") {
  WorkFolder folder;
  for (const char* serial : {"18446744073709551615", "9223372036854775807", "9223372036854775806"}) {
    INFO(serial);
    const std::string text = std::string(R"({"version":4,"terraform_version":"1.10.0","serial":)") + serial +
                             R"(,"lineage":"l","outputs":{},"resources":[]})";
    put("terraform.tfstate", text);
    {
      Run run;
      REQUIRE(run.error.empty());  // reading is fine
      const auto journal = run.store->start_journal(no_types);
      REQUIRE_FALSE(journal.ok());
      CHECK(journal.error().message.find("its serial would be larger than " + std::string(serial)) !=
            std::string::npos);
      run.state.ensure(at("t.a"), provider()).current = object("1");
      CHECK_FALSE(run.store->write(run.state, no_types).ok());
      CHECK_FALSE(run.store->replace(run.state, no_types).ok());
    }
    CHECK(text_of("terraform.tfstate") == text);
    CHECK_FALSE(real_fs().exists("errored.tfstate"));
    CHECK_FALSE(real_fs().exists("terraform.tfstate.journal"));
  }
  Run run;  // with another one it goes on
  run.state.serial = 7;
  CHECK(run.store->replace(run.state, no_types).ok());
}

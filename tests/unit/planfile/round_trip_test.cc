// Plan files: what is written is read back, field by field, also from plans of the reference and in bulk.
#include <catch2/catch.hpp>

#include "tests/unit/planfile/planfile_support.h"

using namespace xplan;
using namespace xplan::planfile_test;

TEST_CASE("plan file: what is written is read back, field by field") {
  std::string path = written("round.plan");
  CHECK(planfile::is_plan_file(path));
  auto opened = planfile::read(path, lookup);
  INFO((opened ? std::string() : opened.error().message));
  REQUIRE(opened);
  check_plan(rich_plan(), opened->plan);
  CHECK(opened->terraform_version == "1.11.4");
}

TEST_CASE("plan file: the configuration lies where it lay") {
  auto opened = planfile::read(written("config.plan"), lookup);
  REQUIRE(opened);
  CHECK(opened->root_dir == ".");
  CHECK(*opened->fs.read("main.tf") == "locals {}\n");
  CHECK(*opened->fs.read("mods/a/main.tf") == "# a");
  CHECK(opened->fs.is_dir("mods/empty"));
  auto list = opened->fs.read(opened->data_dir + "/modules/modules.json");
  REQUIRE(list);
  CHECK(*list == R"({"Modules":[{"Key":"","Dir":"."},{"Key":"a","Source":"./mods/a","Dir":"mods/a"},)"
                 R"({"Key":"a.b","Source":"example.com/ns/b/sys","Version":"1.2.0","Dir":"mods/empty"}]})");
}

TEST_CASE("plan file: equal plans give equal files") {
  CHECK(test::file_text(written("one.plan")) == test::file_text(written("two.plan")));
}

TEST_CASE("plan file: plans of the reference can be read") {
  struct Row {
    const char* file;
    size_t changes;
    const char* address;
    Action action;
  };
  const Row rows[] = {
      {"sensitive-diffs-3", 5, "terraform_data.db", Action::Update},
      {"deposed-after-failed-create-3", 3, "terraform_data.cluster", Action::CreateThenDelete},
      {"import-block-1", 3, "terraform_data.adopted", Action::Update},
      {"removed-forget-2", 5, "terraform_data.fleet[0]", Action::Forget},
      {"module-ephemeral-values-1", 1, nullptr, Action::NoOp},
      {"modules-three-deep-1", 1, "module.company.module.site.module.rack.terraform_data.rack",
       Action::Create},
      {"moved-rename-2", 2, "terraform_data.store", Action::Update},
      {"check-blocks-1", 1, "terraform_data.svc", Action::Create},
  };
  for (const Row& row : rows) {
    INFO(row.file);
    auto opened = planfile::read(std::string(TESTDATA) + "/planfile/" + row.file + ".plan", lookup);
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    if (row.address) {
      CHECK(opened->plan.changes.size() == row.changes);
      const ResourceChange* c = opened->plan.find(*parse_abs_instance(row.address));
      REQUIRE(c);
      CHECK(c->change.action == row.action);
    }
    CHECK(opened->plan.workspace == "default");
    CHECK(opened->plan.backend_type == "local");
    CHECK(!opened->fs.files.empty());
    // And once more through our own form.
    std::string path = temp_path("again.plan");
    REQUIRE(planfile::write(path, opened->plan, snapshot(), lookup));
    auto again = planfile::read(path, lookup);
    REQUIRE(again);
    check_plan(opened->plan, again->plan);
  }
}

TEST_CASE("plan file: types without a schema are an error that names them") {
  auto r = planfile::read(written("unknown.plan"),
                          [](const ProviderAddr&, Mode, Symbol) -> schema::SchemaPtr { return nullptr; });
  REQUIRE(!r);
  CHECK(r.error().message.find("mock_thing") != std::string::npos);
}

TEST_CASE("plan file: a hundred thousand changes", "[slow]") {
  Plan p = rich_plan();
  p.changes.clear();
  for (int i = 0; i < 100000; ++i)
    p.changes.push_back(change("mock_thing.many[" + std::to_string(i) + "]", Action::Update,
                               rich("id-" + std::to_string(i), Value::string("x"), Value::number(i)),
                               rich("id-" + std::to_string(i), Value::string("y"), Value::number(i))));
  std::string path = temp_path("large.plan");
  REQUIRE(planfile::write(path, p, snapshot(), lookup));
  auto opened = planfile::read(path, lookup);
  REQUIRE(opened);
  CHECK(opened->plan.changes.size() == p.changes.size());
  CHECK(opened->plan.changes.back().change.after.raw_equal(p.changes.back().change.after));
}

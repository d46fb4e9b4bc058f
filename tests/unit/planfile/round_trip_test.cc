// Plan files: what is written is read back, field by field, also from plans of the reference and in bulk.
#include <catch2/catch.hpp>

#include "planfile/container.h"
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

namespace {

// The message in which a plan tells its backend, but for the workspace behind it.
std::string backend_message(const std::string& path, const std::string& kind) {
  planfile::ZipReader zip;
  REQUIRE(zip.open(path));
  const std::string body = zip.read("tfplan").value();
  const size_t at = body.find("\n" + std::string(1, static_cast<char>(kind.size())) + kind + "\x12");
  REQUIRE(at != std::string::npos);
  return body.substr(at, body.find("\x1a\x07"
                                   "default",
                                   at) -
                             at);
}

}  // namespace

TEST_CASE("plan file: a plan of the reference is for the state that it names, and ours look the same to it") {
  struct Row {
    const char *kind, *setting;
  };
  const Row rows[] = {{"azurerm", R"("key":"planned/state")"}, {"consul", R"("path":"planned/state")"},
                      {"cos", R"("bucket":"tfb-125")"},        {"gcs", R"("prefix":"planned")"},
                      {"http", R"("address":"http://)"},       {"kubernetes", R"("secret_suffix":"planned")"},
                      {"pg", R"("schema_name":"planned")"},    {"remote", R"("organization":"acme")"},
                      {"s3", R"("key":"planned/state")"}};
  for (const Row& row : rows) {
    INFO(row.kind);
    const std::string path = std::string(TESTDATA) + "/planfile/backend-" + row.kind + ".plan";
    const auto opened = planfile::read(path, lookup);
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    CHECK(opened->plan.backend_type == row.kind);
    CHECK(opened->plan.backend_config_json.find(row.setting) != std::string::npos);
    const std::string again = temp_path("backend.plan");
    REQUIRE(planfile::write(again, opened->plan, snapshot(), lookup));
    CHECK(backend_message(again, row.kind) == backend_message(path, row.kind));
  }
}

TEST_CASE("plan file: settings of a backend that cannot be used are no reason to take others") {
  planfile::ZipReader zip;
  REQUIRE(zip.open(std::string(TESTDATA) + "/planfile/backend-pg.plan"));
  std::string body = zip.read("tfplan").value();
  body.replace(body.find("schema_name"), 11,
               "other_names");  // an argument that is set, and that nobody here knows
  const std::string path = temp_path("other.plan");
  planfile::ZipWriter out(path, 0);
  for (const std::string& name : zip.names())
    out.add_text(name, name == "tfplan" ? body : zip.read(name).value());
  REQUIRE(out.close(false));
  const auto opened = planfile::read(path, lookup);
  check_error(opened, path);
  CHECK(opened.error().message.find("\"other_names\" is not expected here") != std::string::npos);
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

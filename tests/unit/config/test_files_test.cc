// Test files, decoded: runs with all that they say, mocked providers with what is beside them in files.
#include "core/config/test_files.h"

#include <catch2/catch.hpp>

#include "tests/unit/config/fake_schemas.h"

using namespace xplan;

namespace {

constexpr const char* kFile = R"(
variables {
  x = 1
}
mock_provider "foo" {
  alias           = "fake"
  override_during = plan
  source          = "mocks"
  mock_resource "foo_r" {
    defaults = { id = "a" }
  }
  mock_data "foo_d" {
    override_during = apply
  }
}
override_resource {
  target = foo_r.a
  values = { id = "b" }
}
run "first" {
  command   = plan
  state_key = "k"
  plan_options {
    mode    = refresh-only
    target  = [foo_r.a]
    replace = [foo_r.a]
  }
  variables {
    x = run.none.y
  }
  providers = {
    foo = foo.fake
  }
  override_module {
    target  = module.m
    outputs = { o = 1 }
  }
  assert {
    condition     = var.x == 1
    error_message = "no"
  }
  expect_failures = [var.x, foo_r.a]
}
run "second" {
}
)";
constexpr const char* kMocks = R"(
mock_resource "foo_s" {
  defaults = { id = "s" }
}
override_data {
  target = data.foo_d.d
}
)";
constexpr const char* kMain = R"(
variable "x" {}
resource "foo_r" "a" {}
data "foo_d" "d" {}
module "m" { source = "./m" }
)";

}  // namespace

TEST_CASE("test files: what they say") {
  MemoryFs fs;
  fs.files = {{"main.tf", kMain},
              {"m/main.tf", "output \"o\" { value = 2 }\n"},
              {"tests/a.tftest.hcl", kFile},
              {"mocks/m.tfmock.hcl", kMocks},
              {"b.tftest.json", R"({"run": {"json": {"command": "apply"}}})"}};
  SourceTable sources;
  Diagnostics diags;
  config::LoadOptions o;
  o.structure_only = true;
  o.test_dir = "tests";
  const auto c = config::load(fs, sources, o, nullptr, diags);
  REQUIRE(diags.empty());
  REQUIRE(c->tests->files.size() == 2);
  CHECK(c->tests->files[0].path == "b.tftest.json");
  const config::TestFile& f = c->tests->files[1];
  CHECK(f.path == "tests/a.tftest.hcl");
  CHECK(f.variables.size() == 1);
  REQUIRE(f.mocks.size() == 1);
  const config::MockedProvider& mock = f.mocks[0];
  CHECK(mock.alias.sv() == "fake");
  REQUIRE(mock.types.size() == 3);
  CHECK(mock.types[0].known == config::MadeUp::Plan);
  CHECK(mock.types[1].mode == Mode::Data);
  CHECK(mock.types[1].known == config::MadeUp::Apply);
  CHECK(mock.types[2].type.sv() == "foo_s");
  REQUIRE(mock.overrides.size() == 1);
  CHECK(mock.overrides[0].known == config::MadeUp::Plan);
  CHECK(f.overrides.size() == 1);
  REQUIRE(f.runs.size() == 2);
  const config::TestRunBlock& r = f.runs[0];
  CHECK(r.plan);
  CHECK(r.refresh_only);
  CHECK(r.state_key == "k");
  CHECK(r.targets.size() == 1);
  CHECK(r.replace.size() == 1);
  CHECK(r.variables.size() == 1);
  CHECK(r.providers->size() == 1);
  CHECK(r.asserts.size() == 1);
  CHECK(r.expect_failures.size() == 2);
  REQUIRE(r.overrides.size() == 1);
  CHECK(r.overrides[0].kind == config::OverrideKind::Module);
  CHECK_FALSE(f.runs[1].plan);
}

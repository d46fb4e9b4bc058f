// What is said where prevent_destroy keeps a plan from destroying an object.
#include <catch2/catch.hpp>

#include "core/config/dialect.h"
#include "tests/support/test_world.h"

using namespace xplan;
using namespace xplan::test;

TEST_CASE("prevent_destroy: advice names only options that the dialect has") {
  for (const config::Dialect d : {config::Dialect::Terraform, config::Dialect::Xplan}) {
    config::use_dialect(d);
    TestWorld w(
        "resource \"terraform_data\" \"a\" {\n  triggers_replace = [1]\n  lifecycle {\n"
        "    prevent_destroy = true\n  }\n}\n");
    w.apply(w.plan());
    REQUIRE(w.problems() == "");
    std::string& file = w.fs.files["main.tf"];
    file.replace(file.find("[1]"), 3, "[2]");
    w.plan();
    INFO(w.problems());
    CHECK(w.diags.has_errors());
    CHECK((w.problems().find("-exclude") == std::string::npos) == (d == config::Dialect::Terraform));
  }
}

// Versions and constraints: parsing, order, matching.
#include "core/config/version.h"

#include <catch2/catch.hpp>

using namespace xplan;

TEST_CASE("version: texts are read and written in normal form") {
  const std::pair<const char*, const char*> rows[] = {
      {"1", "1.0.0"},
      {"1.2", "1.2.0"},
      {"v1.2.3", "1.2.3"},
      {" 1.2.3 ", "1.2.3"},
      {"1.2.3.4", "1.2.3.4"},
      {"1.2.3-rc1", "1.2.3-rc1"},
      {"1.2-beta.2+m.1", "1.2.0-beta.2+m.1"},
      {"01.2", "1.2.0"},
      {"0.0.0+x", "0.0.0+x"},
      {"", nullptr},
      {"x", nullptr},
      {"1.", nullptr},
      {"1..2", nullptr},
      {"1.2.x", nullptr},
      {"1.2.3-", nullptr},
      {"1.2.3+", nullptr},
      {"1.2.3-a..b", nullptr},
      {"-1", nullptr},
      {"1 2", nullptr},
      {"99999999999999999999999", nullptr},
  };
  for (auto& [in, out] : rows) {
    INFO(in);
    std::optional<Version> v = parse_version(in);
    REQUIRE(v.has_value() == (out != nullptr));
    if (v) CHECK(v->text() == out);
  }
}

TEST_CASE("version: order puts pre-releases before their release") {
  const char* ascending[] = {"0.9",           "1.0.0-alpha",
                             "1.0.0-alpha.1", "1.0.0-alpha.beta",
                             "1.0.0-beta",    "1.0.0-beta.2",
                             "1.0.0-beta.11", "1.0.0-rc.1",
                             "1.0",           "1.0.0.1",
                             "1.0.1",         "1.2",
                             "1.10",          "2"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t k = 0; k < std::size(ascending); ++k) {
      INFO(ascending[i] << " and " << ascending[k]);
      CHECK((compare(*parse_version(ascending[i]), *parse_version(ascending[k])) == (i <=> k)));
    }
  }
  CHECK((compare(*parse_version("1.0+a"), *parse_version("1.0.0+b")) == std::strong_ordering::equal));
}

TEST_CASE("version: constraints accept what they name") {
  struct Row {
    const char *constraint, *yes, *no;
  };
  const Row rows[] = {
      {"1.2.3", "1.2.3", "1.2.4"},         {"= 1.2", "1.2.0", "1.2.1"},
      {"!= 1.2", "1.2.1", "1.2"},          {"> 1.2", "1.2.1", "1.2.0"},
      {">= 1.2", "1.2.0", "1.1.9"},        {"< 1.2", "1.1.9", "1.2"},
      {"<= 1.2", "1.2.0", "1.2.1"},        {"~> 1.2", "1.9.0", "2.0.0"},
      {"~> 1.2", "1.2.0", "1.1.9"},        {"~> 1.2.3", "1.2.9", "1.3.0"},
      {"~> 1", "7.0.0", "0.9.0"},          {">= 1.0, < 2.0", "1.9", "2.0"},
      {">=1.0,<2.0,!=1.5", "1.4", "1.5"},  {"", "0.0.1", nullptr},
      {">= 1.0", "1.1", "1.1-beta"},       {"1.1-beta", "1.1.0-beta", "1.1.0"},
      {">= 1.1-beta", "1.1-rc", "1.2-rc"}, {"> v1.0", "1.0.1", "1.0"},
  };
  for (const Row& r : rows) {
    INFO(r.constraint << " with " << r.yes);
    Result<VersionConstraints> c = parse_version_constraints(r.constraint);
    REQUIRE(c.ok());
    CHECK(c->matches(*parse_version(r.yes)));
    if (r.no) CHECK_FALSE(c->matches(*parse_version(r.no)));
  }
  for (const char* bad : {"bogus", ">= ", "1.0,", ",", "=> 1", "1.0 2.0", "~> x"}) {
    INFO(bad);
    CHECK_FALSE(parse_version_constraints(bad).ok());
  }
  CHECK(parse_version_constraints(" >=1 ,~>2.1").value().text() == ">= 1.0.0, ~> 2.1");
}

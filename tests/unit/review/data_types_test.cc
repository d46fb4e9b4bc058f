// Which types store data: the built-in table, and patterns of users.
#include <catch2/catch.hpp>

#include "core/review/data_types.h"

using xplan::review::DataTypes;

TEST_CASE("data types: the last pattern that fits decides") {
  struct Row {
    std::string lines, type;
    bool holds;
  };
  const Row rows[] = {
      {"", "aws_db_instance", true},
      {"", "aws_instance", false},
      {"", "yandex_ydb_database_serverless", true},
      {"", "", false},
      {"acme_vault", "acme_vault", true},
      {"acme_vault", "acme_vault_policy", false},
      {"acme_*", "acme_vault_policy", true},
      {"!aws_db_instance", "aws_db_instance", false},
      {"!aws_*\naws_db_instance", "aws_db_instance", true},
      {"aws_db_instance\n!aws_*\n", "aws_db_instance", false},
      {"!*\n", "google_storage_bucket", false},
      {"# all of ours\r\n\r\n  acme_a  # the first\r\nacme_b", "acme_b", true},
  };
  for (const Row& r : rows) {
    INFO(r.lines << " / " << r.type);
    DataTypes types;
    REQUIRE(types.add_lines(r.lines).ok());
    CHECK(types.hold(r.type) == r.holds);
  }
}

TEST_CASE("data types: a line that is no pattern is an error with its number") {
  for (const char* line : {"a b", "acme_*_x", "!", "\"acme\"", "acme.x"}) {
    INFO(line);
    DataTypes types;
    auto added = types.add_lines(std::string("acme_a\n\n") + line + "\n");
    REQUIRE(!added.ok());
    CHECK(added.error().message.find("line 3: \"" + std::string(line) + "\"") == 0);
  }
}

// Connection strings of the backend "pg": what they and the environment say, defaults, and what cannot be.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/backend/backend.h"
#include "core/backend/pg/address.h"
#include "core/backend/settings.h"

using namespace xplan;
using namespace xplan::backend;

namespace {

std::string parameter(const PgAddress& a, const std::string& name) {
  for (const auto& [n, value] : a.parameters)
    if (n == name) return value;
  return {};
}

}  // namespace

TEST_CASE("conn_str: what it says, and what is otherwise") {
  struct {
    const char *conn_str, *shown, *name, *value;
  } const table[] = {
      {"postgres://me:pw@h:1/db", "postgres://h:1/db", "sslmode", "require"},
      {"postgres://me:pw@h:1/db", "postgres://h:1/db", "password", "pw"},
      {"postgresql://me@h/db?sslmode=disable", "postgres://h:5432/db", "sslmode", "disable"},
      {"postgres://me:a%20b%40@h/db", "postgres://h:5432/db", "password", "a b@"},
      {"postgres://u:sec@ret@127.0.0.1:1/x", "postgres://127.0.0.1:1/x", "password", "sec@ret"},
      {"postgres://u:sec@ret@h?sslmode=disable", "postgres://h:5432/u", "host", "h"},
      {"postgres://h/x@y", "postgres://h:5432/x@y", "user", ""},
      {"", "postgres://localhost:5432/somebody", "host", "localhost"},
      {"user=me", "postgres://localhost:5432/me", "user", "me"},
      {"host=/run/pg dbname=db", "postgres://%2Frun%2Fpg:5432/db", "host", "/run/pg"},
      {"host = h password='it''", "", "", ""},
      {"host = h password='it\\'s a' dbname=db", "postgres://h:5432/db", "password", "it's a"},
      {"host=h dbname=db binary_parameters=yes", "postgres://h:5432/db", "options", ""},
      {"host=h dbname=db search_path=a\\ b statement_timeout=5", "postgres://h:5432/db", "options",
       "-c search_path=a\\ b -c statement_timeout=5"},
      {"postgres://h/db?binary_parameters=yes&search_path=a%2Cb&sslmode=verify-full", "postgres://h:5432/db",
       "options", "-c search_path=a,b"},
      {"postgres://h/db?options=-c%20a%3Db&search_path=x", "postgres://h:5432/db", "options",
       "-c a=b -c search_path=x"},
      {"service=main dbname=db", "postgres://main/db", "sslmode", ""},
      {"connect_timeout=3", "postgres://localhost:5432/somebody", "connect_timeout", "3"},
  };
  ::setenv("PGUSER", "somebody", 1);
  for (const auto& row : table) {
    INFO(row.conn_str);
    const auto a = parse_pg_address(row.conn_str);
    CHECK(a.ok() == (*row.shown != 0));
    if (!a.ok()) continue;
    CHECK(a->shown == row.shown);
    CHECK(parameter(*a, row.name) == row.value);
  }
  ::unsetenv("PGUSER");
  CHECK_FALSE(parse_pg_address("")->shown.ends_with('/'));  // the name of the user
  CHECK(parse_pg_address("connect_timeout=3")->seconds == 3);
  CHECK(parameter(parse_pg_address("").value(), "fallback_application_name").starts_with("xplan "));
}

TEST_CASE("conn_str: the environment") {
  const std::pair<const char*, const char*> all[] = {
      {"PGHOST", "there"}, {"PGPORT", "7"}, {"PGDATABASE", "d"}, {"PGSSLMODE", "prefer"}};
  for (const auto& [name, value] : all) ::setenv(name, value, 1);
  const PgAddress a = parse_pg_address("").value();
  CHECK(a.shown == "postgres://there:7/d");
  CHECK(parameter(a, "host").empty());  // libpq reads it itself
  CHECK(parameter(a, "sslmode").empty());
  CHECK(parse_pg_address("host=h dbname=x")->shown == "postgres://h:7/x");
  for (const auto& [name, value] : all) ::unsetenv(name);
}

TEST_CASE("conn_str: what cannot be is not repeated, as it may be a password") {
  for (const char* wrong :
       {"secret", "postgres//me:secret@h/db", "host=h password=secret secret", "postgres://me:se cret%zz@h",
        "password='secret", "postgres://h/db?port=a%00secret"}) {
    INFO(wrong);
    const auto a = parse_pg_address(wrong);
    REQUIRE_FALSE(a);
    CHECK(a.error().message.find("is not a valid connection string") != std::string::npos);
    CHECK(a.error().message.find("secret") == std::string::npos);
  }
}

TEST_CASE("conn_str: a mistyped keyword is not a setting of the server") {
  const std::pair<const char*, const char*> typos[] = {
      {"hots=h", "unknown keyword \"hots\" (did you mean \"host\"?)"},
      {"host=h sslmod=disable", "unknown keyword \"sslmod\" (did you mean \"sslmode\"?)"},
      {"postgres://h/db?conect_timeout=secret", "\"conect_timeout\" (did you mean \"connect_timeout\"?)"},
  };
  for (const auto& [text, message] : typos) {
    const auto a = parse_pg_address(text);
    REQUIRE_FALSE(a);
    CHECK(a.error().message.find(message) != std::string::npos);
    CHECK(a.error().message.find("secret") == std::string::npos);
  }
  for (const char* setting :
       {"role", "timezone", "datestyle", "work_mem", "jit", "search_path", "lock_timeout",
        "statement_timeout", "tcp_keepalives_idle", "session_authorization", "transaction_isolation",
        "log_statement", "geqo", "my.host"})
    CHECK(parse_pg_address(std::string(setting) + "=x"));
}

TEST_CASE("conn_str: other settings of the backend") {
  auto problem = [](const std::string& json) {
    const auto b = open(parse_settings("pg", json).value(), {});
    return b ? "" : b.error().message;
  };
  CHECK(problem(R"({"conn_str":"host=h","schema_name":"s","skip_table_creation":true})").empty());
  CHECK(problem("{}").empty());  // the environment of libpq may say everything
  ::setenv("PG_SKIP_INDEX_CREATION", "perhaps", 1);
  CHECK(problem("{}") == "the argument \"skip_index_creation\" must be true or false, not \"perhaps\"");
  ::unsetenv("PG_SKIP_INDEX_CREATION");
}

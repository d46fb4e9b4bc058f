// The backend "pg" on a real server: tables, compare-and-swap, locks, the loss of sessions, journals, and
// what the server refuses.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "core/backend/pg/place.h"
#include "core/state/store.h"
#include "tests/support/pg_liar.h"
#include "tests/support/proxy.h"
#include "tests/support/servers.h"

using namespace xplan;
using namespace xplan::backend;

namespace {

// A database of its own on the server, as locks are those of a database.
struct World {
  const std::string server = test::server("pg", "XPLAN_TEST_PG");
  const std::string schema = "a \"schema", name = "test_" + new_uuid();
  const std::string url = server.substr(0, server.rfind('/') + 1) + name;
  std::unique_ptr<PgSession> admin;

  explicit operator bool() const { return !server.empty(); }
  World() {
    if (server.empty()) return;
    REQUIRE(on_server("CREATE DATABASE " + pg_identifier(name)).ok());
    admin = std::make_unique<PgSession>(parse_pg_address(url).value());
  }
  ~World() {
    if (admin) on_server("DROP DATABASE " + pg_identifier(name) + " WITH (FORCE)");
  }
  PgReply on_server(const std::string& sql) const {
    return PgSession(parse_pg_address(server).value()).run({sql});
  }
  PgSettings settings(const std::string& application = "") const {
    PgSettings out;
    out.address = parse_pg_address(url + "?application_name=" + application).value();
    out.schema = schema;
    return out;
  }
  std::shared_ptr<PgDatabase> database(const std::string& application = "") const {
    return std::make_shared<PgDatabase>(settings(application));
  }
  std::unique_ptr<Place> place(const std::string& application = "") const {
    return pg_place(database(application), "w");
  }
  std::string sql(const std::string& text) const {
    std::string statement = text;
    for (size_t at; (at = statement.find("{S}")) != statement.npos;)
      statement.replace(at, 3, pg_identifier(schema));
    const PgReply r = admin->run({statement});
    INFO(statement << ": " << r.problem);
    REQUIRE(r.ok());
    return r.rows.empty() ? "" : r.text(0, 0);
  }
  void kill(const std::string& application) const {
    sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '" +
        application + "'");
  }
};

std::string said(const Result<Place::Put>& r) {
  return r ? (!r->conflict ? "written" : r->why.empty() ? "conflict" : r->why) : r.error().message;
}
std::string said(const Result<Place::Locking>& r) {
  return r ? (r->held ? r->reason : "locked") : r.error().message;
}
std::string said(const Result<std::optional<bool>>& r) {
  return r ? (*r ? (**r ? "held" : "lost") : "unknown") : r.error().message;
}
template <class T>
std::string failure(const Result<T>& r) {
  return r ? "" : r.error().message;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// Of this process, in KiB.
long memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name, rest; status >> name && std::getline(status, rest);)
    if (name == field + ":") return std::stol(rest);
  return 0;
}

}  // namespace

TEST_CASE("pg: what is written is read, and only what was read is replaced") {
  const World w;
  if (!w) return;
  const auto a = w.place(), b = w.place();
  CHECK_FALSE(a->get().value());
  const std::string text = "{\"x\":\"é\\n\\\\\"}";
  const std::string first = a->put(text, std::nullopt).value().version;
  CHECK(b->get().value()->bytes == text);
  CHECK(b->get().value()->version == first);
  CHECK(said(b->put("2", std::nullopt)) == "conflict");
  CHECK(said(b->put("2", first)) == "written");
  CHECK(said(a->put("3", first)) == "conflict");
  const std::string second = a->get().value()->version;
  // As the reference tools write.
  w.sql(
      "INSERT INTO {S}.states (name, data) VALUES ('w', '2') ON CONFLICT (name) DO UPDATE SET data = '2' "
      "WHERE states.name = 'w'");
  CHECK(said(a->put("3", second)) == "conflict");
  const std::string third = a->get().value()->version;
  w.sql("DELETE FROM {S}.states");
  CHECK(said(a->put("3", third)) == "conflict");
  CHECK(said(a->put("3", std::nullopt)) == "written");
  for (const char* nothing : {"NULL", "''"}) {  // which is no state to begin with
    w.sql(std::string("UPDATE {S}.states SET data = ") + nothing);
    CHECK(contains(failure(a->get()), "has no state, though it is there. Restore the state with"));
    CHECK(said(a->put("4", a->version().value())) == "written");
  }
}

TEST_CASE("pg: a large state is written without copies of it") {
  const World w;
  if (!w || memory("VmSize") > (1L << 30)) return;  // sanitizers reserve as much, and keep what is freed
  const auto p = w.place();
  REQUIRE(p->put("1", std::nullopt));
  const std::string text(size_t{48} << 20, 'x'), version = p->get().value()->version;
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is from now on
  const long before = memory("VmRSS");
  REQUIRE(memory("VmHWM") < before + 8000);
  CHECK(said(p->put(text, version)) == "written");
  CHECK(memory("VmHWM") - before < 80 << 10);  // what libpq sends
}

TEST_CASE("pg: the tables are made once, as the reference tools make them, also by many at once") {
  const World w;
  if (!w) return;
  std::vector<std::string> problems(8);
  std::vector<std::thread> threads;
  for (std::string& p : problems) threads.emplace_back([&] { p = failure(w.place()->get()); });
  for (std::thread& t : threads) t.join();
  for (const std::string& p : problems) CHECK(p == "");
  CHECK(w.sql("SELECT string_agg(column_name || ' ' || data_type || ' ' || is_nullable || coalesce(' ' || "
              "column_default, ''), ', ' "
              "ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'states' AND "
              "table_schema = '" +
              w.schema + "'") ==
        "id bigint NO nextval('global_states_id_seq'::regclass), name text YES, data text YES");
  CHECK(w.sql("SELECT count(*) FROM pg_indexes WHERE indexname = 'states_by_name' AND schemaname = '" +
              w.schema + "'") == "1");
}

TEST_CASE("pg: what is to be left out is not made") {
  const World w;
  if (!w) return;
  PgSettings s = w.settings();
  s.skip_schema = s.skip_table = s.skip_index = true;
  const auto p = pg_place(std::make_shared<PgDatabase>(s), "w");
  CHECK_FALSE(p->keeps_segments());
  CHECK(contains(failure(p->get()), ".states\" does not exist"));
  CHECK(w.sql("SELECT count(*) FROM pg_namespace WHERE nspname = '" + w.schema + "'") == "0");
  s.skip_schema = s.skip_table = false;
  CHECK(failure(pg_place(std::make_shared<PgDatabase>(s), "w")->get()) == "");
  CHECK(w.sql("SELECT count(*) FROM pg_indexes WHERE indexname = 'states_by_name' AND schemaname = '" +
              w.schema + "'") == "0");
}

TEST_CASE("pg: the table and its index can have other names, and states of their own") {
  const World w;
  if (!w) return;
  PgSettings s = w.settings();
  s.table = "my \"states", s.index = "my index";
  const auto other = pg_place(std::make_shared<PgDatabase>(s), "w");
  const auto usual = w.place();
  LockInfo info;
  CHECK(said(usual->put("1", std::nullopt)) == "written");
  CHECK_FALSE(other->get().value());
  CHECK(said(other->put("2", std::nullopt)) == "written");
  CHECK(said(other->try_lock(info)) == "locked");
  CHECK(said(usual->try_lock(info)) == "locked");
  CHECK((other->put_segment("a", "x") && other->segments().value().size() == 1));
  CHECK(usual->segments().value().empty());
  REQUIRE(other->unlock());
  CHECK(w.sql("SELECT data FROM {S}.\"my \"\"states\" WHERE name = 'w'") == "2");
  CHECK(w.sql("SELECT tablename FROM pg_indexes WHERE indexname = 'my index'") == "my \"states");
}

constexpr const char* kCreating =
    "The workspace \"w\" cannot be locked now: another run is creating the first state of a workspace, in "
    "this or another schema of the database, and holds the lock for that";

TEST_CASE("pg: a lock keeps others out, with and without a row, in other sessions and in the same one") {
  const World w;
  if (!w) return;
  const auto database = w.database();
  const auto a = w.place(), b = w.place(), c = pg_place(database, "w"), d = pg_place(database, "w");
  LockInfo info;
  CHECK(said(c->try_lock(info)) == "locked");
  CHECK(said(a->try_lock(info)) == kCreating);
  CHECK(said(d->try_lock(info)) == kCreating);
  CHECK(said(c->put("1", std::nullopt)) == "written");
  CHECK(said(a->try_lock(info)) == kCreating);
  CHECK(said(d->try_lock(info)) == kCreating);
  REQUIRE(c->unlock());
  CHECK(said(a->try_lock(info)) == "locked");
  const std::string locked = "The state \"" + a->name() + "\" is locked";
  CHECK(said(b->try_lock(info)) == locked);
  CHECK(said(c->try_lock(info)) == locked);
  REQUIRE(a->unlock());
  REQUIRE(a->unlock());
  CHECK(said(c->try_lock(info)) == "locked");
  CHECK(said(d->try_lock(info)) == locked);
  CHECK(said(a->try_lock(info)) == locked);
  REQUIRE(c->unlock());
  CHECK(said(a->try_lock(info)) == "locked");
  CHECK(w.sql("SELECT count(*) FROM pg_locks l, {S}.states s WHERE locktype = 'advisory' AND objid::bigint "
              "IN (s.id) "
              "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND "
              "l.objsubid = 1") == "1");
}

TEST_CASE("pg: who has the lock, and its end by force") {
  const World w;
  if (!w) return;
  const auto a = w.place("xplan me@there"), b = w.place();
  LockInfo info;
  REQUIRE(b->put("1", std::nullopt));
  CHECK_FALSE(b->holder().value());
  CHECK(contains(failure(b->break_lock("1")), "is not locked"));
  REQUIRE(a->try_lock(info));
  const auto tried = b->try_lock(info).value();
  REQUIRE(tried.holder);
  CHECK(tried.holder->who == "me@there");
  CHECK(tried.holder->created.size() == 20);
  CHECK_FALSE(a->holder().value());  // nobody else
  CHECK(contains(failure(b->break_lock("1")),
                 "belongs to the session \"" + tried.holder->id + "\" (me@there), not to \"1\""));
  CHECK(failure(b->break_lock(tried.holder->id)) == "");
  for (int n = 0; n < 100 && said(b->try_lock(info)) != "locked"; ++n) ::usleep(20000);
  CHECK(said(a->still_held()) == "lost");
  CHECK(contains(said(a->put("2", std::nullopt)), "since then another run has locked or changed the state"));
}

// One that went with its connection is ours again: see below.
TEST_CASE(
    "pg: a lock whose session was ended is lost, but what had begun is written unless somebody else came") {
  const World w;
  if (!w) return;
  const auto setup = w.place();
  REQUIRE(setup->put("1", std::nullopt));
  struct {
    bool other_has_lock, other_wrote;
    const char *held, *put;
  } const table[] = {{false, false, "either", "written"},
                     {true, false, "lost", "since then another run has locked"},
                     {false, true, "lost", "since then another run has locked"}};
  for (const auto& row : table) {
    for (const bool look : {true, false}) {
      INFO(row.other_has_lock << row.other_wrote << look);
      const std::string name = new_uuid();
      const auto a = w.place(name), b = w.place();
      LockInfo info;
      REQUIRE(said(a->try_lock(info)) == "locked");
      const std::string version = a->get().value()->version;
      CHECK(said(a->still_held()) == "held");
      w.kill(name);
      if (row.other_has_lock)
        while (said(b->try_lock(info)) != "locked") ::usleep(10000);
      if (row.other_wrote) w.sql("UPDATE {S}.states SET data = '" + name + "'");
      // Of a session that was ended alone, the server's last words may be lost with it.
      if (look && std::string(row.held) != "either") CHECK(said(a->still_held()) == row.held);
      CHECK(contains(said(a->put("2" + name, version)), row.put));
      CHECK(contains(w.sql("SELECT data FROM {S}.states"), "2" + name) ==
            (std::string(row.put) == "written"));
      REQUIRE(a->unlock());
      REQUIRE(b->unlock());
    }
  }
}

TEST_CASE("pg: a write whose answer was lost is found out about") {
  const World w;
  if (!w) return;
  test::Proxy proxy(std::atoi(w.url.c_str() + w.url.rfind(':') + 1));
  PgSettings s = w.settings();
  s.address = parse_pg_address("host=127.0.0.1 user=postgres port=" + std::to_string(proxy.port()) +
                               " dbname=" + w.name)
                  .value();
  const auto a = pg_place(std::make_shared<PgDatabase>(s), "w");
  std::optional<std::string> version;
  for (const bool lock : {false, true}) {
    LockInfo info;
    if (lock) REQUIRE(said(a->try_lock(info)) == "locked");
    for (const char* text : {"1", "2", "3"}) {
      INFO(lock << text);
      version = a->get().value() ? std::optional(a->get().value()->version) : std::nullopt;
      proxy.cut();
      CHECK(said(a->put(text, version)) == "written");
      CHECK(w.sql("SELECT data FROM {S}.states") == text);
    }
    if (lock) CHECK(said(a->still_held()) == "held");
    proxy.cut();
    REQUIRE(a->put_segment("s", "x"));
    proxy.cut();
    CHECK(a->get().value()->bytes == "3");
    REQUIRE(a->unlock());
  }
}

// As with a synchronous standby that is away: what was committed is not seen while its session waits for
// that.
TEST_CASE("pg: a write that shows only once its session was ended is no conflict") {
  const World w;
  if (!w) return;
  test::Proxy proxy(std::atoi(w.url.c_str() + w.url.rfind(':') + 1));
  PgSettings s = w.settings();
  s.address = parse_pg_address("host=127.0.0.1 user=postgres application_name=late port=" +
                               std::to_string(proxy.port()) + " dbname=" + w.name)
                  .value();
  s.address.silence = std::chrono::milliseconds(1000);
  const auto a = pg_place(std::make_shared<PgDatabase>(s), "w");
  REQUIRE(a->put("1", std::nullopt));
  LockInfo info;
  REQUIRE(said(a->try_lock(info)) == "locked");
  const std::string version = a->get().value()->version;
  const std::string pid = w.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'late'");
  w.sql("BEGIN");
  w.sql("UPDATE {S}.states SET data = '2'");
  proxy.fall_silent();
  ::usleep(100000);
  std::string put;
  std::thread writer([&] { put = said(a->put("2", version)); });
  const std::string there = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid;
  for (int n = 0; n < 3000; ++n) {
    w.sql("SELECT pg_stat_clear_snapshot()");  // in a transaction, it is what was seen first
    if (w.sql(there) == "0") break;
    ::usleep(10000);
  }
  w.sql("COMMIT");
  writer.join();
  CHECK(put == "written");
  CHECK(said(a->still_held()) == "held");
  REQUIRE(a->unlock());
}

TEST_CASE("pg: a server that is away for a moment does not cost the last write of a run") {
  const World w;
  if (!w) return;
  test::Proxy proxy(std::atoi(w.url.c_str() + w.url.rfind(':') + 1));
  PgSettings s = w.settings();
  s.address = parse_pg_address("host=127.0.0.1 user=postgres port=" + std::to_string(proxy.port()) +
                               " dbname=" + w.name)
                  .value();
  const auto a = pg_place(std::make_shared<PgDatabase>(s), "w");
  REQUIRE(a->put("1", std::nullopt));
  LockInfo info;
  REQUIRE(said(a->try_lock(info)) == "locked");
  const std::string version = a->get().value()->version;
  proxy.away(true);
  CHECK_FALSE(a->still_held());  // the loss is noticed before the write
  std::thread back([&] {
    ::sleep(1);
    proxy.away(false);
  });
  CHECK(said(a->put("2", version)) == "written");
  back.join();
  CHECK(said(a->still_held()) == "held");
  REQUIRE(a->unlock());
}

TEST_CASE("pg: of a connection that goes silent, the lock comes back, and does not stay for others") {
  const World w;
  if (!w) return;
  test::Proxy proxy(std::atoi(w.url.c_str() + w.url.rfind(':') + 1));
  PgSettings s = w.settings();
  s.address = parse_pg_address("host=127.0.0.1 user=postgres port=" + std::to_string(proxy.port()) +
                               " dbname=" + w.name)
                  .value();
  s.address.silence = std::chrono::milliseconds(1000);
  LockInfo info;
  for (const bool row : {false, true}) {  // the lock of creation, and that of the row
    INFO(row);
    const auto a = pg_place(std::make_shared<PgDatabase>(s), "w"), b = w.place();
    REQUIRE(said(a->try_lock(info)) == "locked");
    std::optional<std::string> version;
    if (const auto there = a->get().value()) version = there->version;
    proxy.fall_silent();
    ::usleep(100000);
    REQUIRE(a->put_segment("s", "x"));
    CHECK(said(a->still_held()) == "held");
    CHECK(said(a->put("1", version)) == "written");
    CHECK(said(b->try_lock(info)) != "locked");
    proxy.fall_silent();
    ::usleep(100000);
    REQUIRE(a->unlock());  // asks in vain, through what is silent
    CHECK(said(b->try_lock(info)) == "locked");
    REQUIRE(b->unlock());
    REQUIRE(said(a->try_lock(info)) == "locked");
    proxy.fall_silent();
    ::usleep(100000);
    net::Ending how;
    how.once = true;
    CHECK(contains(failure(a->put_segment("s", "y", how)), "did not answer in time"));
    REQUIRE(a->unlock());
    CHECK(said(b->try_lock(info)) == "locked");
    REQUIRE(b->unlock());
  }
}

TEST_CASE("pg: segments of a journal are rows of a table that is made for the first of them") {
  const World w;
  if (!w) return;
  const auto a = w.place(), b = pg_place(w.database(), "other");
  REQUIRE(a->keeps_segments());
  CHECK(a->segments().value().empty());
  CHECK(w.sql("SELECT count(*) FROM information_schema.tables WHERE table_schema = '" + w.schema + "'") ==
        "1");
  CHECK(failure(a->remove_segment("1")) == "");
  const std::string bytes("a\0\n\xff'\\", 6);
  for (const char* name : {"b-1", "a-2", "a-10"}) REQUIRE(a->put_segment(name, bytes));
  REQUIRE(a->put_segment("a-2", "again"));
  CHECK(a->segments().value() == std::vector<std::string>{"a-10", "a-2", "b-1"});
  CHECK(b->segments().value().empty());
  CHECK(a->get_segment("b-1").value() == bytes);
  CHECK(a->get_segment("a-2").value() == "again");
  CHECK(contains(failure(b->get_segment("b-1")), "no longer there"));
  // Rows of different sizes, which the server gives back in another order than they came in.
  w.sql(
      "INSERT INTO {S}.xplan_journal_segments VALUES ('w', 'a,b', ''), ('w', '\"', ''), ('w', '}{', ''), "
      "('w', "
      "'', '')");
  CHECK(a->segments().value().size() == 3);  // what nobody wrote for a journal is none of it
  std::vector<std::string> many, contents;
  for (int n = 129; n >= 0; --n) {
    many.push_back("m-" + std::to_string(n));
    contents.push_back(many.back() + std::string(static_cast<size_t>(n * 37 % 2600), 'x'));
    REQUIRE(a->put_segment(many.back(), contents.back()));
  }
  CHECK(a->get_segments(many).value() == contents);
  CHECK(contains(failure(a->get_segments({"m-1", "gone"})), "no longer there"));
  REQUIRE(a->remove_segments(many));
  REQUIRE(a->remove_segment("b-1"));
  REQUIRE(a->remove_segment("b-1"));
  CHECK(a->segments().value().size() == 2);
}

TEST_CASE("pg: the lock is looked after and the journal written beside other work") {
  const World w;
  if (!w) return;
  const std::string name = new_uuid();
  const auto a = w.place(name);
  LockInfo info;
  REQUIRE(said(a->try_lock(info)) == "locked");
  std::atomic<bool> over{false};
  std::atomic<int> written{0}, failed{0};
  std::thread looks([&] {
    while (!over) failed += !a->still_held().ok();
  });
  std::thread writes([&] {
    for (int n = 0; n < 50; ++n) written += a->put_segment("s-" + std::to_string(n), "x").ok();
  });
  std::optional<std::string> version;
  for (int n = 0; n < 20; ++n) {
    if (n == 10) w.kill(name);
    const auto put = a->put(std::to_string(n), version);
    INFO(said(put));
    if (put && !put->conflict) version = put->version;
  }
  writes.join();
  over = true;
  looks.join();
  CHECK(failed == 0);
  CHECK(written == 50);
  CHECK(a->get().value()->bytes == "19");
  CHECK(a->segments().value().size() == 50);
}

TEST_CASE("pg: a server that answers otherwise than it was asked") {
  using Liar = test::PgLiar;
  constexpr size_t kMegabyte = size_t{1} << 20;
  struct Case {
    Liar::Answer answer;
    const char* problem;
  };
  const std::vector<Case> table = {
      {{{{"{}", "5"}}}, ""},
      {{{{"{}"}}}, "has no state, though it is there"},
      {{{{std::nullopt, "5"}}}, "has no state, though it is there"},
      {{{{"", "5"}}}, "has no state, though it is there"},
      {{{{}}}, "has no state, though it is there"},
      {{{}, 'H'}, "the server's answer is not that of a statement"},
      {{{}, 'G'}, "the server's answer is not that of a statement"},
      {{{{std::string(kMegabyte, 'x'), "5"}}, 0, 5}, "the server's answer has more than 4194304 bytes"},
      {{{{std::nullopt}}, 0, 200'000}, "the server's answer has more than 4194304 bytes"},
  };
  for (const Case& row : table) {
    INFO(row.problem);
    const Liar server([&](const std::string& sql) {
      if (contains(sql, "SELECT data")) return row.answer;
      return contains(sql, "SELECT") ? Liar::Answer{{{"1"}}} : Liar::Answer{};
    });
    PgSettings s;
    s.address = parse_pg_address(server.conn_str()).value();
    s.address.largest = 4 * kMegabyte;
    s.schema = "s";
    const auto place = pg_place(std::make_shared<PgDatabase>(s), "w");
    LockInfo info;
    CHECK(place->try_lock(info).ok());  // one column, where three or more are asked for
    CHECK(place->segments().ok());
    CHECK(contains(failure(place->get()), row.problem));
  }
}

TEST_CASE("pg: what the server refuses, without passwords") {
  const World w;
  if (!w) return;
  REQUIRE(w.place()->get());
  const std::string host = w.url.substr(w.url.find('@') + 1),
                    other = host.substr(0, host.rfind('/')) + "/nodb";
  struct {
    std::string url, message;
  } const table[] = {
      {"postgres://secret:secretword@" + host, "password authentication failed for user \"secret\""},
      {"postgres://secret@" + host, "no password supplied"},
      {"postgres://secret:pass%20word@" + host, ""},
      {"postgres://reader:reader@" + host, "permission denied for database test_"},
      {"postgres://postgres@" + other, "database \"nodb\" does not exist"},
      {"postgres://postgres:secretword@127.0.0.1:1/tf", "port 1 failed: Connection refused"},
      {"postgres://postgres@" + host + "?sslmode=verify-full&sslrootcert=/nowhere",
       "root certificate file \"/nowhere\" does not exist"},
  };
  for (const auto& row : table) {
    PgSettings s = w.settings();
    s.address = parse_pg_address(row.url).value();
    const std::string message = failure(pg_place(std::make_shared<PgDatabase>(s), "w")->get());
    INFO(row.url << ": " << message);
    CHECK(message.empty() == row.message.empty());
    CHECK(contains(message, row.message));
    CHECK_FALSE(contains(message, "secretword"));
    CHECK_FALSE(contains(message, "\n"));
  }
}

TEST_CASE("pg: told to stop, nobody waits for a table that somebody else has locked") {
  const World w;
  if (!w) return;
  REQUIRE(w.place()->put("1", std::nullopt));
  std::atomic<bool> stop{false};
  PgSettings s = w.settings();
  s.stop = &stop;
  const auto a = pg_place(std::make_shared<PgDatabase>(s), "w");
  REQUIRE(a->get());
  w.sql("BEGIN");
  w.sql("LOCK TABLE {S}.states");
  std::thread stopper([&] { ::usleep(100000), stop = true; });
  CHECK(failure(a->get()) == kInterrupted);
  stopper.join();
  w.sql("ROLLBACK");
  stop = false;
  CHECK(a->get().value()->bytes == "1");
}

TEST_CASE("pg: told to stop, nobody waits for a server that does not answer") {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof a;
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&a), size) == 0);
  REQUIRE(::listen(fd, 8) == 0);
  REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&a), &size) == 0);
  std::atomic<bool> stop{false};
  PgSettings s;
  s.schema = "s";
  s.stop = &stop;
  s.address =
      parse_pg_address("host=127.0.0.1 dbname=d connect_timeout=1 port=" + std::to_string(ntohs(a.sin_port)))
          .value();
  CHECK(contains(failure(pg_place(std::make_shared<PgDatabase>(s), "w")->get()), "did not answer in time"));
  s.address.seconds = 600;
  std::thread stopper([&] { ::usleep(100000), stop = true; });
  CHECK(failure(pg_place(std::make_shared<PgDatabase>(s), "w")->get()) == kInterrupted);
  stopper.join();
  ::close(fd);
}

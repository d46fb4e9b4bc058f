// States and locks of workspaces, against the test server, with and without its faults.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "core/backend/backend.h"
#include "core/backend/hcp/place.h"
#include "core/backend/hcp/workspaces.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"
#include "tests/support/hcp_server.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::hcp;
using test::HcpTestServer;

namespace {

HcpSettings named(const std::string& name) {
  HcpSettings s;
  s.host = "app.example.test", s.organization = "acme", s.name = name;
  return s;
}

std::unique_ptr<Place> place_of(HcpSettings s, Stop stop = nullptr) {
  const std::string name = s.name;
  return make_place(std::make_shared<Api>(std::move(s), stop), name);
}

LockInfo info(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

std::string state(int serial, const std::string& lineage = "l") {
  return R"({"version":4,"serial":)" + std::to_string(serial) + R"(,"lineage":")" + lineage +
         R"(","outputs":{},"resources":[]})";
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("hcp: a state is read, written over what was read, and nothing else", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one"));
  CHECK(p->name() == "app.example.test/acme/one");
  auto none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  CHECK(mine.id == "acme/one");
  const auto first = p->put(state(1), std::nullopt);
  REQUIRE(first);
  CHECK(!first->conflict);
  const auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->bytes == state(1));
  CHECK((*read)->version == first->version);
  CHECK(p->put(state(2), std::nullopt)->conflict);
  CHECK(p->put(state(2), "sv-other")->conflict);
  const auto second = p->put(state(2), first->version);
  REQUIRE(second);
  CHECK(p->put(state(3), first->version)->conflict);
  // Another lineage and a lower serial over what was read: whoever asks for that has compared them.
  CHECK(p->put(state(1, "m"), second->version));
  CHECK(server.control("{}")["states"]["one"] == state(1, "m"));
  REQUIRE(p->unlock());
  CHECK(server.control("{}")["workspaces"]["one"]["attributes"]["locked"] == false);
}

TEST_CASE("hcp: the token goes to the service alone, and states to where it says", "[server]") {
  HcpTestServer server;
  for (const bool apart : {true, false}) {
    const auto p = place_of(named(apart ? "one" : "two"));
    server.control(apart ? "{'forget': true}" : "{'forget': true, 'world': {'archive': 'app.example.test'}}");
    LockInfo mine = info("id-1");
    REQUIRE(p->try_lock(mine));
    REQUIRE(p->put(state(1), std::nullopt));
    REQUIRE(p->get());
    int contents = 0;
    for (const auto& e : server.log()) {
      const bool content = e["path"].get<std::string>().starts_with("/object/");
      contents += content;
      CHECK(e["headers"].contains("authorization") == !(content && apart));
    }
    CHECK(contents == 2);
  }
}

TEST_CASE("hcp: servers that want the state inside of the announcement get it there", "[server]") {
  HcpTestServer server;
  server.control("{'world': {'old': true}}");
  const auto p = place_of(named("one"));
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  const auto put = p->put(state(1), std::nullopt);
  REQUIRE(put);
  CHECK(server.control("{}")["states"]["one"] == state(1));
  CHECK((*p->get())->version == put->version);
}

TEST_CASE("hcp: the server gets the JSON form of a state beside it, where there is one", "[server]") {
  HcpTestServer server;
  const struct {
    std::string control;
    bool has_form;
    size_t apart, inside;  // how often it is sent
  } rows[] = {
      {"", true, 1, 0},
      {"", false, 0, 0},
      {"'world': {'old': true}", true, 0, 1},
      {"'world': {'old': true}", false, 0, 0},
      // The state is there: what becomes of its form is not worth an error.
      {"'world': {'old': false}, 'faults': [{'ends': '/json', 'status': 403}]", true, 1, 0},
  };
  int n = 0;
  for (const auto& row : rows) {
    INFO(row.control << row.has_form);
    server.control("{'forget': true" + (row.control.empty() ? "" : ", " + row.control) + "}");
    const std::string name = "w" + std::to_string(n++);
    const auto p = make_place(std::make_shared<Api>(named(name), nullptr), name,
                              [&](std::string_view text) -> std::optional<std::string> {
                                CHECK(text == state(1));
                                return row.has_form ? std::optional<std::string>("{'shown'}") : std::nullopt;
                              });
    LockInfo mine = info("id-1");
    REQUIRE(p->try_lock(mine));
    REQUIRE(p->put(state(1), std::nullopt));
    CHECK(server.control("{}")["states"][name] == state(1));
    size_t apart = 0, inside = 0;
    for (const auto& e : server.log()) {
      const std::string path = e["path"], body = e["body"];
      if (path.ends_with("/json")) {
        ++apart;
        CHECK(body == "{'shown'}");
        CHECK(!e["headers"].contains("authorization"));
      }
      inside += mentions(body, R"("json-state":"eydzaG93bid9")");
    }
    CHECK(apart == row.apart);
    CHECK(inside == row.inside);
  }
}

TEST_CASE("hcp: a lock that somebody else has, lost answers, and force-unlock", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one")), other = place_of(named("one"));
  LockInfo mine = info("id-1"), theirs = info("id-2");
  REQUIRE(other->try_lock(theirs));
  const auto held = p->try_lock(mine);
  REQUIRE(held);
  CHECK(held->held);
  REQUIRE(held->holder);
  CHECK(held->holder->id == "acme/one");
  CHECK(held->holder->info == "locked by the user ann");
  CHECK(held->holder->who == "me@host");
  CHECK(p->holder()->value().id == "acme/one");
  CHECK(*other->still_held() == true);
  const auto wrong = p->break_lock("acme/two");
  REQUIRE(!wrong);
  CHECK(mentions(wrong.error().message, "does not match"));
  REQUIRE(p->break_lock("acme/one"));
  CHECK(*other->still_held() == false);
  CHECK(!p->break_lock("acme/one"));
  CHECK(!*p->holder());

  // Taken, but the answer did not come: the reason of the lock tells whose it is.
  server.control("{'faults': [{'ends': 'actions/lock', 'reset': true, 'also': true}]}");
  mine = info("id-3");
  const auto taken = p->try_lock(mine);
  REQUIRE(taken);
  CHECK(!taken->held);
  CHECK(*other->still_held() == false);
  server.control("{'faults': [{'ends': 'actions/unlock', 'reset': true, 'also': true}]}");
  CHECK(p->unlock());
  // Not once, however often it is asked.
  server.control("{'faults': [{'ends': 'actions/lock', 'reset': true, 'also': true, 'times': 99}]}");
  const auto asked = p->try_lock(mine);
  REQUIRE(asked);
  CHECK(!asked->held);
  CHECK(p->unlock());
  server.control(
      "{'world': {'tells_reason': false}, 'faults': [{'ends': 'actions/lock', 'reset': true, 'also': "
      "true}]}");
  CHECK(p->try_lock(mine)->held);
}

TEST_CASE("hcp: what the holder of a lock has said of its process is known to others", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one")), other = place_of(named("one"));
  LockInfo mine = new_lock_info("OperationTypeApply", "");
  const std::string who = mine.who, created = mine.created;
  mine.info = process_note() + "; " + journal_note("/some/where.journal", who);
  REQUIRE(!p->try_lock(mine)->held);
  LockInfo second = info("id-2");
  const auto refused = other->try_lock(second);
  REQUIRE((refused && refused->held && refused->holder));
  const LockInfo& holder = *refused->holder;
  CHECK(holder.who == who);
  CHECK(holder.operation == "OperationTypeApply");
  CHECK(holder.created == created);
  CHECK(holder.id == "acme/one");
  CHECK(lock_holder_runs(holder) == true);
  CHECK(mentions(journal_advice(holder), "/some/where.journal"));
  REQUIRE(p->unlock());
  const auto nothing = other->break_lock("deadbeef");
  REQUIRE(!nothing);
  CHECK(mentions(nothing.error().message, "is not locked"));
  server.control("{'set': {'one': {'locked': true, 'locked-reason': 'Locked by somebody (x)'}}}");
  CHECK(mentions((*other->holder())->info, "Locked by somebody (x)"));
}

TEST_CASE("hcp: a write waits for a server that a load balancer says is away", "[server]") {
  HcpTestServer server;
  HcpSettings s = named("one");
  s.first_pause = std::chrono::milliseconds(1);
  const auto p = place_of(s);
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  const auto first = p->put(state(1), std::nullopt);
  REQUIRE(first);
  server.control(
      "{'faults': [{'method': 'POST', 'ends': 'state-versions', 'times': 8, 'status': 502}, "
      "{'method': 'PUT', 'times': 8, 'status': 503}]}");
  const auto put = p->put(state(2), first->version);
  INFO((put ? std::string() : put.error().message));
  REQUIRE(put);
  CHECK(!put->conflict);
  server.control("{'faults': [{'ends': 'current-state-version', 'times': 8, 'status': 503}]}");
  CHECK_FALSE(p->get());  // who only reads need not be waited for
}

TEST_CASE("hcp: writes need the lock, which a server tells", "[server]") {
  HcpTestServer server;
  server.control("{'set': {'one': {'locked': true, 'locked-by': 'bob'}}}");
  const auto put = place_of(named("one"))->put(state(1), std::nullopt);
  REQUIRE(!put);
  CHECK(mentions(put.error().message, "must be locked"));
}

TEST_CASE("hcp: what servers may answer instead", "[server]") {
  HcpTestServer server;
  server.control(
      "{'set': {'one': {'state': '"
      "\\u007b\\u007d"
      "'}}}");
  const std::string version = "'ends': 'current-state-version'", at = "'times': 9, 'status': 200, ";
  const struct {
    std::string rule;
    const char* problem;  // "": all is well after all
  } rows[] = {
      {"'ends': 'workspaces/one', 'status': 503, 'times': 2", ""},
      {version + ", 'status': 429, 'headers': {'Retry-After': '1'}", ""},
      {version + ", 'reset': true", ""},
      {"'contains': '/object/', 'also': true, 'truncate': 1", ""},
      {"'contains': '/object/', 'also': true, 'truncate': 1, 'times': 99", "archive.example.test"},
      {"'ends': 'terraform.json', 'times': 9, 'status': 404", "has no service for states"},
      {"'ends': 'terraform.json', 'times': 9, 'status': 200, 'body': '{'", "terraform.json"},
      {"'ends': 'terraform.json', 'times': 9, 'status': 200, 'body': {'tfe.v2': 'http://app.example.test/'}",
       "not an https URL"},
      {"'ends': 'workspaces/one', 'status': 401", "terraform login app.example.test"},
      {"'ends': 'workspaces/one', 'status': 403", "does not permit"},
      {"'ends': 'workspaces/one', " + at + "'body': 'x'", "cannot be used"},
      {"'ends': 'workspaces/one', " + at + "'body': {'data': []}", "has no data"},
      {"'ends': 'workspaces/one', " + at + "'body': {'data': {'id': '../../x'}}", "no valid ID"},
      {"'ends': 'workspaces/one', " + at + "'body': {'data': {'id': 7}}", "no valid ID"},
      {version + ", 'status': 500, 'times': 99, 'body': {'errors': [{'title': 'a\\u001b[31mb'}]}", "500"},
      {version + ", 'status': 418, 'body': {'errors': 7}", "418"},
      {version + ", " + at + "'body': {'data': {'id': 'sv-1', 'attributes': []}}",
       "does not say where it is"},
      {version + ", 'also': true, 'merge': {'data': {'attributes': {'hosted-state-download-url': "
                 "'http://archive.example.test/'}}}",
       "not an https URL"},
      {version + ", 'also': true, 'merge': {'data': {'attributes': {'hosted-state-download-url': "
                 "'file:///etc/passwd'}}}",
       "not an https URL"},
      {version +
           ", 'also': true, 'merge': {'data': {'attributes': {'md5': '00000000000000000000000000000000'}}}",
       "damaged"},
      {"'contains': '/object/', 'status': 404, 'times': 9", "cannot download the state"},
  };
  for (const auto& row : rows) {
    INFO(row.rule);
    server.control("{'faults': [{" + row.rule + "}]}");
    const auto got = place_of(named("one"))->get();
    const std::string problem = got ? "" : got.error().message;
    if (!*row.problem) {
      CHECK(problem == "");
      if (got) CHECK((*got)->bytes == "{}");
    } else {
      CAPTURE(problem);
      CHECK(mentions(problem, row.problem));
    }
    CHECK(problem.find_first_of("\x1b\n") == problem.npos);
    CHECK(!mentions(problem, "good"));
  }
}

TEST_CASE("hcp: an interrupt ends what asks, and not what writes", "[server]") {
  HcpTestServer server;
  std::atomic<bool> stop{false};
  const auto p = place_of(named("one"), &stop);
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  stop = true;
  const auto got = p->get();
  REQUIRE(!got);
  CHECK(got.error().message == kInterrupted);
  CHECK(p->get(nullptr, true));
  CHECK(p->put(state(1), std::nullopt));
  CHECK(p->unlock());
}

TEST_CASE("hcp: the server says how often a state may be written while changes are made", "[server]") {
  HcpTestServer server;
  const std::chrono::milliseconds wanted(20000);
  const auto p = place_of(named("one"));
  REQUIRE(p->get());
  CHECK(p->snapshots(wanted) == std::nullopt);
  server.control("{'world': {'snapshot_interval': 5}}");
  REQUIRE(p->get());
  CHECK(p->snapshots(wanted) == wanted);
  server.control("{'world': {'snapshot_interval': 100000}}");
  REQUIRE(p->get());
  CHECK(p->snapshots(wanted) == std::chrono::milliseconds(3600000));
}

namespace {

std::unique_ptr<Backend> opened(std::string_view kind, const std::string& workspaces) {
  const Settings s =
      parse_settings(
          kind, R"({"hostname":"app.example.test","organization":"acme","workspaces":)" + workspaces + "}")
          .value();
  return open(s, {}).value();
}

}  // namespace

TEST_CASE("hcp: which workspaces belong to a configuration, and what they are called", "[server]") {
  HcpTestServer server;
  std::string many;
  for (int i = 0; i < 230; ++i) many += (i ? ",'net-" : "'net-") + std::to_string(i) + "': {}";
  server.control("{'set': {" + many +
                 ", 'other': {'tag-names': ['a', 'b']}, 'my-net-x': {'tag-names': ['a']}, " +
                 "'bound': {'bindings': [{'key': 'team', 'value': 'x'}]}, 'far': {'project': 'prj-net', "
                 "'tag-names': ['a']}}}");
  const auto prefix = opened("remote", R"({"prefix":"net-"})");
  auto names = prefix->workspaces();
  REQUIRE(names);
  CHECK(names->size() == 230);
  CHECK(names->front() == "0");
  CHECK(prefix->place("7") == "app.example.test/acme/net-7");
  CHECK(prefix->place("net-7") == "app.example.test/acme/net-7");
  CHECK(!prefix->open("default")->lock("x", 0));

  const auto list = R"({"tags":{"value":["a"],"type":["tuple",["string"]]}})",
             map = R"({"tags":{"value":{"team":"x"},"type":["object",{"team":"string"}]}})",
             far = R"({"project":"net","tags":{"value":["a"],"type":["tuple",["string"]]}})";
  using Names = std::vector<std::string>;
  CHECK(opened("cloud", list)->workspaces().value() == Names{"far", "my-net-x", "other"});
  CHECK(opened("cloud", map)->workspaces().value() == Names{"bound"});
  CHECK(opened("cloud", far)->workspaces().value() == Names{"far"});
  CHECK(opened("cloud", R"({"name":"n"})")->workspaces().value() == Names{"n"});
  CHECK(opened("remote", R"({"name":"n"})")->place("default") == "app.example.test/acme/n");

  REQUIRE(opened("cloud", far)->create("new"));
  const auto made = server.control("{}")["workspaces"]["new"];
  CHECK(made["project"] == "prj-net");
  CHECK(made["attributes"]["tag-names"] == nlohmann::json({"a"}));
  REQUIRE(opened("cloud", map)->create("new"));  // an existing one is tagged
  CHECK(server.control("{}")["workspaces"]["new"]["bindings"][0]["key"] == "team");
  const auto none = R"({"project":"nowhere","tags":{"value":["a"],"type":["tuple",["string"]]}})";
  CHECK(opened("cloud", none)->workspaces().value().empty());
  REQUIRE(opened("cloud", none)->create("newer"));  // with its project
  CHECK(opened("cloud", none)->workspaces().value() == Names{"newer"});
  CHECK(!opened("cloud", R"({"name":"n"})")->create("m"));
  REQUIRE(opened("cloud", list)->remove("new"));
  CHECK(!server.control("{}")["workspaces"].contains("new"));
}

TEST_CASE("hcp: runs are the server's, unless the workspace or the organization has none there", "[server]") {
  HcpTestServer server;
  server.control(
      "{'set': {'n': {'execution-mode': 'agent', 'operations': true, 'terraform-version': '1.5.0'}}}");
  auto runs = opened("remote", R"({"name":"n"})")->runs("default");
  REQUIRE(runs);
  CHECK(runs->elsewhere);
  CHECK(runs->mode == "agent");
  CHECK(runs->version == "1.5.0");
  CHECK(!runs->forced_here);
  for (const char* forced : {"1", "0", ""}) {
    ::setenv("TF_FORCE_LOCAL_BACKEND", forced, 1);
    runs = opened("remote", R"({"name":"n"})")->runs("default");
    ::unsetenv("TF_FORCE_LOCAL_BACKEND");
    REQUIRE(runs);
    CHECK(runs->elsewhere);
    CHECK(runs->forced_here == (*forced != 0));
  }
  server.control("{'world': {'operations': false}}");
  CHECK(!opened("cloud", R"({"name":"n"})")->runs("n")->elsewhere);
  server.control("{'world': {'operations': true}, 'set': {'n': {'execution-mode': 'local'}}}");
  CHECK(!opened("cloud", R"({"name":"n"})")->runs("n")->elsewhere);
}

TEST_CASE("hcp: what is wrong with the account", "[server]") {
  HcpTestServer server;
  auto problem = [](HcpSettings s) {
    const auto got = place_of(std::move(s))->get();
    return got ? std::string() : got.error().message;
  };
  HcpSettings s = named("one");
  s.organization = "nobody";
  CHECK(mentions(problem(s), "there is no organization \"nobody\""));
  s = named("one"), s.token = "wrong";
  CHECK(mentions(problem(s), "401"));
  CHECK(!mentions(problem(s), "wrong"));
  s = named("one"), s.host = "b.example.test";
  CHECK(mentions(problem(s), "TF_TOKEN_b_example_test"));
  s.token = "good";
  CHECK(mentions(problem(s), "has no service for states"));
}

TEST_CASE("hcp: a workspace whose creation was carried out unheard is found", "[server]") {
  HcpTestServer server;
  server.control("{'faults': [{'method': 'POST', 'ends': '/workspaces', 'reset': true, 'also': true}]}");
  REQUIRE(opened("cloud", R"({"name":"n"})")->create("n"));
  CHECK(server.control("{}")["workspaces"].size() == 1);
}

TEST_CASE("hcp: a host that another one is asked for gets no token", "[server]") {
  HcpTestServer server;
  server.control(
      "{'faults': [{'ends': 'terraform.json', 'status': 302, 'headers': {'Location': "
      "'https://b.example.test/.well-known/terraform.json'}}, {'ends': 'terraform.json', 'status': 200, "
      "'body': "
      "{'tfe.v2': 'https://c.example.test/api/v2/'}}]}");
  const auto got = place_of(named("one"))->get();
  REQUIRE(!got);
  CHECK(mentions(got.error().message, "redirects to another one"));
  for (const auto& e : server.log())
    if (e["host"] != "app.example.test") CHECK(!e["headers"].contains("authorization"));
}

TEST_CASE("hcp: a version that came between the look and the write is not replaced", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one")), other = place_of(named("one"));
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  const auto first = p->put(state(1), std::nullopt);
  REQUIRE(first);
  REQUIRE(other->put(state(5), first->version));  // of the same user
  server.control(
      "{'faults': [{'method': 'GET', 'ends': '/current-state-version', 'times': 1, 'merge': {'data': "
      "{'id': '" +
      first->version + "'}}}]}");
  const auto late = p->put(state(2), first->version);
  REQUIRE(late);
  CHECK(late->conflict);
  CHECK(server.control("{}")["states"]["one"] == state(5));
}

TEST_CASE("hcp: another run's lock is not released, though it is the same user's", "[server]") {
  HcpTestServer server;
  for (const bool locked : {true, false}) {
    const auto p = place_of(named("one"));
    LockInfo mine = info("id-1");
    server.control("{'set': {'one': {'locked': false}}}");
    REQUIRE(!p->try_lock(mine)->held);
    server.control(std::string("{'set': {'one': {'locked': ") + (locked ? "true" : "false") +
                   ", 'locked-reason': 'Locked by xplan for me@host (x, id-2)'}}}");
    const auto released = p->unlock();
    REQUIRE(!released);
    CHECK(mentions(released.error().message,
                   "the lock is gone: the workspace \"app.example.test/acme/one\" is"));
    CHECK(server.control("{}")["workspaces"]["one"]["attributes"]["locked"] == locked);
  }
}

TEST_CASE("hcp: a lock that was released unheard is not released again", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one"));
  LockInfo mine = info("id-1");
  REQUIRE(!p->try_lock(mine)->held);
  server.control("{'forget': true}");
  server.control(
      "{'faults': [{'ends': 'actions/unlock', 'reset': true, 'also': true}, {'method': 'GET', 'ends': "
      "'/workspaces/one', 'skip': 1, 'merge': {'data': {'attributes': {'locked': true, 'locked-reason': "
      "'Locked by xplan for me@host (x, id-2)'}}}}]}");
  REQUIRE(p->unlock());
  int asked = 0;
  const nlohmann::json log = server.log();
  for (const auto& e : log) asked += e["path"].get<std::string>().ends_with("actions/unlock");
  CHECK(asked == 1);
}

TEST_CASE("hcp: a run that is stopped while the server takes the lock knows that it has it", "[server]") {
  HcpTestServer server;
  std::atomic<bool> stop{false};
  const auto p = place_of(named("one"), &stop);
  server.control("{'faults': [{'ends': '/actions/lock', 'delay': 1.5, 'also': true}]}");
  std::thread later([&] {
    ::usleep(700000);
    stop = true;
  });
  LockInfo mine = info("id-1");
  const auto tried = p->try_lock(mine);
  later.join();
  REQUIRE(tried);
  CHECK(!tried->held);
  REQUIRE(p->unlock());
  CHECK(!p->try_lock(mine));
}

TEST_CASE("hcp: where states are kept is in no message, since who knows it needs no token", "[server]") {
  HcpTestServer server;
  const auto p = place_of(named("one"));
  LockInfo mine = info("id-1");
  REQUIRE(p->try_lock(mine));
  REQUIRE(p->put(state(1), std::nullopt));
  server.control("{'faults': [{'method': 'GET', 'contains': '/object/', 'reset': true, 'times': 9}]}");
  const auto read = p->get();
  REQUIRE(!read);
  INFO(read.error().message);
  CHECK(mentions(read.error().message, "https://archive.example.test/…: "));
  CHECK(!mentions(read.error().message, "object"));
}

TEST_CASE("hcp: a list of workspaces whose pages do not go on is an error", "[server]") {
  HcpTestServer server;
  server.control(
      "{'set': {'net-a': {}}, 'faults': [{'method': 'GET', 'ends': '/workspaces', 'times': 99, 'merge': "
      "{'meta': {'pagination': {'next-page': 1}}}}]}");
  const auto names = opened("remote", R"({"prefix":"net-"})")->workspaces();
  REQUIRE(!names);
  CHECK(mentions(names.error().message, "the server keeps returning further pages"));
  CHECK(server.log().size() < 10);
}

TEST_CASE("hcp: a workspace without objects is deleted only if the server knows of none either", "[server]") {
  HcpTestServer server;
  server.control("{'set': {'net-a': {'resource-count': 3}, 'net-b': {'resource-count': 0}}}");
  const auto b = opened("remote", R"({"prefix":"net-"})");
  CHECK(!b->remove_unused("a"));
  CHECK(server.control("{}")["workspaces"].contains("net-a"));
  REQUIRE(b->remove_unused("b"));
  REQUIRE(b->remove("a"));
  CHECK(server.control("{}")["workspaces"].empty());
}

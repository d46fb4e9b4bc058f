// States in Consul: settings, the place and the lock, against the test server, with and without its faults.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/backend/consul/place.h"
#include "core/backend/gzip.h"
#include "core/backend/settings.h"
#include "core/base/base64.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/server_program.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::consul;
using test::Environment;
using test::ServerProgram;

namespace {

struct Server : ServerProgram {
  Server() : ServerProgram("consul.py") {}
};

ConsulSettings settings_for(const ServerProgram& server) {
  ConsulSettings s;
  s.url = server.url, s.path = "k";
  s.retry.first = std::chrono::milliseconds(1), s.retry.most = std::chrono::milliseconds(5);
  return s;
}

std::unique_ptr<Place> place_of(ConsulSettings s, Stop stop = nullptr) {
  const std::string key = s.path;
  return make_place(std::make_shared<ConsulClient>(std::move(s), stop), key);
}

LockInfo info(const std::string& id = "mine") {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

// That does not become small when it is packed.
std::string noise(size_t size) {
  std::string out;
  for (uint64_t n = 88172645463325252u; out.size() < size; n ^= n << 13, n ^= n >> 7, n ^= n << 17)
    out += static_cast<char>('!' + n % 90);
  return out;
}

Result<ConsulSettings> read(const std::string& json) {
  return read_settings(parse_settings("consul", json)->values);
}

}  // namespace

TEST_CASE("consul: what settings and the environment mean") {
  test::Folder dir;
  std::ofstream(dir / "token") << "of a file\n";
  std::ofstream(dir / "text") << "no PEM\n";
  struct Row {
    const char* json;
    std::vector<std::pair<const char*, std::string>> environment;
    const char *url, *token, *user, *problem;
  };
  const Row rows[] = {
      {R"({"path": "a"})", {}, "http://127.0.0.1:8500", "", "", ""},
      {R"({"path": "a", "address": "h:1", "scheme": "https"})", {}, "https://h:1", "", "", ""},
      {R"({"path": "a"})",
       {{"CONSUL_HTTP_ADDR", "h:1"}, {"CONSUL_HTTP_SSL", "true"}},
       "https://h:1",
       "",
       "",
       ""},
      {R"({"path": "a", "address": "x"})", {{"CONSUL_HTTP_ADDR", "https://h:1/p/"}}, "http://x", "", "", ""},
      {R"({"path": "a"})", {{"CONSUL_HTTP_ADDR", "https://h:1/p/"}}, "https://h:1/p", "", "", ""},
      {R"({"path": "a", "address": "unix:///run/c.sock"})", {}, "http://localhost", "", "", ""},
      {R"({"path": "a", "access_token": "t"})", {{"CONSUL_HTTP_TOKEN", "u"}}, nullptr, "t", "", ""},
      {R"({"path": "a"})", {{"CONSUL_HTTP_TOKEN", "u"}}, nullptr, "u", "", ""},
      {R"({"path": "a", "access_token": "t"})",
       {{"CONSUL_HTTP_TOKEN_FILE", dir / "token"}},
       nullptr,
       "of a file",
       "",
       ""},
      {R"({"path": "a", "http_auth": "me:a:b"})", {{"CONSUL_HTTP_AUTH", "you"}}, nullptr, "", "me/a:b", ""},
      {R"({"path": "a"})", {{"CONSUL_HTTP_AUTH", "you"}}, nullptr, "", "you/", ""},
      {"{}", {}, nullptr, "", "", "\"path\" is required"},
      {R"({"path": "/a"})", {}, nullptr, "", "", "must not begin with a slash"},
      {R"({"path": "a\n"})", {}, nullptr, "", "", "control characters"},
      {R"({"path": "a", "address": "ftp://h"})", {}, nullptr, "", "", "must be http or https, not \"ftp\""},
      {R"({"path": "a", "scheme": "x"})", {}, nullptr, "", "", "must be http or https"},
      {R"({"path": "a", "address": "user:secret@ h"})", {}, nullptr, "", "", "for example 127.0.0.1:8500"},
      {R"({"path": "a", "cert_file": "c"})", {}, nullptr, "", "", "\"cert_file\" cannot be read: "},
      {R"({"path": "a"})",
       {{"CONSUL_CLIENT_KEY", dir / "text"}},
       nullptr,
       "",
       "",
       "\"key_file\" must name a PEM file"},
      {R"({"path": "a"})", {{"CONSUL_CACERT", "/nowhere"}}, nullptr, "", "", "\"ca_file\" cannot be read: "},
      {R"({"path": "a"})",
       {{"CONSUL_HTTP_TOKEN_FILE", "/nowhere"}},
       nullptr,
       "",
       "",
       "CONSUL_HTTP_TOKEN_FILE cannot be read: "},
      {R"({"path": "a"})",
       {{"CONSUL_HTTP_SSL", "maybe"}},
       nullptr,
       "",
       "",
       "CONSUL_HTTP_SSL must be true or false"},
  };
  for (const Row& row : rows) {
    INFO(row.json);
    const Environment clean({});
    for (const auto& [name, value] : row.environment) ::setenv(name, value.c_str(), 1);
    const Result<ConsulSettings> s = read(row.json);
    for (const auto& [name, value] : row.environment) ::unsetenv(name);
    if (*row.problem) {
      REQUIRE_FALSE(s);
      CHECK(mentions(s.error().message, row.problem));
      CHECK_FALSE(mentions(s.error().message, "secret"));
      continue;
    }
    INFO((s ? "" : s.error().message));
    REQUIRE(s);
    if (row.url) CHECK(s->url == row.url);
    CHECK(s->token == row.token);
    CHECK((s->user.empty() ? "" : s->user + "/" + s->password) == row.user);
    CHECK((s->lock && !s->gzip && s->client.verify));
  }
}

TEST_CASE("consul: a state is read, written over what was read, and nothing else") {
  Server server;
  ConsulSettings s = settings_for(server);
  s.path = "a b/../st+ate:~é/";
  const auto p = place_of(s);
  auto none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->bytes == "one");
  CHECK((*read)->version == put->version);
  CHECK(p->put("two", std::nullopt)->conflict);
  CHECK(p->put("two", "7777")->conflict);
  auto second = p->put("two", put->version);
  REQUIRE(second);
  CHECK(!second->conflict);
  CHECK(p->put("three", put->version)->conflict);
  CHECK(server.told()["keys"] == nlohmann::json{{s.path, "two"}});
}

TEST_CASE("consul: a write whose answer was lost counts once") {
  Server server;
  const auto p = place_of(settings_for(server));
  server.control("{'faults': [{'on': {'ends': '/txn'}, 'do': 'after'}]}");
  const auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  CHECK(!p->put("two", put->version)->conflict);
}

TEST_CASE("consul: who asks, and where") {
  Server server;
  server.control("{'token': 'secret'}");
  ConsulSettings s = settings_for(server);
  const auto refused = place_of(s)->get();
  REQUIRE(!refused);
  CHECK(mentions(refused.error().message, "403 Forbidden (ACL not found). Set \"access_token\""));
  s.token = "other secret";
  const auto wrong = place_of(s)->get();
  REQUIRE(!wrong);
  CHECK(mentions(wrong.error().message, "Check the token"));
  CHECK(!mentions(wrong.error().message, "other secret"));
  s.token = "secret", s.datacenter = "d c", s.name_space = "n", s.partition = "p";
  REQUIRE(place_of(s)->get());
  CHECK(server.requests().back() == "GET /v1/kv/k?dc=d%20c&ns=n&partition=p 404");
  s.token.clear(), s.user = "user", s.password = "pass";
  REQUIRE(place_of(s)->get());
  server.control("{'faults': [{'do': 'say', 'status': 302, 'headers': {'Location': '/v1/kv/x'}}]}");
  CHECK(mentions(place_of(s)->get().error().message, "answered 302"));
}

TEST_CASE("consul: a state that is too large for one request is in parts") {
  Server server;
  ConsulSettings s = settings_for(server);
  for (const bool packed : {false, true}) {
    server.control("{'forget': true}");
    INFO(packed);
    s.gzip = packed;
    s.path = packed ? "k/" : "k";
    const auto p = place_of(s);
    const std::string large = noise(1500000), other = noise(1400000);
    auto put = p->put(large, std::nullopt);
    REQUIRE(put);
    auto keys = server.told()["keys"];
    CHECK(keys.size() == 4);  // three parts, or as many packed, and the list of them
    CHECK(nlohmann::json::parse(keys[s.path].get<std::string>())["chunks"].size() == 3);
    auto read = place_of(s)->get();
    REQUIRE((read && *read));
    CHECK((*read)->bytes == large);
    put = p->put(other, put->version);
    REQUIRE(put);
    CHECK((*p->get())->bytes == other);
    CHECK(server.told()["keys"].size() == 4);
    CHECK(p->put(large, "7")->conflict);
    CHECK((*p->get())->bytes == other);
    put = p->put("small", put->version);
    REQUIRE(put);
    CHECK((*p->get())->bytes == "small");
    CHECK(server.told()["keys"].size() == 1);
  }
  // A server that takes less.
  server.control("{'forget': true, 'limit': 20000}");
  s.gzip = false;
  CHECK(mentions(place_of(s)->put(noise(30000), std::nullopt).error().message, "413"));
}

TEST_CASE("consul: parts are read and written at once") {
  Server server;
  ConsulSettings s = settings_for(server);
  const auto p = place_of(s);
  const std::string large = noise(4000000);
  // 100 times a part's method waits; how many of them do at the same time.
  auto most_at_once = [&](const char* method, auto does) {
    server.control(nlohmann::json{{"faults",
                                   {{{"on", {{"method", method}, {"has", "tfstate."}}},
                                     {"do", "wait"},
                                     {"seconds", 0.3},
                                     {"times", 100}}}}}
                       .dump());
    does();
    return server.told()["most"].get<int>();
  };
  CHECK(most_at_once("PUT", [&] { REQUIRE(p->put(large, std::nullopt)); }) > 4);
  CHECK(most_at_once("GET", [&] { REQUIRE((*place_of(s)->get())->bytes == large); }) > 4);
}

TEST_CASE("consul: parts that are missing, damaged or replaced meanwhile") {
  Server server;
  const std::string hash = "0cc175b9c0f1b6a831c399e269772661";  // of "a"
  auto state = [&](const std::string& link, const char* part) {
    nlohmann::json order = {{"forget", true}, {"keys", {{"k", link}}}};
    if (part) order["keys"]["p"] = part;
    server.control(order.dump());
    auto got = place_of(settings_for(server))->get();
    return got ? (*got ? (*got)->bytes : "none") : got.error().message;
  };
  const std::string link = R"({"chunks":["p"],"current-hash":")" + hash + "\"}";
  CHECK(state(link, "a") == "a");
  CHECK(mentions(state(link, "b"), "do not have the checksum"));
  CHECK(mentions(state(link, nullptr), "parts of the state"));
  // Whoever replaces it without knowing what it is can.
  const auto broken = place_of(settings_for(server));
  const auto version = broken->version();
  REQUIRE((version && *version));
  CHECK(!broken->put("new", *version)->conflict);
  CHECK((*broken->get())->bytes == "new");
  for (const char* odd :
       {R"({"chunks":[1],"current-hash":"0cc175b9c0f1b6a831c399e269772661"})",
        R"({"chunks":["p"],"current-hash":"../../x"})", R"({"chunks":3,"current-hash":"a"})"})
    CHECK(state(odd, "a") == odd);  // a state of some kind
  CHECK(
      mentions(state(R"({"chunks":["p","p"],"current-hash":")" + hash + "\"}", "a"), "it has a part twice"));
  std::string many = R"({"current-hash":")" + hash + R"(","chunks":["p")";
  for (int n = 0; n < 70'000; ++n) many += ",\"" + std::to_string(n) + "\"";
  CHECK(mentions(state(many + "]}", "a"), "or more than 65536"));
  // Another writer replaces it between the list and the part.
  server.control(nlohmann::json{{"forget", true}, {"keys", {{"k", link}}}}.dump());
  server.control(R"({"faults": [{"on": {"ends": "/p"}, "do": "order", "keys": {"k": "whole"}}]})");
  CHECK((*place_of(settings_for(server))->get())->bytes == "whole");
}

TEST_CASE("consul: one run has the lock, and only it can release it") {
  Server server;
  const auto a = place_of(settings_for(server)), b = place_of(settings_for(server));
  REQUIRE(a->locks());
  CHECK(!*b->holder());
  LockInfo first = info("A"), second = info("B");
  REQUIRE(!a->try_lock(first)->held);
  CHECK(first.id != "A");
  CHECK(first.info == "consul session: " + first.id);
  CHECK(first.path == "k");
  CHECK(*a->still_held() == true);
  auto refused = b->try_lock(second);
  REQUIRE((refused && refused->held && refused->holder));
  CHECK(refused->holder->id == first.id);
  CHECK(refused->holder->who == "me@host");
  CHECK(mentions(refused->reason, "/v1/kv/k\" is locked"));
  CHECK((*b->holder())->id == first.id);
  CHECK(server.told()["sessions"].size() == 1);
  CHECK(mentions(b->break_lock("C").error().message, "lock ID \"C\" does not match"));
  CHECK(*a->still_held() == true);
  REQUIRE(b->break_lock(first.id));
  CHECK(*a->still_held() == false);
  REQUIRE(!b->try_lock(second)->held);  // at once
  CHECK(!a->unlock());                  // it is the other one's
  CHECK(*b->still_held() == true);
  REQUIRE(b->unlock());
  CHECK(!b->still_held()->has_value());
  CHECK(server.told()["keys"].empty());
  CHECK(server.told()["sessions"].empty());
  CHECK(mentions(b->break_lock(second.id).error().message, "the lock is gone"));
}

TEST_CASE("consul: a session that ends takes its lock along") {
  Server server;
  const auto a = place_of(settings_for(server)), b = place_of(settings_for(server));
  LockInfo first = info(), second = info();
  REQUIRE(!a->try_lock(first)->held);
  server.control("{'end': '" + first.id + "'}");
  CHECK(*a->still_held() == false);
  // For some seconds nobody gets it.
  auto refused = b->try_lock(second);
  REQUIRE((refused && refused->held));
  CHECK(!refused->holder);
  CHECK(mentions(refused->reason, "was locked until a moment ago"));
  CHECK(mentions(refused->advice, "-lock-timeout"));
  // What a dead run wrote says nothing about who comes next.
  server.control("{'hold': {'k/.lock': 'theirs'}}");
  refused = b->try_lock(second);
  REQUIRE((refused && refused->holder));
  CHECK(refused->holder->id == "theirs");
  CHECK(refused->holder->who.empty());
  CHECK(*a->still_held() == false);
  const auto gone = a->unlock();
  REQUIRE(!gone);
  CHECK(mentions(gone.error().message, "another session holds"));
  CHECK(server.told()["held"] == nlohmann::json{{"k/.lock", "theirs"}});
}

TEST_CASE("consul: a server that cannot be asked says nothing about the lock yet") {
  Server server;
  const auto a = place_of(settings_for(server));
  LockInfo first = info();
  REQUIRE(!a->try_lock(first)->held);
  server.control("{'faults': [{'do': 'say', 'status': 500}]}");
  CHECK(!a->still_held());
  CHECK(*a->still_held() == true);
  // Its answers may be lost.
  server.control("{'faults': [{'on': {'has': 'release='}, 'do': 'after'}]}");
  CHECK(a->unlock());
  server.control("{'faults': [{'on': {'has': 'acquire='}, 'do': 'after'}]}");
  CHECK(!a->try_lock(first)->held);
  CHECK(a->unlock());
  // A lock that cannot be described is not kept.
  server.control(
      "{'faults': [{'on': {'method': 'PUT', 'ends': '.lockinfo'}, 'do': 'say', 'status': 403, 'body': "
      "'no'}]}");
  CHECK(!a->try_lock(first));
  CHECK(server.told()["held"].empty());
}

TEST_CASE("consul: answers that a server should not give") {
  Server server;
  const std::string bomb = base64_encode(*gzip(std::string(50 << 20, ' ')));
  struct Row {
    std::string rule, problem;
  };
  const std::string reads = R"("on": {"method": "GET"}, "do": "say", )";
  auto body = [&](const std::string& text) { return reads + "\"body\": " + nlohmann::json(text).dump(); };
  const Row rows[] = {
      {body("nonsense"), "not one of a Consul server"},
      {body("[]"), "not one of a Consul server"},
      {body("[[[[["), "not one of a Consul server"},
      {body(R"([{"Key": "other", "Value": "", "ModifyIndex": 1}])"), "not one of a Consul server"},
      {body(R"([{"Key": "k", "Value": "%%", "ModifyIndex": 1}])"), "not one of a Consul server"},
      {body(R"([{"Key": "k", "Value": {}, "ModifyIndex": "1"}])"), "not one of a Consul server"},
      {body(R"([{"Key": "k", "Value": "H4s=", "ModifyIndex": 1}])"), "end too early"},
      {body(R"([{"Key": "k", "Value": "H4s0MTIzNDU2Nzg5", "ModifyIndex": 1}])"), "not valid gzip"},
      {reads + R"("status": 404, "body": "<html>\u001b[31m")", "404 Not Found (<html>"},
      {reads + R"("status": 500, "times": 9, "body": "No cluster leader")",
       "500 Internal Server Error (No cluster leader)"},
      {reads + R"("status": 500, "times": 3)", ""},
      {reads + R"("status": 429, "times": 2)", ""},
      {R"("on": {"method": "GET"}, "do": "truncate", "times": 9)", "failed to reach the Consul server"},
      {R"("on": {"method": "GET"}, "do": "reset")", ""},
      {R"("on": {"ends": "/txn"}, "do": "say", "body": "{}")", "not one of a Consul server"},
      {R"("on": {"ends": "/txn"}, "do": "say", "body": "{\"Results\": [{\"KV\": []}]}")",
       "not one of a Consul server"},
      {R"("on": {"ends": "/txn"}, "do": "say", "status": 500, "times": 9)", "500"},
      {R"("on": {"ends": "/txn"}, "do": "say", "status": 409)", "conflict"},
  };
  for (const Row& row : rows) {
    INFO(row.rule);
    server.control("{\"forget\": true, \"keys\": {\"k\": \"old\"}}");
    const auto p = place_of(settings_for(server));
    const std::string version = (*p->get())->version;
    server.control("{\"faults\": [{" + row.rule + "}]}");
    const auto got = p->get();
    std::string problem = got ? "" : got.error().message;
    if (got) {
      const auto put = p->put("new", version);
      problem = put ? put->conflict ? "conflict" : "" : put.error().message;
    }
    if (row.problem.empty()) CHECK(problem == "");
    CHECK(mentions(problem, row.problem));
    CHECK(!mentions(problem, "\x1b"));
  }
  const auto unpacked = gunzip(*gzip(std::string(50 << 20, ' ')), 1 << 20);
  REQUIRE(!unpacked);
  CHECK(mentions(unpacked.error().message, "larger than 1048576 bytes"));
}

TEST_CASE("consul: gzip there and back") {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1} << 18, (size_t{1} << 20) + 7}) {
    const std::string text = noise(size);
    const auto packed = gzip(text);
    REQUIRE(packed);
    CHECK(is_gzip(*packed));
    const auto plain = gunzip(*packed);
    REQUIRE(plain);
    CHECK(*plain == text);
    CHECK(!gunzip(packed->substr(0, packed->size() - 1)));
    CHECK(!gunzip(*packed + "x"));
  }
}

TEST_CASE("consul: whoever is told to stop asks for nothing more") {
  Server server;
  std::atomic<bool> stop = true;
  const auto p = place_of(settings_for(server), &stop);
  CHECK(!p->get());
  CHECK(p->get(nullptr, true));
  LockInfo i = info();
  CHECK(!p->try_lock(i));
  CHECK(p->put("x", std::nullopt));
}

TEST_CASE("consul: a write waits for a server that is away, whole or in parts") {
  ServerProgram server("consul.py");
  const auto p = place_of(settings_for(server));
  for (const std::string& state : {std::string("small"), noise(1 << 20)}) {
    const auto before = p->get();
    REQUIRE(before);
    server.control("{'faults': [{'on': {'method': 'PUT'}, 'times': 9, 'do': 'reset'}]}");
    CHECK(p->put(state, *before ? std::optional((*before)->version) : std::nullopt));
    CHECK((*p->get())->bytes == state);
  }
}

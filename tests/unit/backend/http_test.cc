// The backend "http": what is sent, what answers mean, what the server does wrong, and settings that cannot
// be.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "core/backend/backend.h"
#include "core/backend/http/place.h"
#include "core/backend/settings.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/config/dialect.h"
#include "core/state/lock.h"
#include "core/state/remote_store.h"
#include "tests/support/small_server.h"

using namespace xplan;
using namespace xplan::backend;
using test::Asked;
using test::SmallServer;

namespace {

HttpSettings settings_for(const SmallServer& server) {
  HttpSettings s;
  s.address = server.url + "/state?b=2&a=1";
  s.update_method = "POST", s.lock_method = "LOCK", s.unlock_method = "UNLOCK";
  s.lock_address = server.url + "/state/lock", s.unlock_address = server.url + "/state/unlock";
  s.retry.times = 2, s.patience = {};
  s.retry.first = std::chrono::milliseconds(1);
  s.retry.most = std::chrono::milliseconds(5);
  s.retry.again = [](int status) { return status == 429 || (status >= 500 && status != 501); };
  return s;
}
std::unique_ptr<Place> place_of(HttpSettings s) {
  return http_place(std::make_shared<const HttpSettings>(std::move(s)));
}
LockInfo info_of(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@here", "1.11.4", "2026-01-02T03:04:05.6Z", "memory"};
}
// A state and its lock, with whatever `fault` answers before.
struct StateServer {
  std::function<std::string(const Asked&)> fault = [](const Asked&) { return "-"; };
  std::mutex mutex;
  std::string state, lock;
  SmallServer server{[this](const Asked& a) { return answer(a); }};

  std::string answer(const Asked& a) {
    if (std::string f = fault(a); f != "-") return f;
    std::lock_guard guard(mutex);
    if (a.method == "LOCK" && !lock.empty()) return SmallServer::answer("423 Locked", lock);
    if (a.method == "LOCK") lock = a.body;
    if (a.method == "UNLOCK") lock.clear();
    if (a.method == "POST") state = a.body;
    if (a.method != "GET") return SmallServer::answer("200 OK");
    return state.empty() ? SmallServer::answer("404 Not Found") : SmallServer::answer("200 OK", state);
  }
  std::vector<std::string> requests() {
    std::vector<std::string> out;
    for (const Asked& a : server.asked()) out.push_back(a.method + " " + a.path);
    return out;
  }
};
std::string open_problem(const std::string& json) {
  const auto b = open(parse_settings("http", json).value(), {});
  return b ? "" : b.error().message;
}

}  // namespace

TEST_CASE("http: reads, writes and locks as the reference tools do") {
  StateServer s;
  HttpSettings settings = settings_for(s.server);
  settings.user = "user", settings.password = "pass";
  const auto p = place_of(settings);
  CHECK(p->name() == s.server.url + "/state?b=xxxxx&a=xxxxx");
  LockInfo info = info_of("id 1");
  REQUIRE(p->locks());
  CHECK_FALSE(p->try_lock(info).value().held);
  CHECK(info.path.empty());
  CHECK_FALSE(p->get().value());
  const auto written = p->put("{\"a\":1}", std::nullopt);
  REQUIRE(written);
  const auto read = p->get().value();
  REQUIRE(read);
  CHECK(read->bytes == "{\"a\":1}");
  CHECK(read->version == written->version);
  REQUIRE(p->unlock());
  REQUIRE(p->unlock());  // nothing to release: nothing is sent
  CHECK(s.requests() == std::vector<std::string>{"LOCK /state/lock", "GET /state?b=2&a=1",
                                                 "GET /state?b=2&a=1", "POST /state?ID=id+1&a=1&b=2",
                                                 "GET /state?b=2&a=1", "UNLOCK /state/unlock"});
  for (const Asked& a : s.server.asked()) {
    CHECK(a.headers.at("Authorization") == "Basic dXNlcjpwYXNz");
    CHECK(a.headers.count("Content-MD5") == (a.method != "GET"));
    if (a.method == "GET") continue;
    CHECK(a.headers.at("Content-MD5") == base64_encode(digest(Digest::Md5, a.body)));
    CHECK(a.headers.at("Content-Type") == "application/json");
    if (a.method != "POST") CHECK(a.body == info.json());
  }
}

TEST_CASE("http: headers of the settings are sent with each request") {
  StateServer s;
  HttpSettings settings = settings_for(s.server);
  settings.headers = {{"Authorization", "Bearer t"}, {"X-Team", "infra"}};
  const auto p = place_of(settings);
  LockInfo info = info_of("1");
  REQUIRE(p->try_lock(info));
  REQUIRE(p->put("{}", std::nullopt));
  REQUIRE(p->get());
  REQUIRE(p->unlock());
  CHECK(s.server.asked().size() == 5);
  for (const Asked& a : s.server.asked()) {
    CHECK(a.headers.at("Authorization") == "Bearer t");
    CHECK(a.headers.at("X-Team") == "infra");
    CHECK(a.headers.count("Content-MD5") == (a.method != "GET"));
  }
}

TEST_CASE("http: headers of the settings do not follow a redirect to another host") {
  StateServer s;
  test::SmallServer old([&](const Asked&) {
    return test::SmallServer::answer("307 Temporary Redirect", "",
                                     "Location: " + s.server.url + "/state\r\n");
  });
  HttpSettings settings = settings_for(old);
  settings.headers = {{"X-Api-Key", "secret"}};
  REQUIRE(place_of(settings)->get());
  REQUIRE(s.server.asked().size() == 1);
  CHECK(s.server.asked()[0].headers.count("X-Api-Key") == 0);
  CHECK(old.asked().at(0).headers.at("X-Api-Key") == "secret");
}

TEST_CASE("http: the parameter ID joins those of the address, in the order of names") {
  CHECK(with_lock_id("http://h/s", "x") == "http://h/s?ID=x");
  CHECK(with_lock_id("http://h/s?b=2&a=1&a=0&ID=old&J", "x") == "http://h/s?ID=x&J=&a=1&a=0&b=2");
  CHECK(with_lock_id("http://h/s?q=a%20b+c%zz&%41=%2f#part", "+/é") ==
        "http://h/s?A=%2F&ID=%2B%2F%C3%A9&q=a+b+c%25zz");
}

TEST_CASE("http: what is not what was read is not replaced, with or without a lock") {
  for (const bool locks : {false, true}) {
    StateServer s;
    HttpSettings settings = settings_for(s.server);
    if (!locks) settings.lock_address.clear();
    const auto p = place_of(settings);
    settings.lock_address.clear();
    const auto other = place_of(settings);
    CHECK(p->locks() == locks);
    LockInfo info = info_of("a");
    if (locks) REQUIRE_FALSE(p->try_lock(info).value().held);
    const std::string first = p->put("1", std::nullopt).value().version;
    CHECK(s.requests().back() == (locks ? "POST /state?ID=a&a=1&b=2" : "POST /state?b=2&a=1"));
    CHECK(p->put("2", std::nullopt).value().conflict);
    REQUIRE_FALSE(other->put("2", first).value().conflict);
    CHECK(p->put("3", first).value().conflict);
    CHECK(s.state == "2");
  }
}

TEST_CASE("http: a server may keep a state as a document of its own form") {
  StateServer s;
  const auto p = place_of(settings_for(s.server));
  LockInfo info = info_of("a");
  REQUIRE_FALSE(p->try_lock(info).value().held);
  std::string version = p->put(R"({"b": 1, "a": "\u0041"})", std::nullopt).value().version;
  s.state = R"({"a":"A","b":1})";
  const auto second = p->put(R"({"b": 2})", version).value();
  REQUIRE_FALSE(second.conflict);
  s.state = R"({"b":3})";  // somebody else's
  CHECK(p->put(R"({"b": 4})", second.version).value().conflict);
  CHECK(s.state == R"({"b":3})");
}

TEST_CASE("http: what a lock held elsewhere tells") {
  struct {
    const char *status, *body, *holder, *reason;
  } const table[] = {
      {"423 Locked", R"({"ID":"abc","Who":"them@there"})", "abc", "is locked by another run"},
      {"409 Conflict", R"({"ID":"abc","Who":"them@there"})", "abc", "is locked by another run"},
      {"423 Locked", "nope", "", "but the server does not say which one"},
      {"409 Conflict", "", "", "but the server does not say which one"},
      {"409 Conflict", "{}", "", "but the server does not say which one"},
      {"409 Conflict", "[1]", "", "but the server does not say which one"},
  };
  for (const auto& row : table) {
    INFO(row.status << " " << row.body);
    SmallServer server([&](const Asked&) { return SmallServer::answer(row.status, row.body); });
    const auto p = place_of(settings_for(server));
    LockInfo info = info_of("mine");
    const auto tried = p->try_lock(info);
    REQUIRE(tried);
    CHECK(tried->held);
    CHECK((tried->holder ? tried->holder->id : "") == row.holder);
    CHECK(tried->reason.find(row.reason) != std::string::npos);
    REQUIRE(p->unlock());  // of nothing
    CHECK(server.asked().size() == 1);
  }
}

TEST_CASE("http: a lock whose answer was lost is ours") {
  StateServer s;
  int times = 0;
  s.fault = [&](const Asked& a) {
    if (a.method != "LOCK" || times++ > 0) return std::string("-");
    s.lock = a.body;
    return std::string();
  };
  const auto p = place_of(settings_for(s.server));
  LockInfo info = info_of("mine");
  CHECK_FALSE(p->try_lock(info).value().held);
  REQUIRE(p->unlock());
  CHECK(s.lock.empty());
}

TEST_CASE("http: a run that is to stop does not wait for ever to be told whether it has the lock") {
  std::atomic<bool> stop{false}, over{false};
  SmallServer server([&](const Asked&) {
    stop = true;
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return std::string();
  });
  HttpSettings s = settings_for(server);
  s.stop = &stop, s.last_answer = std::chrono::milliseconds(1);
  {
    const auto store = open_remote_store(place_of(s), {.local_journal = "none", .stop = &stop});
    const Result<void> locked = store->lock("OperationTypePlan", 0, &stop);
    REQUIRE_FALSE(locked);
    CHECK(locked.error().message.starts_with("the server has not said whether it has locked the state"));
    CHECK(server.asked().size() == 1);
    CHECK_FALSE(store->lock("OperationTypePlan", 0, &stop));  // nothing is sent any more
    CHECK(server.asked().size() == 1);
  }
  over = true;
}

TEST_CASE("http: answers that are errors, and attempts") {
  struct {
    const char* call;
    std::string answer;
    int requests;
    const char* message;  // empty: it works
  } const table[] = {
      {"get", SmallServer::answer("401 Unauthorized"), 1,
       "the server answered 401 Unauthorized. Set \"username\""},
      {"get", SmallServer::answer("403 Forbidden"), 1, "403 Forbidden. The credentials do not permit this"},
      {"get", SmallServer::answer("404 Not Found"), 1, ""},
      {"get", SmallServer::answer("204 No Content"), 1, ""},
      {"get", SmallServer::answer("200 OK"), 1, ""},
      {"get", SmallServer::answer("201 Created", "x"), 1, "the server answered 201"},
      {"get", SmallServer::answer("500 Internal Server Error"), 3,
       "500 Internal Server Error after 3 attempts"},
      {"get", SmallServer::answer("501 Not Implemented"), 1, "the server answered 501"},
      {"get", SmallServer::answer("429 Too Many Requests"), 3, "429 Too Many Requests after 3 attempts"},
      {"get", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{", 3,
       "failed to reach the server with GET at"},
      {"get", "", 3, "failed to reach the server with GET at"},
      {"get", SmallServer::answer("200 OK", "x", "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==\r\n"), 1,
       "was damaged"},
      {"get", SmallServer::answer("200 OK", "x", "Content-MD5: nonsense\r\n"), 1, ""},
      {"lock", SmallServer::answer("401 Unauthorized"), 1, "cannot lock the state at"},
      {"lock", SmallServer::answer("403 Forbidden"), 1, "403 Forbidden. The"},
      {"lock", SmallServer::answer("404 Not Found"), 1, "404 Not Found"},
      {"lock", SmallServer::answer("405 Method Not Allowed"), 1,
       "405 Method Not Allowed. It does not support LOCK; set \"lock_method\", or remove \"lock_address\""},
      {"put", SmallServer::answer("501 Not Implemented"), 1,
       "It does not support POST; set \"update_method\""},
      {"lock", SmallServer::answer("204 No Content"), 1, "204"},
      {"lock", SmallServer::answer("503 Service Unavailable"), 3, "503 Service Unavailable after 3 attempts"},
      {"lock", "", 3, "failed to reach the server with LOCK at"},
      {"put", SmallServer::answer("200 OK"), 1, ""},
      {"put", SmallServer::answer("201 Created"), 1, ""},
      {"put", SmallServer::answer("204 No Content"), 1, ""},
      {"put", SmallServer::answer("202 Accepted"), 1, "cannot write the state at"},
      {"put", SmallServer::answer("409 Conflict"), 1, "409"},
      {"put", SmallServer::answer("500 Internal Server Error"), 3, "after 3 attempts"},
      {"put", "", 4, "failed to reach the server with POST at"},  // one more, as a connection was kept that
                                                                  // may have been closed meanwhile
      {"unlock", SmallServer::answer("204 No Content"), 1, "cannot release the lock"},
      {"unlock", SmallServer::answer("500 Internal Server Error"), 4,  // with a look at who has it
       "the server answered 500 Internal Server Error"},
      {"unlock", SmallServer::answer("409 Conflict", R"({"ID":"abc"})"), 1,
       "locked by another run:\nLock Info:\n  ID:        abc"},
  };
  for (const auto& row : table) {
    INFO(row.call << " " << row.answer);
    StateServer s;
    const auto p = place_of(settings_for(s.server));
    LockInfo info = info_of("mine");
    const std::string call = row.call;
    if (call == "put" || call == "unlock") REQUIRE(p->try_lock(info));
    const size_t before = s.server.asked().size();
    // A write looks first.
    const auto looks = [&](const Asked& a) { return call == "put" && a.method == "GET"; };
    s.fault = [&](const Asked& a) { return looks(a) ? SmallServer::answer("404 Not Found") : row.answer; };
    std::string message;
    auto run = [&](const auto& r) { message = r ? "" : r.error().message; };
    if (call == "get") run(p->get());
    if (call == "lock") run(p->try_lock(info));
    if (call == "put") run(p->put("1", std::nullopt));
    if (call == "unlock") run(p->unlock());
    INFO(message);
    const std::vector<Asked> asked = s.server.asked();
    const auto first = asked.begin() + static_cast<int64_t>(before);
    CHECK(asked.end() - first - std::count_if(first, asked.end(), looks) == row.requests);
    CHECK(message.empty() == !*row.message);
    CHECK(message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("http: what passes by itself is tried again") {
  for (const std::string& first :
       {SmallServer::answer("500 Internal Server Error"),
        SmallServer::answer("429 Too Many Requests", "", "Retry-After: 1\r\n"), std::string(),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{")}) {
    StateServer s;
    int times = 0;
    s.fault = [&](const Asked&) { return times++ == 0 ? first : "-"; };
    const auto p = place_of(settings_for(s.server));
    INFO(first);
    CHECK(p->get());
    CHECK(times == 2);
  }
}

TEST_CASE("http: a state that cannot be read can be replaced, but a page cannot") {
  StateServer s;
  s.fault = [&](const Asked& a) {
    return a.method == "GET" && s.state == "1"
               ? SmallServer::answer("200 OK", s.state,
                                     "Content-MD5: " + base64_encode(digest(Digest::Md5, "2")) + "\r\n")
               : "-";
  };
  const auto p = place_of(settings_for(s.server));
  s.state = "1";
  REQUIRE_FALSE(p->get());
  const auto version = p->version();
  REQUIRE((version && *version));
  const auto other = p->put("3", "of another one");
  CHECK((!other || other->conflict));
  const auto put = p->put("3", *version);
  REQUIRE(put);
  CHECK_FALSE(put->conflict);
  CHECK(s.state == "3");
  s.state = "<html>Log in</html>";
  CHECK_FALSE(p->version().value());
}

TEST_CASE("http: told to stop, reading and locking end, writing and unlocking do not") {
  StateServer s;
  std::atomic<bool> stop{false};
  HttpSettings settings = settings_for(s.server);
  settings.stop = &stop;
  const auto p = place_of(settings);
  LockInfo info = info_of("mine");
  REQUIRE(p->try_lock(info));
  stop = true;
  CHECK_FALSE(p->get());
  CHECK(p->get(nullptr, true));
  CHECK(p->put("1", std::nullopt));
  CHECK(p->unlock());
  CHECK_FALSE(p->try_lock(info));
}

TEST_CASE("http: a run that is stopped while the server takes the lock knows that it has it") {
  StateServer s;
  std::atomic<bool> stop{false};
  s.fault = [&](const Asked& a) {
    if (a.method == "LOCK") stop = true, ::usleep(1500000);
    return "-";
  };
  HttpSettings settings = settings_for(s.server);
  settings.stop = &stop;
  const auto p = place_of(settings);
  LockInfo info = info_of("mine");
  const auto tried = p->try_lock(info);
  REQUIRE(tried);
  CHECK_FALSE(tried->held);
  REQUIRE(p->unlock());
  CHECK(s.lock.empty());
}

// Sent again, it would release the lock that somebody else has taken meanwhile, or tell of that one.
TEST_CASE("http: a lock whose release nobody heard of is not released again") {
  for (const char* next : {"", "theirs", "mine"}) {
    INFO("then it is locked by " << next);
    StateServer s;
    int releases = 0;
    s.fault = [&](const Asked& a) {
      if (a.method != "UNLOCK" || releases++ > 0) return std::string("-");
      std::lock_guard guard(s.mutex);
      s.lock = *next ? info_of(next).json() : "";
      return SmallServer::answer("503 Service Unavailable");
    };
    const auto p = place_of(settings_for(s.server));
    LockInfo info = info_of("mine");
    REQUIRE(!p->try_lock(info)->held);
    CHECK(p->unlock());
    CHECK(releases == (std::string(next) == "theirs" ? 1 : 2));
    CHECK((parse_lock_info(s.lock).value_or(LockInfo()).id == "theirs") == (std::string(next) == "theirs"));
  }
}

// Its server is restarted, say.
TEST_CASE("http: a write waits for a server that is away") {
  StateServer s;
  HttpSettings settings = settings_for(s.server);
  settings.retry.times = 0, settings.patience = std::chrono::seconds(20);
  int posts = 0;
  s.fault = [&](const Asked& a) { return a.method == "POST" && posts++ < 3 ? std::string() : "-"; };
  const auto p = place_of(settings);
  CHECK(p->put("1", std::nullopt));
  CHECK(s.state == "1");
}

TEST_CASE("http: a lock is broken by its ID") {
  StateServer s;
  const auto p = place_of(settings_for(s.server));
  s.lock = info_of("abc").json();
  REQUIRE(p->break_lock("abc"));
  const auto sent = parse_lock_info(s.server.asked().back().body);
  CHECK(sent.value().id == "abc");
  CHECK(sent->created == "0001-01-01T00:00:00Z");  // what does not parse as a time would be refused
  s.fault = [](const Asked&) {
    return SmallServer::answer("409 Conflict", R"({"ID":"other","Who":"them"})");
  };
  const auto wrong = p->break_lock("abc");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("ID:        other") != std::string::npos);
}

TEST_CASE("http: a lock that nobody has is not broken") {
  StateServer s;
  const auto broken = place_of(settings_for(s.server))->break_lock("abc");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.starts_with("the lock is gone: "));
  CHECK(s.lock.empty());
  CHECK(s.requests() == std::vector<std::string>{"LOCK /state/lock", "UNLOCK /state/unlock"});
}

TEST_CASE("http: whether somebody has the lock is told by trying to acquire it") {
  StateServer s;
  const auto p = place_of(settings_for(s.server));
  const auto free = p->find_holder();
  REQUIRE(free);
  CHECK_FALSE(*free);
  CHECK(s.lock.empty());
  s.lock = info_of("abc").json();
  const auto held = p->find_holder();
  REQUIRE(held);
  REQUIRE(*held);
  CHECK((*held)->id == "abc");
  CHECK(s.requests() ==
        std::vector<std::string>{"LOCK /state/lock", "UNLOCK /state/unlock", "LOCK /state/lock"});
  HttpSettings settings = settings_for(s.server);
  settings.unlock_address.clear();
  CHECK_FALSE(place_of(settings)->find_holder());
  CHECK(s.requests().size() == 3);
}

TEST_CASE("http: without an address for it, no lock is broken") {
  StateServer s;
  HttpSettings settings = settings_for(s.server);
  settings.unlock_address.clear();
  const auto broken = place_of(settings)->break_lock("abc");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.starts_with("nothing was unlocked"));
  CHECK(s.server.asked().empty());
}

TEST_CASE("http: states that differ in a parameter alone are not one, and a page is not a state") {
  StateServer s;
  auto of = [&](const std::string& query) {
    return open(parse_settings("http", R"({"address":")" + s.server.url + query + "\"}").value(), {}).value();
  };
  CHECK(of("/?a=1")->identity("default") != of("/?a=2")->identity("default"));
  CHECK(of("/?a=1")->place("default") == of("/?a=2")->place("default"));
  s.state = "\n<html lang=en><body>Log in</body>";
  const auto page = of("/")->read("default");
  REQUIRE_FALSE(page);
  CHECK(page.error().message.find("there is a web page at") != std::string::npos);
  CHECK(page.error().message.find("begins with \"<html lang=en>\"") != std::string::npos);
}

TEST_CASE("http: settings that cannot be, without passwords") {
  struct {
    const char *settings, *message;
  } const table[] = {
      {"{}", "the argument \"address\" is required"},
      {R"({"address":""})", "the argument \"address\" is required"},
      {R"({"address":"http://h","lock_address":""})", "the argument \"lock_address\" must not be empty"},
      {R"({"address":"http://h","unlock_address":""})", "the argument \"unlock_address\" must not be empty"},
      {R"({"address":"ftp://u:secret@h/x"})",
       "must be a URL that begins with http:// or https://, not \"ftp://u:xxxxx@h/x\""},
      {R"({"address":"http://"})", "the argument \"address\" must name a host, not \"http://\""},
      {R"({"address":"http:///state"})", "the argument \"address\" must name a host"},
      {R"({"address":"http://:80/state"})", "the argument \"address\" must name a host"},
      {R"({"address":"http://127.0.0.1:99999/"})",
       "\"address\" must have a port between 1 and 65535, not \"http://127.0.0.1:99999/\""},
      {R"({"address":"http://[::1]:x/"})", "must have a port between"},
      {R"({"address":"HTTPS://u:p@[::1]:80/?token=secret"})", ""},
      {R"({"address":"http://[::1]"})", ""},
      {R"({"address":"http://u:se@secret@h/x"})",
       "must have %40 for each \"@\" in the user name and the password, not \"http://u:xxxxx@h/x\""},
      {R"({"address":"https://user:secret/2@host.example/s"})",
       "a port between 1 and 65535, not \"https://user:xxxxx@host.example/s\""},
      {R"({"address":"https://user:secret#2@host.example/s"})", "not \"https://user:xxxxx@host.example/s\""},
      {R"({"address":"https://user:secret?2@host.example/s"})", "not \"https://user:xxxxx@host.example/s\""},
      {R"({"address":"ftp://h/?token=secret"})", "not \"ftp://h/?token=xxxxx\""},
      {R"({"address":"http://h","lock_address":"h/lock"})", "the argument \"lock_address\" must be a URL"},
      {R"({"address":"http://h","unlock_address":":"})", "the argument \"unlock_address\" must be a URL"},
      {R"({"address":"http://h","retry_max":-1})", "\"retry_max\" must be between 0 and 86400, not -1"},
      {R"({"address":"http://h","retry_wait_min":1.5})",
       "\"retry_wait_min\" must be a whole number, not \"1.5\""},
      {R"({"address":"http://h","client_certificate_pem":"-----BEGIN CERTIFICATE-----"})",
       "must be set together"},
      {R"({"address":"http://h","client_private_key_pem":"secret"})", "must be set together"},
      {R"({"address":"http://h","client_ca_certificate_pem":"ca.pem"})",
       "example:\n\n  client_ca_certificate_pem = <<-PEM\n"},
      {R"({"address":"http://u:secret@h","username":"u","password":"secret","retry_max":0})", ""},
      {R"({"address":"http://h","headers":{"Authorization":"secret","x_y-1":"z"}})", ""},
      {R"({"address":"http://h","username":"u","headers":{"authorization":"secret"}})",
       "the header \"authorization\" of the argument \"headers\" cannot be used together with"},
      {R"({"address":"http://h","headers":{"Content-MD5":"secret"}})", "is set by each request"},
      {R"({"address":"http://h","headers":{"a b":"secret"}})", "must have a name of letters"},
      {R"({"address":"http://h","headers":{"a":" "}})", "must have a value of ASCII characters"},
      {R"({"address":"http://h","headers":{"a":"secret\r\nb: c"}})", "without control characters"},
  };
  for (const auto& row : table) {
    const std::string message = open_problem(row.settings);
    INFO(row.settings << ": " << message);
    CHECK(message.empty() == !*row.message);
    CHECK(message.find(row.message) != std::string::npos);
    CHECK(message.find("secret") == std::string::npos);
  }
}

TEST_CASE("http: the environment says what the settings leave open") {
  ::setenv("TF_HTTP_ADDRESS", "gopher://from-environment", 1);
  CHECK(open_problem("{}").find("gopher://from-environment") != std::string::npos);
  CHECK(open_problem(R"({"address":"http://h"})").empty());
  ::setenv("TF_HTTP_RETRY_MAX", "x", 1);
  CHECK(open_problem(R"({"address":"http://h"})").find("\"retry_max\"") != std::string::npos);
  ::unsetenv("TF_HTTP_ADDRESS");
  ::unsetenv("TF_HTTP_RETRY_MAX");
}

TEST_CASE("http: the sum over a block is the one that other tools record") {
  const auto s =
      parse_settings("http", R"({"address":"http://127.0.0.1:41113/ref?b=2&a=1","username":"u","password":"p",
    "lock_address":"http://127.0.0.1:41113/ref?x=1","unlock_address":"http://127.0.0.1:41113/ref"})");
  CHECK(s.value().hash() == 3724027693u);
  // OpenTofu's additions are recorded where they are set, or by itself.
  CHECK(s.value().json().find("headers") == std::string::npos);
  CHECK(parse_settings("http", R"({"headers":{"a":"b"}})").value().json().find(R"("headers":{"a":"b"})") !=
        std::string::npos);
  config::use_dialect(config::Dialect::OpenTofu);
  CHECK(s.value().json().find(R"("headers":null)") != std::string::npos);
  config::use_dialect(config::Dialect::Xplan);
}

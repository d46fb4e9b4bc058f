// HTTP requests: methods, headers, bodies, credentials, redirects, attempts, limits, interruption, and
// connections that are kept.
#include "core/net/client.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <new>
#include <thread>

#include "core/base/fs.h"
#include "core/net/url.h"
#include "core/net/waiting.h"
#include "tests/support/folder.h"
#include "tests/support/small_server.h"

using namespace xplan;
using namespace xplan::net;
using test::Asked;
using test::SmallServer;

namespace {

std::string ok(const Asked&) {
  return SmallServer::answer("200 OK", "body", "X-Some-Name: value \r\n");
}
std::string said(const Result<Answer>& r) {
  return r ? "status " + std::to_string(r->status) : r.error().message;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("client: every method, with its body and headers") {
  SmallServer server(ok);
  Client client;
  for (const char* method : {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "LOCK", "UNLOCK", "PROPFIND"}) {
    for (const bool with_body : {false, true}) {
      const bool reads = std::string(method) == "GET" || std::string(method) == "HEAD";
      if (reads && with_body) continue;
      Request r;
      r.url = server.url + "/state";
      r.method = method;
      r.headers = {{"X-Number", "7"}, {"X-Empty", ""}};
      if (with_body) r.body = std::string("{\0}", 3);
      const Result<Answer> answer = client.send(r);
      INFO(method << " " << with_body << ": " << said(answer));
      REQUIRE(answer);
      CHECK(answer->status == 200);
      CHECK(answer->body == (std::string(method) == "HEAD" ? "" : "body"));
      CHECK(answer->headers.at("x-some-name") == "value");
      const Asked asked = server.asked().back();
      CHECK(asked.method == method);
      CHECK(asked.path == "/state");
      CHECK(asked.headers.at("X-Number") == "7");
      CHECK(asked.body == (with_body ? std::string("{\0}", 3) : ""));
      CHECK_FALSE(asked.headers.count("Content-Type"));
      CHECK_FALSE(asked.headers.count("Expect"));
      CHECK_FALSE(asked.headers.count("Authorization"));
    }
  }
  // One after the other, they all take the same connection.
  for (const Asked& a : server.asked()) CHECK(a.connection == 0);
}

TEST_CASE("client: an empty body is a body, a large one arrives whole, and its type can be said") {
  SmallServer server(ok);
  Client client;
  for (const size_t size : {size_t{0}, size_t{5} << 20}) {
    Request r;
    r.url = server.url;
    r.method = "POST";
    r.body = std::string(size, 'x');
    r.headers = {{"Content-Type", "application/json"}};
    REQUIRE(client.send(r));
    const Asked asked = server.asked().back();
    CHECK(asked.body == *r.body);
    CHECK(asked.headers.at("Content-Length") == std::to_string(size));
    CHECK(asked.headers.at("Content-Type") == "application/json");
  }
}

TEST_CASE("client: headers cannot smuggle others in") {
  SmallServer server(ok);
  Client client;
  const std::pair<std::string, std::string> rows[] = {{"X", "a\r\nEvil: 1"}, {"X", "a\nEvil: 1"},
                                                      {"X: 1\r\nEvil", "1"}, {"", "1"},
                                                      {"X Y", "1"},          {"X:", "1"}};
  for (const auto& row : rows) {
    Request r;
    r.url = server.url;
    r.headers = {row};
    CHECK(contains(said(client.send(r)), "a header of the request is not valid"));
  }
  Request r;
  r.url = server.url;
  for (const char* method : {"", "GET / HTTP/1.1\r\nEvil: 1", "GET X", "A:"}) {
    r.method = method;
    CHECK(contains(said(client.send(r)), "its method is not valid"));
  }
  CHECK(server.asked().empty());
}

TEST_CASE("client: nothing that has control characters is sent") {
  SmallServer server(ok);
  for (const std::string& bad : {std::string("a\r\nEvil: 1"), std::string("a\nb"), std::string("a\0b", 3),
                                 std::string("\x7f"), std::string("a\tb")}) {
    Request r;
    r.url = server.url;
    r.user = bad;
    CHECK(contains(said(Client().send(r)), "the user name contains control characters"));
    r.user = "me", r.password = bad;
    CHECK(contains(said(Client().send(r)), "the password contains control characters"));
    r.user = r.password = "";
    r.url = "https" + server.url.substr(4), r.token = bad;
    CHECK(contains(said(Client().send(r)), "the token contains control characters"));
    r.url = server.url + "/" + bad, r.token = "";
    const std::string shown = said(Client().send(r));
    CHECK(contains(shown, "the address contains control characters"));
    CHECK(shown.find_first_of(std::string_view("\r\n\0\x7f\t", 5)) == shown.npos);
    r.url = server.url;
    ClientOptions options;
    options.user_agent = "xplan " + bad;
    CHECK(contains(said(Client(options).send(r)), "the user agent contains control characters"));
  }
  for (const char* user : {"a%0d%0aEvil:b@", "a:%00@", "a:b%7F@"}) {
    Request r;
    r.url = "http://" + std::string(user) + server.url.substr(7);
    CHECK(contains(said(Client().send(r)), "the user name or password in the address contains control"));
  }
  CHECK(server.asked().empty());
  Request r;
  r.url = "http://a%20b:c%3a@" + server.url.substr(7);
  REQUIRE(Client().send(r));
  CHECK(server.asked().back().headers.at("Authorization") == "Basic YSBiOmM6");
}

TEST_CASE("client: answers are compressed only in the ways that were asked for") {
  // "body", by gzip.
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xca\x4f\xa9\x04\x00\xb2\x0b\xa8\xdb\x04\x00\x00\x00", 24);
  SmallServer server([&](const Asked& a) {
    const std::string how = a.path.substr(1);
    return SmallServer::answer("200 OK", how == "gzip" ? packed : "body",
                               how == "two"  ? "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"
                               : how.empty() ? ""
                                             : "Content-Encoding: " + how + "\r\n");
  });
  Client client;
  const test::Folder folder;
  for (const std::string& file : {std::string(), folder / "file"}) {
    for (const char* how :
         {"", "gzip", "identity", "br", "zstd", "compress", "deflate", "gzip,gzip", "two"}) {
      Request r;
      r.url = server.url + "/" + how;
      r.to_file = file;
      const Result<Answer> answer = client.send(r);
      const std::string name = how;
      INFO(name << ": " << said(answer));
      if (name.empty() || name == "gzip" || name == "identity") {
        REQUIRE(answer);
        CHECK((file.empty() ? answer->body : *real_fs().read(file)) == "body");
      } else {
        CHECK_FALSE(answer);
      }
      CHECK(server.asked().back().headers.at("Accept-Encoding") == "gzip");
    }
  }
}

TEST_CASE("client: what is compressed and cut off is not taken for less, or for nothing") {
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xca\x4f\xa9\x04\x00\xb2\x0b\xa8\xdb\x04\x00\x00\x00", 24);
  // An endless row of blocks without content, and then with some; the digits are how much of it is sent.
  std::string hollow = packed.substr(0, 10);
  for (int i = 0; i < 500'000; ++i) hollow.append("\x00\x00\x00\xff\xff", 5);
  SmallServer server([&](const Asked& a) {
    const std::string what = a.path.substr(1);
    std::string body = what == "hollow" ? hollow : packed.substr(0, std::strtoul(what.c_str(), nullptr, 10));
    if (what == "sum") body = packed, body[17] ^= 1;
    if (what == "more") body = packed + "x";
    if (what == "text") body = "body";
    return SmallServer::answer(what == "404" ? "404 Not Found" : "200 OK", what == "404" ? "" : body,
                               "Content-Encoding: gzip\r\n");
  });
  const std::string early = "the response is compressed, and ends too early",
                    invalid = "rejected because it is compressed, but is not valid gzip";
  const std::pair<const char*, std::string> rows[] = {
      {"24", ""},
      {"404", ""},
      {"0", ""},
      {"1", early},
      {"10", early},
      {"16", early},
      {"23", early},
      {"sum", invalid},
      {"more", invalid},
      {"text", invalid},
      {"hollow", "rejected because it is larger than 1000 bytes"}};
  Client client;
  for (const auto& [path, problem] : rows) {
    INFO(path);
    Request r;
    r.url = server.url + "/" + path;
    r.limits.body = 1000;
    r.retry = {1, std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
    const size_t before = server.asked().size();
    const Result<Answer> answer = client.send(r);
    INFO(said(answer));
    CHECK((problem.empty() ? answer.ok() : contains(said(answer), problem)));
    if (answer) CHECK(answer->body == (std::string(path) == "24" ? "body" : ""));
    CHECK(server.asked().size() - before == (problem == early ? 2u : 1u));
  }
}

TEST_CASE("client: what is wrong with an answer or an address is said in words") {
  SmallServer server([](const Asked& a) {
    return a.path == "/on" ? SmallServer::answer("302 Found", "", "Location: /other\r\n")
                           : std::string("SSH-2.0-OpenSSH\r\n");
  });
  Client client;
  for (const char* path : {"/", "/on"}) {
    Request r;
    r.url = server.url + path;
    CHECK(contains(said(client.send(r)), ": the response is not HTTP"));
  }
  for (const char* bad : {"http://", "http://a b/", "http://[::1", "x"}) {
    Request r;
    r.url = bad;
    const std::string text = said(client.send(r));
    CHECK_FALSE(contains(text, "transfer error"));
    CHECK(text.size() > 40);
  }
  Request r;
  r.url = server.url + "/" + std::string(9 << 20, 'x');
  const std::string text = said(client.send(r));
  CHECK(text.size() < 3000);
  CHECK_FALSE(contains(text, "transfer error"));
}

TEST_CASE("client: credentials go to their host only, and tokens over https only") {
  SmallServer other(ok);
  SmallServer server([&](const Asked& a) {
    return a.path == "/away" ? SmallServer::answer("302 Found", "", "Location: " + other.url + "/there\r\n")
           : a.path == "/on" ? SmallServer::answer("302 Found", "", "Location: /there\r\n")
                             : ok(a);
  });
  Client client;
  Request r;
  r.user = "me";
  r.password = "secret-1";
  r.url = server.url + "/on";
  REQUIRE(client.send(r));
  CHECK(server.asked().back().path == "/there");
  CHECK(server.asked().back().headers.at("Authorization") == "Basic bWU6c2VjcmV0LTE=");
  r.url = server.url + "/away";
  const Result<Answer> away = client.send(r);
  REQUIRE(away);
  CHECK(away->url == other.url + "/there");
  CHECK_FALSE(other.asked().back().headers.count("Authorization"));
  Request with_header;
  with_header.url = server.url + "/away";
  with_header.headers = {{"Authorization", "secret-1"}};
  REQUIRE(client.send(with_header));
  CHECK_FALSE(other.asked().back().headers.count("Authorization"));
  // The next request has none of the last one.
  Request plain;
  plain.url = server.url + "/there";
  REQUIRE(client.send(plain));
  CHECK_FALSE(server.asked().back().headers.count("Authorization"));
  const size_t asked = server.asked().size();
  plain.token = "secret-1";
  CHECK(contains(said(client.send(plain)), "only sent over https"));
  CHECK(server.asked().size() == asked);
}

TEST_CASE("client: only what reads follows redirects") {
  SmallServer server([](const Asked& a) {
    return a.path == "/a"      ? SmallServer::answer("307 Temporary Redirect", "", "Location: /b\r\n")
           : a.path == "/loop" ? SmallServer::answer("302 Found", "", "Location: /loop\r\n")
           : a.path == "/file" ? SmallServer::answer("302 Found", "", "Location: file:///etc/passwd\r\n")
                               : ok(a);
  });
  Client client;
  Request r;
  r.url = server.url + "/a";
  CHECK(said(client.send(r)) == "status 200");
  r.follow = false;
  CHECK(said(client.send(r)) == "status 307");
  r.follow = true;
  for (const char* method : {"PUT", "POST", "DELETE", "LOCK"}) {
    r.method = method;
    r.body = "x";
    CHECK(said(client.send(r)) == "status 307");
  }
  Request bad;
  for (const char* path : {"/loop", "/file"}) {
    bad.url = server.url + path;
    CHECK_FALSE(client.send(bad));
  }
  CHECK(contains(said(client.send(bad)), "it redirects to an address without http or https"));
  bad.url = "file:///etc/passwd";
  CHECK(contains(said(client.send(bad)), ": only addresses with http and https are supported"));
}

TEST_CASE("client: nothing is sent unless libcurl takes all that was set") {
  SmallServer server(ok);
  Client client;
  const test::Folder folder;
  Request r;
  r.url = server.url;
  r.to_file = folder / "file";
  r.limits.connect = -1;
  CHECK(contains(said(client.send(r)), "libcurl does not support what the request requires (option 78: "));
  CHECK(server.asked().empty());
  CHECK_FALSE(real_fs().exists(r.to_file));
  r.limits.connect = 15;
  CHECK(said(client.send(r)) == "status 200");
}

TEST_CASE("client: a header without an end") {
  SmallServer server(
      [](const Asked&) { return "HTTP/1.1 200 OK\r\nX-Endless: " + std::string(2 << 20, 'x'); });
  Client client;
  Request r;
  r.url = server.url;
  const std::string why = said(client.send(r));
  CHECK(contains(why, "headers are too large"));
  CHECK_FALSE(contains(why, "memory"));
}

TEST_CASE("client: headers behind the body, and before it, have an end, and lengths are numbers") {
  std::string rows;
  while (rows.size() < (2 << 20)) rows += "X-Row: " + std::string(2000, 'x') + "\r\n";
  SmallServer server([&](const Asked& a) {
    const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n";
    std::string early;
    for (int i = 0; a.path == "/early" && i < 100'000; ++i) early += "HTTP/1.1 100 Continue\r\n\r\n";
    return a.path == "/trailer" ? chunked + rows + "\r\n"
           : early.empty()
               ? "HTTP/1.1 200 OK\r\nContent-Length: " + a.path.substr(1) + "\r\nConnection: close\r\n\r\nok"
               : early + SmallServer::answer("200 OK", "ok");
  });
  Client client;
  const std::pair<const char*, const char*> cases[] = {
      {"/trailer", "was rejected because its headers are too large"},
      {"/early", "was rejected because its headers are too large"},
      {"/99999999999999999999", "was rejected because its Content-Length is too large"},
      {"/9223372036854775808", "was rejected because its Content-Length is too large"},
      {"/9223372036854775807", "failed to reach"},
      {"/2", "status 200"}};
  for (const auto& [path, says] : cases) {
    Request r;
    r.url = server.url + path;
    CAPTURE(path);
    CHECK(contains(said(client.send(r)), says));
  }
}

TEST_CASE("client: headers of the request's own host do not follow a redirect to another one") {
  SmallServer other(ok);
  const std::string same = other.url.substr(std::string("http://localhost").size());
  SmallServer server([&](const Asked& a) {
    const auto to = [](const std::string& url) {
      return SmallServer::answer("302 Found", "", "Location: " + url + "\r\n");
    };
    return a.path == "/here"    ? to("/there")
           : a.path == "/there" ? to(other.url + "/x")
           : a.path == "/name"  ? to("http://127.0.0.1" + same + "/x")
           : a.path == "/loop"  ? to("/loop")
           : a.path == "/file"  ? to("file:///etc/passwd")
                                : ok(a);
  });
  Client client;
  Request r;
  r.headers = {{"X-Api-Key", "secret"}};
  r.own_headers = true;
  r.user = "u", r.password = "p";
  for (const char* path : {"/here", "/name", "/x"}) {
    r.url = server.url + path;
    CHECK(said(client.send(r)) == "status 200");
  }
  for (const Asked& a : server.asked()) {
    CHECK(a.headers.at("X-Api-Key") == "secret");
    CHECK(a.headers.at("Authorization") == "Basic dTpw");
  }
  CHECK(other.asked().size() == 2);
  for (const Asked& a : other.asked()) {
    CHECK(a.headers.count("X-Api-Key") == 0);
    CHECK(a.headers.count("Authorization") == 0);
  }
  const std::pair<const char*, const char*> bad[] = {
      {"/loop", "it redirects too often"}, {"/file", "it redirects to an address without http or https"}};
  for (const auto& [path, says] : bad) {
    r.url = server.url + path;
    CHECK(contains(said(client.send(r)), says));
  }
  r.url = server.url + "/here", r.follow = false;
  CHECK(said(client.send(r)) == "status 302");
}

TEST_CASE("client: what is tried again, and how often, is the request's policy") {
  std::atomic<int> count{0};
  SmallServer server([&](const Asked& a) {
    ++count;
    return a.path == "/closed"             ? std::string()
           : a.path == "/cut" && count < 3 ? std::string("HTTP/1.1 200 OK\r\nConnection: close\r\n")
           : a.path == "/trailer"          ? std::string(
                                                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                          "2\r\nok\r\n0\r\nContent-Encoding: odd\r\n\r\n")
           : a.path == "/busy" && count < 3 ? SmallServer::answer("503 Service Unavailable")
           : a.path == "/locked"            ? SmallServer::answer("423 Locked")
                                            : ok(a);
  });
  Client client;
  struct Row {
    const char* path;
    int times, asked;
    const char* says;
    std::function<bool(int)> again;
  };
  const Row rows[] = {
      {"/busy", 0, 1, "status 503", nullptr},
      {"/busy", 1, 2, "status 503", nullptr},
      {"/busy", 5, 3, "status 200", nullptr},
      {"/locked", 2, 1, "status 423", nullptr},
      {"/locked", 2, 3, "status 423", [](int status) { return status == 423; }},
      {"/cut", 0, 1, "the connection was closed before the response was complete", nullptr},
      {"/cut", 2, 3, "status 200", nullptr},
      {"/trailer", 0, 1, "status 200", nullptr},
      {"/closed", 0, 1, "failed to reach", nullptr},
      {"/closed", 2, 3, "failed to reach", nullptr},
  };
  for (const Row& row : rows) {
    count = 0;
    Request r;
    r.url = server.url + row.path;
    r.retry.times = row.times;
    r.retry.first = r.retry.most = std::chrono::milliseconds(1);
    if (row.again) r.retry.again = row.again;
    INFO(row.path << " " << row.times);
    CHECK(contains(said(client.send(r)), row.says));
    // A connection that was closed in between may be noticed by libcurl itself.
    if (std::string(row.path) != "/closed")
      CHECK(count == row.asked);
    else
      CHECK(count >= row.asked);
  }
}

TEST_CASE("client: a server that was never there is not asked again where that is not wanted") {
  auto port = std::make_unique<SmallServer>(ok);
  Request r;
  r.url = port->url + "/x";
  r.retry = {.times = 2, .first = std::chrono::milliseconds(400), .refused_at_first = false};
  Client answered, client;
  CHECK(answered.send(r));
  port.reset();
  auto took = [&r](Client& c) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(!c.send(r));
    return std::chrono::steady_clock::now() - start;
  };
  CHECK(took(client) < std::chrono::milliseconds(300));
  CHECK(took(answered) > std::chrono::milliseconds(400));
  r.retry.refused_at_first = true;
  r.url = "http://no-such-name.invalid/x";
  CHECK(took(answered) < std::chrono::milliseconds(300));  // others have answered, and it has not
}

TEST_CASE("client: who waits for a server hears of it once, until it answers") {
  std::atomic<int> left{0};
  SmallServer server(
      [&](const Asked& a) { return left-- > 0 ? SmallServer::answer("503 Service Unavailable") : ok(a); });
  std::vector<std::string> told;
  tell_when_waiting([&](const std::string& text) { told.push_back(text); });
  Client client;
  Request r;
  r.url = server.url + "/x";
  r.retry = {.times = 5, .first = std::chrono::milliseconds(1)};
  for (const auto& [failures, in_all] : {std::pair(1, 0u), {4, 1u}, {3, 2u}}) {
    left = failures;
    CHECK(said(client.send(r)) == "status 200");
    CHECK(told.size() == in_all);
  }
  told.clear();
  tell_when_waiting([&](const std::string& text) { told.push_back(text); }, std::chrono::milliseconds(0));
  left = 4;
  CHECK(said(client.send(r)) == "status 200");
  CHECK(told.size() == 3);  // a while later again
  tell_when_waiting(nullptr);
  CHECK(contains(told[0], "The server at " + host_and_port(server.url)));
}

TEST_CASE("client: a server that is silent for too long is told without the words of libraries") {
  SmallServer server([](const Asked& a) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    return ok(a);
  });
  Client client;
  Request r;
  r.url = server.url + "/x";
  r.limits.silence = 1;
  CHECK(contains(said(client.send(r)), "less than 1 KiB per second was transferred for 1 seconds"));
}

TEST_CASE("client: a request with patience waits for a server that was there before") {
  std::atomic<int> left{0};
  SmallServer server([&](const Asked& a) { return left-- > 0 ? std::string() : ok(a); });
  Request r;
  r.url = server.url + "/x";
  r.retry = {.times = 1, .first = std::chrono::milliseconds(1), .most = std::chrono::milliseconds(1)};
  for (const bool before : {false, true})
    for (const int seconds : {0, 60}) {
      INFO(before << " " << seconds);
      Client client;
      left = 0;
      if (before) CHECK(said(client.send(r)) == "status 200");
      left = 20;  // libcurl repeats some by itself
      r.patience = std::chrono::seconds(seconds);
      CHECK((said(client.send(r)) == "status 200") == (before && seconds > 0));
      r.patience = {};
    }
}

TEST_CASE("client: patience is also for what a load balancer says of a server that is away") {
  const struct {
    const char* answer;
    bool before, waits;
  } rows[] = {{"502 Bad Gateway", true, true},
              {"503 Service Unavailable", true, true},
              {"504 Gateway Timeout", true, true},
              {"503 Service Unavailable", false, false},  // nobody knows whether there is a server
              {"500 Internal Server Error", true, false},
              {"429 Too Many Requests", true, false}};
  for (const auto& row : rows) {
    INFO(row.answer << " " << row.before);
    std::atomic<int> left{0};
    SmallServer server([&](const Asked& a) { return left-- > 0 ? SmallServer::answer(row.answer) : ok(a); });
    Request r;
    r.url = server.url + "/x";
    r.retry = {.times = 1, .first = std::chrono::milliseconds(1), .most = std::chrono::milliseconds(1)};
    r.patience = std::chrono::seconds(60);
    Client client;
    if (row.before) CHECK(said(client.send(r)) == "status 200");
    left = 6;
    CHECK((said(client.send(r)) == "status 200") == row.waits);
  }
}

TEST_CASE("client: of an answer that only says what went wrong, a megabyte is enough") {
  SmallServer server([](const Asked& a) {
    return SmallServer::answer(a.path.substr(1) + " Reason", std::string((size_t{1} << 20) + 1, 'x'));
  });
  Client client;
  for (const char* status : {"200", "206", "403", "500"})
    for (const uint64_t limit : {uint64_t{16} << 20, uint64_t{1} << 30}) {
      INFO(status << " " << limit);
      Request r;
      r.once = true;
      r.limits.body = limit;
      r.url = server.url + "/" + status;
      const bool cut = *status != '2' && limit > (uint64_t{16} << 20);
      CHECK(contains(said(client.send(r)), "larger than 1048576 bytes") == cut);
    }
}

TEST_CASE("client: answers have a limit, into memory and into files") {
  SmallServer server([](const Asked& a) {
    return SmallServer::answer("200 OK", std::string(a.path == "/large" ? 100000 : 100, 'x'));
  });
  Client client;
  const test::Folder folder;
  for (const std::string& file : {std::string(), folder / "file"}) {
    Request r;
    r.limits.body = 1000;
    r.to_file = file;
    r.url = server.url + "/large";
    CHECK(contains(said(client.send(r)), "larger than 1000 bytes"));
    r.url = server.url + "/small";
    const Result<Answer> small = client.send(r);
    REQUIRE(small);
    CHECK((file.empty() ? small->body : *real_fs().read(file)) == std::string(100, 'x'));
  }
  Request r;
  r.url = server.url;
  r.to_file = folder / "none/file";
  CHECK(contains(said(client.send(r)), "cannot create \"" + r.to_file));
}

TEST_CASE("client: told to stop, requests end, waiting ones and those between attempts") {
  std::atomic<bool> stop{false}, over{false};
  SmallServer server([&](const Asked& a) {
    stop = true;
    while (a.path == "/silent" && !over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return a.path == "/silent" ? std::string() : SmallServer::answer("503 Service Unavailable");
  });
  Client client;
  for (const char* path : {"/silent", "/busy"}) {
    stop = false;
    Request r;
    r.url = server.url + path;
    r.stop = &stop;
    r.limits.silence = 1000;  // longer than this test may last
    r.retry.times = 5;
    r.retry.first = r.retry.most = std::chrono::hours(1);
    CHECK(said(client.send(r)) == "it was interrupted");
  }
  over = true;
}

TEST_CASE("client: what ends late waits a while for its answer, and not for ever") {
  std::atomic<bool> stop{false}, over{false};
  std::atomic<int> asked{0};
  SmallServer server([&](const Asked& a) {
    ++asked;
    stop = true;
    while (a.path == "/silent" && !over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (a.path == "/slow") std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return a.path == "/busy" ? SmallServer::answer("503 Service Unavailable") : ok(a);
  });
  Client client;
  const auto send = [&](const char* path, bool began_before) {
    stop = !began_before;
    Request r;
    r.url = server.url + path, r.method = "PUT";
    r.limits.silence = 1000;  // longer than this test may last
    r.retry.times = 5;
    r.stop = Ending(&stop, std::chrono::seconds(path == std::string("/slow") ? 600 : 1));
    return said(client.send(r));
  };
  CHECK(send("/slow", true) == "status 200");
  CHECK(send("/slow", false) == "status 200");  // what releases a lock again
  CHECK(send("/silent", true) == "it was interrupted");
  over = true;
  asked = 0;
  CHECK(send("/busy", true) == "it was interrupted");
  CHECK(asked == 1);
}

TEST_CASE("client: many threads, each with a connection, which are all used again") {
  constexpr int kThreads = 8;
  std::atomic<int> there{0};
  SmallServer server([&](const Asked& a) {
    ++there;
    // All of the first ones are under way at once.
    for (int i = 0; a.path == "/first" && there < kThreads && i < 60000; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ok(a);
  });
  Client client;
  std::atomic<int> good{0};
  for (const char* path : {"/first", "/second"}) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, path] {
        Request r;
        r.url = server.url + path;
        if (client.send(r)) ++good;
      });
    for (std::thread& t : threads) t.join();
  }
  CHECK(good == 2 * kThreads);
  int connections = 0;
  for (const Asked& a : server.asked()) connections = std::max(connections, a.connection + 1);
  CHECK(connections == kThreads);
}

TEST_CASE("client: errors name the URL without its credentials") {
  Client client;
  Request r;
  r.url = "http://name:secret-1@localhost:1/x";
  r.failure = "failed to read the state from";
  const std::string text = said(client.send(r));
  CHECK(contains(text, "failed to read the state from http://name:xxxxx@localhost:1/x: "));
  CHECK_FALSE(contains(text, "secret-1"));
  r.url = "http://a b/";
  CHECK_FALSE(client.send(r));
}

TEST_CASE("client: a server that is reached under another name does not redirect to it") {
  ClientOptions options;
  options.server_name = "kube.example";
  Request r;
  r.url = "https://localhost:1/x";
  const std::string text = said(Client(std::move(options)).send(r));
  CHECK(contains(text, "failed to reach https://localhost:1/x: "));
  CHECK_FALSE(contains(text, "redirects"));
}

TEST_CASE("client: bytes of attempts that failed do not count for what requests may have together") {
  std::atomic<int> times = 0;
  SmallServer server([&](const Asked&) {
    return times++ < 2 ? "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n12345"
                       : SmallServer::answer("200 OK", "1234567890");
  });
  std::atomic<int64_t> left = 12;
  Request r;
  r.url = server.url;
  r.limits.together = &left;
  r.retry.times = 3, r.retry.first = std::chrono::milliseconds(1);
  CHECK(said(Client().send(r)) == "status 200");
  CHECK(left == 2);
}

TEST_CASE("client: proxies of the client's own, and hosts that are reached without one") {
  SmallServer server(ok);
  ClientOptions options;
  options.proxies = Proxies{server.url, "", "direct.invalid"};
  Client client(options);
  Request r;
  r.url = "http://somewhere.invalid/a/../b";
  r.path_as_is = true;
  CHECK(said(client.send(r)) == "status 200");
  r.path_as_is = false;
  CHECK(said(client.send(r)) == "status 200");
  REQUIRE(server.asked().size() == 2);
  CHECK(server.asked()[0].path == "http://somewhere.invalid/a/../b");
  CHECK(server.asked()[1].path == "http://somewhere.invalid/b");
  r.direct = true;
  CHECK(!client.send(r));
  r.direct = false, r.url = "http://direct.invalid/";
  CHECK(!client.send(r));
  CHECK(server.asked().size() == 2);
}

// What comes with the answer comes to the arrival too, and void is what was tried again.
TEST_CASE("client: bodies are handed on while they arrive") {
  const std::string body(Arrival::kWorthwhile + 5, 'x');
  struct Row {
    std::string status, headers;
    bool cut, told;  // cut: the first attempt ends too early
  };
  for (const Row& row : {Row{"200 OK", "", false, true}, Row{"404 Not Found", "", false, false},
                         Row{"200 OK", "Connection: close\r\n", true, false}}) {
    std::atomic<int> answers = 0;
    SmallServer server([&](const Asked&) {
      const std::string whole = SmallServer::answer(row.status, body, row.headers);
      return row.cut && answers++ == 0 ? whole.substr(0, whole.size() / 2) : whole;
    });
    Client client;
    std::atomic<int> begun = 0;
    Arrival arrival([&] { ++begun; });
    Request r;
    r.url = server.url;
    r.limits.body = 16 << 20;  // of all answers, whatever their status
    r.arrival = &arrival;
    r.retry.times = 1;
    r.retry.first = std::chrono::milliseconds(1);
    const Result<Answer> answer = client.send(r);
    INFO(row.status << " " << row.cut << ": " << said(answer));
    REQUIRE(answer);
    CHECK(answer->body == body);
    CHECK(begun == (row.told || row.cut ? 1 : 0));
    CHECK(arrival.whole() == row.told);
    if (row.told) CHECK(*arrival.text() == body);
  }
}

TEST_CASE("client: the end of memory while something arrives does not leave libcurl in the middle") {
  const std::string body(Arrival::kWorthwhile + 5, 'x');
  SmallServer server([&](const Asked&) { return SmallServer::answer("200 OK", body); });
  Client client;
  Arrival arrival([] { throw std::bad_alloc(); });
  Request r;
  r.url = server.url;
  r.arrival = &arrival;
  CHECK_THROWS_AS(client.send(r), std::bad_alloc);
  r.arrival = nullptr;
  const Result<Answer> answer = client.send(r);
  INFO(said(answer));
  CHECK((answer && answer->body == body));
}

TEST_CASE("client: copies of a request share its body") {
  Request r;
  CHECK(!r.body);
  r.body = std::string(1 << 20, 'x');
  const Request copy = r;
  CHECK(copy.body->data() == r.body->data());
}

TEST_CASE("client: what somebody asks for again in any case has one attempt") {
  std::atomic<int> asked = 0;
  SmallServer server([&](const Asked&) { return ++asked, SmallServer::answer("503 Service Unavailable"); });
  Client client;
  Request r;
  r.url = server.url, r.retry.times = 3, r.retry.first = std::chrono::milliseconds(1);
  r.patience = std::chrono::seconds(30);
  r.stop.once = true;
  CHECK(said(client.send(r)) == "status 503");
  CHECK(asked == 1);
}

TEST_CASE("client: what is to be sent once is neither tried again nor repeated by libcurl") {
  std::atomic<int> asked = 0;
  SmallServer server([&](const Asked&) { return asked++ == 0 ? SmallServer::answer("200 OK") : ""; });
  Client client;
  Request r;
  r.url = server.url;
  REQUIRE(client.send(r));
  r.method = "DELETE", r.retry.times = 3, r.retry.first = std::chrono::milliseconds(1);
  r.once = true;
  CHECK(!client.send(r));
  CHECK(asked == 2);
}

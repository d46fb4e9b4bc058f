// States in a bucket: the place and the server, against the test server, with and without its faults.
#include <catch2/catch.hpp>
#include <thread>

#include "core/backend/s3/place.h"
#include "tests/support/s3_server.h"

using namespace xplan;
using namespace xplan::backend::s3;
using test::S3TestServer;

namespace {

S3Settings settings_for(const S3TestServer& server) {
  S3Settings s;
  s.bucket = "tfb", s.key = "k", s.prefix = "env:", s.region = s.aws.region = "us-east-1";
  s.s3_endpoint = s.dynamodb_endpoint = s.aws.sts_endpoint = server.url;
  s.aws.keys = {"AKIATEST", "secretsecret", ""};
  s.lockfile = true, s.ask_account = false, s.retries = 2;
  return s;
}

std::unique_ptr<Place> place_of(S3Settings s, Stop stop = nullptr) {
  const std::string key = s.key;
  return make_place(std::make_shared<S3Client>(std::move(s), stop), key);
}

LockInfo info(const std::string& id) {
  return {id, "OperationTypeApply", "", "me@host", "1.0", "2026-01-01T00:00:00Z", ""};
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("s3: a state is read, written over what was read, and nothing else", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.key = "a b/./../st+ate~é";
  const auto p = place_of(s);
  CHECK(p->name() == "s3://tfb/" + s.key);
  auto none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->bytes == "one");
  CHECK((*read)->version == put->version);
  CHECK(p->put("two", std::nullopt)->conflict);
  CHECK(p->put("two", "\"other\"")->conflict);
  auto second = p->put("two", put->version);
  REQUIRE(second);
  CHECK(!second->conflict);
  CHECK(p->put("three", put->version)->conflict);
  server.control("{'objects': {'tfb/a b/./../st+ate~é': null}}");
  CHECK(p->put("three", second->version)->conflict);
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("s3: what is sent with a state and a lock", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.acl = "private", s.encrypt = true, s.kms_key = "alias/x";
  auto headers = [&](size_t request) {
    std::map<std::string, std::string> out;
    const auto log = server.log();
    for (const auto& h : log[request]["headers"]) out[h[0].get<std::string>()] = h[1].get<std::string>();
    return out;
  };
  REQUIRE(place_of(s)->put("{}", std::nullopt));
  auto h = headers(1);  // after a look
  CHECK(h["Content-Type"] == "application/json");
  CHECK(h["X-Amz-Acl"] == "private");
  CHECK(h["X-Amz-Server-Side-Encryption"] == "aws:kms");
  CHECK(h["X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id"] == "alias/x");
  CHECK(h["X-Amz-Sdk-Checksum-Algorithm"] == "SHA256");
  CHECK(h["X-Amz-Checksum-Sha256"] == "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=");
  CHECK(h["If-None-Match"] == "*");
  server.control("{'forget': true}");
  s.kms_key.clear(), s.customer_key = "01234567890123456789012345678901", s.checksums = false;
  auto p = place_of(s);
  LockInfo lock = info("A");
  REQUIRE(p->try_lock(lock));
  auto put = p->put("{}", std::nullopt);
  REQUIRE(put);
  REQUIRE(p->get());
  for (size_t i = 0; i < server.log().size(); ++i) {
    h = headers(i);
    CHECK(h["X-Amz-Server-Side-Encryption-Customer-Algorithm"] == "AES256");
    CHECK(h["X-Amz-Server-Side-Encryption-Customer-Key-Md5"] == "KYvwGXoFFJ42a2u2GDWhwQ==");
    CHECK(!h.count("X-Amz-Server-Side-Encryption"));
    CHECK(!h.count("X-Amz-Checksum-Sha256"));
  }
  s.encrypt = false;
  CHECK(mentions(place_of(s)->get().error().message, "400 Bad Request (InvalidRequest"));
}

TEST_CASE("s3: one run has the lock, and only it can release it", "[server]") {
  S3TestServer server;
  for (const int kinds : {1, 2, 3}) {
    INFO(kinds);
    server.control("{'forget': true}");
    S3Settings s = settings_for(server);
    s.lockfile = kinds & 1, s.table = kinds & 2 ? "locks" : "";
    const auto a = place_of(s), b = place_of(s);
    REQUIRE(a->locks());
    CHECK(!*b->holder());
    LockInfo first = info("A"), second = info("B");
    REQUIRE(a->try_lock(first));
    CHECK(first.path == "tfb/k");
    CHECK(*a->still_held() == true);
    const auto refused = b->try_lock(second);
    REQUIRE(refused);
    CHECK(refused->held);
    REQUIRE(refused->holder);
    CHECK(refused->holder->id == "A");
    CHECK(refused->holder->who == "me@host");
    CHECK(mentions(refused->reason, "The state \"s3://tfb/k\" is locked"));
    CHECK((*b->holder())->id == "A");
    const auto wrong = b->break_lock("C");
    REQUIRE(!wrong);
    CHECK(mentions(wrong.error().message, "lock ID \"C\" does not match the existing lock ID \"A\""));
    CHECK(*a->still_held() == true);
    REQUIRE(b->break_lock("A"));
    CHECK(*a->still_held() == false);
    REQUIRE(!b->try_lock(second)->held);
    CHECK(*a->still_held() == false);
    CHECK(!a->unlock());  // it is the other one's
    CHECK(*b->still_held() == true);
    REQUIRE(b->unlock());
    CHECK(mentions(b->break_lock("B").error().message, "the lock is gone"));
  }
  S3Settings none = settings_for(server);
  none.lockfile = false;
  CHECK(!place_of(none)->locks());
}

TEST_CASE("s3: where the second of two locks is not to be had, the first is released", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.table = "locks";
  S3Settings item = s;
  item.lockfile = false;
  const auto holder = place_of(item), p = place_of(s);
  LockInfo a = info("A"), b = info("B");
  REQUIRE(holder->try_lock(a));
  CHECK(p->try_lock(b)->holder->id == "A");
  CHECK(server.control("{}")["objects"].empty());
  s.table = "nowhere";
  const auto wrong = place_of(s)->try_lock(b);
  REQUIRE(!wrong);
  CHECK(mentions(wrong.error().message,
                 "the DynamoDB table \"nowhere\" (PutItem): the server answered 400 Bad Request "
                 "(ResourceNotFoundException: Requested resource not found); create the table"));
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("s3: the digest in the table tells of states that are not what was written", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.table = "locks";
  std::atomic<bool> stop{false};
  const auto p = place_of(s, &stop);
  REQUIRE(p->put("one", std::nullopt));
  CHECK((*p->get())->bytes == "one");
  // A write that is not seen yet: it is waited for.
  server.control("{'objects': {'tfb/k': 'old'}}");
  std::thread later([&] {
    ::sleep(1);
    server.control("{'objects': {'tfb/k': 'one'}}");
  });
  CHECK((*p->get())->bytes == "one");
  later.join();
  server.control("{'objects': {'tfb/k': null}}");
  std::thread stopping([&] {
    ::sleep(1);
    stop = true;
  });
  CHECK(p->get().error().message == "it was interrupted");
  stopping.join();
  REQUIRE(remove_place(std::make_shared<S3Client>(s, nullptr), "k"));
  CHECK(server.control("{}")["items"].empty());
}

TEST_CASE("s3: segments of journals stand beside the state, in their order, over pages", "[server]") {
  S3TestServer server({"--page", "2"});
  const auto client = std::make_shared<S3Client>(settings_for(server), nullptr);
  const auto p = make_place(client, "k");
  REQUIRE(p->keeps_segments());
  CHECK(p->segments()->empty());
  for (const char* name : {"c-2", "a-1", "b", "d", "e"})
    REQUIRE(p->put_segment(name, std::string("<") + name));
  REQUIRE(p->put_segment("b", "<b"));
  server.control("{'objects': {'tfb/k.journal/x/y': 'not ours', 'tfb/k.journalist': 'nor this'}}");
  CHECK(*p->segments() == std::vector<std::string>{"a-1", "b", "c-2", "d", "e"});
  CHECK(*p->get_segment("c-2") == "<c-2");
  REQUIRE(p->remove_segment("c-2"));
  REQUIRE(p->remove_segment("c-2"));
  CHECK(mentions(p->get_segment("c-2").error().message, "\"s3://tfb/k.journal/c-2\" does not exist"));
  REQUIRE(remove_place(client, "k"));
  CHECK(p->segments()->empty());
}

TEST_CASE("s3: what is transient is tried again; what is not, is an error that says what failed",
          "[server]") {
  S3TestServer server;
  const struct {
    const char *fault, *expected;  // empty: all is well in the end
  } table[] = {
      {"'do': 'reset'", ""},
      {"'do': 'refuse'", ""},
      {"'do': 'slow'", ""},
      {"'do': 'refuse', 'status': 503, 'code': 'ServiceUnavailable'", ""},
      {"'do': 'refuse', 'status': 400, 'code': 'RequestTimeout'", ""},
      {"'do': 'wait', 'seconds': 0.2", ""},
      {"'do': 'after'", ""},
      {"'do': 'truncate', 'on': {'method': 'GET'}", ""},
      {"'do': 'corrupt', 'on': {'method': 'GET'}", ""},
      {"'do': 'refuse', 'status': 403, 'code': 'RequestTimeTooSkewed'",
       "403 Forbidden (RequestTimeTooSkewed"},
      {"'do': 'refuse', 'times': 9",
       "500 Internal Server Error (InternalError: We encountered an internal error.)"},
      {"'do': 'refuse', 'times': 9, 'status': 403, 'code': 'AccessDenied', 'message': 'No\\n\\u0085[31m'",
       "403 Forbidden (AccessDenied: No ?[31m); the credentials need permission for that, and to list the "
       "objects of the bucket"},
      {"'do': 'corrupt', 'times': 9, 'on': {'method': 'GET'}", "does not have the checksum"},
      {"'do': 'refuse', 'times': 9, 'status': 404, 'code': 'NoSuchBucket'",
       "the S3 bucket \"tfb\" does not exist"},
      {"'do': 'refuse', 'times': 9, 'status': 301, 'code': 'PermanentRedirect', 'message': 'elsewhere'",
       "301 (PermanentRedirect: elsewhere)"},
  };
  for (const auto& t : table) {
    INFO(t.fault);
    server.control("{'forget': true}");
    const auto p = place_of(settings_for(server));
    const auto put = p->put("one", std::nullopt);
    REQUIRE(put);
    REQUIRE(!put->conflict);
    std::string problem;
    for (const bool reads : {true, false}) {
      server.control("{'faults': [{" + std::string(t.fault) + "}]}");
      if (reads) {
        const auto read = p->get();
        if (!read) problem = read.error().message;
        if (read) CHECK((*read && (*read)->bytes == "one"));
      } else if (!mentions(t.fault, "'GET'")) {
        const auto written = p->put("two", put->version);
        if (!written) problem = written.error().message;
        if (written) CHECK(!written->conflict);
      }
      INFO(problem);
      CHECK((*t.expected ? mentions(problem, t.expected) : problem.empty()));
      CHECK(!mentions(problem, "secret"));
    }
  }
}

TEST_CASE("s3: a lock whose taking was answered to nobody is ours all the same", "[server]") {
  S3TestServer server;
  for (const bool item : {false, true}) {
    S3Settings s = settings_for(server);
    s.lockfile = !item, s.table = item ? "locks" : "";
    server.control("{'forget': true}");
    server.control(std::string("{'faults': [{'do': 'after', 'on': {") +
                   (item ? "'action': 'PutItem'" : "'method': 'PUT'") + "}}]}");
    const auto p = place_of(s);
    LockInfo lock = info("A");
    const auto taken = p->try_lock(lock);
    REQUIRE(taken);
    CHECK(!taken->held);
    CHECK(*p->still_held() == true);
    server.control(std::string("{'faults': [{'do': 'after', 'on': {") +
                   (item ? "'action': 'DeleteItem'" : "'method': 'DELETE'") + "}}]}");
    CHECK(p->unlock());
  }
}

TEST_CASE("s3: servers that do not compare are looked at before", "[server]") {
  for (const char* how : {"ignore", "unimplemented", "bare"}) {
    INFO(how);
    S3TestServer server({"--conditions", how});
    const auto p = place_of(settings_for(server)), other = place_of(settings_for(server));
    LockInfo a = info("A"), b = info("B");
    REQUIRE(!p->try_lock(a)->held);
    CHECK(other->try_lock(b)->holder->id == "A");
    const auto put = p->put("one", std::nullopt);
    REQUIRE(put);
    CHECK(!put->conflict);
    CHECK(other->put("two", std::nullopt)->conflict);
    const auto next = p->put("two", put->version);
    REQUIRE(next);
    CHECK(!next->conflict);
    CHECK(other->put("three", put->version)->conflict);
    CHECK((*p->get())->bytes == "two");
    REQUIRE(p->unlock());
  }
}

TEST_CASE("s3: somebody who writes between a look and a write is not overwritten", "[server]") {
  S3TestServer server;
  const auto p = place_of(settings_for(server));
  const auto put = p->put("one", std::nullopt);
  server.control(
      "{'faults': [{'do': 'steal', 'on': {'method': 'PUT'}, 'object': 'tfb/k', 'text': 'theirs'}]}");
  CHECK(p->put("two", put->version)->conflict);
  CHECK((*p->get())->bytes == "theirs");
}

TEST_CASE("s3: keys that the server calls expired are fetched again", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.aws.role.emplace();
  s.aws.role->arn = "arn:aws:iam::1:role/r";
  server.control("{'lifetime': 100000}");
  const auto p = place_of(s);
  REQUIRE(p->put("one", std::nullopt));
  server.control(
      "{'faults': [{'do': 'refuse', 'on': {'method': 'GET'}, 'status': 400, 'code': 'ExpiredToken'}]}");
  CHECK((*p->get())->bytes == "one");
  CHECK(server.asked("sts").size() == 2);
  server.control(
      "{'faults': [{'do': 'refuse', 'times': 9, 'on': {'method': 'GET'}, 'status': 400, 'code': "
      "'ExpiredToken'}]}");
  CHECK(mentions(p->get().error().message, "the credentials have expired"));
}

TEST_CASE("s3: accounts that the settings do not allow are found before anything else", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.ask_account = true, s.allowed_accounts = {"210987654321"};
  CHECK(mentions(place_of(s)->get().error().message, "the AWS account 123456789012 is not allowed"));
  s.allowed_accounts.clear(), s.forbidden_accounts = {"123456789012"};
  CHECK(mentions(place_of(s)->get().error().message, "the AWS account 123456789012 is not allowed"));
  CHECK(server.asked().empty());
  s.forbidden_accounts = {"1"};
  REQUIRE(place_of(s)->get());
  s.aws.keys.secret_key = "wrong";
  CHECK(mentions(place_of(s)->get().error().message,
                 "the AWS credentials cannot be validated: STS answered 403"));
}

TEST_CASE("s3: answers that mean nothing, or harm", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.table = "locks";
  const auto client = std::make_shared<S3Client>(s, nullptr);
  for (const char* body :
       {"", "{", "<a", "<Error/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult>&a;</ListBucketResult>"}) {
    INFO(body);
    server.control("{'faults': []}");
    nlohmann::json order = {{"faults", {{{"do", "say"}, {"times", 1}, {"body", body}}}}};
    server.control(order.dump());
    CHECK(!client->list("x/"));
  }
  for (const char* body :
       {"", "[]", "{\"Item\":5}", "{\"Item\":{\"Digest\":5}}", "{\"Item\":{\"Digest\":{\"S\":5}}}"}) {
    INFO(body);
    nlohmann::json order = {
        {"faults", {{{"do", "say"}, {"times", 1}, {"body", body}, {"on", {{"service", "dynamodb"}}}}}}};
    server.control(order.dump());
    const auto read = make_place(client, "k")->get();
    CHECK((!read || !*read));
  }
  // A lock that another tool has damaged.
  server.control("{'objects': {'tfb/k.tflock': '{{'}}");
  const auto p = place_of(settings_for(server));
  LockInfo a = info("A");
  const auto tried = p->try_lock(a);
  REQUIRE(tried);
  CHECK(tried->held);
  CHECK(!tried->holder);
}

TEST_CASE("s3: reading ends when the run is to stop; writing and releasing do not", "[server]") {
  S3TestServer server;
  std::atomic<bool> stop{false};
  const auto p = place_of(settings_for(server), &stop);
  LockInfo a = info("A");
  REQUIRE(p->try_lock(a));
  stop = true;
  CHECK(p->get().error().message == "it was interrupted");
  REQUIRE(p->put_segment("a", "x"));
  CHECK(p->segments()->size() == 1);
  REQUIRE(p->remove_segment("a"));
  REQUIRE(p->put("one", std::nullopt));
  CHECK(*p->still_held() == true);
  REQUIRE(p->unlock());
  CHECK(p->try_lock(a).error().message == "it was interrupted");
}

// States in a bucket: the place and the server, against the test server, with and without its faults.
#include <algorithm>
#include <catch2/catch.hpp>
#include <thread>

#include "core/backend/backend.h"
#include "core/backend/concurrent.h"
#include "core/backend/s3/place.h"
#include "core/state/lock.h"
#include "tests/support/object_store.h"
#include "tests/support/s3_server.h"

using namespace xplan;
using namespace xplan::backend::s3;
using test::lock_info, test::mentions, test::S3TestServer;

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

test::Store store_of(S3TestServer& server) {
  return {server, [&](Stop stop) { return place_of(settings_for(server), stop); }};
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
  LockInfo lock = lock_info("A");
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

TEST_CASE("s3: tags of the state and of its lock", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.lockfile = true, s.state_tags = "a%20b=1&c=%2F", s.lock_tags = "lock=yes";
  const auto p = place_of(s);
  LockInfo lock = lock_info("A");
  REQUIRE(p->try_lock(lock));
  REQUIRE(p->put("{}", std::nullopt));
  REQUIRE(p->put_segment("x", "{}"));
  std::map<std::string, std::string> tags;
  const auto log = server.log();
  for (const auto& request : log)
    for (const auto& h : request["headers"])
      if (h[0] == "X-Amz-Tagging") tags[request["path"].get<std::string>()] = h[1].get<std::string>();
  CHECK(tags == std::map<std::string, std::string>{{"/tfb/k", s.state_tags}, {"/tfb/k.tflock", s.lock_tags}});
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
    LockInfo first = lock_info("A"), second = lock_info("B");
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
  LockInfo a = lock_info("A"), b = lock_info("B");
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

TEST_CASE("s3: a run that ended with one of two locks is released, and one that lost one is told",
          "[server]") {
  S3TestServer server;
  for (const bool object : {true, false}) {
    INFO(object);
    server.control("{'forget': true}");
    S3Settings both = settings_for(server), half = both;
    both.table = "locks";
    half.lockfile = object, half.table = object ? "" : "locks";
    LockInfo a = lock_info("A"), b = lock_info("B");
    REQUIRE_FALSE(place_of(half)->try_lock(a)->held);
    const auto p = place_of(both);
    REQUIRE(p->try_lock(b)->held);
    CHECK_FALSE(p->break_lock("B"));
    REQUIRE(p->break_lock("A"));
    CHECK(mentions(p->break_lock("A").error().message, "does not exist; the lock is gone: the DynamoDB"));
    REQUIRE_FALSE(p->try_lock(b)->held);
    REQUIRE(place_of(half)->break_lock("B"));
    CHECK(mentions(p->unlock().error().message, "the lock is gone"));
    REQUIRE_FALSE(p->try_lock(b)->held);
    REQUIRE(p->unlock());
  }
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

TEST_CASE("s3: segments are deleted by the thousand, and one by one where the server cannot", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.key = "a&b<c>";
  const std::string above = "tfb/" + s.key + ".journal/";
  const auto p = place_of(s);
  const struct {
    const char* about;
    int segments;
    const char* answer;  // to POST; "": as S3 has it
    int posts, deletes;
  } rows[] = {
      {"none", 0, "", 0, 0},
      {"one", 1, "", 0, 1},
      {"many", 1001, "", 1, 1},
      {"more", 2002, "", 3, 0},
      {"not known", 20, "'do': 'refuse', 'status': 501, 'code': 'NotImplemented'", 1, 20},
      {"something else", 20, "'do': 'say', 'body': '<html/>'", 1, 20},
      {"not XML", 20, "'do': 'say', 'body': 'ok'", 1, 20},
      {"some are left", 20,
       "'do': 'say', 'body': '<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>a&amp;b&lt;c&gt;"
       ".journal/7</Key><Code>InternalError</Code></Error><Error><Key>k</Key></Error></DeleteResult>'",
       1, 1},
  };
  for (const auto& row : rows) {
    INFO(row.about);
    std::vector<std::string> names;
    nlohmann::json order;
    order["objects"] = {{"tfb/k", "another"}};
    for (int i = 0; i < row.segments; ++i) {
      names.push_back(std::to_string(i));
      order["objects"][above + names.back()] = "segment";
    }
    server.control(std::string("{'forget': true, 'faults': [") +
                   (*row.answer ? "{'on': {'method': 'POST'}, " + std::string(row.answer) + "}" : "") + "]}");
    server.control(order.dump());
    const Result<void> gone = p->remove_segments(names);
    CHECK((gone ? "" : gone.error().message) == "");
    int posts = 0, deletes = 0;
    for (const std::string& asked : server.asked())
      posts += asked.starts_with("POST"), deletes += asked.starts_with("DELETE");
    CHECK(posts == row.posts);
    CHECK(deletes == row.deletes);
    const auto objects = server.control("{}")["objects"];
    CHECK(objects.contains("tfb/k"));
    const bool lied = row.about == std::string("some are left");
    CHECK(objects.size() == (lied ? 20u : 1u));
  }
  server.control("{'faults': [{'do': 'refuse', 'times': 99, 'status': 403, 'code': 'AccessDenied'}]}");
  const Result<void> refused = p->remove_segments({"1", "2"});
  REQUIRE(!refused);
  CHECK(mentions(refused.error().message, "failed to delete \"s3://tfb/a&b<c>.journal/"));
}

TEST_CASE("s3: a list that does not end is an error", "[server]") {
  S3TestServer server;
  test::check_endless_list(store_of(server),
                           "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>same</"
                           "NextContinuationToken></ListBucketResult>");
}

TEST_CASE("s3: the segments of a journal have a size together", "[server]") {
  S3TestServer server;
  const auto client = std::make_shared<S3Client>(settings_for(server), nullptr);
  REQUIRE(client->put("x", std::string(1000, 'x')));
  std::atomic<int64_t> left = 1500;
  CHECK(client->get("x", nullptr, &left));
  CHECK(left == 500);
  const auto second = client->get("x", nullptr, &left);
  REQUIRE_FALSE(second);
  CHECK(mentions(second.error().message, "the responses so far are too large in total"));
  CHECK(left < 0);
}

TEST_CASE("segments that are too large together are not read to the end") {
  std::atomic<int> reads = 0;
  const std::vector<std::string> names(1000, "n");
  const auto read = backend::read_segments(names, [&](const std::string&, std::atomic<int64_t>* left) {
    ++reads;
    *left -= 100 << 20;
    return Result<std::string>(std::string());
  });
  REQUIRE_FALSE(read);
  CHECK(mentions(read.error().message, "more than 1073741824 bytes in total"));
  CHECK(reads < 40);
}

TEST_CASE("s3: what is transient is tried again, what is not, is an error that says what failed",
          "[server]") {
  S3TestServer server;
  test::check_faults(
      store_of(server),
      {{"'do': 'slow'", ""},
       {"'do': 'refuse', 'status': 503, 'code': 'ServiceUnavailable'", ""},
       {"'do': 'refuse', 'status': 400, 'code': 'RequestTimeout'", ""},
       {"'do': 'corrupt'", "", true},
       {"'do': 'refuse', 'status': 403, 'code': 'RequestTimeTooSkewed'",
        "403 Forbidden (RequestTimeTooSkewed", true},
       {"'do': 'refuse', 'times': 9",
        "500 Internal Server Error (InternalError: We encountered an internal error)"},
       {"'do': 'refuse', 'times': 9, 'status': 403, 'code': 'AccessDenied', 'message': 'No\\n\\u0085[31m'",
        "403 Forbidden (AccessDenied: No ?[31m); the credentials need permission for that, and to list the "
        "objects of the bucket"},
       {"'do': 'corrupt', 'times': 9", "does not match the checksum", true},
       {"'do': 'refuse', 'times': 9, 'status': 404, 'code': 'NoSuchBucket'",
        "the S3 bucket \"tfb\" does not exist"},
       {"'do': 'refuse', 'times': 9, 'status': 301, 'code': 'PermanentRedirect', 'message': 'elsewhere'",
        "301 (PermanentRedirect: elsewhere)"}});
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
    LockInfo lock = lock_info("A");
    const auto taken = p->try_lock(lock);
    REQUIRE(taken);
    CHECK(!taken->held);
    CHECK(*p->still_held() == true);
    server.control(std::string("{'faults': [{'do': 'after', 'on': {") +
                   (item ? "'action': 'DeleteItem'" : "'method': 'DELETE'") + "}}]}");
    CHECK(p->unlock());
  }
}

TEST_CASE("s3: a lock that cannot be read back is undone, or named", "[server]") {
  S3TestServer server;
  const std::string unreadable = "{'do': 'refuse', 'times': 9, 'status': 403, 'on': {'method': 'GET'}}";
  for (const bool stays : {false, true}) {
    server.control("{'forget': true}");
    server.control(
        "{'faults': [" + unreadable +
        (stays ? ", {'do': 'refuse', 'times': 9, 'status': 403, 'on': {'method': 'DELETE'}}" : "") + "]}");
    LockInfo a = lock_info("A");
    const auto taken = place_of(settings_for(server))->try_lock(a);
    REQUIRE(!taken);
    CHECK(mentions(taken.error().message, "force-unlock A") == stays);
    CHECK(mentions(taken.error().message, "(ID A) may not have been released") == stays);
    CHECK(server.control("{}")["objects"].empty() != stays);
  }
}

TEST_CASE("s3: a lock that says nothing about a lock", "[server]") {
  S3TestServer server;
  server.control("{'objects': {'tfb/k.tflock': 'junk'}}");
  LockInfo a = lock_info("A");
  const auto taken = place_of(settings_for(server))->try_lock(a);
  REQUIRE(taken);
  CHECK(taken->held);
  CHECK(!taken->holder);
  CHECK(taken->advice ==
        "If no other run is using the state, delete the object \"s3://tfb/k.tflock\"; force-unlock cannot");
}

TEST_CASE("s3: the ID of a lock is what it is, whatever is shown of it", "[server]") {
  S3TestServer server;
  const std::string id = "\x1b[2J\xC2\x9B";
  LockInfo held = lock_info(id);
  server.control(nlohmann::json{{"objects", {{"tfb/k.tflock", held.json()}}}}.dump());
  const auto p = place_of(settings_for(server));
  LockInfo a = lock_info("A");
  const auto tried = p->try_lock(a);
  REQUIRE(tried);
  REQUIRE(tried->holder);
  CHECK(tried->holder->id == id);
  CHECK(lock_id_word(tried->holder->id) == "$'\\x1b[2J\\u009b'");
  CHECK(lock_id_word("-force") == "-- -force");  // no option of the command
  CHECK(mentions(p->break_lock("?[2J?").error().message, "existing lock ID \"\\x1b[2J\\u009b\""));
  CHECK(p->break_lock(id));
}

TEST_CASE("s3: a server that does not keep the lock object says so", "[server]") {
  S3TestServer server;
  server.control("{'faults': [{'do': 'say', 'times': 9, 'on': {'method': 'PUT'}}]}");
  LockInfo a = lock_info("A");
  const auto taken = place_of(settings_for(server))->try_lock(a);
  REQUIRE(!taken);
  CHECK(mentions(taken.error().message, "the server did not keep the lock of the state \"s3://tfb/k\""));
  CHECK(mentions(taken.error().message, "the object \"s3://tfb/k.tflock\" was written"));
}

TEST_CASE("s3: servers that do not compare are looked at before", "[server]") {
  for (const char* how : {"ignore", "unimplemented", "bare"}) {
    INFO(how);
    S3TestServer server({"--conditions", how});
    const auto p = place_of(settings_for(server)), other = place_of(settings_for(server));
    LockInfo a = lock_info("A"), b = lock_info("B");
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
  test::check_bad_lists(
      store_of(server),
      {"", "{", "<a", "<Error/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
       "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult>&a;</ListBucketResult>"});
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
  LockInfo a = lock_info("A");
  const auto tried = p->try_lock(a);
  REQUIRE(tried);
  CHECK(tried->held);
  CHECK(!tried->holder);
}

TEST_CASE("s3: reading ends when the run is to stop, writing and releasing do not", "[server]") {
  S3TestServer server;
  test::check_stopping(store_of(server));
}

TEST_CASE("s3: the same key of the same bucket is another state on another server") {
  test::Environment here({});
  auto identity = [](const std::string& more) {
    std::string json =
        "{'bucket':'tfb','key':'k','region':'us-east-1','skip_credentials_validation':true" + more + "}";
    std::replace(json.begin(), json.end(), '\'', '"');
    const auto b = backend::open(backend::parse_settings("s3", json).value(), {});
    REQUIRE(b);
    return (*b)->identity("default");
  };
  const std::string aws = identity("");
  CHECK(identity(",'region':'eu-west-1'") == aws);
  CHECK(identity(",'use_path_style':true") == aws);
  CHECK(identity(",'endpoints':{'s3':'https://s3.us-east-1.amazonaws.com'}") == aws);
  CHECK(identity(",'region':'cn-north-1'") != aws);
  CHECK(identity(",'key':'l'") != aws);
  const std::string own = identity(",'endpoints':{'s3':'http://minio.example:9000'}");
  CHECK(own != aws);
  CHECK(own == identity(",'endpoints':{'s3':'http://MINIO.example:9000/'},'region':'eu-west-1'"));
  CHECK(own != identity(",'endpoints':{'s3':'http://minio.example:9001'}"));
}

TEST_CASE("s3: a state whose digest could not be written is not somebody else's", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.table = "locks";
  const auto p = place_of(s);
  const auto first = p->put("one", std::nullopt);
  REQUIRE(first);
  const std::optional<std::string> versions[] = {first->version, std::nullopt};
  for (const auto& over : versions) {
    if (!over) server.control("{'objects': {'tfb/k': null}}");
    server.control(
        "{'faults': [{'do': 'refuse', 'times': 1, 'status': 400, 'code': 'AccessDeniedException', 'on': "
        "{'action': 'PutItem'}}]}");
    const auto unsummed = p->put("two", over);
    REQUIRE(!unsummed);
    CHECK(mentions(unsummed.error().message, "the state is written, but not its checksum"));
    const auto again = p->put("three", over);
    REQUIRE(again);
    CHECK(!again->conflict);
    CHECK((*p->get())->bytes == "three");
  }
}

TEST_CASE("s3: a state whose digest is another one can be replaced, whatever it is", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.table = "locks";
  const auto p = place_of(s);
  REQUIRE(p->put("one", std::nullopt));
  server.control("{'objects': {'tfb/k': 'two'}}");
  const auto version = p->version();
  REQUIRE((version && *version));
  const auto put = p->put("three", *version);
  REQUIRE(put);
  CHECK(!put->conflict);
  CHECK((*p->get())->bytes == "three");
}

TEST_CASE("s3: an answer that names no account allows none", "[server]") {
  S3TestServer server;
  S3Settings s = settings_for(server);
  s.ask_account = true, s.forbidden_accounts = {"1"};
  for (const char* body :
       {"<GetCallerIdentityResponse/>",
        "<Other><GetCallerIdentityResult><Account>123456789012"
        "</Account></GetCallerIdentityResult></Other>",
        "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>12345678901x</Account>"
        "</GetCallerIdentityResult></GetCallerIdentityResponse>"}) {
    server.control(nlohmann::json{
        {"faults", {{{"do", "say"}, {"times", 1}, {"body", body}, {"on", {{"service", "sts"}}}}}}}
                       .dump());
    const auto read = place_of(s)->get();
    REQUIRE(!read);
    CHECK(mentions(read.error().message, "does not name an account"));
  }
}

TEST_CASE("s3: a workspace is begun only if its lock is released, and whoever has it is seen", "[server]") {
  S3TestServer server;
  std::string json =
      "{'bucket':'tfb','key':'k','region':'us-east-1','skip_credentials_validation':true,"
      "'use_lockfile':true,'access_key':'AKIATEST','secret_key':'secretsecret','use_path_style':true,"
      "'endpoints':{'s3':'" +
      server.url + "'}}";
  std::replace(json.begin(), json.end(), '\'', '"');
  const auto b = backend::open(backend::parse_settings("s3", json).value(), {});
  REQUIRE(b);
  const std::string stays =
      "{'faults': [{'do': 'refuse', 'times': 99, 'status': 403, 'on': {'method': 'DELETE'}}]}";
  server.control(stays);
  const auto begun = (*b)->create("w");
  REQUIRE(!begun);
  CHECK(mentions(begun.error().message, "The state stays locked, with the lock ID"));
  server.control("{'faults': []}");
  const auto locked = (*b)->unlocked("w");
  REQUIRE(!locked);
  CHECK(mentions(locked.error().message, "another run has locked the state \"s3://tfb/env:/w/k\""));
  server.control("{'objects': {'tfb/env:/w/k.tflock': null}}");
  REQUIRE((*b)->unlocked("w"));
  REQUIRE((*b)->remove("w"));
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("s3: the lock of a workspace is held while its state is removed", "[server]") {
  S3TestServer server;
  std::string json =
      "{'bucket':'tfb','key':'k','region':'us-east-1','skip_credentials_validation':true,"
      "'use_lockfile':true,'access_key':'AKIATEST','secret_key':'secretsecret','use_path_style':true,"
      "'endpoints':{'s3':'" +
      server.url + "'}}";
  std::replace(json.begin(), json.end(), '\'', '"');
  const auto b = backend::open(backend::parse_settings("s3", json).value(), {});
  REQUIRE(b);
  REQUIRE((*b)->create("w"));
  const auto store = (*b)->open("w");
  REQUIRE(store->lock("workspace-delete", 0));
  const auto rest = (*b)->remove_locked("w", true);
  REQUIRE(rest);
  CHECK(!*rest);
  CHECK(server.control("{}")["objects"].size() == 1);
  CHECK(!(*b)->unlocked("w"));
  REQUIRE(store->unlock());
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("s3: a lock that was released unheard is not released again", "[server]") {
  S3TestServer server;
  test::check_unheard_release(store_of(server), "tfb/k.tflock");
}

TEST_CASE("s3: a lock that changes hands right before it is deleted stays", "[server]") {
  for (const char* how : {"honour", "bare", "unimplemented", "ignore"}) {
    INFO(how);
    S3TestServer server({"--conditions", how});
    const auto p = place_of(settings_for(server)), other = place_of(settings_for(server));
    LockInfo mine = lock_info("A");
    REQUIRE(!p->try_lock(mine)->held);
    nlohmann::json order;
    order["faults"] = {{{"on", {{"method", "DELETE"}}},
                        {"do", "steal"},
                        {"object", "tfb/k.tflock"},
                        {"text", lock_info("B").json()}}};
    server.control(order.dump());
    const Result<void> released = p->unlock();
    const bool compares = how == std::string("honour") || how == std::string("bare");
    CHECK(!released == compares);
    CHECK(other->holder()->has_value() == compares);
    if (compares) CHECK(mentions(released.error().message, "somebody else has just changed it"));
  }
}

TEST_CASE("s3: what is gone when it is deleted again was deleted before", "[server]") {
  S3TestServer server;
  S3Client client(settings_for(server), nullptr);
  const auto put = client.put("a", "x", {S3Condition::Kind::Absent, {}});
  REQUIRE(put);
  server.control(
      "{'faults': [{'do': 'after', 'on': {'method': 'DELETE'}}, {'do': 'refuse', 'status': 412, "
      "'code': 'PreconditionFailed', 'on': {'method': 'DELETE'}}]}");
  const Result<void> gone = client.remove("a", put->etag);
  INFO((gone ? "" : gone.error().message));
  CHECK(gone);
  CHECK(server.control("{}")["objects"].empty());
}

// States in a bucket of Google's: the place and the server, against the test server, with and without its
// faults.
#include <catch2/catch.hpp>
#include <thread>

#include "core/backend/gcs/place.h"
#include "core/backend/server.h"
#include "tests/support/gcs_server.h"
#include "tests/support/object_store.h"

using namespace xplan;
using namespace xplan::backend::gcs;
using test::lock_info, test::mentions, test::GcsTestServer;

namespace {

GcsSettings settings_for(const GcsTestServer& server) {
  GcsSettings s;
  s.bucket = "tfb", s.base = server.url + "/storage/v1/";
  s.google.access_token = Secret("tok");
  s.google.scopes = {cloud::kCloudPlatform};
  s.google.variable = [](const char*) { return std::string(); };
  return s;
}

std::shared_ptr<GcsClient> client_of(GcsSettings s, Stop stop = nullptr) {
  return std::make_shared<GcsClient>(std::move(s), stop);
}

std::unique_ptr<Place> place_of(GcsSettings s, Stop stop = nullptr) {
  return make_place(client_of(std::move(s), stop), "p/k");
}

test::Store store_of(GcsTestServer& server) {
  return {server, [&](Stop stop) { return place_of(settings_for(server), stop); }, "tok\"",
          "'query': 'alt=media'"};
}

}  // namespace

TEST_CASE("gcs: a state is read, written over what was read, and nothing else", "[server]") {
  GcsTestServer server;
  const auto p = make_place(client_of(settings_for(server)), "a b/./../st+ate~é?#%");
  CHECK(p->name() == "gs://tfb/a b/./../st+ate~é?#%.tfstate");
  auto none = p->get();
  REQUIRE(none);
  CHECK(!*none);
  auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(!put->conflict);
  CHECK(server.control("{}")["objects"].contains("tfb/a b/./../st+ate~é?#%.tfstate"));
  auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->bytes == "one");
  CHECK((*read)->version == put->version);
  CHECK(p->put("two", std::nullopt)->conflict);
  CHECK(p->put("two", "17")->conflict);
  auto second = p->put("two", put->version);
  REQUIRE(second);
  CHECK(!second->conflict);
  CHECK(p->put("three", put->version)->conflict);
  server.control("{'objects': {'tfb/a b/./../st+ate~é?#%.tfstate': null}}");
  CHECK(p->put("three", second->version)->conflict);
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("gcs: a state that cannot be read can be replaced", "[server]") {
  GcsTestServer server;
  test::check_force(store_of(server));
}

TEST_CASE("gcs: whether there is a state shows without it", "[server]") {
  GcsTestServer server;
  test::check_looks(store_of(server), [](const auto& e) {
    return mentions(e["path"].template get<std::string>(), "alt=media");
  });
}

TEST_CASE("gcs: what is sent with states, journals and locks", "[server]") {
  GcsTestServer server;
  for (const bool customer : {true, false}) {
    GcsSettings s = settings_for(server);
    if (customer) s.customer_key = "01234567890123456789012345678901";
    if (!customer) s.kms_key = "projects/p/locations/l/keyRings/r/cryptoKeys/k";
    server.control("{'forget': true}");
    const auto p = place_of(std::move(s));
    LockInfo a = lock_info("A");
    REQUIRE(p->try_lock(a));
    REQUIRE(p->put("{}", std::nullopt));
    REQUIRE(p->put_segment("1", "x"));
    CHECK((*p->get())->bytes == "{}");
    CHECK(*p->get_segment("1") == "x");
    const auto keys = server.control("{}")["keys"];
    const std::string key = customer ? "hhAJ7E1Zn6sfQKvHbm+JiAz/WDPHnFSMmfkEXxkc2Qs="
                                     : "projects/p/locations/l/keyRings/r/cryptoKeys/k";
    CHECK(keys["tfb/p/k.tfstate"] == key);
    CHECK(keys["tfb/p/k.tfstate.journal/1"] == key);
    CHECK(keys["tfb/p/k.tflock"] == "");
    const std::string body = server.log()[1]["body"].get<std::string>();
    CHECK(mentions(body, "\"contentType\":\"application/json\""));
    CHECK(mentions(body, "\"md5Hash\":\"mZFLkyvTelC5g8XnyQrpOw==\""));
    if (customer)
      CHECK(mentions(place_of(settings_for(server))->get().error().message,
                     "customer-supplied encryption key"));
  }
}

TEST_CASE("gcs: one run has the lock, and only its generation releases it", "[server]") {
  GcsTestServer server;
  const auto a = place_of(settings_for(server)), b = place_of(settings_for(server));
  REQUIRE(a->locks());
  CHECK(!*b->holder());
  LockInfo first = lock_info("A"), second = lock_info("B");
  REQUIRE(!a->try_lock(first)->held);
  const std::string generation = server.control("{}")["generations"]["tfb/p/k.tflock"].get<std::string>();
  CHECK(first.id == generation);
  CHECK(first.path == "gs://tfb/p/k.tflock");
  CHECK(*a->still_held() == true);
  const auto refused = b->try_lock(second);
  REQUIRE((refused && refused->held && refused->holder));
  CHECK(refused->holder->id == generation);
  CHECK(refused->holder->who == "me@host");
  CHECK(mentions(refused->reason,
                 "The state \"gs://tfb/p/k.tfstate\" is locked: the object \"gs://tfb/p/k.tflock\""));
  CHECK((*b->holder())->id == generation);
  CHECK(mentions(b->break_lock("A").error().message, "lock ID \"A\" is not a number"));
  CHECK(mentions(b->break_lock("17").error().message,
                 "lock ID \"17\" does not match the existing lock ID \"" + generation + "\""));
  CHECK(*a->still_held() == true);
  REQUIRE(b->break_lock(generation));
  CHECK(*a->still_held() == false);
  REQUIRE(!b->try_lock(second)->held);
  CHECK(*a->still_held() == false);
  CHECK(!a->unlock());  // it is the other one's
  CHECK(*b->still_held() == true);
  REQUIRE(b->unlock());
  CHECK(mentions(b->break_lock("17").error().message, "the lock is gone"));
  // Locks that other tools have damaged are locks all the same.
  server.control("{'objects': {'tfb/p/k.tflock': '{{\\u001b'}}");
  const auto damaged = a->try_lock(first);
  REQUIRE((damaged && damaged->held && damaged->holder));
  CHECK(a->break_lock(damaged->holder->id));
}

TEST_CASE("gcs: segments of journals stand beside the state, in their order, over pages", "[server]") {
  GcsTestServer server({"--page", "2"});
  const auto client = client_of(settings_for(server));
  const auto p = make_place(client, "k");
  REQUIRE(p->keeps_segments());
  CHECK(p->segments()->empty());
  for (const char* name : {"c-2", "a-1", "b", "d", "e"})
    REQUIRE(p->put_segment(name, std::string("<") + name));
  REQUIRE(p->put_segment("b", "<b"));
  server.control(
      "{'objects': {'tfb/k.tfstate.journal/x/y': 'not ours', 'tfb/k.tfstate.journalist': 'nor this'}}");
  CHECK(*p->segments() == std::vector<std::string>{"a-1", "b", "c-2", "d", "e"});
  CHECK(*p->get_segments({"a-1", "d"}) == std::vector<std::string>{"<a-1", "<d"});
  REQUIRE(p->remove_segment("c-2"));
  REQUIRE(p->remove_segment("c-2"));
  CHECK(mentions(p->get_segment("c-2").error().message, "\"gs://tfb/k.tfstate.journal/c-2\" does not exist"));
  REQUIRE(remove_place(client, "k"));
  CHECK(p->segments()->empty());
}

TEST_CASE("gcs: workspaces are the states right below the prefix", "[server]") {
  GcsTestServer server({"--page", "1"});
  test::Environment here({{"GOOGLE_OAUTH_ACCESS_TOKEN", "tok"}});
  server.control(
      "{'objects': {'tfb/p/default.tfstate': '', 'tfb/p/b.tfstate': '', 'tfb/p/a.tfstate': '', "
      "'tfb/p/a.tflock': "
      "'', 'tfb/p/a.tfstate.journal/1': '', 'tfb/p/q/c.tfstate': '', 'tfb/p/.tfstate': '', 'tfb/d.tfstate': "
      "''}}");
  auto names = [&](const std::string& prefix) {
    const std::string json = R"({"bucket":"tfb","prefix":")" + prefix + R"(","storage_custom_endpoint":")" +
                             server.url + "/storage/v1/\"}";
    const auto backend = backend::open(backend::parse_settings("gcs", json).value(), {});
    REQUIRE(backend);
    return (*backend)->workspaces().value();
  };
  CHECK(names("/p/") == std::vector<std::string>{"default", "a", "b"});
  CHECK(names("") == std::vector<std::string>{"default", "d"});
  CHECK(names("none") == std::vector<std::string>{"default"});
}

TEST_CASE("gcs: what is transient is tried again, what is not, is an error that says what failed",
          "[server]") {
  GcsTestServer server;
  test::check_faults(
      store_of(server),
      {{"'do': 'refuse', 'status': 408", ""},
       {"'do': 'refuse', 'status': 429, 'headers': {'Retry-After': '1'}", ""},
       {"'do': 'corrupt'", "", true},
       {"'do': 'corrupt', 'times': 9", "does not match the checksum", true},
       {"'do': 'refuse', 'times': 9, 'status': 501, 'message': 'never'", "501 Not Implemented: never"},
       {"'do': 'refuse', 'times': 9, 'status': 401, 'message': 'Invalid Credentials'",
        "401 Unauthorized: Invalid Credentials; the access token is not valid, or has expired"},
       {"'do': 'refuse', 'times': 9, 'status': 403, 'message': 'No\\n\\u0085[31m'",
        "403 Forbidden: No ?[31m; the credentials need permission to list, read, create and delete objects"},
       {"'do': 'refuse', 'times': 9, 'status': 404, 'message': 'The specified bucket does not exist.'",
        "the bucket \"tfb\" does not exist; create it first"},
       {"'do': 'refuse', 'times': 9, 'status': 301, 'message': 'elsewhere'", "301: elsewhere"}});
}

TEST_CASE("gcs: a lock whose taking or releasing was answered to nobody", "[server]") {
  GcsTestServer server;
  const auto p = place_of(settings_for(server));
  LockInfo lock = lock_info("A");
  server.control("{'faults': [{'do': 'after', 'on': {'method': 'POST'}}]}");
  const auto taken = p->try_lock(lock);
  REQUIRE(taken);
  CHECK(!taken->held);
  CHECK(*p->still_held() == true);
  server.control("{'faults': [{'do': 'after', 'on': {'method': 'DELETE'}}]}");
  const auto released = p->unlock();
  INFO((released ? "" : released.error().message));
  CHECK(released);
  CHECK(server.control("{}")["objects"].empty());
}

TEST_CASE("gcs: a conflict that cannot be looked at is not told as somebody else's", "[server]") {
  GcsTestServer server;
  const auto p = place_of(settings_for(server));
  const auto first = p->put("one", std::nullopt);
  REQUIRE(first);
  server.control(
      "{'faults': [{'do': 'after', 'on': {'method': 'POST'}}, {'do': 'refuse', 'status': 403, 'times': 9, "
      "'on': {'query': 'alt=media'}}]}");
  const auto unheard = p->put("two", first->version);
  REQUIRE(!unheard);
  CHECK(mentions(unheard.error().message, "403 Forbidden"));
  server.control("{'faults': []}");
  CHECK((*p->get())->bytes == "two");
}

TEST_CASE("gcs: generations are asked for where answers do not tell them", "[server]") {
  GcsTestServer server;
  server.control("{'bare': true}");
  const auto p = place_of(settings_for(server));
  const auto put = p->put("one", std::nullopt);
  const auto read = p->get();
  REQUIRE((read && *read));
  CHECK((*read)->version == put->version);
  // Between the two requests somebody else writes: both are asked again.
  server.control(
      "{'faults': [{'do': 'steal', 'on': {'query': 'size'}, 'object': 'tfb/p/k.tfstate', 'text': "
      "'theirs'}]}");
  CHECK((*p->get())->bytes == "theirs");
  CHECK(p->put("two", put->version)->conflict);
}

TEST_CASE("gcs: a token that is refused in the middle is fetched again", "[server]") {
  GcsTestServer server;
  GcsSettings s = settings_for(server);
  s.google.access_token = Secret();
  s.google.credentials = server.account().dump();
  const auto p = place_of(std::move(s));
  const auto put = p->put("one", std::nullopt);
  REQUIRE(put);
  CHECK(server.asked("oauth").size() == 1);
  server.control("{'revoke': true}");
  CHECK(!p->put("two", put->version)->conflict);
  CHECK(server.asked("oauth").size() == 2);
  server.control("{'faults': [{'do': 'refuse', 'status': 401, 'times': 9, 'on': {'service': 'storage'}}]}");
  CHECK(mentions(p->get().error().message, "the access token is not valid"));
  CHECK(server.asked("oauth").size() == 3);
}

TEST_CASE("gcs: answers that mean nothing, or harm", "[server]") {
  GcsTestServer server;
  const auto client = client_of(settings_for(server));
  const auto p = make_place(client, "k");
  auto say = [&](const std::string& body, const std::string& on,
                 nlohmann::json headers = nlohmann::json::object()) {
    const nlohmann::json rule = {
        {"do", "say"}, {"times", 9}, {"body", body}, {"headers", headers}, {"on", {{"method", on}}}};
    server.control(nlohmann::json{{"forget", true}, {"faults", {rule}}}.dump());
  };
  test::check_bad_lists(store_of(server), {"", "[]", "{\"items\":", "<html>", "{\"nextPageToken\":\"x\"}"});
  say(R"({"items":[5,{"name":5},{"name":"y/a"},{"name":"x/b"},{"name":"x/c/d"},null]})", "GET");
  CHECK(*client->list("x/") == std::vector<std::string>{"x/b"});
  for (const char* body : {"", "[]", "{\"generation\":\"1&x=y\"}", "{\"generation\":-5}",
                           "{\"generation\":\"\"}", "{\"generation\":\"123456789012345678901234\"}"}) {
    INFO(body);
    say(body, "POST");
    server.control("{'objects': {'tfb/k.tfstate': 'one'}}");
    // It is there, so that looking tells: the generation is the service's all the same.
    const auto put = p->put("one", std::nullopt);
    REQUIRE(put);
    CHECK(put->version.find_first_not_of("0123456789") == std::string::npos);
    say(body, "GET");
    CHECK(!p->get());
  }
  say("one", "GET", {{"X-Goog-Generation", "1&x"}, {"X-Goog-Hash", "crc32c=AAAAAA==,md5="}});
  CHECK(mentions(p->get().error().message, "does not match the checksum"));
  nlohmann::json huge = {{"do", "say"}, {"times", 99}, {"body", std::string(1000, 'x')}, {"repeat", 20000}};
  server.control(nlohmann::json{{"faults", {huge}}}.dump());
  CHECK(!client->list("x/"));
  CHECK(!client->generation("x"));
}

TEST_CASE("gcs: reading ends when the run is to stop, writing and releasing do not", "[server]") {
  GcsTestServer server;
  test::check_stopping(store_of(server));
}

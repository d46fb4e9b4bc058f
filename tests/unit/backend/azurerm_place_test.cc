// States in a container: the place and its lock, against the test server, with and without its faults.
#include <catch2/catch.hpp>

#include "core/backend/azurerm/place.h"
#include "core/backend/server.h"
#include "core/base/base64.h"
#include "tests/support/azure_server.h"
#include "tests/support/object_store.h"

using namespace xplan;
using namespace xplan::backend::azurerm;
using test::lock_info, test::mentions, test::AzureTestServer;

namespace {

const std::string kA = "aaaaaaaa-1111-4222-8333-444455556666", kB = "bbbbbbbb-1111-4222-8333-444455556666";

AzurermSettings settings_for(const AzureTestServer& server) {
  AzurermSettings s;
  s.account = "tfacct", s.container = "tfc", s.key = "k", s.access_key = "secretkey";
  s.cloud = *cloud::azure_cloud_named("public");
  s.client = server.client(), s.retries = 2;
  return s;
}

std::unique_ptr<Place> place_of(AzurermSettings s, Stop stop = nullptr) {
  const std::string key = s.key;
  return make_place(std::make_shared<AzurermClient>(std::move(s), stop), key);
}

test::Store store_of(AzureTestServer& server) {
  return {server,   [&](Stop stop) { return place_of(settings_for(server), stop); },
          "secret", "'method': 'GET'",
          kA,       false};
}

const std::string kUrl = "https://tfacct.blob.core.windows.net/tfc/";

}  // namespace

TEST_CASE("azurerm: a state is read, written over what was read, and nothing else", "[server]") {
  AzureTestServer server;
  AzurermSettings s = settings_for(server);
  s.key = "a b/./../st+ate~é";
  const auto p = place_of(s);
  CHECK(p->name() == kUrl + s.key);
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
  CHECK(server.control("{}")["types"]["tfc/" + s.key] == "application/json");
  server.control("{'blobs': {'tfc/a b/./../st+ate~é': null}}");
  CHECK(p->put("three", second->version)->conflict);
  CHECK(server.control("{}")["blobs"].empty());
}

TEST_CASE("azurerm: whether there is a state shows without it", "[server]") {
  AzureTestServer server;
  test::check_looks(store_of(server), [](const auto& e) { return e["method"] == "GET"; });
}

TEST_CASE("azurerm: one run has the lease, and only it can release it", "[server]") {
  AzureTestServer server;
  const auto a = place_of(settings_for(server)), b = place_of(settings_for(server));
  CHECK(!*b->holder());
  LockInfo first = lock_info(kA), second = lock_info(kB);
  REQUIRE(!a->try_lock(first)->held);
  CHECK(first.path == "tfc/k");
  auto there = server.control("{}");
  CHECK(there["blobs"]["tfc/k"] == "");
  CHECK(there["leases"]["tfc/k"] == kA);
  std::string json;
  REQUIRE(base64_decode(there["metadata"]["tfc/k"]["terraformlockid"].get<std::string>(), json));
  CHECK(json == first.json());
  CHECK(*a->still_held() == true);
  const auto refused = b->try_lock(second);
  REQUIRE(refused);
  CHECK(refused->held);
  REQUIRE(refused->holder);
  CHECK(refused->holder->id == kA);
  CHECK(refused->holder->who == "me@host");
  CHECK(refused->reason == "The state \"" + kUrl + "k\" is locked: the blob is leased");
  CHECK((*b->holder())->id == kA);
  CHECK(mentions(b->put("x", std::nullopt).error().message, "another run has locked it"));
  CHECK(mentions(b->break_lock(kB).error().message,
                 "lock ID \"" + kB + "\" does not match the existing lock ID \"" + kA + "\""));
  const auto put = a->put("one", std::nullopt);
  REQUIRE((put && !put->conflict));
  CHECK(server.control("{}")["metadata"]["tfc/k"].size() == 1);
  REQUIRE(b->break_lock(kA));
  CHECK(*a->still_held() == false);
  CHECK(mentions(a->put("two", put->version).error().message, "its lock was lost"));
  REQUIRE(!b->try_lock(second)->held);
  CHECK(*a->still_held() == false);
  CHECK(mentions(a->put("two", put->version).error().message, "its lock was lost"));
  CHECK(!a->unlock());  // it is the other one's
  CHECK(*b->still_held() == true);
  REQUIRE(b->unlock());
  CHECK(mentions(b->break_lock(kB).error().message, "is not leased"));
  there = server.control("{}");
  CHECK(there["metadata"]["tfc/k"].empty());
  CHECK(there["blobs"]["tfc/k"] == "one");
}

TEST_CASE("azurerm: a lease that is broken is not ours any more", "[server]") {
  AzureTestServer server;
  const auto p = place_of(settings_for(server));
  LockInfo a = lock_info(kA);
  REQUIRE(p->try_lock(a));
  const auto put = p->put("one", std::nullopt);
  server.control("{'faults': [{'do': 'break', 'object': 'tfc/k', 'on': {'method': 'HEAD'}}]}");
  const auto lost = p->put("two", put->version);
  REQUIRE(!lost);
  CHECK(lost.error().message ==
        "failed to write \"" + kUrl +
            "k\": its lock was lost, because its lease was broken or released (LeaseLost)");
  CHECK(*p->still_held() == false);
  CHECK(server.control("{}")["blobs"]["tfc/k"] == "one");
}

TEST_CASE("azurerm: what others keep in the metadata stays, and does not hinder", "[server]") {
  AzureTestServer server;
  const auto p = place_of(settings_for(server));
  server.control("{'blobs': {'tfc/k': 'one'}}");
  server.control("{'metadata': {'tfc/k': {'Owner': 'me', 'terraformlockid': '?'}}}");
  const auto read = p->get();
  LockInfo a = lock_info(kA);
  REQUIRE(!p->try_lock(a)->held);  // which changes the ETag
  REQUIRE(!p->put("two", (*read)->version)->conflict);
  CHECK(server.control("{}")["metadata"]["tfc/k"]["owner"] == "me");
  REQUIRE(p->unlock());
  CHECK(server.control("{}")["metadata"]["tfc/k"] == nlohmann::json{{"owner", "me"}});
  // A lease of something else.
  server.control("{'lease': {'tfc/k': '" + kB + "'}}");
  const auto held = p->try_lock(a);
  REQUIRE((held && held->held));
  CHECK(held->holder.value_or(LockInfo()).id == "tfc/k");
  CHECK(mentions(held->reason, "its holder is not known"));
  CHECK(!p->break_lock(kA));
  REQUIRE(p->break_lock(kB));
  // Its ID need not be known, but must have been told of.
  server.control("{'lease': {'tfc/k': '" + kB + "'}}");
  REQUIRE(p->break_lock("tfc/k"));
  REQUIRE(!p->try_lock(a)->held);
  CHECK(!p->break_lock("tfc/k"));
  REQUIRE(p->unlock());
}

TEST_CASE("azurerm: snapshots of what is replaced, and states that have some", "[server]") {
  AzureTestServer server;
  AzurermSettings s = settings_for(server);
  s.snapshot = true;
  const auto client = std::make_shared<AzurermClient>(s, nullptr);
  const auto p = make_place(client, "k");
  LockInfo a = lock_info(kA);
  REQUIRE(p->try_lock(a));
  auto put = p->put("one", (*p->get())->version);
  REQUIRE(p->put("two", put->version));
  CHECK(server.control("{}")["snapshots"] == nlohmann::json::parse(R"([["tfc/k",""],["tfc/k","one"]])"));
  REQUIRE(p->unlock());
  REQUIRE(remove_place(client, "k"));
  REQUIRE(remove_place(client, "k"));
  CHECK(server.control("{}")["blobs"].empty());
}

TEST_CASE("azurerm: a key of the customer's, or a scope of the account's, encrypts", "[server]") {
  AzureTestServer server;
  AzurermSettings s = settings_for(server);
  s.customer_key = "01234567890123456789012345678901", s.snapshot = true;
  const auto p = place_of(s);
  LockInfo a = lock_info(kA);
  REQUIRE(p->try_lock(a));
  const auto put = p->put("one", (*p->get())->version);
  REQUIRE(put);
  CHECK((*p->get())->bytes == "one");
  CHECK(*p->still_held() == true);
  CHECK(!p->put("two", put->version)->conflict);
  REQUIRE(p->put_segment("x", "{}"));
  REQUIRE(p->unlock());
  s.customer_key.clear();
  CHECK(mentions(place_of(s)->get().error().message, "BlobUsesCustomerSpecifiedEncryption"));
  CHECK(server.control("{}")["scopes"].empty());
  s.key = "scoped", s.encryption_scope = "mine";
  const auto scoped = place_of(s);
  REQUIRE(scoped->put("one", std::nullopt));
  CHECK((*scoped->get())->bytes == "one");
  CHECK(server.control("{}")["scopes"] == nlohmann::json::parse(R"({"tfc/scoped":"mine"})"));
}

TEST_CASE("azurerm: a request has no more than its time", "[server]") {
  AzureTestServer server;
  AzurermSettings s = settings_for(server);
  s.seconds = 1, s.retries = 0;
  server.control("{'faults': [{'do': 'wait', 'seconds': 4, 'on': {'method': 'GET'}}]}");
  CHECK(!place_of(s)->get());
}

TEST_CASE("azurerm: a list that does not end is an error", "[server]") {
  AzureTestServer server;
  test::check_endless_list(
      store_of(server),
      "<EnumerationResults><Blobs></Blobs><NextMarker>same</NextMarker></EnumerationResults>");
}

TEST_CASE("azurerm: the segments of a journal have a size together", "[server]") {
  AzureTestServer server;
  const auto client = std::make_shared<AzurermClient>(settings_for(server), nullptr);
  REQUIRE(client->put("x", std::string(1000, 'x'), {}));
  std::atomic<int64_t> left = 1500;
  CHECK(client->get("x", nullptr, &left));
  CHECK(left == 500);
  const auto second = client->get("x", nullptr, &left);
  REQUIRE_FALSE(second);
  CHECK(mentions(second.error().message, "the responses so far are too large in total"));
  CHECK(left < 0);
}

TEST_CASE("azurerm: workspaces and segments are blobs beside the state, over pages", "[server]") {
  AzureTestServer server({"--page", "2"});
  const auto client = std::make_shared<AzurermClient>(settings_for(server), nullptr);
  const auto p = make_place(client, "k");
  REQUIRE(p->keeps_segments());
  CHECK(p->segments()->empty());
  for (const char* name : {"c-2", "a-1", "b", "d", "e"})
    REQUIRE(p->put_segment(name, std::string("<") + name));
  REQUIRE(p->put_segment("b", "<b"));
  server.control("{'blobs': {'tfc/k.journal/x/y': 'not ours', 'tfc/k.journalist': 'nor this'}}");
  CHECK(*p->segments() == std::vector<std::string>{"a-1", "b", "c-2", "d", "e"});
  CHECK(*p->get_segments({"c-2", "a-1"}) == std::vector<std::string>{"<c-2", "<a-1"});
  REQUIRE(p->remove_segment("c-2"));
  REQUIRE(p->remove_segment("c-2"));
  CHECK(mentions(p->get_segment("c-2").error().message, "\"" + kUrl + "k.journal/c-2\" does not exist"));
  REQUIRE(remove_place(client, "k"));
  CHECK(p->segments()->empty());
}

TEST_CASE("azurerm: what is transient is tried again, what is not, is an error that says what failed",
          "[server]") {
  AzureTestServer server;
  test::check_faults(
      store_of(server),
      {{"'do': 'refuse', 'status': 503, 'code': 'ServerBusy', 'headers': {'Retry-After': '1'}", ""},
       {"'do': 'refuse', 'status': 429, 'code': 'TooManyRequests'", ""},
       {"'do': 'refuse', 'status': 408, 'code': 'OperationTimedOut'", ""},
       {"'do': 'say', 'headers': {'Content-MD5': 'AAAAAAAAAAAAAAAAAAAAAA=='}, 'body': 'x'", "", true},
       {"'do': 'refuse', 'times': 9", "500 Internal Server Error (InternalError: Something went wrong)"},
       {"'do': 'refuse', 'times': 9, 'status': 403, 'code': 'AuthorizationFailure', 'message': "
        "'No\\u0085[31m'",
        "403 Forbidden (AuthorizationFailure: No?[31m); check the permissions"},
       {"'do': 'refuse', 'times': 9, 'status': 403, 'code': 'AuthenticationFailed'",
        "403 Forbidden (AuthenticationFailed: Something went wrong); check the access key"},
       {"'do': 'say', 'times': 9, 'headers': {'Content-MD5': 'x'}, 'body': 'x'",
        "does not match the checksum", true},
       {"'do': 'refuse', 'times': 9, 'status': 404, 'code': 'ContainerNotFound'",
        "the container \"tfc\" does not exist in the storage account \"tfacct\"; create it first"},
       {"'do': 'refuse', 'times': 9, 'status': 301, 'code': 'Moved', 'message': 'elsewhere'",
        "301 (Moved: elsewhere)"}});
}

TEST_CASE("azurerm: a lock or a write whose answer is lost is ours all the same", "[server]") {
  AzureTestServer server;
  const auto p = place_of(settings_for(server));
  for (const char* ends : {"?comp=lease", "?comp=metadata", "/k"}) {
    INFO(ends);
    server.control("{'forget': true}");
    auto lose = [&] {
      server.control(std::string("{'faults': [{'do': 'after', 'on': {'method': 'PUT', 'query': '") + ends +
                     "'}}]}");
    };
    lose();
    LockInfo lock = lock_info(kA);
    REQUIRE(!p->try_lock(lock)->held);
    CHECK(*p->still_held() == true);
    lose();
    const auto put = p->put("one", std::nullopt);
    REQUIRE(put);
    CHECK(!put->conflict);
    lose();
    CHECK(p->unlock());
    CHECK(server.control("{}")["leases"]["tfc/k"].is_null());
  }
}

TEST_CASE("azurerm: somebody who writes between a look and a write is not overwritten", "[server]") {
  AzureTestServer server;
  const auto p = place_of(settings_for(server));
  const auto put = p->put("one", std::nullopt);
  server.control(
      "{'faults': [{'do': 'steal', 'on': {'method': 'PUT'}, 'object': 'tfc/k', 'text': 'theirs'}]}");
  CHECK(p->put("two", put->version)->conflict);
  CHECK((*p->get())->bytes == "theirs");
}

TEST_CASE("azurerm: requests are authorized with tokens, and keys that are looked up", "[server]") {
  AzureTestServer server;
  test::Environment here({});
  AzurermSettings s = settings_for(server);
  s.access_key.clear(), s.sas_token = "sv=1&sig=good";
  REQUIRE(place_of(s)->put("one", std::nullopt));
  s.sas_token = "sv=1&sig=hunter2";
  const auto wrong = place_of(s)->get();
  REQUIRE(!wrong);
  CHECK(mentions(wrong.error().message, "403 Forbidden (AuthenticationFailed"));
  CHECK(!mentions(wrong.error().message, "hunter2"));
  s.sas_token.clear(), s.as_identity = true;
  s.identity.source = cloud::AzureIdentity::Source::Secret;
  s.identity.tenant = "tenant", s.identity.client = "client", s.identity.secret = "secret";
  auto p = place_of(s);
  CHECK((*p->get())->bytes == "one");
  server.control("{'revoke': true}");  // in the middle
  CHECK((*p->get())->bytes == "one");
  LockInfo a = lock_info(kA);
  REQUIRE(p->try_lock(a));
  server.control("{'revoke': true}");
  REQUIRE(p->unlock());
  CHECK(server.asked("login").size() == 3);
  server.control(
      "{'faults': [{'do': 'refuse', 'times': 9, 'on': {'service': 'blob'}, 'status': 401, 'code': "
      "'InvalidAuthenticationInfo'}]}");
  CHECK(mentions(p->get().error().message, "401 Unauthorized (InvalidAuthenticationInfo"));
  server.control("{'faults': []}");
  s.as_identity = false, s.subscription = "sub", s.group = "group";
  p = place_of(s);
  CHECK((*p->get())->bytes == "one");
  CHECK(server.asked("management").size() == 2);
  server.control(
      "{'faults': [{'do': 'refuse', 'on': {'service': 'blob'}, 'status': 403, 'code': "
      "'AuthenticationFailed'}]}");
  CHECK(!p->get());  // the key is still the same one
  CHECK(server.asked("management").size() == 3);
  s.group = "other";
  CHECK(mentions(place_of(s)->get().error().message,
                 "the keys of the storage account \"tfacct\" of the resource group "
                 "\"other\" are not available: the management API answered 404"));
}

TEST_CASE("azurerm: the server's clock is used where this machine's is wrong", "[server]") {
  AzureTestServer server;
  server.control("{'clock': 7200}");
  const auto p = place_of(settings_for(server));
  REQUIRE(p->put("one", std::nullopt));
  CHECK(server.asked("blob") == std::vector<std::string>{"PUT /tfc/k 403", "PUT /tfc/k 201"});
}

TEST_CASE("azurerm: answers that mean nothing, or harm", "[server]") {
  AzureTestServer server;
  const auto client = std::make_shared<AzurermClient>(settings_for(server), nullptr);
  test::check_bad_lists(store_of(server),
                        {"", "{", "<a", "<Error/>", "<EnumerationResults/>",
                         "<EnumerationResults><Blobs/><NextMarker>x</NextMarker>",
                         "<!DOCTYPE x [<!ENTITY a 'b'>]><EnumerationResults>&a;</EnumerationResults>"});
  // Accounts with directories list them, too.
  nlohmann::json order = {{"faults",
                           {{{"do", "say"},
                             {"body",
                              "<EnumerationResults><Blobs><Blob><Name>a.journal</"
                              "Name><Properties><ResourceType>directory</ResourceType>"
                              "</Properties></Blob><Blob><Name>a</Name></Blob><Blob><Name>b</Name></Blob><x/"
                              "></Blobs><NextMarker/>"
                              "</EnumerationResults>"}}}}};
  server.control(order.dump());
  CHECK(*client->list("a") == std::vector<std::string>{"a"});
  // Locks that another tool has damaged.
  const auto p = place_of(settings_for(server));
  for (const char* signature : {"?", "e30=", "W10=", "eyJJRCI6NX0=", "eyJJRCI6"}) {
    server.control("{'blobs': {'tfc/k': ''}}");
    server.control(std::string("{'metadata': {'tfc/k': {'terraformlockid': '") + signature + "'}}}");
    server.control("{'lease': {'tfc/k': '" + kB + "'}}");
    LockInfo a = lock_info(kA);
    const auto tried = p->try_lock(a);
    REQUIRE(tried);
    CHECK(tried->held);
    CHECK(tried->holder.value_or(LockInfo()).id == "tfc/k");
  }
}

TEST_CASE("azurerm: reading ends when the run is to stop, writing and releasing do not", "[server]") {
  AzureTestServer server;
  test::check_stopping(store_of(server));
}

TEST_CASE("azurerm: a state that another run has changed since it was unlocked is not removed", "[server]") {
  AzureTestServer server;
  const auto client = std::make_shared<AzurermClient>(settings_for(server), nullptr);
  for (const bool changed : {false, true}) {
    const auto p = make_place(client, "k"), q = make_place(client, "k");
    LockInfo a = lock_info(kA);
    REQUIRE(!p->try_lock(a)->held);
    REQUIRE(p->put("one", std::nullopt));
    REQUIRE(p->put_segment("a", "x"));
    const auto rest = remove_locked_place(client, "k");
    REQUIRE(rest);
    CHECK(p->segments()->empty());
    CHECK(!(*rest)());  // it is leased
    REQUIRE(p->unlock());
    if (changed) {
      REQUIRE(q->put("two", (*q->get())->version));
      REQUIRE(q->put_segment("b", "x"));
    }
    const auto gone = (*rest)();
    CHECK(gone.ok() != changed);
    if (changed) CHECK(mentions(gone.error().message, "another run has changed the state"));
    CHECK(p->get()->has_value() == changed);
    CHECK(p->segments()->size() == (changed ? 1 : 0));
  }
}

// States in Alibaba Cloud's object storage: the place, its lock and the workspaces, against the test server,
// with and without its faults.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/backend/oss/place.h"
#include "core/backend/oss/rows.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/text.h"
#include "tests/support/environment.h"
#include "tests/support/object_store.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::oss;
using test::lock_info, test::mentions;

namespace {

// The server ends TLS itself, as a proxy; the table is reached without one.
struct OssTestServer : test::ServerProgram {
  test::Environment here;
  OssTestServer()
      : ServerProgram("oss.py"),
        here({{"HTTPS_PROXY", url},
              {"SSL_CERT_FILE", more},
              {"ALICLOUD_ACCESS_KEY", "AKTEST"},
              {"ALICLOUD_SECRET_KEY", "secretsecret"}}) {}
  Settings settings(std::string more_settings) const {
    std::string json =
        "{'bucket':'tfb','region':'cn-beijing','tablestore_endpoint':'" + url + "'" + more_settings + "}";
    for (char& c : json)
      if (c == '\'') c = '"';
    return parse_settings("oss", json).value();
  }
  std::shared_ptr<OssClient> client(const std::string& more_settings = ",'tablestore_table':'locks'",
                                    Stop stop = nullptr) const {
    auto read = read_settings(settings(more_settings).values);
    REQUIRE(read);
    return std::make_shared<OssClient>(std::move(*read), stop);
  }
  std::unique_ptr<Place> place(const std::string& more_settings = ",'tablestore_table':'locks'") const {
    return make_place(client(more_settings), "net/k.tfstate");
  }
  test::Store store() {
    return {*this, [this](Stop stop) {
              return make_place(client(",'tablestore_table':'locks'", stop), "net/k.tfstate");
            }};
  }
};

std::string bytes_of_hex(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(hex_digit(hex[i]) << 4 | hex_digit(hex[i + 1]));
  return out;
}

const char* const kInfo =
    R"({"ID":"711a56d4-2873-9ab2-99e8-6734daafd3df","Operation":"OperationTypeApply","Info":"","Who":"root@vm",)"
    R"("Version":"1.11.4","Created":"2026-11-23T21:15:50.13894517Z","Path":"tfb/env:/terraform.tfstate"})";

}  // namespace

TEST_CASE("oss: messages and rows are those that other tools send") {
  const std::string id = "tfb/env:/terraform.tfstate";
  CHECK(hex_encode(get_message("locks", id + "-md5", "Digest")) ==
        "0a056c6f636b73123d75000000010304060000004c6f636b49440523000000031e0000007466622f656e763a2f7465727261"
        "666f726d2e746673746174652d6d64350ab709241a064c6f636b49441a064469676573742801");
  CHECK(
      hex_encode(put_message("locks", id + "-md5", "Digest", "1653dc299f2906e73b51f6767c54f7b9", false)) ==
      "0a056c6f636b73127675000000010304060000004c6f636b49440523000000031e0000007466622f656e763a2f7465727261"
      "666f726d2e746673746174652d6d64350ab7020304060000004469676573740525000000032000000031363533646332393966"
      "323930366537336235316636373637633534663762390aa409b01a020800");
  const std::string lock = put_message("locks", id, "Info", kInfo, true);
  CHECK(lock.ends_with(bytes_of_hex("0a7409161a020802")));
  CHECK(hex_encode(delete_message("locks", id, "Info", "")) ==
        "0a056c6f636b73123a75000000010304060000004c6f636b4944051f000000031a0000007466622f656e763a2f7465727261"
        "666f726d2e746673746174650a7a0809271a020800");
}

TEST_CASE("oss: a state is read, written over what was read, and nothing else", "[server]") {
  OssTestServer server;
  const auto p = server.place(",'encrypt':true,'acl':'public-read'");
  CHECK(p->name() == "oss://tfb/net/k.tfstate");
  CHECK(!p->locks());
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
  CHECK(p->put("two", "other")->conflict);
  CHECK(!p->put("two", put->version)->conflict);
  CHECK(p->put("three", put->version)->conflict);
  CHECK(server.asked("tablestore").empty());
  CHECK(server.asked("location").size() == 1);  // asked once for where objects are
  for (const auto& e : server.log())
    if (e["method"] == "PUT")
      for (const auto& [name, value] :
           {std::pair("x-oss-server-side-encryption", "AES256"), std::pair("x-oss-acl", "public-read"),
            std::pair("Content-Type", "application/json")})
        CHECK(std::find(e["headers"].begin(), e["headers"].end(), nlohmann::json{name, value}) !=
              e["headers"].end());
}

TEST_CASE("oss: what is written over is looked at, and not read", "[server]") {
  OssTestServer server;
  test::check_looks(
      server.store(), [](const auto& e) { return e["method"] == "GET"; }, false);
}

TEST_CASE("oss: objects are where the settings say, or the service for that, or the region's name",
          "[server]") {
  OssTestServer server;
  const struct {
    const char *settings, *fault, *host;
  } table[] = {
      {"", "", "tfb.oss-cn-beijing.aliyuncs.com"},
      {"", "'do': 'refuse', 'times': 9, 'status': 403", "tfb.oss-cn-beijing.aliyuncs.com"},
      {"",
       "'do': 'say', 'body': '{\\\"Endpoints\\\":{\\\"Endpoint\\\":[{\\\"Endpoint\\\":\\\"evil.test\\\"}]}}'",
       "tfb.oss-cn-beijing.aliyuncs.com"},
      {"", "'do': 'say', 'body': '{\\\"Endpoints\\\":{\\\"Endpoint\\\":[]}}'",
       "tfb.oss-cn-beijing.aliyuncs.com"},
      {",'endpoint':'oss-accelerate.aliyuncs.com'", "", "tfb.oss-accelerate.aliyuncs.com"},
  };
  for (const auto& t : table) {
    INFO(t.settings << t.fault);
    server.control("{'forget': true}");
    std::string fault = std::string("{'faults': [") + (*t.fault ? "{" : "") + t.fault +
                        (*t.fault ? ", 'on': {'service': 'location'}}" : "") + "]}";
    for (char& c : fault)
      if (c == '\'') c = '"';
    server.control(fault);
    REQUIRE(server.place(t.settings)->get());
    const auto log = server.log();
    CHECK(std::find(log.back()["headers"].begin(), log.back()["headers"].end(),
                    nlohmann::json{"Host", t.host}) != log.back()["headers"].end());
  }
}

TEST_CASE("oss: one run has the lock, and only it can release it", "[server]") {
  OssTestServer server;
  const auto a = server.place(), b = server.place();
  CHECK(a->locks());
  LockInfo first = lock_info("A"), second = lock_info("B");
  REQUIRE(!a->try_lock(first)->held);
  CHECK(first.path == "tfb/net/k.tfstate");
  CHECK(server.control("{}")["rows"]["locks/tfb/net/k.tfstate"]["Info"] == first.json());
  CHECK(*a->still_held() == true);
  const auto refused = b->try_lock(second);
  REQUIRE((refused && refused->held && refused->holder));
  CHECK(refused->holder->id == "A");
  CHECK(refused->holder->who == "me@host");
  CHECK(mentions(refused->reason, "the TableStore table \"locks\" contains the row \"tfb/net/k.tfstate\""));
  CHECK(
      mentions(b->break_lock("B").error().message,
               "lock ID \"B\" does not match the existing lock ID \"A\" in the TableStore table \"locks\""));
  REQUIRE(b->break_lock("A"));
  CHECK(*a->still_held() == false);
  REQUIRE(!b->try_lock(second)->held);
  CHECK(!a->unlock());  // it is the other one's
  REQUIRE(b->unlock());
  CHECK(mentions(b->break_lock("B").error().message, "the lock is gone"));
  CHECK(!*b->holder());
  // What is no lock holds as well.
  for (const char* columns : {"{'Info': 'garbage'}", "{'Info': ''}", "{'Other': 'x'}", "{}"}) {
    INFO(columns);
    server.control(std::string("{'rows': {'locks/tfb/net/k.tfstate': ") + columns + "}}");
    const auto tried = a->try_lock(first);
    REQUIRE((tried && tried->held));
    CHECK(!tried->holder);
  }
}

TEST_CASE("oss: a lock whose taking or releasing was answered to nobody", "[server]") {
  OssTestServer server;
  const auto p = server.place();
  LockInfo a = lock_info("A");
  server.control("{'faults': [{'do': 'after', 'on': {'action': 'PutRow'}}]}");
  const auto taken = p->try_lock(a);
  REQUIRE(taken);
  CHECK(!taken->held);
  CHECK(server.asked("tablestore") == std::vector<std::string>{"PutRow 0", "PutRow 403", "GetRow 200"});
  server.control("{'faults': [{'do': 'after', 'on': {'action': 'DeleteRow'}}]}");
  REQUIRE(p->unlock());
  CHECK(server.control("{}")["rows"].empty());
  // Somebody else has it by the time that it is released.
  REQUIRE(!p->try_lock(a)->held);
  server.control(
      "{'faults': [{'do': 'steal row', 'row': 'locks/tfb/net/k.tfstate', 'columns': {'Info': 'theirs'}, "
      "'on': "
      "{'action': 'DeleteRow'}}]}");
  CHECK(mentions(p->unlock().error().message, "OTSConditionCheckFail"));
  CHECK(server.control("{}")["rows"]["locks/tfb/net/k.tfstate"]["Info"] == "theirs");
}

TEST_CASE("oss: the digest in the table tells of states that are not what was written", "[server]") {
  OssTestServer server;
  const auto client = server.client();
  const auto p = make_place(client, "k");
  REQUIRE(p->put("one", std::nullopt));
  CHECK(server.control("{}")["rows"]["locks/tfb/k-md5"]["Digest"] == "f97c5d29941bfb1b2fdab0874906ab82");
  REQUIRE(p->get());
  server.control("{'objects': {'tfb/k': 'two'}}");
  const auto read = p->get();
  REQUIRE(!read);
  CHECK(mentions(read.error().message, "state data in OSS does not have the expected content"));
  CHECK(mentions(read.error().message, "the row \"tfb/k-md5\" of the TableStore table \"locks\""));
  // Whoever replaces it without knowing what it is can.
  const auto version = p->version();
  REQUIRE((version && *version));
  CHECK(!p->put("three", *version)->conflict);
  server.control("{'objects': {'tfb/k': 'two'}}");
  server.control("{'rows': {'locks/tfb/k-md5': null}}");
  REQUIRE(p->get());
  server.control("{'faults': [{'do': 'refuse', 'times': 9, 'status': 403, 'on': {'action': 'PutRow'}}]}");
  CHECK(mentions(p->put("three", hex_encode(digest(Digest::Md5, "two"))).error().message,
                 "the state is written, but not its checksum"));
  server.control("{'faults': []}");
  REQUIRE(remove_place(client, "k"));
  CHECK(server.control("{}")["objects"].empty());
  CHECK(server.control("{}")["rows"].empty());
}

TEST_CASE("oss: a state whose digest could not be written is not somebody else's", "[server]") {
  OssTestServer server;
  const auto p = server.place();
  const auto first = p->put("one", std::nullopt);
  REQUIRE(first);
  server.control("{'faults': [{'do': 'refuse', 'times': 9, 'status': 403, 'on': {'action': 'PutRow'}}]}");
  CHECK(
      mentions(p->put("two", first->version).error().message, "the state is written, but not its checksum"));
  server.control("{'faults': []}");
  const auto again = p->put("three", first->version);
  REQUIRE(again);
  CHECK(!again->conflict);
  CHECK((*p->get())->bytes == "three");
}

TEST_CASE("oss: segments of journals and workspaces, over pages", "[server]") {
  OssTestServer server;
  server.control("{'page': 2}");
  const auto p = server.place();
  for (const char* name : {"c-2", "a-1", "b", "d", "e"})
    REQUIRE(p->put_segment(name, std::string("<") + name));
  CHECK(*p->segments() == std::vector<std::string>{"a-1", "b", "c-2", "d", "e"});
  CHECK(*p->get_segments({"a-1", "d"}) == std::vector<std::string>{"<a-1", "<d"});
  CHECK(
      mentions(p->get_segment("x").error().message, "\"oss://tfb/net/k.tfstate.journal/x\" does not exist"));
  // Other tools take all below the prefix for workspaces.
  for (const auto& [state, journal] :
       {std::pair("env:/k", "oss://tfb/env:.journal/k"), std::pair("env:/w/k", "oss://tfb/env:.journal/w/k"),
        std::pair("other/k", "oss://tfb/other/k.journal")})
    CHECK(make_place(server.client(), state)->journal_name() == journal);
  REQUIRE(p->remove_segments(*p->segments()));
  CHECK(p->segments()->empty());
  server.control(
      "{'objects': {'tfb/env:/terraform.tfstate': '', 'tfb/env:/b/terraform.tfstate': '', "
      "'tfb/env:/a/terraform.tfstate': '', 'tfb/env:/a/x/terraform.tfstate': '', "
      "'tfb/env:/c/other.tfstate': '', 'tfb/w/terraform.tfstate': '', 'tfb/p/k': '', 'tfb/p/w/k': ''}}");
  const auto workspaces = [&](const std::string& more) {
    return (*backend::open(server.settings(more), {}))->workspaces().value();
  };
  CHECK(workspaces("") == std::vector<std::string>{"default", "a", "b"});
  CHECK(workspaces(",'prefix':''") == std::vector<std::string>{"default", "env:", "w"});
  CHECK(workspaces(",'prefix':'p','key':'k'") == std::vector<std::string>{"default", "w"});
  server.control("{'objects': {'tfb/odd/a+é %41': '', 'tfb/odd/b&<c': ''}}");
  CHECK(*server.client()->list("odd/") == std::vector<std::string>{"odd/a+é %41", "odd/b&<c"});
  const auto up = backend::open(server.settings(",'prefix':'p/q','key':'../x'"), {});
  CHECK((*up)->place("default") == "oss://tfb/p/x");  // as other tools have it
  CHECK((*up)->place("w") == "oss://tfb/p/q/x");
}

TEST_CASE("oss: what is transient is tried again, what is not, is an error that says what failed",
          "[server]") {
  OssTestServer server;
  test::check_faults(
      server.store(),
      {{"'do': 'slow'", ""},
       {"'do': 'corrupt'", "", true},
       {"'do': 'corrupt', 'times': 9", "does not match the checksum", true},
       {"'do': 'refuse', 'status': 500, 'code': 'OTSInternalServerError', 'on': {'service': 'tablestore'}",
        ""},
       {"'do': 'refuse', 'status': 409, 'code': 'OTSRowOperationConflict', 'on': {'service': 'tablestore'}",
        ""},
       {"'do': 'reset', 'on': {'service': 'tablestore'}", ""},
       {"'do': 'refuse', 'times': 9, 'status': 403, 'code': 'OTSAuthFailed', 'message': 'No\\u0085[31m', "
        "'on': "
        "{'service': 'tablestore'}",
        "failed to access the row \"tfb/net/k.tfstate-md5\" of the TableStore table \"locks\""},
       {"'do': 'refuse', 'times': 9, 'status': 500, 'code': 'OTSServerBusy', 'on': {'service': 'tablestore'}",
        "500 Internal Server Error (OTSServerBusy"},
       {"'do': 'refuse', 'status': 403, 'code': 'AccessDenied', 'times': 9, 'message': 'No\\u0085[31m'",
        "403 Forbidden (AccessDenied: No?[31m); the credentials need permission"},
       {"'do': 'refuse', 'status': 404, 'code': 'NoSuchBucket', 'times': 9",
        "the OSS bucket \"tfb\" does not exist"}});
  server.control("{'forget': true}");
  for (const char* hex : {"0aff", "120175", "12047500000009", "7b7d"}) {
    server.control(std::string("{'faults': [{'do': 'say', 'hex': '") + hex +
                   "', 'on': {'action': 'GetRow'}}]}");
    CHECK(mentions(server.place()->holder().error().message, "is damaged"));
  }
  LockInfo a = lock_info("A");
  CHECK(
      mentions(server.place(",'tablestore_table':'other'")->try_lock(a).error().message,
               "404 Not Found (OTSObjectNotExist: Requested table does not exist.); create the table first"));
  ::setenv("ALICLOUD_SECRET_KEY", "wrong", 1);
  CHECK(mentions(server.place()->get().error().message, "SignatureDoesNotMatch"));
  const auto lock = server.place()->try_lock(a);
  REQUIRE(!lock);
  CHECK(mentions(lock.error().message, "403 Forbidden (OTSAuthFailed: Signature mismatch"));
}

TEST_CASE("oss: reading ends when the run is to stop, writing and releasing do not", "[server]") {
  OssTestServer server;
  test::check_stopping(server.store());
}

TEST_CASE("oss: a write waits for a server that is away", "[server]") {
  OssTestServer server;
  test::check_patience(server.store());
}

TEST_CASE("oss: lists that do not end, are none, or harm", "[server]") {
  OssTestServer server;
  const std::string page =
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextMarker>same</NextMarker></ListBucketResult>";
  auto store = server.store();
  store.open = [&](Stop stop) {
    return make_place(server.client(",'endpoint':'oss-cn-beijing.aliyuncs.com'", stop), "net/k.tfstate");
  };
  test::check_endless_list(store, page);
  test::check_bad_lists(store, {"", "{", "<a", "<Error/>",
                                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                                "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult>&a;</ListBucketResult>"});
}

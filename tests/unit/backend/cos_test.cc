// States in Tencent Cloud's object storage: arguments, the place and the lock, against the test server.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"
#include "core/backend/cos/place.h"
#include "tests/support/environment.h"
#include "tests/support/object_store.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::backend::cos;
using test::lock_info, test::mentions;

namespace {

Settings settings(std::string json) {
  for (char& c : json)
    if (c == '\'') c = '"';
  return parse_settings("cos", json).value();
}

const std::string kBase = "'bucket':'tfb-125','region':'ap-beijing'";

// The server ends TLS itself, as a proxy.
struct CosTestServer : test::ServerProgram {
  test::Environment here;
  CosTestServer()
      : ServerProgram("cos.py"),
        here({{"HTTPS_PROXY", url},
              {"SSL_CERT_FILE", more},
              {"TENCENTCLOUD_SECRET_ID", "AKIDTEST"},
              {"TENCENTCLOUD_SECRET_KEY", "secretsecret"}}) {}
  std::unique_ptr<Place> place(const std::string& more_settings = "", Stop stop = nullptr) {
    auto read = read_settings(settings("{" + kBase + more_settings + "}").values);
    REQUIRE(read);
    return make_place(std::make_shared<CosClient>(std::move(*read), stop), "net/k.tfstate");
  }
  test::Store store() {
    return {*this, [this](Stop stop) { return place("", stop); }};
  }
};

}  // namespace

TEST_CASE("cos: the sums over blocks are those that other tools record") {
  CHECK(settings("{" + kBase + ",'prefix':'net','assume_role':[]}").hash() == 4100524834u);
  CHECK(settings("{" + kBase +
                 ",'prefix':'net','acl':'public-read','encrypt':false,'key':'k.json','accelerate':false,"
                 "'assume_role':[{'external_id':null,'policy':'p','role_arn':'arn','session_duration':3600,"
                 "'session_name':'s'}]}")
            .hash() == 711379499u);
}

TEST_CASE("cos: arguments that are missing, wrong or contradict each other") {
  test::Environment here({});
  const struct {
    std::string settings;
    const char* begins;  // how the problem begins; empty: there is none
  } table[] = {
      {"'region':'r'", "the argument \"bucket\" is required"},
      {"'bucket':'b'", "the argument \"region\" is required"},
      {"'bucket':'a.b','region':'r'", "the argument \"bucket\" must be the name of a bucket"},
      {"'bucket':'b','region':'r.x'", "the argument \"region\" must be a region"},
      {kBase, ""},
      {kBase + ",'prefix':'/a'", "the argument \"prefix\" must not begin with"},
      {kBase + ",'prefix':'./a'", "the argument \"prefix\" must not begin with"},
      {kBase + ",'prefix':'../a'", "the argument \"prefix\" must not begin with \"..\""},
      {kBase + ",'key':'a/'", "the argument \"key\" must not begin or end with"},
      {kBase + ",'acl':''", "the argument \"acl\" must not be empty"},
      {kBase + ",'acl':'foo'", "the argument \"acl\" must be \"private\" or"},
      {kBase + ",'secret_id':'a'", "the arguments \"secret_id\" and \"secret_key\" must be set together"},
      {kBase + ",'endpoint':'https://x/y'", "the argument \"endpoint\" must be a URL without a path"},
      {kBase + ",'domain':'x/y'", "the argument \"domain\" must be a host name"},
      {kBase + ",'profile':'none'", "the argument \"profile\" names credentials that are not available"},
      {kBase + ",'assume_role':[{'role_arn':'a'}]", "the argument \"assume_role.session_name\" is required"},
      {kBase + ",'assume_role':[{'role_arn':'a','session_name':'s','session_duration':50000}]",
       "the argument \"assume_role.session_duration\" must be at most 43200"},
  };
  for (const auto& t : table) {
    INFO(t.settings);
    const auto read = read_settings(settings("{" + t.settings + "}").values);
    const std::string problem = read ? "" : read.error().message;
    INFO(problem);
    CHECK((*t.begins ? problem.starts_with(t.begins) : problem.empty()));
  }
  auto base = [](const std::string& more) {
    return read_settings(settings("{" + kBase + more + "}").values)->base;
  };
  CHECK(base("") == "https://tfb-125.cos.ap-beijing.myqcloud.com");
  CHECK(base(",'accelerate':true") == "https://tfb-125.cos.accelerate.myqcloud.com");
  CHECK(base(",'endpoint':'https://cos-internal.ap-beijing.tencentcos.cn'") ==
        "https://tfb-125.cos-internal.ap-beijing.tencentcos.cn");
}

TEST_CASE("cos: a state is read, written over what was read, and nothing else", "[server]") {
  CosTestServer server;
  const auto p = server.place();
  CHECK(p->name() == "cos://tfb-125/net/k.tfstate");
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
  const auto sent = server.control("{}")["headers"]["tfb-125/net/k.tfstate"];
  CHECK(sent[0]["x-cos-meta-md5"] == "b8a9f715dbb64fd5c56e7783c6820a61");
  CHECK(sent[1] == "AES256");
  CHECK(sent[2] == "private");
  server.control("{'faults': [{'do': 'corrupt', 'times': 9, 'on': {'method': 'GET'}}]}");
  CHECK(mentions(p->get().error().message, "does not match the checksum"));
}

TEST_CASE("cos: a state that cannot be read can be replaced", "[server]") {
  CosTestServer server;
  test::check_force(server.store());
}

TEST_CASE("cos: what is written over is looked at, and not read", "[server]") {
  CosTestServer server;
  test::check_looks(
      server.store(), [](const auto& e) { return e["method"] == "GET"; }, false);
}

TEST_CASE("cos: one run has the lock, and only the sum of its content releases it", "[server]") {
  CosTestServer server;
  const auto a = server.place(), b = server.place();
  LockInfo first = lock_info("A"), second = lock_info("B");
  REQUIRE(!a->try_lock(first)->held);
  CHECK(first.path == "net/k.tfstate.tflock");
  CHECK(first.id.size() == 32);
  CHECK(server.control("{}")["tags"].empty());
  CHECK(*a->still_held() == true);
  const auto refused = b->try_lock(second);
  REQUIRE((refused && refused->held && refused->holder));
  CHECK(refused->holder->id == first.id);
  CHECK(refused->holder->who == "me@host");
  CHECK(server.control("{}")["tags"].empty());
  CHECK(mentions(b->break_lock("A").error().message,
                 "lock ID \"A\" does not match the existing lock ID \"" + first.id + "\""));
  REQUIRE(b->break_lock(first.id));
  CHECK(*a->still_held() == false);
  REQUIRE(!b->try_lock(second)->held);
  CHECK(!a->unlock());  // it is the other one's
  REQUIRE(b->unlock());
  CHECK(mentions(b->break_lock("x").error().message, "the lock is gone"));
  // A tag that a run has left behind.
  const std::string tag = "156ba1e40c7e9f493a272f2e61554efb";
  REQUIRE(!a->try_lock(first)->held);
  server.control("{'tags': {'tencentcloud-terraform-lock=" + tag + "': '1'}}");
  CHECK(mentions(b->break_lock(tag).error().message, "does not match the existing lock ID"));
  REQUIRE(a->unlock());
  // One that was killed before there was more.
  server.control("{'tags': {'tencentcloud-terraform-lock=" + tag + "': '1'}}");
  const auto tagged = b->try_lock(second);
  REQUIRE((tagged && tagged->held && tagged->holder));
  CHECK(tagged->holder->id == tag);
  const auto found = b->find_holder();
  REQUIRE((found && *found));
  CHECK((*found)->id == tag);
  REQUIRE(b->break_lock(tag));
  CHECK_FALSE(b->find_holder().value());
  CHECK(server.control("{}")["tags"].empty());
  CHECK(mentions(b->break_lock(tag).error().message, "the lock is gone"));
  // The answer to the first attempt is lost, so the next one finds its tag.
  server.control("{'faults': [{'do': 'after', 'on': {'action': 'CreateTag'}}]}");
  REQUIRE(!b->try_lock(second)->held);
  CHECK(server.control("{}")["tags"].empty());
  REQUIRE(b->unlock());
}

TEST_CASE("cos: segments of journals and workspaces, over pages", "[server]") {
  CosTestServer server;
  server.control("{'page': 2}");
  const auto p = server.place();
  for (const char* name : {"c-2", "a-1", "b", "d", "e"})
    REQUIRE(p->put_segment(name, std::string("<") + name));
  CHECK(*p->segments() == std::vector<std::string>{"a-1", "b", "c-2", "d", "e"});
  CHECK(*p->get_segments({"a-1", "d"}) == std::vector<std::string>{"<a-1", "<d"});
  REQUIRE(p->remove_segments(*p->segments()));
  CHECK(p->segments()->empty());
  server.control(
      "{'objects': {'tfb-125/net/terraform.tfstate': '', 'tfb-125/net/b/terraform.tfstate': '', "
      "'tfb-125/net/a/terraform.tfstate': '', 'tfb-125/net/a/x/terraform.tfstate': '', "
      "'tfb-125/net/c/other.tfstate': ''}}");
  const auto backend = backend::open(settings("{" + kBase + ",'prefix':'net/'}"), {});
  REQUIRE(backend);
  CHECK((*backend)->workspaces().value() == std::vector<std::string>{"default", "a", "b"});
}

TEST_CASE("cos: what is transient is tried again, what is not, is an error that says what failed",
          "[server]") {
  CosTestServer server;
  test::check_faults(
      server.store(),
      {{"'do': 'slow'", ""},
       {"'do': 'corrupt'", "", true},
       {"'do': 'refuse', 'status': 403, 'code': 'AccessDenied', 'times': 9, 'message': 'No\\u0085[31m'",
        "403 Forbidden (AccessDenied: No?[31m); the credentials need permission"},
       {"'do': 'refuse', 'status': 404, 'code': 'NoSuchBucket', 'times': 9",
        "the bucket \"tfb-125\" does not exist in the region \"ap-beijing\""}});
  server.control("{'forget': true}");
  ::setenv("TENCENTCLOUD_SECRET_KEY", "wrong", 1);
  CHECK(mentions(server.place()->get().error().message, "SignatureDoesNotMatch"));
  LockInfo a = lock_info("A");
  const auto lock = server.place()->try_lock(a);
  REQUIRE(!lock);
  CHECK(mentions(lock.error().message, "the service \"tag\" refused to CreateTag"));
  CHECK(!mentions(lock.error().message, "wrong"));
}

TEST_CASE("cos: a lock whose answer was lost is taken by whoever asks for it once more", "[server]") {
  CosTestServer server;
  const auto p = server.place();
  LockInfo mine = lock_info("A"), same = lock_info("A"), other = lock_info("B");
  REQUIRE(!p->try_lock(mine)->held);
  REQUIRE(!p->try_lock(same)->held);
  CHECK(p->try_lock(other)->held);
  CHECK(p->unlock());
}

TEST_CASE("cos: a lock whose tag cannot be removed is undone, or named", "[server]") {
  CosTestServer server;
  const std::string tag =
      "{'do': 'refuse', 'times': 99, 'status': 403, 'code': 'No', 'on': {'action': 'DeleteTag'}}";
  for (const bool stays : {false, true}) {
    server.control("{'forget': true}");
    server.control(
        "{'faults': [" + tag +
        (stays ? ", {'do': 'refuse', 'times': 99, 'status': 403, 'code': 'No', 'on': {'method': 'DELETE'}}"
               : "") +
        "]}");
    LockInfo mine = lock_info("A");
    const auto taken = server.place()->try_lock(mine);
    REQUIRE(!taken);
    INFO(taken.error().message);
    CHECK(mentions(taken.error().message, "the tag \"tencentcloud-terraform-lock\" with the value \""));
    CHECK(mentions(taken.error().message, "force-unlock " + mine.id) == stays);
    CHECK(server.control("{}")["objects"].empty() != stays);
  }
}

TEST_CASE("cos: a tag that stays is named where the lock could not be taken, too", "[server]") {
  CosTestServer server;
  const std::string refuse = "{'do': 'refuse', 'times': 99, 'status': 403, 'code': 'No', 'on': ";
  server.control("{'faults': [" + refuse + "{'action': 'DeleteTag'}}, " + refuse + "{'method': 'PUT'}}]}");
  LockInfo mine = lock_info("A");
  const auto taken = server.place()->try_lock(mine);
  REQUIRE(!taken);
  INFO(taken.error().message);
  CHECK(mentions(taken.error().message, "403"));
  CHECK(mentions(taken.error().message, ". Until the tag \"tencentcloud-terraform-lock\" with the value \""));
}

TEST_CASE("cos: roles are assumed, and their keys renewed before they end, but not for each request",
          "[server]") {
  CosTestServer server;
  server.control("{'lifetime': 200}");
  const std::string role = ",'assume_role':[{'role_arn':'arn','session_name':'s','policy':'p'}]";
  const auto p = server.place(role);
  REQUIRE(p->put("one", std::nullopt));
  REQUIRE(p->get());
  CHECK(server.asked("sts").size() == 1);  // fewer than five minutes are left
  CHECK(mentions(server.log()[0]["body"].get<std::string>(), "\"DurationSeconds\":7200"));
  server.control("{'lifetime': 1}");
  const auto brief = server.place(role);
  REQUIRE(brief->get());
  ::sleep(2);
  server.control("{'lifetime': 7200}");
  REQUIRE(brief->get());
  REQUIRE(brief->get());
  CHECK(server.asked("sts").size() == 3);
}

TEST_CASE("cos: reading ends when the run is to stop, writing and releasing do not", "[server]") {
  CosTestServer server;
  test::check_stopping(server.store());
}

TEST_CASE("cos: a write waits for a server that is away", "[server]") {
  CosTestServer server;
  test::check_patience(server.store());
}

TEST_CASE("cos: lists that do not end, are none, or harm", "[server]") {
  CosTestServer server;
  test::check_endless_list(server.store(),
                           "<ListBucketResult><IsTruncated>true</IsTruncated><NextMarker>same</NextMarker>"
                           "</ListBucketResult>");
  test::check_bad_lists(
      server.store(),
      {"", "{", "<a", "<Error/>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
       "<!DOCTYPE x [<!ENTITY a 'b'>]><ListBucketResult>&a;</ListBucketResult>"});
}

TEST_CASE("cos: a lock that was released unheard is not released again", "[server]") {
  CosTestServer server;
  test::check_unheard_release(server.store(), "tfb-125/net/k.tfstate.tflock");
}

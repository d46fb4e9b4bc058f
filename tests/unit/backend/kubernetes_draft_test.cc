// States that are larger than a secret: in several, whole whenever their writer ends.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "core/backend/gzip.h"
#include "core/backend/kubernetes/draft.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "tests/support/kubernetes_cluster.h"

using namespace xplan;
using namespace xplan::backend;
using namespace xplan::kubernetes_test;

TEST_CASE("kubernetes: a state that is larger than a secret is in several") {
  Cluster cluster;
  const auto p = place_of(settings_for(cluster));
  const std::string large = noise(3 << 20), smaller = noise((1 << 20) + 500000);
  auto put = p->put(large, std::nullopt);
  REQUIRE(put);
  CHECK(cluster.told()["secrets"].size() == 4);
  CHECK((*place_of(settings_for(cluster))->get())->bytes == large);
  put = p->put(smaller, put->version);
  REQUIRE(put);
  CHECK(cluster.told()["secrets"].size() == 2);
  const auto q = place_of(settings_for(cluster));
  const auto read = q->get();
  CHECK((*read)->bytes == smaller);
  put = q->put("small", (*read)->version);
  REQUIRE(put);
  CHECK(cluster.told()["secrets"].size() == 1);
  // A part that is missing.
  REQUIRE(q->put(large, put->version));
  cluster.control("{'secrets': {'tfstate-default-s-part-1': null}}");
  CHECK(
      mentions(q->get().error().message, "secret \"default/tfstate-default-s-part-1\", a part of the state"));
  cluster.control("{'secrets': {'tfstate-default-s-part-2': null, 'tfstate-default-s-part-3': null}}");
  CHECK(mentions(q->get().error().message, "end too early"));
  REQUIRE(remove_place(std::make_shared<KubeClient>(settings_for(cluster), nullptr), "default"));
  CHECK(cluster.told()["secrets"].empty());
}

// However many requests a writer gets to make: what is read then is one of the two states, by anybody who
// gets to read one.
TEST_CASE("kubernetes: a state in several secrets survives a run that ends while it is written") {
  Cluster cluster;
  const std::string one = "1" + noise(900), two = "2" + noise(1'100), three = "3" + noise(2'200);
  const std::pair<const std::string*, const std::string*> table[] = {
      {&two, &three}, {&three, &two}, {&one, &two}, {&two, &one}};
  for (const auto& [before, after] : table) {
    bool written = false;
    for (int requests = 0; !written; ++requests) {
      INFO(before->size() << " to " << after->size() << ", ends after " << requests);
      REQUIRE(requests < 40);
      KubeSettings s = settings_for(cluster);
      s.access.retry.times = 0;
      s.part = 1000;
      const auto p = place_of(s);
      REQUIRE(p->put(*before, std::nullopt));
      const std::string version = (*p->get())->version;
      cluster.control(fmt::format("{{'faults': [{{'skip': {}, 'times': 1000, 'do': 'reset'}}]}}", requests));
      const auto put = p->put(*after, version);
      written = put && !put->conflict;
      const nlohmann::json secrets = cluster.control("{'faults': []}")["secrets"];  // without the long log
      // Others put together what has the labels of states, and notice if it does not fit.
      std::string all;
      for (const auto& [name, secret] : secrets.items()) {
        std::string bytes;
        REQUIRE(base64_decode(secret["data"]["tfstate"].get<std::string>(), bytes));
        const bool labelled = secret["metadata"]["labels"].contains("tfstate");
        CHECK(labelled == !name.starts_with("draft-"));
        if (labelled) all += bytes;
      }
      const auto theirs = gunzip(all);
      CHECK((!theirs || *theirs == *before || *theirs == *after));
      const auto q = place_of(s);
      const auto read = q->get();
      REQUIRE((read && *read));
      CHECK(((*read)->bytes == *after || (!written && (*read)->bytes == *before)));
      REQUIRE(q->put(*before, (*read)->version));
      CHECK((*place_of(s)->get())->bytes == *before);
      REQUIRE(remove_place(std::make_shared<KubeClient>(s, nullptr), "default"));
      CHECK(cluster.control("{'faults': []}")["secrets"].empty());
    }
  }
}

// Neither by the next write of the same run, which has the former version, nor by that of a run which ends.
TEST_CASE("kubernetes: a draft that is all there is of a state stays until the next one is whole") {
  Cluster cluster;
  const std::string before = "1" + noise(1'100), half = "2" + noise(2'200), after = "3" + noise(3'300);
  bool written = false;
  for (int requests = 0; !written; ++requests) {
    INFO("ends after " << requests);
    REQUIRE(requests < 60);
    KubeSettings s = settings_for(cluster);
    s.access.retry.times = 0;
    s.part = 1000;
    const auto p = place_of(s, "a-part-1"), q = place_of(s, "a-part-1");
    const auto first = p->put(before, std::nullopt);
    REQUIRE(first);
    cluster.control(
        "{'faults': [{'on': {'method': 'PUT', 'ends': '/tfstate-a-part-1-s-part-1'}, 'times': 9, 'do': "
        "'reset'}]}");
    REQUIRE(!p->put(half, first->version));
    cluster.control("{'faults': []}");
    const auto late = p->put(after, first->version);
    REQUIRE(late);
    CHECK(late->conflict);
    auto read = q->get();
    REQUIRE((read && *read));
    REQUIRE((*read)->bytes == half);
    cluster.control(fmt::format("{{'faults': [{{'skip': {}, 'times': 1000, 'do': 'reset'}}]}}", requests));
    const auto put = q->put(after, (*read)->version);
    written = put && !put->conflict;
    cluster.control("{'faults': []}");
    read = place_of(s, "a-part-1")->get();
    REQUIRE((read && *read));
    CHECK(((*read)->bytes == after || (!written && (*read)->bytes == half)));
    REQUIRE(remove_place(std::make_shared<KubeClient>(s, nullptr), "a-part-1"));
    CHECK(cluster.told()["secrets"].empty());
  }
}

TEST_CASE("kubernetes: a draft of another state than the one that is there does not count") {
  Cluster cluster;
  const std::string two = noise(1'100), other = "other" + noise(1'100);
  KubeSettings s = settings_for(cluster);
  s.part = 1000;
  const auto p = place_of(s);
  REQUIRE(p->put(two, std::nullopt));
  KubeDraft draft(std::make_shared<KubeClient>(s, nullptr), "tfstate-default-s",
                  {{"tfstateSecretSuffix", "s"}, {"tfstateWorkspace", "default"}});
  REQUIRE(draft.keep(*gzip(other)));
  CHECK((*p->get())->bytes == two);
  cluster.control("{'secrets': {'tfstate-default-s-part-1': null}}");
  CHECK(mentions(p->get().error().message, "Wait until no run is writing, and try again"));
  // Nor does one that is not whole.
  REQUIRE(draft.keep(*gzip(two)));
  CHECK((*p->get())->bytes == two);
  const std::string draft_name = "draft-tfstate-default-s-" + sha256_hex(*gzip(two)).substr(0, 8);
  cluster.control("{'secrets': {'" + draft_name + "-part-1': null}}");
  REQUIRE(!p->get());
  // Whoever replaces it without knowing what it is can.
  const auto version = p->version();
  REQUIRE((version && *version));
  REQUIRE(p->put("new", *version));
  CHECK((*place_of(s)->get())->bytes == "new");
}

// A's lock is broken while its first part is on its way, and B replaces the state: what A still sends must
// not get into B's.
TEST_CASE("kubernetes: a run whose lock was broken while it wrote leaves the next one's state alone") {
  const std::string one = "1" + noise(1'500), two = "2" + noise(1'600), large = "3" + noise(2'600),
                    small = "4";
  const struct {
    const std::string *before, *ours, *theirs;
    std::string slow;  // which of A's requests
    int skip;
  } table[] = {{&one, &two, &large, "'method': 'PUT', 'ends': '/tfstate-default-s-part-1'", 0},
               {&large, &two, &large, "'method': 'DELETE', 'ends': '/tfstate-default-s-part-2'", 0},
               // Two secrets of the draft and the first come before the part.
               {nullptr, &two, &small, "'method': 'POST', 'ends': '/secrets'", 3}};
  for (const auto& row : table) {
    INFO(row.slow);
    Cluster cluster;
    KubeSettings s = settings_for(cluster);
    s.part = 1000;
    const auto a = place_of(s), b = place_of(s);
    std::optional<std::string> version;
    if (row.before) version = a->put(*row.before, std::nullopt)->version;
    cluster.control(fmt::format("{{'faults': [{{'on': {{{}}}, 'skip': {}, 'do': 'wait', 'seconds': 3}}]}}",
                                row.slow, row.skip));
    std::optional<Result<Place::Put>> late;
    std::thread writer([&] { late = a->put(*row.ours, version); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const auto read = b->get();
    const auto put =
        read && *read ? b->put(*row.theirs, (*read)->version) : Result<Place::Put>(Error{"nothing"});
    writer.join();
    REQUIRE(put);
    CHECK(!put->conflict);
    CHECK((late && *late && (*late)->conflict));
    const auto now = place_of(s)->get();
    REQUIRE((now && *now));
    CHECK((*now)->bytes == *row.theirs);
  }
}

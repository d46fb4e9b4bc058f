// When ephemeral resources are renewed and closed, and what is reported of it.
#include "core/plan/ephemerals.h"

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <set>

#include "tests/support/busy_provider.h"

using namespace xplan;
using namespace xplan::test;

namespace {

// Hears of renewals and closings, from whatever thread.
class Heard : public Hooks {
 public:
  void ephemeral_start(const AbsInstance& a, std::string_view operation) override {
    note("start", a, operation);
  }
  void ephemeral_done(const AbsInstance& a, std::string_view operation) override {
    note("done", a, operation);
  }
  void ephemeral_failed(const AbsInstance& a, std::string_view operation) override {
    note("failed", a, operation);
  }
  bool wait_for(size_t n) {
    std::unique_lock guard(lock_);
    return wake_.wait_for(guard, std::chrono::seconds(60), [&] { return said.size() >= n; });
  }
  std::multiset<std::string> said;

 private:
  void note(const char* what, const AbsInstance& a, std::string_view operation) {
    std::lock_guard guard(lock_);
    said.insert(std::string(operation) + " " + a.key.text() + " " + what);
    wake_.notify_all();
  }
  std::mutex lock_;
  std::condition_variable wake_;
};

AbsInstance instance(int i) {
  return {
      ModuleInstance(), {Mode::Ephemeral, Symbol("fickle_secret"), Symbol("s")}, InstanceKey::of(int64_t{i})};
}

ConfigGraph graph_of_one() {
  ConfigGraph cg;
  cg.nodes.resize(1);
  cg.graph = Graph(1);
  cg.graph.freeze();
  return cg;
}

}  // namespace

TEST_CASE("ephemerals: all that are due are renewed at once, as many as allowed, and the hooks hear of it") {
  struct Row {
    int objects, parallelism, peak;
  };
  for (const Row& r : {Row{4, 10, 4}, Row{9, 3, 3}, Row{2, 1, 1}}) {
    CAPTURE(r.objects, r.parallelism);
    FickleScript script;
    Meter meter;
    meter.watched = "renew", meter.expected = r.peak;
    BusyProvider provider(script, meter);
    Heard heard;
    Ephemerals open(r.parallelism, heard);
    for (int i = 0; i < r.objects; ++i) {
      OpenEphemeralResponse opened;
      opened.private_data = std::to_string(i);
      opened.renew_at_unix = 1;  // long ago
      open.push(0, instance(i), &provider, opened);
    }
    CHECK(heard.wait_for(static_cast<size_t>(2 * r.objects)));
    CHECK(meter.peak("renew") == r.peak);
    for (int i = 0; i < r.objects; ++i) {
      const std::string name = "renew [" + std::to_string(i) + "] ";
      CHECK(heard.said.count(name + "start") == 1);
      CHECK(heard.said.count(name + "done") == 1);
    }
    Diagnostics diags;
    open.close_all(graph_of_one(), r.parallelism, heard, diags);
    CHECK(diags.empty());
  }
}

TEST_CASE("ephemerals: renewals that fail are told in the order in which objects are closed") {
  FickleScript script;
  script.failing = {"renew 0", "renew 2"};
  Meter meter;
  BusyProvider provider(script, meter);
  Heard heard;
  Ephemerals open(4, heard);
  for (int i = 0; i < 3; ++i) {
    OpenEphemeralResponse opened;
    opened.private_data = std::to_string(i);
    opened.renew_at_unix = 1;
    open.push(0, instance(i), &provider, opened);
  }
  CHECK(heard.wait_for(6));
  CHECK(heard.said.count("renew [0] failed") == 1);
  CHECK(heard.said.count("renew [1] done") == 1);
  Diagnostics diags;
  open.close_all(graph_of_one(), 4, heard, diags);
  REQUIRE(diags.size() == 2);
  CHECK(diags.all()[0].address == "ephemeral.fickle_secret.s[2]");
  CHECK(diags.all()[1].address == "ephemeral.fickle_secret.s[0]");
}

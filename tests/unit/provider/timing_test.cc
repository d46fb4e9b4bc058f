// Recorded calls of providers: what is recorded of each, from several threads, and the trace of them.
#include <catch2/catch.hpp>

#include <map>
#include <thread>

#include "core/provider/timing/recorder.h"
#include "core/provider/timing/subject.h"

using namespace xplan;

namespace {

const Symbol kType("terraform_data");

}  // namespace

TEST_CASE("timing: calls are recorded with what they are about") {
  auto inner = make_builtin_factory();
  CallRecorder recorder;
  TimedFactory factory(*inner, recorder);
  Diagnostics diags;
  const ProviderAddr addr = *parse_provider_addr("terraform.io/builtin/terraform");
  const std::shared_ptr<Provider> provider = factory.start(addr, diags);
  REQUIRE(provider);
  CHECK(provider->schema());
  CHECK(factory.start(*parse_provider_addr("terraform.io/builtin/none"), diags) == nullptr);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const AbsInstance a = *parse_abs_instance("terraform_data.x[" + std::to_string(i) + "]");
      const CallSubject about(a);
      for (int n = 0; n < 50; ++n) provider->validate_resource(Mode::Managed, kType, Value::null());
    });
  for (std::thread& t : threads) t.join();
  provider->validate_resource(Mode::Managed, kType, Value::null());

  const std::vector<TimedCall> calls = recorder.take();
  REQUIRE(calls.size() == 203);
  CHECK(calls[0].method == std::string("start"));
  CHECK_FALSE(calls[0].failed);
  CHECK(calls[1].failed);
  CHECK_FALSE(calls.back().addr);
  std::map<std::string, int> of;
  std::map<int, std::string> lanes;
  for (const TimedCall& c : calls) {
    CHECK(c.begin_us >= 0);
    CHECK(c.took_us >= 0);
    if (!c.addr) continue;
    CHECK(c.type == kType);
    ++of[c.addr->text()];
    CHECK(lanes.emplace(c.lane, c.addr->text()).first->second == c.addr->text());
  }
  CHECK(of.size() == 4);
  CHECK(of["terraform_data.x[2]"] == 50);
  CHECK(lanes.size() == 4);
}

TEST_CASE("timing: the trace is in the order of beginnings") {
  const ProviderAddr addr = *parse_provider_addr("hashicorp/aws");
  TimedCall late{"apply", addr, Symbol("aws_instance"), parse_abs_instance("aws_instance.a[\"x\"]"), 20, 5,
                 2,       true};
  TimedCall early{"configure", addr, {}, {}, 10, 3, 1, false};
  JsonWriter w(0);
  write_trace({late, early}, w);
  CHECK(
      w.take() ==
      R"({"displayTimeUnit":"ms","traceEvents":[)"
      R"({"name":"configure","cat":"configure","ph":"X","ts":10,"dur":3,"pid":1,"tid":1,)"
      R"("args":{"provider":"hashicorp/aws"}},)"
      R"({"name":"apply aws_instance.a[\"x\"]","cat":"apply","ph":"X","ts":20,"dur":5,"pid":1,"tid":2,)"
      R"("args":{"provider":"hashicorp/aws","type":"aws_instance","address":"aws_instance.a[\"x\"]","failed":true}}]})");
}

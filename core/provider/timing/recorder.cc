// Records calls on their way to a provider.
#include "core/provider/timing/recorder.h"

#include <algorithm>
#include <type_traits>

#include "core/provider/timing/subject.h"

namespace xplan {
namespace {

bool failed(const ProviderDiags& diags) {
  return has_errors(diags);
}
bool failed(const FunctionResponse& r) {
  return !r.error.empty();
}
template <class Response>
bool failed(const Response& r) {
  return has_errors(r.diags);
}

class TimedProvider : public Provider {
 public:
  TimedProvider(std::shared_ptr<Provider> inner, ProviderAddr addr, CallRecorder& recorder)
      : inner_(std::move(inner)), addr_(std::move(addr)), recorder_(recorder) {}

  const schema::ProviderSchemaPtr& schema() const override { return inner_->schema(); }
  ProviderDiags validate_provider(const Value& config) override {
    return timed("validate provider", {}, [&] { return inner_->validate_provider(config); });
  }
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    return timed("validate", type, [&] { return inner_->validate_resource(mode, type, config); });
  }
  ProviderDiags configure(const ConfigureRequest& r) override {
    return timed("configure", {}, [&] { return inner_->configure(r); });
  }
  UpgradeResponse upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                          const std::vector<std::pair<std::string, std::string>>& flat) override {
    return timed("upgrade", type, [&] { return inner_->upgrade(type, version, raw_json, flat); });
  }
  ReadResponse read(const ReadRequest& r) override {
    return timed("read", r.type, [&] { return inner_->read(r); });
  }
  PlanResponse plan(const PlanRequest& r) override {
    return timed("plan", r.type, [&] { return inner_->plan(r); });
  }
  ApplyResponse apply(const ApplyRequest& r) override {
    return timed("apply", r.type, [&] { return inner_->apply(r); });
  }
  UpgradeIdentityResponse upgrade_identity(Symbol type, uint64_t version, std::string_view json) override {
    return timed("upgrade identity", type, [&] { return inner_->upgrade_identity(type, version, json); });
  }
  ImportResponse import(const ImportRequest& r) override {
    return timed("import", r.type, [&] { return inner_->import(r); });
  }
  bool generates_config() const override { return inner_->generates_config(); }
  GenerateConfigResponse generate_config(Symbol type, const Value& object) override {
    return timed("generate config", type, [&] { return inner_->generate_config(type, object); });
  }
  UpgradeResponse move(const MoveStateRequest& r) override {
    return timed("move", r.target_type, [&] { return inner_->move(r); });
  }
  ReadDataResponse read_data(const ReadDataRequest& r) override {
    return timed("read data", r.type, [&] { return inner_->read_data(r); });
  }
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override {
    return timed("open", type, [&] { return inner_->open_ephemeral(type, config); });
  }
  OpenEphemeralResponse renew_ephemeral(Symbol type, const std::string& private_data) override {
    return timed("renew", type, [&] { return inner_->renew_ephemeral(type, private_data); });
  }
  ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) override {
    return timed("close", type, [&] { return inner_->close_ephemeral(type, private_data); });
  }
  FunctionResponse call_function(Symbol name, const std::vector<Value>& arguments) override {
    return timed("function", name, [&] { return inner_->call_function(name, arguments); });
  }
  bool plans_destroy() const override { return inner_->plans_destroy(); }
  void stop() override { inner_->stop(); }

 private:
  template <class Call>
  std::invoke_result_t<Call> timed(const char* method, Symbol type, Call call) {
    const auto begin = CallRecorder::Clock::now();
    auto response = call();
    TimedCall record{method, addr_, type};
    if (const AbsInstance* subject = CallSubject::current()) record.addr = *subject;
    record.failed = failed(response);
    recorder_.add(std::move(record), begin);
    return response;
  }

  const std::shared_ptr<Provider> inner_;
  const ProviderAddr addr_;
  CallRecorder& recorder_;
};

int64_t microseconds(CallRecorder::Clock::duration d) {
  return std::chrono::duration_cast<std::chrono::microseconds>(d).count();
}

}  // namespace

void CallRecorder::add(TimedCall call, Clock::time_point begin) {
  call.took_us = microseconds(Clock::now() - begin);
  call.begin_us = microseconds(begin - begin_);
  std::lock_guard guard(lock_);
  call.lane = lanes_.emplace(std::this_thread::get_id(), static_cast<int>(lanes_.size()) + 1).first->second;
  calls_.push_back(std::move(call));
}

std::vector<TimedCall> CallRecorder::take() {
  std::lock_guard guard(lock_);
  return std::move(calls_);
}

std::shared_ptr<Provider> TimedFactory::start(const ProviderAddr& p, Diagnostics& diags) {
  const auto begin = CallRecorder::Clock::now();
  std::shared_ptr<Provider> inner = inner_.start(p, diags);
  TimedCall record{"start", p, {}};
  record.failed = !inner;
  recorder_.add(std::move(record), begin);
  return inner ? std::make_shared<TimedProvider>(std::move(inner), p, recorder_) : nullptr;
}

void write_trace(std::vector<TimedCall> calls, JsonWriter& w) {
  std::stable_sort(calls.begin(), calls.end(),
                   [](const TimedCall& a, const TimedCall& b) { return a.begin_us < b.begin_us; });
  w.begin_object();
  w.member("displayTimeUnit", "ms");
  w.key("traceEvents");
  w.begin_array();
  for (const TimedCall& c : calls) {
    w.begin_object();
    w.member("name", c.addr ? std::string(c.method) + " " + c.addr->text() : std::string(c.method));
    w.member("cat", c.method);
    w.member("ph", "X");
    w.member("ts", c.begin_us);
    w.member("dur", c.took_us);
    w.member("pid", 1);
    w.member("tid", c.lane);
    w.key("args");
    w.begin_object();
    w.member("provider", c.provider.display());
    if (!c.type.empty()) w.member("type", c.type.sv());
    if (c.addr) w.member("address", c.addr->text());
    if (c.failed) w.member("failed", true);
    w.end_object();
    w.end_object();
  }
  w.end_array();
  w.end_object();
}

}  // namespace xplan

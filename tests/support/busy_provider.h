// A provider for tests that counts the calls under way, by kind and in all. Types and answers are those of
// FickleProvider. A call of the kind that is watched waits until as many as expected are under way, or for a
// second when they never are: so a peak that is reached is reached at once, whatever the machine does.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "core/value/json.h"
#include "tests/support/fickle_provider.h"

namespace xplan::test {

class Meter {
 public:
  std::string watched;  // "plan", "read", …
  int expected = 1;
  bool disturb = false;  // calls take up to 0.2 ms, so that they end in another order each time
  int peak(const std::string& kind) { return peaks_[kind]; }
  int peak() const { return peak_; }

  void reset() {
    peaks_.clear();
    peak_ = 0;
  }
  void enter(const std::string& kind) {
    std::unique_lock lock(mutex_);
    peak_ = std::max(peak_, ++all_);
    int& peak = peaks_[kind];
    peak = std::max(peak, ++now_[kind]);
    wake_.notify_all();
    if (kind == watched) wake_.wait_for(lock, std::chrono::seconds(1), [&] { return peak >= expected; });
  }
  void leave(const std::string& kind) {
    thread_local std::minstd_rand random(std::random_device{}());
    if (disturb) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
    std::lock_guard lock(mutex_);
    --all_, --now_[kind];
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, int> now_, peaks_;
  int all_ = 0, peak_ = 0;
};

class BusyProvider : public FickleProvider {
  class Call {
   public:
    Call(Meter& m, std::string kind) : meter_(m), kind_(std::move(kind)) { meter_.enter(kind_); }
    ~Call() { meter_.leave(kind_); }

   private:
    Meter& meter_;
    const std::string kind_;
  };

 public:
  BusyProvider(FickleScript& s, Meter& m) : FickleProvider(s), meter_(m) {}
  ProviderDiags validate_resource(Mode mode, Symbol type, const Value& config) override {
    Call c(meter_, "validate");
    return FickleProvider::validate_resource(mode, type, config);
  }
  ProviderDiags configure(const ConfigureRequest& r) override {
    Call c(meter_, "configure");
    return FickleProvider::configure(r);
  }
  UpgradeResponse upgrade(Symbol type, uint64_t, std::string_view json,
                          const std::vector<std::pair<std::string, std::string>>&) override {
    Call c(meter_, "upgrade");
    UpgradeResponse out;
    const schema::SchemaPtr s = schema::find(schema(), Mode::Managed, type);
    if (Result<Value> v = parse_json_as(json, s->block.implied_type())) out.state = *v;
    return out;
  }
  ReadResponse read(const ReadRequest& r) override {
    Call c(meter_, "read");
    return FickleProvider::read(r);
  }
  PlanResponse plan(const PlanRequest& r) override {
    Call c(meter_, r.proposed.is_null() ? "plan destroy" : "plan");
    return FickleProvider::plan(r);
  }
  ApplyResponse apply(const ApplyRequest& r) override {
    Call c(meter_, r.planned.is_null() ? "destroy" : "apply");
    return FickleProvider::apply(r);
  }
  ImportResponse import(const ImportRequest& r) override {
    Call c(meter_, "import");
    return FickleProvider::import(r);
  }
  ReadDataResponse read_data(const ReadDataRequest& r) override {
    Call c(meter_, "read data");
    return FickleProvider::read_data(r);
  }
  OpenEphemeralResponse open_ephemeral(Symbol type, const Value& config) override {
    Call c(meter_, "open");
    return FickleProvider::open_ephemeral(type, config);
  }
  OpenEphemeralResponse renew_ephemeral(Symbol type, const std::string& private_data) override {
    Call c(meter_, "renew");
    return FickleProvider::renew_ephemeral(type, private_data);
  }
  ProviderDiags close_ephemeral(Symbol type, const std::string& private_data) override {
    Call c(meter_, "close");
    return FickleProvider::close_ephemeral(type, private_data);
  }

 private:
  Meter& meter_;
};

class BusyFactory : public ProviderFactory {
 public:
  BusyFactory(Meter& m, std::set<std::string> gone = {}) : meter_(m) { script_.gone = std::move(gone); }
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<BusyProvider>(script_, meter_);
    return builtin_->start(p, diags);
  }

 private:
  FickleScript script_;
  Meter& meter_;
  std::unique_ptr<ProviderFactory> builtin_ = make_builtin_factory();
};

}  // namespace xplan::test

// How long each call of a provider took, and which thread made it.
//
// Who makes it: cmd (-timings), around the factory of a run's providers.  Who reads it: cmd, when the run is
// over, as a trace.
// Contract: providers behave as those of the factory inside; a call is recorded when it returns. No values,
// so no sensitive ones. Cost: two looks at the clock and a record of about 100 bytes per call.
// Thread-safety: calls come from any thread; take() when they are over.
#pragma once
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/base/json_writer.h"
#include "core/provider/provider.h"

namespace xplan {

struct TimedCall {
  const char* method = "";
  ProviderAddr provider;
  Symbol type;                      // empty: none
  std::optional<AbsInstance> addr;  // whose object it was about
  int64_t begin_us = 0, took_us = 0;
  int lane = 0;  // of the thread, from 1
  bool failed = false;
};

class CallRecorder {
 public:
  CallRecorder() : begin_(Clock::now()) {}
  using Clock = std::chrono::steady_clock;
  void add(TimedCall call, Clock::time_point begin);
  std::vector<TimedCall> take();

 private:
  const Clock::time_point begin_;
  std::mutex lock_;
  std::vector<TimedCall> calls_;
  std::unordered_map<std::thread::id, int> lanes_;
};

// The factory's providers, with every call recorded. Both must outlive what it starts.
class TimedFactory : public ProviderFactory {
 public:
  TimedFactory(ProviderFactory& inner, CallRecorder& recorder) : inner_(inner), recorder_(recorder) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override;
  bool renew_schemas(config::Renew which) override { return inner_.renew_schemas(which); }

 private:
  ProviderFactory& inner_;
  CallRecorder& recorder_;
};

// As Chrome's trace viewer, Perfetto and others read it; in the order of their beginnings.
void write_trace(std::vector<TimedCall> calls, JsonWriter& w);

}  // namespace xplan

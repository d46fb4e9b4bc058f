// Context: the call that is under way: what it is, when it is to end, and where it logs. Failure: an
// exception that is an error message.
//
// Who calls it: resources, by way of the responses they fill, or as kit::Call (typed.h); kit::Provider makes
// one for each call. Contract: a call is to end when the engine stops the run or the call's timeout is over.
// What waits or takes long asks check(), waits with sleep(), or hands on stop_token(). Their exception, like
// any other that leaves a call, becomes an error of this call that names it; the program goes on. A call that
// ends without an error has done its work, however late. Cost: a handle; a thread for calls that have a
// timeout. Thread-safety: any thread.
#pragma once
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "core/provider/kit/logger.h"
#include "core/provider/provider.h"

namespace xplan::kit {

// An expected problem, for users to read: its words become the error message as they are.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& summary, std::string detail = "", Path path = {})
      : std::runtime_error(summary), detail_(std::move(detail)), path_(std::move(path)) {}
  const std::string& detail() const { return detail_; }
  const Path& path() const { return path_; }

 private:
  std::string detail_;
  Path path_;
};
// Thrown by check() and sleep(); the message is written where it is caught, see report_exception.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("the call was stopped") {}
};

enum class Ending : uint8_t { No, Stop, Timeout };

class Context {
 public:
  Context();                      // of no call: nothing ends it
  std::string_view type() const;  // "notes_note"; of the provider's own calls: empty
  std::string_view call() const;  // "create"
  Ending ending() const;
  void check() const;
  void sleep(std::chrono::milliseconds duration) const;
  std::stop_token stop_token() const;  // for std::stop_callback, std::condition_variable_any and the like
  std::optional<std::chrono::steady_clock::time_point> deadline() const;
  const Logger& log() const;

 private:
  friend class RunningCalls;
  friend class CallScope;
  friend void report_exception(const Context&, ProviderDiags&);
  struct State;
  explicit Context(std::shared_ptr<State> s) : state_(std::move(s)) {}
  std::shared_ptr<State> state_;
};

// The calls of a provider that are under way.
class RunningCalls {
 public:
  void stop_all();

 private:
  friend class CallScope;
  std::mutex lock_;
  std::list<std::shared_ptr<Context::State>> running_;
};

// Begins a call and ends it with its own end.
class CallScope {
 public:
  CallScope(RunningCalls& calls, std::string_view type, std::string_view call,
            std::optional<std::chrono::milliseconds> limit = std::nullopt);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  const Context& context() const { return context_; }

 private:
  RunningCalls& calls_;
  Context context_;
  std::list<std::shared_ptr<Context::State>>::iterator place_;
  std::jthread timer_;
};

// What the exception that is being handled says to users. Only within a catch block.
void report_exception(const Context& c, ProviderDiags& diags);
template <class F>
void guarded(const Context& c, ProviderDiags& diags, F&& f) {
  try {
    f();
  } catch (...) {
    report_exception(c, diags);
  }
}

}  // namespace xplan::kit

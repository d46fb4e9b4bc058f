// Running calls: their ends by a stop or a deadline, and what becomes of exceptions.
#include "core/provider/kit/context.h"

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>

#include "core/base/threads.h"

namespace xplan::kit {

struct Context::State {
  std::string type, call;
  std::optional<std::chrono::milliseconds> limit;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::stop_source source;
  std::atomic<Ending> ending = Ending::No;
  Logger log;

  void end(Ending why) {
    Ending no = Ending::No;
    if (ending.compare_exchange_strong(no, why)) source.request_stop();
  }
};

namespace {

// What a call does, as messages say it.
std::string doing(std::string_view call, std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"create", "creating"},  {"read", "reading"},         {"update", "updating"},  {"delete", "deleting"},
      {"plan", "planning"},    {"validate", "validating"},  {"import", "importing"}, {"upgrade", "upgrading"},
      {"move", "moving"},      {"open", "opening"},         {"renew", "renewing"},   {"close", "closing"},
      {"function", "calling"}, {"configure", "configuring"}};
  const auto* found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](auto& w) { return w.first == call; });
  const std::string_view verb = found == std::end(kWords) ? call : found->second;
  return type.empty() ? fmt::format("{} the provider", verb) : fmt::format("{} {}", verb, type);
}

std::string duration_words(std::chrono::milliseconds d) {
  const int64_t ms = d.count(), s = ms / 1000;
  if (ms % 1000) return fmt::format("{} ms", ms);
  if (s % 60) return fmt::format("{} second{}", s, s == 1 ? "" : "s");
  return fmt::format("{} minute{}", s / 60, s == 60 ? "" : "s");
}

}  // namespace

Context::Context() {
  static const auto kNone = std::make_shared<State>();
  state_ = kNone;
}
std::string_view Context::type() const {
  return state_->type;
}
std::string_view Context::call() const {
  return state_->call;
}
Ending Context::ending() const {
  return state_->ending;
}
std::stop_token Context::stop_token() const {
  return state_->source.get_token();
}
std::optional<std::chrono::steady_clock::time_point> Context::deadline() const {
  return state_->deadline;
}
const Logger& Context::log() const {
  return state_->log;
}
void Context::check() const {
  if (ending() != Ending::No) throw Stopped();
}
void Context::sleep(std::chrono::milliseconds duration) const {
  std::mutex lock;
  std::condition_variable_any never;
  std::unique_lock held(lock);
  never.wait_for(held, stop_token(), duration, [] { return false; });
  check();
}

void RunningCalls::stop_all() {
  std::list<std::shared_ptr<Context::State>> all;
  {
    std::lock_guard held(lock_);
    all = running_;
  }
  for (const auto& s : all) s->end(Ending::Stop);  // runs callbacks, so without the lock
}

CallScope::CallScope(RunningCalls& calls, std::string_view type, std::string_view call,
                     std::optional<std::chrono::milliseconds> limit)
    : calls_(calls), context_(std::make_shared<Context::State>()) {
  Context::State& s = *context_.state_;
  s.type = type, s.call = call, s.limit = limit;
  s.log = s.log.with({{"resource_type", s.type}, {"rpc", s.call}});
  if (limit) s.deadline = std::chrono::steady_clock::now() + *limit;
  {
    std::lock_guard held(calls_.lock_);
    place_ = calls_.running_.insert(calls_.running_.end(), context_.state_);
  }
  if (!limit) return;
  timer_ = std::jthread([state = context_.state_](std::stop_token over) {
    take_no_signals();
    std::mutex lock;
    std::condition_variable_any never;
    std::unique_lock held(lock);
    never.wait_until(held, over, *state->deadline, [] { return false; });
    if (!over.stop_requested()) state->end(Ending::Timeout);
  });
}

CallScope::~CallScope() {
  std::lock_guard held(calls_.lock_);
  calls_.running_.erase(place_);
}

void report_exception(const Context& c, ProviderDiags& diags) {
  const std::string what = doing(c.call(), c.type());
  auto bug = [&](const std::string& thrown) {
    diags.push_back(
        {Severity::Error,
         "Unexpected failure of the provider",
         fmt::format("The provider failed while {}: {}. This is a bug in the provider.", what, thrown),
         {}});
  };
  try {
    throw;
  } catch (const Failure& f) {
    diags.push_back({Severity::Error, f.what(), f.detail(), f.path()});
  } catch (const Stopped&) {
    const auto limit = c.state_->limit;
    if (c.ending() == Ending::Timeout && limit)
      diags.push_back({Severity::Error,
                       "Timeout",
                       fmt::format("The provider was still {} when its timeout of {} was over. Set \"{}\" in "
                                   "\"timeouts\" to allow more time.",
                                   what, duration_words(*limit), c.call()),
                       {}});
    else
      diags.push_back({Severity::Error,
                       "Operation interrupted",
                       fmt::format("The provider was told to stop while {}.", what),
                       {}});
  } catch (const std::exception& e) {
    bug(e.what());
  } catch (...) {
    bug("an exception of unknown type");
  }
}

}  // namespace xplan::kit

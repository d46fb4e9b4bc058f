// One thread that reports operations still in progress every ten seconds ("Still creating…"), and the
// elapsed time of each when it ends.
#include "cmd/xplan/ticker.h"

#include <algorithm>
#include <set>

#include "core/base/threads.h"

namespace xplan::cmd {
namespace {

constexpr auto kInterval = std::chrono::seconds(10);

std::string key_of(const AbsInstance& a, std::string_view deposed) {
  return a.text() + '\n' + std::string(deposed);
}

}  // namespace

Ticker::~Ticker() {
  {
    std::lock_guard guard(lock_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Ticker::start(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id) {
  auto now = Clock::now();
  std::lock_guard guard(lock_);
  running_.insert_or_assign(key_of(a, deposed), Running{a, action, id, now, now + kInterval});
  if (!thread_.joinable()) thread_ = optional_thread([this] { run(); });
}

int64_t Ticker::stop(const AbsInstance& a, std::string_view deposed) {
  std::lock_guard guard(lock_);
  auto it = running_.find(key_of(a, deposed));
  if (it == running_.end()) return 0;
  auto took = Clock::now() - it->second.since;
  running_.erase(it);
  return std::chrono::duration_cast<std::chrono::seconds>(took).count();
}

void Ticker::waits(const AbsInstance& a, std::string_view deposed, std::string_view place) {
  std::lock_guard guard(lock_);
  auto it = running_.find(key_of(a, deposed));
  if (it != running_.end()) it->second.waits_for = place;
}

void Ticker::run() {
  std::unique_lock guard(lock_);
  while (!over_) {
    // What starts while this sleeps is not due before an interval has passed, so one interval is slept at
    // most.
    auto now = Clock::now();
    auto next = now + kInterval;
    std::vector<const Running*> due;
    for (auto& [key, r] : running_) {
      if (r.due <= now) due.push_back(&r), r.due += kInterval;
      next = std::min(next, r.due);
    }
    if (tell_waiting_) tell_together(due, now);
    tell(std::move(due), now, tell_);
    wake_.wait_until(guard, next);
  }
}

// Those that are not due yet are told of with the others, and then not again by themselves.
void Ticker::tell_together(std::vector<const Running*>& due, Clock::time_point now) {
  std::set<std::string> places;
  for (const Running* r : due)
    if (!r->waits_for.empty()) places.insert(r->waits_for);
  for (const std::string& place : places) {
    size_t count = 0;
    Clock::time_point first = now;
    for (const auto& [key, r] : running_)
      if (r.waits_for == place) ++count, first = std::min(first, r.since);
    if (count < 2) continue;
    for (auto& [key, r] : running_)
      if (r.waits_for == place) r.due = now + kInterval;
    std::erase_if(due, [&](const Running* r) { return r->waits_for == place; });
    tell_waiting_(count, {std::chrono::duration_cast<std::chrono::seconds>(now - first).count(), place});
  }
}

void Ticker::tell(std::vector<const Running*> some, Clock::time_point now, const Tell& f) const {
  std::sort(some.begin(), some.end(), [](const Running* x, const Running* y) { return x->since < y->since; });
  for (const Running* r : some)
    f(r->addr, r->action, r->id,
      {std::chrono::duration_cast<std::chrono::seconds>(now - r->since).count(), r->waits_for});
}

void Ticker::each_running(const Tell& f) {
  std::lock_guard guard(lock_);
  std::vector<const Running*> all;
  for (const auto& [key, r] : running_) all.push_back(&r);
  tell(std::move(all), Clock::now(), f);
}

}  // namespace xplan::cmd

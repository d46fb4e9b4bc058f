// One thread that reports operations still in progress every ten seconds ("Still creating…"), and the
// elapsed time of each when it ends.
#include "cmd/xplan/ticker.h"

#include <algorithm>
#include <vector>

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

void Ticker::run() {
  std::unique_lock guard(lock_);
  while (!over_) {
    // What starts while this sleeps is not due before an interval has passed, so one interval is slept at
    // most.
    auto now = Clock::now();
    auto next = now + kInterval;
    std::vector<Running*> due;
    for (auto& [key, r] : running_) {
      if (r.due <= now) due.push_back(&r), r.due += kInterval;
      next = std::min(next, r.due);
    }
    std::sort(due.begin(), due.end(), [](const Running* x, const Running* y) { return x->since < y->since; });
    for (const Running* r : due)
      tell_(r->addr, r->action, r->id,
            std::chrono::duration_cast<std::chrono::seconds>(now - r->since).count());
    wake_.wait_until(guard, next);
  }
}

}  // namespace xplan::cmd

#include "core/plan/ephemerals.h"

#include <algorithm>
#include <chrono>

#include "core/plan/objects.h"

namespace xplan {

Ephemerals::~Ephemerals() {
  stop_renewing();
}

void Ephemerals::push(const AbsInstance& addr, Provider* provider, Symbol type,
                      const OpenEphemeralResponse& opened) {
  std::lock_guard guard(lock_);
  open_.push_back({addr, provider, type, opened.private_data, opened.renew_at_unix});
  if (!opened.renew_at_unix) return;
  if (!renewer_.joinable()) renewer_ = std::thread([this] { renew_when_due(); });
  wake_.notify_one();
}

void Ephemerals::renew_when_due() {
  using Clock = std::chrono::system_clock;
  std::unique_lock guard(lock_);
  while (!done_) {
    Open* next = nullptr;
    for (Open& o : open_)
      if (o.renew_at && (!next || o.renew_at < next->renew_at)) next = &o;
    if (!next) {
      wake_.wait(guard);
      continue;
    }
    Clock::time_point due = Clock::from_time_t(static_cast<time_t>(next->renew_at));
    if (Clock::now() < due) {
      wake_.wait_until(guard, due);  // something sooner may have come meanwhile
      continue;
    }
    Symbol type = next->type;
    std::string private_data = next->private_data;
    guard.unlock();
    OpenEphemeralResponse renewed = next->provider->renew_ephemeral(type, private_data);
    guard.lock();
    add_provider_diags(renewed.diags, next->addr, nullptr, problems_);
    if (!renewed.private_data.empty()) next->private_data = renewed.private_data;
    // Clocks count whole seconds here: "now" may be the second that has just gone by.
    next->renew_at = renewed.renew_at_unix ? std::max(renewed.renew_at_unix, next->renew_at + 1) : 0;
  }
}

void Ephemerals::stop_renewing() {
  {
    std::lock_guard guard(lock_);
    done_ = true;
    wake_.notify_all();
  }
  if (renewer_.joinable()) renewer_.join();
}

void Ephemerals::close_all(Hooks& hooks, Diagnostics& diags) {
  stop_renewing();
  diags.append(std::move(problems_));
  std::sort(open_.begin(), open_.end(), [](const Open& a, const Open& b) { return less(b.addr, a.addr); });
  for (const Open& o : open_) {
    hooks.ephemeral_start(o.addr, "close");
    size_t before = diags.error_count();
    add_provider_diags(o.provider->close_ephemeral(o.type, o.private_data), o.addr, nullptr, diags);
    if (diags.error_count() == before)
      hooks.ephemeral_done(o.addr, "close");
    else
      hooks.ephemeral_failed(o.addr, "close");
  }
  open_.clear();
}

}  // namespace xplan

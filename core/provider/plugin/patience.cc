// Counts the calls on a plugin, and the time for which it answers none of them after an interrupt.
#include "core/provider/plugin/patience.h"

namespace xplan::plugin {
namespace {

constexpr std::chrono::milliseconds kMoment{1000};  // for a request to stop that gives up

size_t index(Patience::Kind kind) {
  return static_cast<size_t>(kind);
}

}  // namespace

Patience::UnderWay::UnderWay(Patience& patience, Kind kind) : p_(patience), kind_(kind) {
  std::lock_guard lock(p_.mutex_);
  if (p_.over_) return;
  ++p_.under_way_[index(kind_)];
  if (kind_ == Kind::Stop) p_.stop_sent_ = true;
  begun_ = true;
}

Patience::UnderWay::~UnderWay() {
  if (!begun_) return;
  std::lock_guard lock(p_.mutex_);
  --p_.under_way_[index(kind_)];
  if (kind_ != Kind::Stop) p_.since_.reset();  // it answers
}

void Patience::heard_stop() {
  std::lock_guard lock(mutex_);
  heard_stop_ = true;
}

bool Patience::ends() {
  if (!stop_ || !*stop_) return false;
  std::lock_guard lock(mutex_);
  const bool waits = under_way_[index(Kind::Call)] > 0;
  const bool asks = under_way_[index(Kind::Stop)] > 0;
  if (under_way_[index(Kind::Change)] > 0 || (!waits && !asks)) return since_.reset(), false;
  const auto now = std::chrono::steady_clock::now();
  if (!since_) since_ = now;
  // A flooded connection keeps a request to stop from giving up.
  if (now - *since_ < (!waits ? kTime + kMoment : heard_stop_ ? kTimeToEnd : kTime)) return false;
  return over_ = true;
}

Patience::End Patience::end() const {
  std::lock_guard lock(mutex_);
  return !over_ ? End::None : heard_stop_ ? End::Heard : stop_sent_ ? End::Told : End::NotTold;
}

}  // namespace xplan::plugin

// Renewed<T>: a token, or a set of keys, that is kept and replaced ahead of its end.
//
// Who calls it: whatever is authorized by something that expires: aws_credentials.h, azure_identity.h,
// google_token.h, the clients of Tencent and Alibaba Cloud.
// Contract: T has `expires`, Unix time, 0: never; and copy(), where it is not copied otherwise. One caller
// asks for a new one, `ahead` seconds before the end, while others go on with what still holds. Where nothing
// holds, they wait, and share what comes of it, so that a service which fails is not asked by each of them.
// After an attempt, there is none for 30 seconds, as long as what is kept holds; what was refused is replaced
// at once, and given to nobody meanwhile.
// Invariant: at most one attempt at a time; no lock is held during it.  Cost: a lock and a copy.
// Thread-safety: any thread.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>

#include "core/base/result.h"
#include "core/cloud/time.h"

namespace xplan::cloud {

template <class T>
class Renewed {
 public:
  using Clock = std::function<int64_t()>;
  static constexpr int64_t kPause = 30;  // seconds between two attempts, however short what is kept lives

  explicit Renewed(int64_t ahead, Clock clock = unix_now) : ahead_(ahead), clock_(std::move(clock)) {}

  // `ask(first)` gives a new one; first: there was none before. `refused(kept)`: it is what was refused.
  template <class Ask, class Refused>
  Result<T> get(const Ask& ask, const Refused& refused) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const bool fit = kept_ && !refused(*kept_);
      const int64_t now = clock_();
      if (fit && !replacing_ && now < (asking_ ? end_ : renew_at_)) return copy();
      if (!asking_) return renew(ask, !fit, lock);
      ended_.wait(lock, [this, n = attempts_] { return attempts_ != n; });
      if (failed_ && !(kept_ && !refused(*kept_) && clock_() < end_)) return *failed_;
    }
  }
  template <class Ask>
  Result<T> get(const Ask& ask) {
    return get(ask, [](const T&) { return false; });
  }

 private:
  // Marks an attempt as under way, and ends it, whatever becomes of it.
  struct Attempt {
    Renewed& r;
    std::unique_lock<std::mutex>& lock;
    Attempt(Renewed& renewed, bool replacing, std::unique_lock<std::mutex>& l) : r(renewed), lock(l) {
      r.asking_ = true, r.replacing_ = replacing;
      lock.unlock();
    }
    ~Attempt() {
      if (!lock.owns_lock()) lock.lock();
      r.asking_ = r.replacing_ = false;
      ++r.attempts_;
      r.ended_.notify_all();
    }
  };

  template <class Ask>
  Result<T> renew(const Ask& ask, bool replacing, std::unique_lock<std::mutex>& lock) {
    const bool first = !kept_;
    Attempt attempt(*this, replacing, lock);
    Result<T> found = ask(first);
    lock.lock();
    const int64_t now = clock_(), soon = now + kPause;
    failed_.reset();
    if (found) {
      kept_ = std::move(*found);
      end_ = kept_->expires == 0 ? std::numeric_limits<int64_t>::max() : kept_->expires;
      renew_at_ = std::max(end_ - ahead_, std::min(end_, soon));
      return copy();
    }
    failed_ = found.error();
    if (replacing || now >= end_) return found;
    renew_at_ = std::min(end_, soon);
    return copy();
  }

  T copy() const {
    if constexpr (requires(const T& t) { t.copy(); })
      return kept_->copy();
    else
      return *kept_;
  }

  const int64_t ahead_;
  const Clock clock_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<T> kept_;
  int64_t end_ = 0, renew_at_ = 0;
  bool asking_ = false, replacing_ = false;  // an attempt is under way; of what was refused, or is not there
  std::optional<Error> failed_;              // of the last attempt
  uint64_t attempts_ = 0;
};

}  // namespace xplan::cloud

// A text on its way from the thread that receives it to the one that reads it.
#include "core/base/arrival.h"

#include <new>

#include "core/base/memory.h"

namespace xplan {

void Arrival::set(Phase phase) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  changed_.notify_all();
}

void Arrival::begin(uint64_t size) {
  {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::Before || size < kWorthwhile) {
      if (phase_ != Phase::Before) phase_ = Phase::Void;
      changed_.notify_all();
      return;
    }
    if (!has_memory(size)) {  // it is an offer to be fast, so nothing is lost
      phase_ = Phase::Void;
      return;
    }
    try {  // another thread may have taken it since
      text_ = std::make_shared<std::string>();
      text_->reserve(size);
    } catch (const std::bad_alloc&) {
      text_.reset(), phase_ = Phase::Void;
      return;
    }
    phase_ = Phase::Arriving;
  }
  begun_();
}

void Arrival::append(std::string_view piece) {
  {
    const std::lock_guard lock(mutex_);
    if (phase_ != Phase::Arriving) return;
  }
  if (piece.size() > text_->capacity() - text_->size()) return abandon();
  text_->append(piece);
  const std::lock_guard lock(mutex_);
  there_ += piece.size();
  changed_.notify_all();
}

void Arrival::end() {
  const std::lock_guard lock(mutex_);
  if (!text_) return;
  phase_ = phase_ == Phase::Arriving ? Phase::Whole : Phase::Void;
  changed_.notify_all();
}

void Arrival::abandon() {
  set(Phase::Void);
}

size_t Arrival::wait(size_t seen, bool& last) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return phase_ != Phase::Arriving || there_ > seen; });
  last = phase_ != Phase::Arriving;
  return phase_ == Phase::Void ? seen : there_;
}

bool Arrival::whole() const {
  const std::lock_guard lock(mutex_);
  return phase_ == Phase::Whole;
}

}  // namespace xplan

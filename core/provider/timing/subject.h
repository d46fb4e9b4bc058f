// Whose object the calls of providers on this thread are about, for those who record calls.
//
// Who calls it: plan and apply, around the work on one object; timing/recorder.h reads it.
// Contract: the address must outlive the scope; scopes nest. Cost: two stores.  Thread-safety: each thread
// has its own.
#pragma once
#include "core/addr/addr.h"

namespace xplan {

class CallSubject {
 public:
  explicit CallSubject(const AbsInstance& addr) : before_(current_) { current_ = &addr; }
  ~CallSubject() { current_ = before_; }
  CallSubject(const CallSubject&) = delete;
  CallSubject& operator=(const CallSubject&) = delete;
  static const AbsInstance* current() { return current_; }  // null: of none

 private:
  static inline thread_local const AbsInstance* current_ = nullptr;
  const AbsInstance* before_;
};

}  // namespace xplan

// Announcements: what an apply tells of its operations, each once the records before it are durable, in their
// order.
//
// Who calls it: Recorder, which hands it the records that nobody waits for.
// Contract: an operation that depends on another one may begin before the record of that one is durable,
// since its own intent comes behind it in the order and counts only with all before it; but nothing is told
// to be done that could still be lost. after() hands a record to the journal and calls `tell` once it is
// durable, or cannot be; in_turn() calls `tell` when all is told that was to be told before; tell_until()
// returns when everything up to a record that is durable has been told. What they call must not come back
// here. Cost: a thread that waits for the records, from the first one on; where there is none, after() waits
// itself. Thread-safety: any thread, but for finish(), after which all is told.
#pragma once
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "core/state/store.h"

namespace xplan::applying {

class Announcements {
 public:
  using Tell = std::function<void()>;
  // `failed` hears why records that nobody waits for are not durable.
  Announcements(Journal* journal, std::function<void(const Error&)> failed)
      : journal_(journal), failed_(std::move(failed)) {}
  ~Announcements() { finish(); }
  Announcements(const Announcements&) = delete;
  Announcements& operator=(const Announcements&) = delete;
  Result<void> after(const JournalRecord& r, Tell tell);
  void in_turn(Tell tell);
  void tell_until(uint64_t number);
  void finish();

 private:
  struct One {
    uint64_t number;  // of the record that it waits for
    Tell tell;
  };
  bool has_thread();
  void run();
  Result<void> await(uint64_t number, bool urgent);
  Journal* const journal_;
  const std::function<void(const Error&)> failed_;
  std::mutex telling_;  // held while something is told
  std::mutex mutex_;    // for what follows; inside of telling_
  std::condition_variable wake_;
  std::list<One> pending_;  // by number
  bool over_ = false;
  std::thread thread_;
};

}  // namespace xplan::applying

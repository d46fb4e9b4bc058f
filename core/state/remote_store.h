// The store of a state on a server, above any Place.
//
// Who makes one: core/backend/server.cc; tests.  Contract: that of StateStore. Nothing is written but over
// what was read, so no writer's changes are lost to another one's. Where the place keeps segments, the
// journal is there and outlives this machine; otherwise it is in `local_journal`, a file of this machine, and
// the state is written from time to time. From when a journal is begun until the lock is released, and where
// locks expire for as long as it is held, the lock is looked after: once it is lost nothing more begins, what
// had begun is recorded, and the state is written if nobody else has written it.
// Cost: one request to read, one to write, two for the lock; a journal record is one request, shared by all
// that record at the same time. Thread-safety: as StateStore; it has a thread of its own while the lock
// is looked after.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "core/base/stop.h"
#include "core/state/journal_life.h"
#include "core/state/place.h"
#include "core/state/store.h"

namespace xplan {

struct RemoteOptions {
  std::string local_journal;  // a path
  bool remote_journal = true;
  const State* successor = nullptr;
  bool forced = false;
  bool goes_on = false, elsewhere = false;
  std::string workspace;  // that has to be selected elsewhere; "": none
  bool keeps_copy = false;
  bool finishes = false, rescued = true;  // but `workspace`, all from `successor` on: see StatePaths
  // Where the journal is on this machine, the state is written while changes are made: that long after the
  // first and then after the last time, and after each one once the run is to stop.
  std::chrono::milliseconds snapshots{20000};
  Stop stop = nullptr;
  std::chrono::milliseconds looks{5000};  // how often the lock is looked after
  // How long a run that is to stop, and has changed nothing, waits for a server to release its lock.
  std::chrono::milliseconds release{10000};
  // How often a journal shows that its run is at work where no lock does; and for how long it may not have,
  // until its run begins nothing more before it has seen that nobody has taken over.
  std::chrono::milliseconds beats = kBeat, doubt = kDoubt;
  std::shared_ptr<crypt::Codec> codec = crypt::Codec::plain();
};
std::unique_ptr<StateStore> open_remote_store(std::unique_ptr<Place> place, const RemoteOptions& options);

}  // namespace xplan

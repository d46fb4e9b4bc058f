// PgLock: the lock of one state, as the reference tools take it: an advisory lock of the session on the id of
// its row, or on -1 while there is no row.
//
// Who calls it: place.cc.  Contract: whoever calls holds the database's mutex. Taken is taken in one session:
// after its loss, keep() takes it again, if nobody else has it, and logs that. A lost session of this process
// that the server has not heard the end of is ended first. Cost: up to three statements to take it.
// Thread-safety: see above.
#pragma once
#include <optional>
#include <string>

#include "core/backend/pg/database.h"
#include "core/state/place.h"

namespace xplan::backend {

class PgLock {
 public:
  PgLock(PgDatabase& database, std::string workspace) : d_(database), workspace_(std::move(workspace)) {}
  Result<Place::Locking> take(Stop stop);
  bool taken() const { return session_ != 0; }
  bool in_session() const { return taken() && session_ == d_.number(); }
  // True: it is ours, in a session that works, maybe again. False: somebody else has it. Not when nothing was
  // taken.
  Result<bool> keep(Stop stop);
  // Whether somebody has ended the session that had it (force-unlock), even if nobody else has it.
  bool taken_away() const { return taken_away_; }
  // Whether the last keep() failed as what passes by itself.
  bool transient() const { return transient_; }
  Result<void> release(Stop stop);
  Result<std::optional<LockInfo>> holder(Stop stop);
  Result<void> end_session(const std::string& pid);

 private:
  Error problem(const PgReply& r) {
    transient_ = r.transient();
    return d_.problem("lock the state of the workspace \"" + workspace_ + "\"", r);
  }
  Result<Place::Locking> held(std::string why, Stop stop);
  PgReply unlock(int64_t key, Stop stop = nullptr);
  bool end_own(Stop stop);

  PgDatabase& d_;
  const std::string workspace_;
  int64_t key_ = 0;
  unsigned session_ = 0;      // in which it was taken; 0: in none
  std::string server_start_;  // when the server started that has it
  std::string pid_, began_;   // of the session, there
  bool transient_ = false, taken_away_ = false;
};

}  // namespace xplan::backend

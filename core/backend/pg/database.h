// PgDatabase: the tables of one schema, and the one session in which locks are taken and everything is read
// and written.
//
// Who calls it: pg.cc, place.h; shared by a server and its places.  Contract: the schema and its tables are
// made before the first statement, as the settings allow. run() sends a statement again, with pauses, while
// the server cannot be reached, once it could; so only what may be carried out twice goes there. Locks belong
// to the session: what was locked under another number() of it is locked no more. Cost: connecting and
// looking for the tables before the first statement.  Thread-safety: whoever calls anything holds `mutex`.
// Why one session for all threads: statements are short and rare; and what was written through the session of
// the lock was written under the lock.
#pragma once
#include <mutex>
#include <set>

#include "core/backend/pg/session.h"

namespace xplan::backend {

struct PgSettings {
  PgAddress address;
  std::string schema, table = "states", index = "states_by_name";
  bool skip_schema = false, skip_table = false, skip_index = false;
  Stop stop = nullptr;
};

class PgDatabase {
 public:
  explicit PgDatabase(PgSettings settings);
  std::mutex mutex;

  PgReply run(const PgStatement& s);
  // The same without another attempt.
  PgReply once(const PgStatement& s);
  // In the session of this number and no other; there, what `ours` has is locked by this process.
  unsigned number() const { return session_.number(); }
  bool ended_by_command() const { return session_.ended_by_command(); }
  std::set<int64_t>& ours();

  const PgSettings& settings() const { return settings_; }
  const std::string& states() const { return states_; }      // "schema"."states"
  const std::string& segments() const { return segments_; }  // of journals; made when the first one begins
  Error problem(const std::string& doing, const PgReply& r) const;

 private:
  PgReply set_up(Stop stop);

  const PgSettings settings_;
  const std::string states_, segments_;
  PgSession session_;
  bool ready_ = false;
  std::set<int64_t> ours_;
  unsigned ours_in_ = 0;  // the session that ours_ is about
};

// True after the pause that comes before the next attempt; false: there is none, or the run is to stop. What
// nothing stops is a write, which waits longer for a server that is away.
bool pg_pause(int attempt, Stop stop);
std::string pg_identifier(const std::string& name);  // between double quotes

}  // namespace xplan::backend

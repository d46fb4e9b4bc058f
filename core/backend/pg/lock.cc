// Advisory locks: taking them in the order that the reference tools know, taking them again, and who has
// them.
#include "core/backend/pg/lock.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/backoff.h"
#include "core/base/log.h"
#include "core/state/lock.h"

namespace xplan::backend {
namespace {

constexpr int64_t kCreation = -1;  // while a workspace has no row; of all schemas, as ids are

int64_t number_in(const std::string& text) {
  int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// Of other sessions that have a key of a workspace, what stands for {0}.
constexpr const char* kHolders =
    "SELECT {0} FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' "
    "AND l.granted "
    "AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND "
    "((l.classid::bigint << 32) | l.objid::bigint) IN (-1, (SELECT id FROM {1} WHERE name = $1)) AND l.pid "
    "<> "
    "pg_backend_pid()";

// The session with the lock of $3, if it is that of $1 and $2 and not another one that has its number now.
constexpr const char* kEndOwn =
    "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE a.pid::text = $1 AND extract(epoch "
    "FROM "
    "a.backend_start)::text = $2 AND a.pid <> pg_backend_pid() AND a.application_name = "
    "current_setting('application_name') AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND "
    "l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND (l.classid::bigint << 32) | "
    "l.objid::bigint = $3::bigint)";

// What keep() wants to know of a session. From now on, its server notices within a minute that nobody is
// there any more, unless somebody has set that otherwise: the lock of a machine that lost its power is free
// then.
constexpr const char* kAboutSession =
    "SELECT pg_postmaster_start_time()::text, pg_backend_pid()::text, (SELECT extract(epoch FROM "
    "backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()), (SELECT "
    "count(set_config(name, CASE name WHEN 'tcp_keepalives_idle' THEN '30' WHEN 'tcp_keepalives_interval' "
    "THEN '10' ELSE '3' END, false)) FROM pg_settings WHERE name IN ('tcp_keepalives_idle', "
    "'tcp_keepalives_interval', 'tcp_keepalives_count') AND source = 'default')";

}  // namespace

PgReply PgLock::unlock(int64_t key, Stop stop) {
  constexpr std::chrono::seconds kNoLonger{
      20};  // at the end of a run, of a lock that ends with its session anyway
  return d_.once({fmt::format("SELECT pg_advisory_unlock({})", key), {}, stop, false, kNoLonger});
}

Result<Place::Locking> PgLock::held(std::string why, Stop stop) {
  Place::Locking out{true, std::nullopt, std::move(why)};
  if (const auto who = holder(stop)) out.holder = *who;
  return out;
}

// A session may take its own lock again, and must then release it as often; so what this process has counts
// as held.
Result<Place::Locking> PgLock::take(Stop stop) {
  const std::string
      taken = fmt::format("The state \"{}/{}/{}\" is locked", d_.settings().address.shown,
                          d_.settings().schema, workspace_),
      creating = fmt::format(
          "The workspace \"{}\" cannot be locked now: another run is creating the first state of a "
          "workspace, in this or another schema of the database, and holds the lock for that",
          workspace_);
  const PgReply both =
      d_.once({"SELECT states.id, pg_try_advisory_lock(states.id), pg_try_advisory_lock(-1) FROM " +
                   d_.states() + " AS states WHERE states.name = $1",
               {workspace_},
               stop});
  if (!both.ok()) return problem(both);
  const bool has_row = !both.rows.empty();
  const PgReply one = has_row ? PgReply{} : d_.once({"SELECT pg_try_advisory_lock(-1)", {}, stop});
  if (!one.ok()) return problem(one);
  const int64_t key = has_row ? number_in(both.text(0, 0)) : kCreation;
  const bool creation = (has_row ? both.text(0, 2) : one.text(0, 0)) == "t",
             row = !has_row || both.text(0, 1) == "t";
  const bool in_use = has_row && d_.ours().contains(key),
             in_creation = !creation || d_.ours().contains(kCreation);
  std::vector<int64_t> back;
  if (creation && (has_row || in_creation)) back.push_back(kCreation);
  if (has_row && row && (in_use || in_creation)) back.push_back(key);
  for (const int64_t k : back)
    if (const PgReply r = unlock(k); !r.ok()) return problem(r);
  if (!row || in_use) return held(taken, stop);
  if (in_creation) return held(creating, stop);
  if (session_ == 0) taken_away_ = false;
  d_.ours().insert(key);
  key_ = key, session_ = d_.number();
  const PgReply about = d_.once({kAboutSession, {}, stop});
  const bool known = about.ok() && !about.rows.empty();
  server_start_ = known ? about.text(0, 0) : "";
  pid_ = known ? about.text(0, 1) : "", began_ = known ? about.text(0, 2) : "";
  return Place::Locking{};
}

// True: the lost session was still there and had the lock, and is there no longer.
bool PgLock::end_own(Stop stop) {
  constexpr std::chrono::seconds kLook{20};
  for (int n = 0; !pid_.empty() && !began_.empty() && n < 100; ++n) {
    const PgReply r = d_.once({kEndOwn, {pid_, began_, std::to_string(key_)}, stop, false, kLook});
    if (!r.ok() || r.rows.empty()) return r.ok() && n > 0;
    if (!wait_unless_stopped(std::chrono::milliseconds(50), stop)) return false;
  }
  return false;
}

Result<bool> PgLock::keep(Stop stop) {
  transient_ = false;
  if (in_session()) return true;
  const std::string start = server_start_;
  const bool by_command = d_.ended_by_command();
  Result<Place::Locking> again = take(stop);
  if (!again) return again.error();
  if (again->held && end_own(stop)) again = take(stop);
  if (!again) return again.error();
  // A server that is shut down ends all sessions in this way, too, but then it starts again.
  if (!again->held && by_command && !start.empty() && server_start_ == start) taken_away_ = true;
  log_line(
      LogLevel::Warn, "core",
      fmt::format("the connection to {} was lost, and with it the lock of the workspace \"{}\", which {}",
                  d_.settings().address.shown, workspace_,
                  again->held ? "another session now holds" : "was acquired again"));
  return !again->held;
}

// A session that is gone has released it, once the server knows.
Result<void> PgLock::release(Stop stop) {
  if (!taken()) return {};
  const bool here = in_session();
  session_ = 0;
  if (here) {
    d_.ours().erase(key_);
    const PgReply r = unlock(key_, stop);
    if (r.ok()) return {};
    if (!r.lost()) return d_.problem("release the lock of the workspace \"" + workspace_ + "\"", r);
  }
  (void)end_own(stop);
  return {};
}

Result<std::optional<LockInfo>> PgLock::holder(Stop stop) {
  const PgReply r =
      d_.run({fmt::format(kHolders,
                          "l.pid, a.usename, a.application_name, host(a.client_addr), "
                          "to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')",
                          d_.states()),
              {workspace_},
              stop});
  if (!r.ok()) return problem(r);
  if (r.rows.empty()) return std::optional<LockInfo>();
  LockInfo out;
  out.id = r.text(0, 0);
  const std::string application = r.text(0, 2), ours = kPgApplication;
  out.who = application.starts_with(ours) ? application.substr(ours.size())
                                          : fmt::format("{}@{}", r.text(0, 1), r.text(0, 3));
  out.created = r.text(0, 4);
  out.path = workspace_;
  out.info = "The ID is the process ID of the session in the database";
  return std::optional(std::move(out));
}

Result<void> PgLock::end_session(const std::string& pid) {
  const std::string doing = fmt::format("end the session \"{}\"", pid);
  const PgReply r =
      d_.once({fmt::format(kHolders, "pg_terminate_backend(l.pid)", d_.states()) + " AND l.pid::text = $2",
               {workspace_, pid}});
  if (!r.ok()) return d_.problem(doing, r);
  if (!r.rows.empty())
    return r.text(0, 0) == "t" ? Result<void>() : Error{"the server did not end the session \"" + pid + "\""};
  const auto other = holder(nullptr);
  if (!other) return other.error();
  if (!*other) return Error{fmt::format("the state of the workspace \"{}\" is not locked", workspace_)};
  return Error{fmt::format(
      "the lock of the workspace \"{}\" belongs to the session \"{}\" ({}), not to \"{}\". Locks are "
      "released when their session ends",
      workspace_, (*other)->id, shown_foreign((*other)->who), pid)};
}

}  // namespace xplan::backend

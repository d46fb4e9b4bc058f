// A row of the table of states: reading, compare-and-swap, its lock, and the rows of its journal.
#include "core/backend/pg/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "core/backend/pg/lock.h"
#include "core/base/command_line.h"
#include "core/base/log.h"

namespace xplan::backend {
namespace {

constexpr std::chrono::seconds kLook{20};  // for a question that is asked every few seconds
constexpr const char* kNoTable = "42P01";  // SQLSTATE undefined_table

class PgPlace : public Place {
 public:
  PgPlace(std::shared_ptr<PgDatabase> database, std::string workspace)
      : d_(std::move(database)), workspace_(std::move(workspace)), lock_(*d_, workspace_) {}
  ~PgPlace() override { (void)unlock(nullptr); }

  std::string name() const override {
    return fmt::format("{}/{}/{}", d_->settings().address.shown, d_->settings().schema, workspace_);
  }
  std::string key() const override { return d_->settings().schema + "/" + workspace_; }
  Result<std::optional<Content>> get(Arrival*, bool always) override;
  Result<bool> is_still(const std::optional<std::string>& version) override {
    std::lock_guard guard(d_->mutex);
    const Result<std::optional<std::string>> now = version_now(d_->settings().stop);
    return now ? Result<bool>(*now == version) : now.error();
  }
  Result<std::optional<std::string>> version() override {
    std::lock_guard guard(d_->mutex);
    return version_now(d_->settings().stop);
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;
  Result<Locking> try_lock(LockInfo& info) override;
  Result<void> unlock(Stop stop) override;
  Result<std::optional<bool>> still_held(Stop stop) override;
  Result<std::optional<LockInfo>> holder(bool late) override;
  Result<void> break_lock(const std::string& id) override;
  bool lock_ends_with_run() const override { return true; }
  // Who makes the tables without us makes none for journals.
  bool keeps_segments() const override { return !d_->settings().skip_table; }
  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override;
  Result<std::vector<std::string>> segments(bool always) override;
  Result<std::string> get_segment(const std::string& name) override;
  Result<std::vector<std::string>> get_segments(const std::vector<std::string>& names) override;
  Result<void> remove_segment(const std::string& name) override { return remove_segments({name}); }
  Result<void> remove_segments(const std::vector<std::string>& names) override;

 private:
  Result<std::optional<Content>> content(Stop stop);
  Result<std::optional<std::string>> version_now(Stop stop);
  Result<bool> keep_lock(Stop stop);
  Result<bool> keep_lock_patiently(Stop stop);
  Result<bool> has_arrived(std::string_view bytes);
  PgReply change(std::string_view bytes, const std::optional<std::string>& version);
  Error problem(std::string_view doing, const PgReply& r) const {
    return d_->problem(fmt::format("{} the state of the workspace \"{}\"", doing, workspace_), r);
  }
  Error lost() const;

  const std::shared_ptr<PgDatabase> d_;
  const std::string workspace_;
  PgLock lock_;
  bool lost_ = false;   // somebody else has, or had, the lock that we had
  bool known_ = false;  // `version_` says what was there when last seen
  std::optional<std::string> version_;
  bool table_made_ = false;
};

Error PgPlace::lost() const {
  return Error{fmt::format(
      "the connection to {} was lost, and with it the lock of the workspace \"{}\"; since then another "
      "run has locked or changed the state",
      d_->settings().address.shown, workspace_)};
}

Result<std::optional<Content>> PgPlace::content(Stop stop) {
  PgReply r =
      d_->run({"SELECT data, xmin::text FROM " + d_->states() + " WHERE name = $1", {workspace_}, stop});
  if (!r.ok()) return problem("read", r);
  if (r.rows.empty()) return std::optional<Content>();
  if (!r.has(0, 0) || r.text(0, 0).empty() || !r.has(0, 1))
    return Error{fmt::format(
        "the row of the workspace \"{}\" in the table {} of {} has no state, though it is there. Restore the "
        "state with {}, or delete the row if there should be none",
        workspace_, d_->states(), d_->settings().address.shown, own_command("state push -force"))};
  return std::optional(Content{r.take(0, 0), r.text(0, 1)});
}

Result<std::optional<std::string>> PgPlace::version_now(Stop stop) {
  const PgReply r =
      d_->run({"SELECT xmin::text FROM " + d_->states() + " WHERE name = $1", {workspace_}, stop});
  if (!r.ok()) return problem("read", r);
  return r.rows.empty() ? std::nullopt : std::optional(r.text(0, 0));
}

// After the loss of its session: ours again only if nobody else wrote meanwhile.
Result<bool> PgPlace::keep_lock(Stop stop) {
  if (!lock_.taken() || lock_.in_session()) return !lost_;
  const Result<bool> again = lock_.keep(stop);
  if (!again) return again.error();
  if (!*again) return lost_ = true, false;
  if (!known_) return !lost_;
  const Result<std::optional<std::string>> now = version_now(stop);
  if (!now) return now.error();
  if (*now != version_) lost_ = true;
  return !lost_;
}

// For as long as other statements wait for a server that is away.
Result<bool> PgPlace::keep_lock_patiently(Stop stop) {
  for (int attempt = 0;; ++attempt) {
    Result<bool> kept = keep_lock(stop);
    if (kept || !lock_.transient() || !pg_pause(attempt, stop)) return kept;
  }
}

Result<std::optional<Content>> PgPlace::get(Arrival* /*arrival*/, bool always) {
  std::lock_guard guard(d_->mutex);
  const Stop stop = always ? nullptr : d_->settings().stop;
  Result<std::optional<Content>> found = content(stop);
  if (!found) return found;
  // Under a lock that was lost meanwhile, what was read may be changing.
  if (lock_.taken() && !lock_.in_session()) {
    known_ = false;
    const Result<bool> kept = keep_lock_patiently(stop);
    if (!kept) return kept.error();
    if (!*kept) return lost();
    if (found = content(stop); !found) return found;
  }
  known_ = true;
  version_ = *found ? std::optional((*found)->version) : std::nullopt;
  return found;
}

PgReply PgPlace::change(std::string_view bytes, const std::optional<std::string>& version) {
  if (!version)
    return d_->once(PgStatement{
        "INSERT INTO " + d_->states() +
            " (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING xmin::text",
        {workspace_}}.with(bytes));
  return d_->once(PgStatement{
      "UPDATE " + d_->states() + " SET data = $3 WHERE name = $1 AND xmin::text = $2 RETURNING xmin::text",
      {workspace_,
       *version}}.with(bytes));
}

// Where the answer was lost, what is there tells. A commit may be seen only once its session has ended.
Result<bool> PgPlace::has_arrived(std::string_view bytes) {
  const Result<std::optional<Content>> now = content(nullptr);
  if (!now) return now.error();
  if (!*now || (*now)->bytes != bytes) return false;
  known_ = true, version_ = (*now)->version;
  return true;
}

Result<Place::Put> PgPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  std::lock_guard guard(d_->mutex);
  bool unanswered = false;
  for (int attempt = 0;; ++attempt) {
    const auto arrived = [&] { return unanswered ? has_arrived(bytes) : Result<bool>(false); };
    if (const Result<bool> there = arrived(); !there || *there)
      return there ? Result<Put>(Put{false, *version_}) : there.error();
    if (lock_.taken()) {
      const Result<bool> kept = keep_lock_patiently(nullptr);
      if (!kept) return kept.error();
      if (!*kept) {
        if (const Result<bool> there = arrived(); !there || !*there) return Put{true, "", lost().message};
        lost_ = !lock_.in_session();  // what has changed the state was this
        return Put{false, *version_};
      }
    }
    const PgReply r = change(bytes, version);
    if (r.ok() && r.rows.empty()) {
      const Result<bool> there = arrived();
      return there && *there ? Put{false, *version_} : Put{true, ""};
    }
    if (r.ok()) return known_ = true, version_ = r.text(0, 0), Put{false, *version_};
    unanswered |= r.lost();
    if (!r.transient() || !pg_pause(attempt, nullptr)) return problem("write", r);
  }
}

Result<Place::Locking> PgPlace::try_lock(LockInfo& info) {
  std::lock_guard guard(d_->mutex);
  info.path.clear();
  lost_ = known_ = false;
  return lock_.take(d_->settings().stop);
}

Result<void> PgPlace::unlock(Stop stop) {
  std::lock_guard guard(d_->mutex);
  return lock_.release(stop);
}

// Asks the server, since a connection may be lost without our hearing of it.
Result<std::optional<bool>> PgPlace::still_held(Stop stop) {
  std::lock_guard guard(d_->mutex);
  if (!lock_.taken()) return std::optional<bool>(!lost_);
  if (lock_.in_session()) {
    const PgReply r = d_->once({"SELECT 1", {}, stop, false, kLook});
    if (!r.ok() && !r.lost()) return problem("check the lock of", r);
  }
  const Result<bool> kept = keep_lock(stop);
  if (!kept) return kept.error();
  return std::optional<bool>(*kept && !lock_.taken_away());
}

Result<std::optional<LockInfo>> PgPlace::holder(bool /*late*/) {
  std::lock_guard guard(d_->mutex);
  return lock_.holder(d_->settings().stop);
}

Result<void> PgPlace::break_lock(const std::string& id) {
  std::lock_guard guard(d_->mutex);
  return lock_.end_session(id);
}

// What had begun is recorded even where the lock was lost; still_held() tells of that, from the first
// statement of a new session on.
Result<void> PgPlace::put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) {
  std::lock_guard guard(d_->mutex);
  if (!table_made_) {
    const PgReply r = d_->run(
        {"CREATE TABLE IF NOT EXISTS " + d_->segments() +
         " (state text NOT NULL, name text NOT NULL, data bytea NOT NULL, PRIMARY KEY (state, name))"});
    if (!r.ok() && r.code != "23505" && r.code != "42P07")
      return problem("create the table for the journal of", r);
    table_made_ = true;
  }
  const PgStatement insert =
      PgStatement{
          "INSERT INTO " + d_->segments() +
              " (state, name, data) VALUES ($1, $2, $3) ON CONFLICT (state, name) DO UPDATE SET data = $3",
          {workspace_, name},
          how.stop}
          .with(bytes);
  const PgReply r = how.once ? d_->once(insert) : d_->run(insert);
  if (!r.ok()) return problem("write the journal of", r);
  if (const Result<bool> kept = keep_lock(nullptr); !kept)
    log_line(LogLevel::Warn, "core", kept.error().message);
  return {};
}

Result<std::vector<std::string>> PgPlace::segments(bool always) {
  std::lock_guard guard(d_->mutex);
  const Stop stop = always ? nullptr : d_->settings().stop;
  std::vector<std::string> out;
  const PgReply table = d_->run({"SELECT to_regclass($1) IS NULL", {d_->segments()}, stop});
  if (!table.ok()) return problem("look for the journal of", table);
  if (table.text(0, 0) == "t") return out;
  const PgReply r =
      d_->run({"SELECT name FROM " + d_->segments() + " WHERE state = $1 ORDER BY name COLLATE \"C\"",
               {workspace_},
               stop});
  if (!r.ok()) return problem("list the journal of", r);
  for (size_t i = 0; i < r.rows.size(); ++i)
    if (may_name_segment(r.text(i, 0))) out.push_back(r.text(i, 0));
  return out;
}

// Of what the names are made of, nothing means anything in an array.
std::string array_of(const std::vector<std::string>& names, size_t from = 0, size_t count = SIZE_MAX) {
  const auto begin = names.begin() + static_cast<ptrdiff_t>(from);
  const auto end = begin + static_cast<ptrdiff_t>(std::min(count, names.size() - from));
  return fmt::format("{{{}}}", fmt::join(begin, end, ","));
}

Result<std::string> PgPlace::get_segment(const std::string& name) {
  Result<std::vector<std::string>> one = get_segments({name});
  return one ? Result<std::string>(std::move(one->front())) : one.error();
}

// Many in one statement, as each is a way to the server and back; its rows come in any order.
Result<std::vector<std::string>> PgPlace::get_segments(const std::vector<std::string>& names) {
  constexpr size_t kTogether = 64;
  std::lock_guard guard(d_->mutex);
  std::map<std::string, std::string> found;
  int64_t size = 0;
  for (size_t from = 0; from < names.size(); from += kTogether) {
    PgReply r =
        d_->run({"SELECT name, data FROM " + d_->segments() + " WHERE name = ANY ($1::text[]) AND state = $2",
                 {array_of(names, from, kTogether), workspace_},
                 d_->settings().stop,
                 true});
    if (!r.ok()) return problem("read the journal of", r);
    for (size_t i = 0; i < r.rows.size(); ++i) {
      std::string data = r.take(i, 1);
      if ((size += static_cast<int64_t>(data.size())) > kLargestJournal) return journal_too_large();
      found.insert_or_assign(r.text(i, 0), std::move(data));
    }
  }
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const auto one = found.find(name);
    if (one == found.end()) return Error{"a segment of the journal is no longer there"};
    out.push_back(std::move(one->second));
  }
  return out;
}

// In one statement.
Result<void> PgPlace::remove_segments(const std::vector<std::string>& names) {
  std::lock_guard guard(d_->mutex);
  const PgReply r =
      d_->run({"DELETE FROM " + d_->segments() + " WHERE state = $1 AND name = ANY ($2::text[])",
               {workspace_, array_of(names)}});
  return r.ok() || r.code == kNoTable ? Result<void>() : problem("remove the journal of", r);
}

}  // namespace

std::unique_ptr<Place> pg_place(std::shared_ptr<PgDatabase> database, const std::string& workspace) {
  return std::make_unique<PgPlace>(std::move(database), workspace);
}

}  // namespace xplan::backend

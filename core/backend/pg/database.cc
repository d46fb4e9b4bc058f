// Creates the schema and its tables, quotes identifiers, and sends statements again after a lost connection.
#include "core/backend/pg/database.h"

#include <fmt/format.h>

#include "core/base/backoff.h"
#include "core/state/journal.h"

namespace xplan::backend {

std::string pg_identifier(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

bool pg_pause(int attempt, Stop stop) {
  constexpr int kAttempts = 6, kPatient = 12;  // in about eight seconds, and in half a minute
  if (attempt + 1 >= (stop ? kAttempts : kPatient)) return false;
  return wait_unless_stopped(backoff(attempt, std::chrono::milliseconds(250), std::chrono::seconds(4)), stop);
}

namespace {

// Each table of states has its own; names in a database have at most 63 bytes.
std::string segments_of(const std::string& table) {
  constexpr std::string_view kName = "xplan_journal_segments";
  return table == "states" ? std::string(kName) : fmt::format("{}_{:016x}", kName, text_digest(table));
}

}  // namespace

PgDatabase::PgDatabase(PgSettings settings)
    : settings_(std::move(settings)),
      states_(pg_identifier(settings_.schema) + "." + pg_identifier(settings_.table)),
      segments_(pg_identifier(settings_.schema) + "." + segments_of(settings_.table)),
      session_(settings_.address) {}

std::set<int64_t>& PgDatabase::ours() {
  if (ours_in_ != number()) ours_.clear();
  ours_in_ = number();
  return ours_;
}

Error PgDatabase::problem(const std::string& doing, const PgReply& r) const {
  if (r.interrupted) return interrupted();
  std::string advice;
  if (r.problem.find("does not support SSL") != std::string::npos)
    advice = ". If the connection need not be encrypted, add sslmode=disable to \"conn_str\"";
  if (r.code == "42501" && !ready_)
    advice =
        ". Give the user the right to create the schema and the table; or create them beforehand, and set "
        "\"skip_schema_creation\", \"skip_table_creation\" and \"skip_index_creation\"";
  return Error{fmt::format("cannot {} in {}: {}{}", doing, session_.shown(), r.problem, advice)};
}

// The same statements in the same order as the reference tools.
PgReply PgDatabase::set_up(Stop stop) {
  const PgSettings& s = settings_;
  const std::string schema = pg_identifier(s.schema);
  std::vector<PgStatement> all;
  if (!s.skip_schema) {
    PgReply there = session_.run(
        {"select count(1) from information_schema.schemata where schema_name = $1", {s.schema}, stop});
    if (!there.ok()) return there;
    if (there.text(0, 0) == "0") all.push_back({"CREATE SCHEMA IF NOT EXISTS " + schema, {}, stop});
  }
  if (!s.skip_table) {
    all.push_back({"CREATE SEQUENCE IF NOT EXISTS public.global_states_id_seq AS bigint", {}, stop});
    all.push_back({"CREATE TABLE IF NOT EXISTS " + states_ +
                       " (id bigint NOT NULL DEFAULT nextval('public.global_states_id_seq') PRIMARY KEY, "
                       "name text UNIQUE, "
                       "data text)",
                   {},
                   stop});
  }
  if (!s.skip_index)
    all.push_back(
        {"CREATE UNIQUE INDEX IF NOT EXISTS " + pg_identifier(s.index) + " ON " + states_ + " (name)",
         {},
         stop});
  for (const PgStatement& create : all) {
    PgReply done = session_.run(create);
    // Somebody else makes the same at this moment; the next time, it is there.
    for (int n = 0; n < 3 && (done.code == "23505" || done.code.starts_with("42P0") || done.code == "42710");
         ++n)
      done = session_.run(create);
    if (!done.ok()) return done;
  }
  ready_ = true;
  return {};
}

PgReply PgDatabase::once(const PgStatement& s) {
  if (!ready_)
    if (PgReply made = set_up(s.stop); !made.ok()) return made;
  return session_.run(s);
}

PgReply PgDatabase::run(const PgStatement& s) {
  for (int attempt = 0;; ++attempt) {
    PgReply r = once(s);
    if (!r.transient() || !ready_ || !pg_pause(attempt, s.stop)) return r;
  }
}

}  // namespace xplan::backend

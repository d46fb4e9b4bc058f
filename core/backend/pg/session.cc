// A connection to PostgreSQL that never blocks: it is polled, so that waiting can be ended.
#include "core/backend/pg/session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "core/backend/pg/pq_api.h"

namespace xplan::backend {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kConnectionFailure = "08006";  // SQLSTATE connection_failure
constexpr const char* kNoAnswer = "XPLAN";  // of our own: what came is of no use, nor is what follows

// Until when, and for whom, there is waiting; at most so long for the next sign of the server.
struct Waiting {
  Stop stop;
  Clock::time_point end;
  std::chrono::milliseconds silence{std::chrono::hours(1)};
  enum class Outcome : uint8_t { Ready, Stopped, Late };
  Outcome on(int fd, short events) const {
    const Clock::time_point latest = std::min(end, Clock::now() + silence);
    while (true) {
      if (stopped(stop)) return Outcome::Stopped;
      if (Clock::now() >= latest) return Outcome::Late;
      pollfd p{fd, events, 0};
      if (::poll(&p, 1, 50) > 0) return Outcome::Ready;
    }
  }
};

PgReply failure(std::string problem, std::string code = kConnectionFailure) {
  PgReply out;
  out.code = std::move(code);
  out.problem = std::move(problem);
  return out;
}

// The first line of what libpq says, without advice; of several hosts, one line for each.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '\t') continue;
    if (!out.empty()) out += "; ";
    out += line;
  }
  for (const std::string_view noise : {"FATAL:  ", "ERROR:  "})
    for (size_t at; (at = out.find(noise)) != out.npos;) out.erase(at, noise.size());
  return out.empty() ? "the connection to the server was lost" : out;
}

struct ClearResult {
  void operator()(PGresult* r) const { pq().PQclear(r); }
};
using PgResult = std::unique_ptr<PGresult, ClearResult>;

PgReply reply_of(const PGresult* r) {
  PgReply out;
  const ExecStatusType status = pq().PQresultStatus(r);
  if (status == PGRES_COPY_OUT || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH)
    return failure("the server's answer is not that of a statement", kNoAnswer);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_SINGLE_TUPLE) {
    const char* code = pq().PQresultErrorField(r, PG_DIAG_SQLSTATE);
    const char* message = pq().PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    return failure(message ? message : "the connection to the server was lost",
                   code ? code : kConnectionFailure);
  }
  return out;
}

// Adds the rows; how large they are in memory.
size_t take_rows(const PGresult* r, PgReply& to) {
  size_t size = 0;
  for (int i = 0; i < pq().PQntuples(r); ++i) {
    auto& row = to.rows.emplace_back();
    row.reserve(static_cast<size_t>(pq().PQnfields(r)));
    for (int j = 0; j < pq().PQnfields(r); ++j) {
      auto& value = row.emplace_back();
      if (!pq().PQgetisnull(r, i, j))
        value.emplace(pq().PQgetvalue(r, i, j), static_cast<size_t>(pq().PQgetlength(r, i, j)));
      size += sizeof value + (value ? value->size() : 0);
    }
    size += sizeof row;
  }
  return size;
}

}  // namespace

bool PgReply::lost() const {
  return code.starts_with("08") || code.starts_with("57P0");  // connection exceptions; shut down, starting up
}
bool PgReply::transient() const {
  return lost() || code == "53300" || code == "40001" || code == "40P01";  // too many connections; deadlocks
}

struct PgSession::Impl {
  PGconn* connection = nullptr;
  ~Impl() {
    if (connection) pq().PQfinish(connection);
  }
  PgReply wait_failed(Waiting::Outcome o) const {
    if (o != Waiting::Outcome::Stopped) return failure("the server did not answer in time");
    PgReply out = failure(kInterrupted, "57014");
    out.interrupted = true;
    return out;
  }
  std::string message() const { return one_line(pq().PQerrorMessage(connection)); }
  bool send(const PgStatement& s);
  PgReply flush(const Waiting& waiting);
  PgReply receive(const Waiting& waiting, size_t most);
};

PgSession::PgSession(PgAddress address) : address_(std::move(address)) {}
PgSession::~PgSession() = default;

void PgSession::close() {
  impl_.reset();
  number_ = 0;
}

PgReply PgSession::connect(Stop stop) {
  if (impl_) return {};
  std::vector<const char*> names, values;
  for (const auto& [name, value] : address_.parameters) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  auto fresh = std::make_unique<Impl>();
  fresh->connection = pq().PQconnectStartParams(names.data(), values.data(), 0);
  if (!fresh->connection) return failure("there is not enough memory");
  pq().PQsetNoticeProcessor(
      fresh->connection, [](void*, const char*) {}, nullptr);
  const Waiting waiting{stop, Clock::now() + std::chrono::seconds(address_.seconds)};
  auto poll = PGRES_POLLING_WRITING;
  while (pq().PQstatus(fresh->connection) != CONNECTION_BAD && poll != PGRES_POLLING_OK &&
         poll != PGRES_POLLING_FAILED) {
    const auto o =
        waiting.on(pq().PQsocket(fresh->connection), poll == PGRES_POLLING_READING ? POLLIN : POLLOUT);
    if (o != Waiting::Outcome::Ready) return fresh->wait_failed(o);
    poll = pq().PQconnectPoll(fresh->connection);
  }
  if (pq().PQstatus(fresh->connection) != CONNECTION_OK) return failure(fresh->message());
  pq().PQsetnonblocking(fresh->connection, 1);
  impl_ = std::move(fresh);
  number_ = ++last_;
  return {};
}

bool PgSession::Impl::send(const PgStatement& s) {
  std::vector<const char*> values;
  std::vector<int> lengths, formats;
  const auto add = [&](const char* data, size_t size, bool binary) {
    values.push_back(data);
    lengths.push_back(static_cast<int>(size));
    formats.push_back(binary);
  };
  for (const std::string& p : s.parameters) add(p.c_str(), p.size(), false);
  if (s.content) add(s.content->data(), s.content->size(), true);
  return pq().PQsendQueryParams(connection, s.sql.c_str(), static_cast<int>(values.size()), nullptr,
                                values.data(), lengths.data(), formats.data(), s.binary) == 1 &&
         pq().PQsetSingleRowMode(connection) == 1;
}

PgReply PgSession::Impl::flush(const Waiting& waiting) {
  int left;
  while ((left = pq().PQflush(connection)) > 0) {
    const auto o = waiting.on(pq().PQsocket(connection), POLLIN | POLLOUT);
    if (o != Waiting::Outcome::Ready) return wait_failed(o);
    if (!pq().PQconsumeInput(connection)) return failure(message());
  }
  return left == 0 ? PgReply{} : failure(message());
}

PgReply PgSession::Impl::receive(const Waiting& waiting, size_t most) {
  PgReply out;
  for (size_t size = 0;;) {
    while (pq().PQisBusy(connection)) {
      const auto o = waiting.on(pq().PQsocket(connection), POLLIN);
      if (o != Waiting::Outcome::Ready) return wait_failed(o);
      // The server's last words say more than the end of the connection behind them.
      if (!pq().PQconsumeInput(connection)) return out.lost() ? out : failure(message());
    }
    const PgResult r(pq().PQgetResult(connection));
    if (!r) break;
    if (PgReply part = reply_of(r.get()); !part.ok()) {
      if (out.ok()) out = std::move(part);
      if (out.code == kNoAnswer) return out;
    }
    if (out.ok()) size += take_rows(r.get(), out);
    if (size > most)
      return failure(fmt::format("the server's answer has more than {} bytes", most), kNoAnswer);
  }
  if (pq().PQstatus(connection) == CONNECTION_BAD && !out.lost()) return failure(message());
  return out;
}

// What was not received whole makes a connection useless.
PgReply PgSession::run(const PgStatement& s) {
  if (PgReply r = connect(s.stop); !r.ok()) return r;
  const size_t megabytes = s.content ? s.content->size() >> 20 : 0;  // that the server has to store
  const Waiting waiting{s.stop, Clock::now() + s.limit,
                        address_.silence + std::chrono::milliseconds(250 * megabytes)};
  PgReply out = impl_->send(s) ? impl_->flush(waiting) : failure(impl_->message());
  if (out.ok()) out = impl_->receive(waiting, address_.largest);
  if (out.lost()) ended_by_command_ = out.code == "57P01";  // SQLSTATE admin_shutdown
  if (out.lost() || out.interrupted || out.code == kNoAnswer) close();
  return out;
}

}  // namespace xplan::backend

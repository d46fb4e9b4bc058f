// PgSession: one connection to PostgreSQL, made when a statement needs it, and statements on it.
//
// Who calls it: database.h.  Contract: a statement is sent once; whether to send it again, nobody but its
// caller knows. After an error of the connection the next statement makes a new one, which has another
// number, and none of the locks of the former. A server that is silent for half a minute is no longer there:
// something between may have forgotten the connection, and told nobody. Waiting for the server ends when the
// run is told to stop, if the statement says so, and after five minutes in any case; an answer of another
// kind than that of a statement, or one of more than a gigabyte, is an error. Messages have no values and no
// passwords.  Cost: a statement is one exchange with the server; connecting takes several.
// Thread-safety: one thread at a time. Why not blocking calls: they cannot be ended.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backend/pg/address.h"
#include "core/base/stop.h"

namespace xplan::backend {

struct PgStatement {
  std::string sql;
  std::vector<std::string> parameters = {};
  Stop stop = nullptr;
  bool binary = false;  // all that comes back
  std::chrono::seconds limit{300};
  // One more parameter, the last, sent as it is. Lives until the statement was run, since it may be large.
  std::optional<std::string_view> content = std::nullopt;
  PgStatement with(std::string_view bytes) && {
    content = bytes;
    return std::move(*this);
  }
};

struct PgReply {
  std::vector<std::vector<std::optional<std::string>>> rows = {};
  std::string code = {};  // SQLSTATE; empty: it worked
  std::string problem = {};
  bool interrupted = false;  // the run is to stop, so nobody waited for the answer
  bool ok() const { return code.empty(); }
  bool lost() const;  // the connection is gone, or there was none: the statement may have been carried out
  bool transient() const;  // it may work later
  // What is not there, as a server may answer what it likes, is as what is null.
  const std::optional<std::string>* at(size_t row, size_t column) const {
    return row < rows.size() && column < rows[row].size() ? &rows[row][column] : nullptr;
  }
  bool has(size_t row, size_t column) const { return at(row, column) && *at(row, column); }
  std::string text(size_t row, size_t column) const { return has(row, column) ? **at(row, column) : ""; }
  std::string take(size_t row, size_t column) {
    return has(row, column) ? *std::move(rows[row][column]) : std::string();
  }
};

class PgSession {
 public:
  explicit PgSession(PgAddress address);
  ~PgSession();
  PgSession(const PgSession&) = delete;

  PgReply run(const PgStatement& s);
  PgReply connect(Stop stop);  // nothing to do while there is a connection
  void close();
  unsigned number() const { return number_; }  // of the connection; 0: there is none
  // Whether the server ended the last one that was lost because somebody told it to, or as it was shut down.
  bool ended_by_command() const { return ended_by_command_; }
  const std::string& shown() const { return address_.shown; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  const PgAddress address_;
  unsigned number_ = 0, last_ = 0;
  bool ended_by_command_ = false;
};

}  // namespace xplan::backend

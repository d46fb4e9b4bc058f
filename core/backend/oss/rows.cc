// Requests for rows, as messages of TableStore.
#include "core/backend/oss/rows.h"

#include <fmt/format.h>

#include "core/base/shown_text.h"
#include "core/cloud/tablestore_message.h"
#include "core/cloud/tablestore_row.h"

namespace xplan::backend::oss {
namespace {

using namespace cloud::tablestore;

enum Existence : uint64_t { kWhatever = 0, kMustExist = 1, kMustNotExist = 2 };

std::string key_of(const std::string& id, bool deleted = false) {
  return row_of({{"LockID", id}}, {}, deleted);
}

// That a column has this value; where there is no such column, it has not.
std::string equals(const char* column, const std::string& value) {
  constexpr uint64_t kOneColumn = 1, kEqual = 1;
  Message filter;
  filter.add(1, kEqual).add(2, column).add(3, value_of(value)).add(4, uint64_t{1}).add(5, uint64_t{1});
  return Message().add(1, kOneColumn).add(2, filter.bytes()).bytes();
}

}  // namespace

std::string put_message(const std::string& table, const std::string& id, const char* column,
                        const std::string& value, bool absent) {
  const std::string row = row_of({{"LockID", id}}, {{column, value}});
  const Message condition = Message().add(1, absent ? kMustNotExist : kWhatever);
  return Message().add(1, table).add(2, row).add(3, condition.bytes()).bytes();
}

std::string get_message(const std::string& table, const std::string& id, const char* column) {
  constexpr uint64_t kVersions = 1;
  return Message().add(1, table).add(2, key_of(id)).add(3, "LockID").add(3, column).add(5, kVersions).bytes();
}

std::string delete_message(const std::string& table, const std::string& id, const char* column,
                           const std::string& value) {
  Message condition;
  condition.add(1, value.empty() ? kWhatever : kMustExist);
  if (!value.empty()) condition.add(2, equals(column, value));
  return Message().add(1, table).add(2, key_of(id, true)).add(3, condition.bytes()).bytes();
}

Result<OssClient::TableAnswer> put_row(OssClient& c, const std::string& id, const char* column,
                                       const std::string& value, bool absent, net::Ending stop) {
  return c.table("PutRow", put_message(c.settings().table, id, column, value, absent), id, stop);
}

Result<std::optional<std::string>> get_row(OssClient& c, const std::string& id, const char* column,
                                           net::Ending stop) {
  const auto a = c.table("GetRow", get_message(c.settings().table, id, column), id, stop);
  if (!a) return a.error();
  if (!a->refused.empty()) return Error{a->text};
  const auto fields = read_message(a->text);
  auto row = fields ? read_row(bytes_of(*fields, 2)) : std::nullopt;
  if (!row)
    return Error{fmt::format("the response from the TableStore table \"{}\" about the row \"{}\" is damaged",
                             c.settings().table, shown_text(id))};
  for (auto& [name, value] : *row)
    if (name == column) return std::optional(std::move(value));
  return std::optional<std::string>();
}

Result<void> delete_row(OssClient& c, const std::string& id, const char* column, const std::string& value,
                        net::Ending stop) {
  const auto a = c.table("DeleteRow", delete_message(c.settings().table, id, column, value), id, stop);
  if (!a) return a.error();
  if (a->refused.empty()) return {};
  if (a->refused != kConditionFailed) return Error{a->text};
  // An attempt whose answer was lost has deleted it; otherwise somebody else has it now.
  const Result<std::optional<std::string>> there = get_row(c, id, column, stop);
  if (!there) return there.error();
  return *there ? Result<void>(Error{a->text}) : Result<void>();
}

}  // namespace xplan::backend::oss

// Rows of the TableStore table: a key LockID, and one string beside it.
//
// Who calls it: locks.cc and place.cc.
// Contract: that of OssClient. Rows are read as they were last written. Cost: one request. Thread-safety: any
// thread.
#pragma once
#include <optional>
#include <string>

#include "core/backend/oss/client.h"

namespace xplan::backend::oss {

inline constexpr const char* kConditionFailed = "OTSConditionCheckFail";

// `absent`: only if there is none of this key; otherwise that is refused.
Result<OssClient::TableAnswer> put_row(OssClient& c, const std::string& id, const char* column,
                                       const std::string& value, bool absent, net::Ending stop = nullptr);
// Nothing: there is none, or it does not have this column.
Result<std::optional<std::string>> get_row(OssClient& c, const std::string& id, const char* column,
                                           net::Ending stop = nullptr);
// `value` empty: whatever it contains.
Result<void> delete_row(OssClient& c, const std::string& id, const char* column,
                        const std::string& value = {}, net::Ending stop = nullptr);

// What is sent for that.
std::string put_message(const std::string& table, const std::string& id, const char* column,
                        const std::string& value, bool absent);
std::string get_message(const std::string& table, const std::string& id, const char* column);
std::string delete_message(const std::string& table, const std::string& id, const char* column,
                           const std::string& value);

}  // namespace xplan::backend::oss

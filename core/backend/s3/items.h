// Items of the DynamoDB table: a key LockID, and one string beside it.
//
// Who calls it: locks.cc and place.cc.
// Contract: that of S3Client. Items are read as they were last written (ConsistentRead). Cost: one request.
// Thread-safety: any thread.
#pragma once
#include <optional>
#include <string>

#include "core/backend/s3/client.h"

namespace xplan::backend::s3 {

// `absent`: only if there is none of this key.
Result<S3Client::TableAnswer> put_item(S3Client& c, const std::string& id, const char* name,
                                       const std::string& value, bool absent, net::Ending stop = nullptr);
// Nothing: there is none, or it does not have this attribute.
Result<std::optional<std::string>> get_item(S3Client& c, const std::string& id, const char* name,
                                            net::Ending stop = nullptr);
// `value` empty: whatever it contains.
Result<void> delete_item(S3Client& c, const std::string& id, const char* name, const std::string& value = {},
                         net::Ending stop = nullptr);

}  // namespace xplan::backend::s3

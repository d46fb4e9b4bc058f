// The place of one state in a bucket.
//
// Who calls it: server.cc. Contract: that of Place. Versions are MD5 sums; segments of journals are the
// objects PREFIX.journal/REST/NAME of the state PREFIX/REST. With a table, the digest of what was written is
// kept there, as the reference tools do, and what is read must have it. Cost: as Place says, a look before
// each write, and one request for the digest.  Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/oss/client.h"
#include "core/state/place.h"

namespace xplan::backend::oss {

std::unique_ptr<Place> make_place(const std::shared_ptr<OssClient>& client, const std::string& state);
// With its digest and what is left of a journal.
Result<void> remove_place(const std::shared_ptr<OssClient>& client, const std::string& state);

}  // namespace xplan::backend::oss

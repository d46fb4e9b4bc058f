// The place of one state in a bucket.
//
// Who calls it: server.cc. Contract: that of Place. Segments of journals are the objects KEY.journal/NAME.
// With a DynamoDB table, the digest of what was written is kept there, as the reference tools do, and what is
// read must have it. Cost: as Place says, and one request for the digest.  Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/s3/client.h"
#include "core/state/place.h"

namespace xplan::backend::s3 {

std::unique_ptr<Place> make_place(std::shared_ptr<S3Client> client, const std::string& key);
// With its digest and what is left of a journal.
Result<void> remove_place(const std::shared_ptr<S3Client>& client, const std::string& key);

}  // namespace xplan::backend::s3

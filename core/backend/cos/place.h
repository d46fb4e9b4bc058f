// The place of one state in a bucket.
//
// Who calls it: server.cc. Contract: that of Place. Versions are MD5 sums; segments of journals are the
// objects STATE.journal/NAME. The service cannot compare, so a write looks first. Cost: as Place says, and a
// look before each write.  Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/cos/client.h"
#include "core/state/place.h"

namespace xplan::backend::cos {

std::unique_ptr<Place> make_place(std::shared_ptr<CosClient> client, const std::string& state);
// With what is left of a journal.
Result<void> remove_place(const std::shared_ptr<CosClient>& client, const std::string& state);

}  // namespace xplan::backend::cos

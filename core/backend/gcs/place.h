// The place of one state in a bucket.
//
// Who calls it: server.cc. Contract: that of Place. Versions are generations; segments of journals are the
// objects WORKSPACE.tfstate.journal/NAME, with the key of the state. Cost: as Place says.  Thread-safety: as
// Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/gcs/client.h"
#include "core/state/place.h"

namespace xplan::backend::gcs {

// `state`: the name of its object without ".tfstate".
std::unique_ptr<Place> make_place(std::shared_ptr<GcsClient> client, const std::string& state);
// With what is left of a journal.
Result<void> remove_place(const std::shared_ptr<GcsClient>& client, const std::string& state);

}  // namespace xplan::backend::gcs

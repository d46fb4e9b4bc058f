// The state of a workspace, as versions of it on the server, and the workspace's lock.
//
// Who calls it: server.cc; tests.  Contract: that of Place. A state is written over the version that was read
// and no other, as far as a look right before tells; the server also compares serial and lineage, and takes
// versions only from whoever has the lock. A workspace that does not exist has no state; it is created when
// its lock is taken. The token stays with the host of the service, wherever states are. Cost: two requests to
// read, three to write (four with the JSON form), one for the lock, two to release it, and one to find the
// workspace.  Thread-safety: as Place.
#pragma once
#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/backend/hcp/api.h"
#include "core/state/place.h"

namespace xplan::backend::hcp {

// `workspace`: as the server calls it. `json_of`: whose result goes to the server beside each state.
std::unique_ptr<Place> make_place(std::shared_ptr<Api> api, std::string workspace, JsonOfState json_of = {});

}  // namespace xplan::backend::hcp

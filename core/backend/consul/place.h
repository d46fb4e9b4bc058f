// The place of one state among the keys of a Consul server.
//
// Who calls it: server.cc; tests. Contract: that of Place; versions are the indexes of the key, and a write
// is a transaction that fails when the index is another one. What is too large for a request is in parts,
// PATH/tfstate.MD5/N, that the key lists, as the reference tools have it. Cost: as Place says; a state in
// parts one request for each of them. Thread-safety: as Place says.
#pragma once
#include <memory>
#include <string>

#include "core/backend/consul/client.h"
#include "core/state/place.h"

namespace xplan::backend::consul {

std::unique_ptr<Place> make_place(std::shared_ptr<ConsulClient> client, std::string key);
// With its parts; its lock goes with the session that has it.
Result<void> remove_place(const std::shared_ptr<ConsulClient>& client, const std::string& key);

}  // namespace xplan::backend::consul
